/**
 * Runs before every test file (see bunfig.toml): makes the compressed grammars that `src/syntax` imports, has temporary
 * folders made in memory, and draws the samples of property tests from one seed, so that the same tree gives the same
 * result. `CRA_TEST_SEED=7 bun test` draws others.
 */

import fc from "fast-check";
import { makeGrammars } from "../../scripts/grammars.ts";
import { keepFoldersInMemory } from "./memory-folder.ts";

makeGrammars();
keepFoldersInMemory();
fc.configureGlobal({ seed: Number(process.env.CRA_TEST_SEED ?? 1) });
