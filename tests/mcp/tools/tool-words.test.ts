/** Sentences of the command line, as a model reads them that has tools. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { REFINING_OPTIONS } from "../../../src/cli/options/refining-options.ts";
import { REFINE } from "../../../src/mcp/tools/refine.ts";
import { inToolWords } from "../../../src/mcp/tools/tool-words.ts";

test("every option that refines is an argument of refine", () => {
  const names = Object.keys(z.record(z.string(), z.unknown()).parse(REFINE.input.properties));
  const said = REFINING_OPTIONS.map(({ flag }) => inToolWords(flag, names, []));
  expect(said.filter((name) => !names.includes(name))).toEqual([]);
});

test.each([
  ["--phase: it is empty", "phase: it is empty"],
  ["use --hint-path or --hint-symbol", "use hint_paths or hint_symbols"],
  ["no run has it; run: cra retrieve", "no run has it; call retrieve"],
  ['no run has it; see: cra sessions, or run: cra retrieve "TASK"', "no run has it; call retrieve"],
  ["it is not indexed; run: cra index", "it is not indexed; call retrieve"],
  ["nothing knows \"the cart\"; run: cra search 'the cart'", 'nothing knows "the cart"; call search'],
  ["as_body[0]: it is no name; see: cra schema refinement", "as_body[0]: it is no name; see the input schema"],
  ["it is damaged; run: cra index --rebuild", "it is damaged; run: cra index --rebuild"],
  ["say what to change: --request, --handoff, --phase or --trace", "say what to change: phase or --trace"],
  ["start it as: cra mcp --phase 3; --phase is wrong", "start it as: cra mcp --phase 3; phase is wrong"],
  ["run: cra retrieve --phase x", "run: cra retrieve --phase x"],
  ["to show them: --allow-secrets", "to show them: --allow-secrets"],
  ["name a branch; a task goes before the option, or after --", "name a branch"],
])("%p", (sentence, said) => {
  expect(inToolWords(sentence, ["phase", "hint_paths", "hint_symbols"], ["retrieve", "recall", "search"])).toBe(said);
});
