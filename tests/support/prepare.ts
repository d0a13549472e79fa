/**
 * Runs before every test file (see bunfig.toml): makes the compressed grammars that `src/syntax` imports.
 */

import { makeGrammars } from "../../scripts/grammars.ts";

makeGrammars();
