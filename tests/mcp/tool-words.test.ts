/** Sentences of the command line, as a model reads them that has tools. */
import { expect, test } from "bun:test";
import { inToolWords } from "../../src/mcp/tool-words.ts";

test.each([
  ["--phase: it is empty", "phase: it is empty"],
  ["use --hint-path or --hint-symbol", "use hint_paths or hint_symbols"],
  ["no run has it; run: cra retrieve", "no run has it; call retrieve"],
  ["it is not indexed; run: cra index", "it is not indexed; run: cra index"],
  ["start it as: cra mcp --phase 3; --phase is wrong", "start it as: cra mcp --phase 3; phase is wrong"],
  ["run: cra retrieve --phase x", "run: cra retrieve --phase x"],
  ["to show them: --allow-secrets", "to show them: --allow-secrets"],
])("%p", (sentence, said) => {
  expect(inToolWords(sentence, ["phase", "hint_paths", "hint_symbols"], ["retrieve", "recall"])).toBe(said);
});
