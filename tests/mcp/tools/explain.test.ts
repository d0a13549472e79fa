/** What the tool `explain` shows of a run with many files. */
import { expect, test } from "bun:test";
import { explainAnswer } from "../../../src/mcp/tools/explain.ts";
import { ExplainAnswer } from "../../../src/present/answers.ts";
import type { FileVerdict } from "../../../src/retrieval/explain/file-verdicts.ts";

const RUN = {
  ...{ runId: 1, taskId: "abc", round: 1, task: "x", startedAt: "t", budget: {}, result: null },
  ...{ command: "retrieve", options: {}, contentHash: "h", craVersion: "0" },
};

const answer = (shownRanks: readonly number[]) =>
  explainAnswer({
    ...{ about: "run", target: null, run: RUN, decisions: [], unrecorded: null },
    files: Array.from({ length: 80 }, (_, at): FileVerdict => {
      const shown = shownRanks.includes(at + 1);
      const scores = { tier: "ranked", score: 1 / (at + 1), judged: null, tokens: shown ? 9 : 0, reason: "r" };
      return { path: `f${at + 1}.py`, rank: at + 1, shown, ...scores };
    }),
  });

test("all files of the package are listed, wherever they rank, and the best of the others", () => {
  const { text, structured } = answer([1, 40, 79]);
  const ranks = ExplainAnswer.parse(structured).files.map(({ rank }) => rank);
  expect(ranks).toEqual([...Array.from({ length: 28 }, (_, at) => at + 1), 40, 79]);
  expect(text).toContain("f79.py");
  expect(text).toEndWith("\nNote: 50 files left out; ask about a file or symbol with what\n");
  const many = Array.from({ length: 35 }, (_, at) => 2 * at + 2);
  expect(ExplainAnswer.parse(answer(many).structured).files.map(({ rank }) => rank)).toEqual(many);
});
