import { expect, test } from "bun:test";
import { missedGates, missSentence, readGates } from "../../src/evaluation/gates.ts";
import { METRIC_NAMES } from "../../src/evaluation/metric-names.ts";

test("gates are names with minimum values", () => {
  expect(readGates("file_recall=0.8, Acc@1 = .5,symbol_recall@8k_approximate=1")).toEqual([
    { name: "file_recall", least: 0.8 },
    { name: "acc@1", least: 0.5 },
    { name: "symbol_recall@8k_approximate", least: 1 },
  ]);
  expect(readGates(METRIC_NAMES.map((name) => `${name}=0.25`).join(",")).map(({ name }) => name)).toEqual([
    ...METRIC_NAMES,
  ]);
});

for (const [typed, message] of [
  ["file_recal=0.8", 'no metric is called "file_recal"; did you mean "file_recall"?'],
  ["acc@2=0.8", 'no metric is called "acc@2"; did you mean "acc@1"?'],
  ["quality=0.8", 'no metric is called "quality"; for example: file_recall, '],
  ["__proto__=0.5", 'no metric is called "__proto__"'],
  ["mrr=80", "mrr=80: metrics range from 0 to 1"],
  ["mrr=high", '"mrr=high" is not a gate; write it as in file_recall=0.8'],
  ["mrr>0.5", '"mrr>0.5" is not a gate'],
  ["mrr=-1", '"mrr=-1" is not a gate'],
  ["mrr=0.5,", '"" is not a gate'],
  ["", '"" is not a gate'],
  ["mrr=0.5,acc@1=0,MRR=0.6", "the gate mrr is repeated"],
] as const)
  test(`refused: ${typed}`, () => expect(() => readGates(typed)).toThrow(`--gate: ${message}`));

test("missed gates are named in the given order", () => {
  const means = { mrr: { mean: 0.7996, n: 12 }, file_recall: { mean: 0.1 + 0.2, n: 3 }, "acc@1": { mean: 0, n: 1 } };
  const missed = missedGates(readGates("acc@5=0,mrr=0.8,file_recall=0.3,acc@1=0.01"), means);
  expect(missed.map(missSentence)).toEqual([
    "acc@5 could not be measured on any case; the gate is 0",
    "mrr is 0.799600, the gate is 0.8 (12 cases)",
    "acc@1 is 0.000, the gate is 0.01 (1 case)",
  ]);
});

test("a rounding difference does not miss a gate", () => {
  const mean = Array.from({ length: 10 }, () => 0.1).reduce((sum, value) => sum + value, 0);
  expect(mean).toBeLessThan(1);
  expect(missedGates(readGates("mrr=1"), { mrr: { mean, n: 10 } })).toEqual([]);
});
