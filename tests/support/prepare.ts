/**
 * Runs before every test file (see bunfig.toml): makes the compressed grammars that `src/syntax` imports, and has
 * temporary folders made in memory.
 */

import { makeGrammars } from "../../scripts/grammars.ts";
import { keepFoldersInMemory } from "./memory-folder.ts";

makeGrammars();
keepFoldersInMemory();
