/** Results with given figures, for tests of what is made of them. */
import type { CaseResult, Scores } from "../../src/evaluation/model.ts";

export const aResult = (id: string, scores: Scores, rest: Partial<CaseResult> = {}): CaseResult => ({
  id,
  repo: "owner/name",
  language: "python",
  source: "history",
  answerLeak: { path: false, basename: false, symbol: false },
  exactness: null,
  ...rest,
  metrics: { scores, amounts: {}, fileRanks: [1], ms: { index: 10, retrieve: 20 }, ...rest.metrics },
});
