import { expect, test } from "bun:test";
import fc from "fast-check";
import { compare } from "../../../src/evaluation/compare.ts";
import { measure } from "../../../src/evaluation/metrics.ts";
import type { CaseResult } from "../../../src/evaluation/model.ts";
import { readResults, resultsDocument } from "../../../src/evaluation/report/document.ts";
import { summarize } from "../../../src/evaluation/summary.ts";
import { Failed } from "../../../src/failure.ts";
import { anyAnswer, anyCase } from "../answers.ts";
import { aResult } from "../results.ts";

const written = (results: readonly CaseResult[]): string =>
  JSON.stringify(
    resultsDocument(results, {
      about: { version: "1.0.0", cases: "cases.jsonl" },
      summary: summarize(results),
      comparison: compare(results, results),
      failed: [{ id: "lost", why: "no such commit" }],
    }),
  );

test("amounts and exactness are read back, without names that are not known", () => {
  const result = aResult("a", {});
  const exact = {
    ...result,
    exactness: { group: "g", level: 3 },
    metrics: { ...result.metrics, amounts: { tokens: 9, "tokens@4k": 3 } },
  };
  expect(readResults(written([exact]), "old.json")).toEqual([exact]);
  const other = { ...row, amounts: { tokens: 5, beauty: 1 } };
  expect(readResults(JSON.stringify(document(other)), "old.json")[0]?.metrics.amounts).toEqual({ tokens: 5 });
});

test("what is written is read back", () => {
  fc.assert(
    fc.property(anyCase, anyAnswer, (expected, answer) => {
      const results = [aResult("a", {}), { ...aResult("b", {}), metrics: measure(expected, answer) }];
      expect(readResults(written(results), "old.json")).toEqual(results);
    }),
  );
});

const row = {
  ...{ id: "a", repo: null, language: null, source: null, gives_away: null, file_ranks: [2, null] },
  ...{ ms: { index: 1, retrieve: 2 }, scores: { mrr: 0.5 } },
};
const document = (...cases: readonly unknown[]) => ({ schema_version: 1, cases });

test("results from before amounts and exactness are read", () => {
  const [found] = readResults(JSON.stringify(document(row)), "old.json");
  expect([found?.exactness, found?.metrics.amounts]).toEqual([null, {}]);
});

test("unknown metrics are dropped", () => {
  const text = '{"schema_version":1,"cases":[{"id":"a","repo":null,"language":null,"source":null,"gives_away":null,';
  const scores = '"scores":{"mrr":0.5,"beauty":1,"__proto__":0.1,"toString":1}';
  const [found] = readResults(`${text}"file_ranks":[],"ms":{"index":0,"retrieve":0},${scores}}]}`, "old.json");
  expect(found?.metrics.scores).toEqual({ mrr: 0.5 });
});

for (const [name, value, message] of [
  ["another document", { cases: [] }, "schema_version: is missing"],
  ["another form", { ...document(row), schema_version: 2 }, "schema_version: written in version 2"],
  ["nothing", null, "document: "],
  ["a list", [row], "document: "],
  ["no cases", { schema_version: 1 }, "cases: "],
  ["a share above 1", document({ ...row, scores: { mrr: 1.5 } }), "cases.0.scores.mrr: "],
  ["a share that is a word", document({ ...row, scores: { mrr: "1" } }), "cases.0.scores.mrr: "],
  ["a rank of 0", document({ ...row, file_ranks: [0] }), "cases.0.file_ranks.0: "],
  ["less than no tokens", document({ ...row, amounts: { tokens: -1 } }), "cases.0.amounts.tokens: "],
  ["a time before now", document({ ...row, ms: { index: -1, retrieve: 0 } }), "cases.0.ms.index: "],
  ["one case twice", document(row, row), 'the case "a" is repeated'],
] as const)
  test(`refused: ${name}`, () => {
    const read = () => readResults(JSON.stringify(value), "old.json");
    expect(read).toThrow(Failed);
    expect(read).toThrow(`old.json: ${message}`);
  });

test("refused: not JSON", () => expect(() => readResults("{", "old.json")).toThrow("old.json: not JSON; name a file"));
