/** Which symbols a model is asked about. */
import { expect, test } from "bun:test";
import { judgeSymbols } from "../../../src/retrieval/judging/judge-symbols.ts";
import type { StageJudge } from "../../../src/retrieval/model/judging.ts";
import type { PlacedSymbol } from "../../../src/retrieval/model/selection.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { knowledgeOf } from "../../support/knowledge.ts";
import { symbolRow } from "../../support/symbol-row.ts";

test("of equal symbols, those of the best files are asked about first, whichever file was stored first", async () => {
  const placed = [3, 2, 1].map(
    (id): PlacedSymbol => ({
      ...{ symbol: symbolRow(id, id, `name_${id}`), tier: "primary", floor: false, score: 1, why: "", usedBy: [] },
    }),
  );
  const asked: string[] = [];
  const judge: StageJudge = {
    model: "told",
    weigh: () => ({ trust: 0, shares: [], posteriors: [] }),
    known: () => undefined,
    resume: () => undefined,
    async *ask({ candidates }) {
      yield* [];
      asked.push(...candidates.map(({ key }) => key));
      return null;
    },
  };
  const task = analyzeTask("fix it", { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
  await judgeSymbols({ kb: knowledgeOf({ files: {} }), task, judge }, placed, new Map(), (some) => some).next();
  expect(asked).toEqual(["3", "2", "1"]);
});
