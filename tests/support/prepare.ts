/**
 * Runs before every test file (see bunfig.toml): writes the compressed grammars that `src/syntax` imports, puts
 * temporary folders in memory, and seeds property tests so that results are reproducible. `CRA_TEST_SEED=7 bun test`
 * uses another seed.
 */

import fc from "fast-check";
import { makeGrammars } from "../../scripts/grammars.ts";
import { keepFoldersInMemory } from "./memory-folder.ts";

makeGrammars();
keepFoldersInMemory();
fc.configureGlobal({ seed: Number(process.env.CRA_TEST_SEED ?? 1) });
