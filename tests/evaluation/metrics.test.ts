import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  FILE_DEPTHS,
  METRIC_NAMES,
  SYMBOL_DEPTHS,
  TIER_SHARE_NAMES,
  VIEWS,
} from "../../src/evaluation/metric-names.ts";
import { measure } from "../../src/evaluation/metrics.ts";
import type { CaseAnswer, EvaluationCase } from "../../src/evaluation/model.ts";
import { aCase, anAnswer, anyAnswer, anyCase, everywhere, gold, onCurve, packed, span } from "./answers.ts";

const scores = (expected: Partial<EvaluationCase>, answer: Partial<CaseAnswer>) =>
  measure(aCase(expected), anAnswer(answer)).scores;

const source = (...paths: readonly string[]) => paths.map((path) => ({ path, isTest: path.startsWith("tests/") }));

describe("files", () => {
  test("counts whether all, or any, are in the first k", () => {
    const found = scores({ expectedFiles: ["b", "d"] }, { rankedFiles: source("a", "b", "c", "d") });
    expect(found).toMatchObject({ "acc@1": 0, "acc@3": 0, "acc@5": 1, "any@1": 0, "any@3": 1, mrr: 1 / 2, "r@10": 1 });
  });

  test("an unranked one is never found", () => {
    const found = measure(aCase({ expectedFiles: ["a", "z"] }), anAnswer({ rankedFiles: source("a") }));
    expect(found.scores).toMatchObject({ "acc@10": 0, "any@1": 1, mrr: 1, "r@10": 0.5 });
    expect(found.fileRanks).toEqual([1, null]);
    expect(scores({ expectedFiles: ["z"] }, {})).toMatchObject({ "acc@10": 0, mrr: 0, "r@10": 0 });
  });

  test("without tests, unexpected tests are dropped", () => {
    const rankedFiles = source("tests/x", "tests/y", "a");
    expect(scores({ expectedFiles: ["a"] }, { rankedFiles })).toMatchObject({ "acc@1": 0, "acc@1_tests_out": 1 });
    const both = scores({ expectedFiles: ["tests/y", "a"] }, { rankedFiles });
    expect(both).toMatchObject({ mrr: 1 / 2, mrr_tests_out: 1, "acc@3": 1 });
  });

  test("compares the selection with the expected files", () => {
    const found = scores(
      { expectedFiles: ["a", "b"] },
      { scopeFiles: ["a", "b", "c", "d"], main: packed([span("a", 1, 2, "signature"), span("c", 1, 9)]) },
    );
    expect(found).toMatchObject({ scope_recall: 1, scope_precision: 0.5, file_recall: 0.5, file_precision: 0.5 });
    expect(scores({ expectedFiles: ["a"] }, {})).toMatchObject({ file_precision: 0, scope_precision: 0 });
  });
});

describe("tests", () => {
  const main = packed([span("a", 1, 2), span("tests/a", 1, 1, "signature"), span("c", 1, 9)]);
  const answer = { main, packages: everywhere(main) };

  test("something of one counts, and of how many", () => {
    const found = scores({ expectedFiles: ["a"], expectedTestFiles: ["tests/a", "tests/b"] }, answer);
    expect(found).toMatchObject({ test_any: 1, test_recall: 0.5, "test_any@4k": 1, "test_recall@32k": 0.5 });
    const none = scores({ expectedFiles: ["a"], expectedTestFiles: ["tests/b"] }, answer);
    expect(none).toMatchObject({ test_any: 0, test_recall: 0 });
  });

  test("a case that expects none has no value", () => {
    const found = scores({ expectedFiles: ["a"] }, answer);
    expect([found.test_any, found.test_recall, found["test_any@8k"]]).toEqual([undefined, undefined, undefined]);
  });

  test("are files that the package may spend on", () => {
    const found = scores({ expectedFiles: ["a"], expectedTestFiles: ["tests/a"] }, answer);
    expect(found).toMatchObject({ file_precision: 1 / 3, file_precision_tests: 2 / 3 });
    expect(scores({ expectedFiles: ["a"] }, answer)).toMatchObject({ file_precision_tests: 1 / 3 });
  });
});

describe("definitions", () => {
  const ranked = (path: string, name: string, start: number, end: number) => ({
    ...{ path, name, start, end },
    qualified: `Cart.${name}`,
  });

  test("are found by path, name and lines", () => {
    const rankedSymbols = [ranked("a", "get", 30, 40), ranked("b", "get", 1, 9), ranked("a", "get", 5, 9)];
    const expectedSymbols = [gold("a", "get", 1, 6)];
    expect(scores({ expectedSymbols }, { rankedSymbols })).toMatchObject({ "symbol_all@5": 1 });
    expect(scores({ expectedSymbols }, { rankedSymbols: rankedSymbols.slice(0, 2) })).toMatchObject({
      "symbol_any@10": 0,
    });
  });

  test("by name within the expected files, full or qualified", () => {
    const named = (name: string) => ({ ...gold("", name, 0, 0), path: null, lines: null });
    const rankedSymbols = [ranked("b", "get", 1, 9), ranked("a", "put", 5, 9)];
    const expecting = (name: string) => ({ expectedFiles: ["a"], expectedSymbols: [named(name)] });
    expect(scores(expecting("get"), { rankedSymbols })["symbol_any@10"]).toBe(0);
    for (const name of ["put", "Cart.put"]) {
      const found = scores(expecting(name), { rankedSymbols, main: packed([span("a", 1, 20)]) });
      expect(found).toMatchObject({ "symbol_any@10": 1, symbol_recall: 1 });
    }
  });

  test("by name they count in the package within the expected files, ranked or not", () => {
    const expectedSymbols = [{ ...gold("", "MAX", 0, 0), path: null, lines: null }];
    const namedSymbols = [ranked("a", "MAX", 5, 5), ranked("b", "MAX", 1, 1)];
    const of = (...spans: Parameters<typeof packed>[0]) =>
      scores({ expectedFiles: ["a"], expectedSymbols }, { namedSymbols, main: packed(spans) });
    expect(of(span("a", 1, 20))).toMatchObject({ "symbol_any@10": 0, symbol_recall: 1 });
    expect(of(span("b", 1, 20))).toMatchObject({ symbol_recall: 0 });
  });

  test("are found under another name by their lines", () => {
    const expectedSymbols = [gold("a", "module.exports", 10, 40)];
    const found = (...where: Parameters<typeof ranked>) =>
      scores({ expectedFiles: ["a"], expectedSymbols }, { rankedSymbols: [ranked(...where)] })["symbol_any@5"];
    expect(found("a", "send", 10, 39)).toBe(1);
    expect(found("a", "send", 10, 30)).toBe(0);
    expect(found("b", "send", 10, 40)).toBe(0);
  });

  test("only the innermost count, each once", () => {
    const inner = gold("a", "get", 5, 9);
    const outer = { ...gold("a", "Cart", 1, 99), role: "enclosing" as const };
    const found = scores({ expectedSymbols: [inner, inner, outer] }, { main: packed([span("a", 5, 9)]) });
    expect(found.symbol_recall).toBe(1);
    expect(scores({ expectedSymbols: [outer] }, {}).symbol_recall).toBeUndefined();
  });
});

describe("packages", () => {
  const expectedSymbols = [gold("a", "get", 5, 9)];

  test("a definition is included if all its lines are shown", () => {
    const recall = (...spans: Parameters<typeof packed>[0]) => scores({ expectedSymbols }, { main: packed(spans) });
    expect(recall(span("a", 4, 9)).symbol_recall).toBe(1);
    expect(recall(span("a", 5, 7), span("a", 8, 12)).symbol_recall).toBe(1);
    expect(recall(span("a", 5, 8)).symbol_recall).toBe(0);
    expect(recall(span("a", 5, 7), span("a", 9, 9)).symbol_recall).toBe(0);
    expect(recall(span("a", 5, 9, "signature")).symbol_recall).toBe(0);
    expect(recall(span("b", 1, 99, "whole")).symbol_recall).toBe(0);
  });

  test("a class is included by its own lines, a member only by the member's", () => {
    const cart = gold("a", "Cart", 1, 20);
    const foreign = [
      { path: "a", start: 3, end: 9 },
      { path: "a", start: 10, end: 10 },
      { path: "a", start: 11, end: 19 },
    ];
    const recall = (symbol: typeof cart, ...spans: Parameters<typeof packed>[0]) =>
      scores({ expectedSymbols: [symbol] }, { main: packed(spans), foreign }).symbol_recall;
    expect(recall(cart, span("a", 1, 2), span("a", 20, 20))).toBe(1);
    expect(recall(cart, span("a", 1, 2))).toBe(0);
    expect(recall(cart, span("b", 1, 20))).toBe(0);
    expect(recall(gold("a", "put", 3, 9), span("a", 1, 2), span("a", 20, 20))).toBe(0);
    expect(recall(gold("a", "put", 3, 9), span("a", 3, 9))).toBe(1);
  });

  test("lines are covered line by line, each counted once", () => {
    const expectedLines = [
      { path: "a", start: 1, end: 4 },
      { path: "a", start: 3, end: 5 },
      { path: "b", start: 7, end: 11 },
    ];
    const main = packed([span("a", 4, 8), span("a", 5, 6), span("b", 7, 8, "whole"), span("b", 9, 11, "outline")]);
    expect(scores({ expectedLines }, { main }).line_coverage).toBe(4 / 10);
  });

  test("tokens of expected files and definitions count as efficient, headings do not", () => {
    const main = packed([span("a", 1, 2, "body", 30), span("b", 1, 2, "body", 50), span("c", 1, 2, "outline", 10)], {
      tokens: 200,
      budget: 400,
    });
    const found = scores({ expectedFiles: ["c"], expectedSymbols: [gold("a", "get", 2, 9)] }, { main });
    expect(found).toMatchObject({ token_efficiency: 0.2, budget_use: 0.5, symbol_precision: 0.5 });
  });

  test("an approximate budget does not count the task", () => {
    const spans = [span("a", 1, 9)];
    const packages = [
      packed(spans, { budget: 4_000, tokens: 3_000, taskTokens: 1_000 }),
      packed([], { budget: 4_000, tokens: 3_000, taskTokens: 1_000, tokenizer: "approximate" }),
    ];
    const found = scores({ expectedSymbols }, { packages });
    expect(found).toMatchObject({ "symbol_recall@4k": 1, "budget_use@4k": 0.75 });
    expect(found).toMatchObject({ "symbol_recall@4k_approximate": 0, "budget_use@4k_approximate": 0.5 });
    expect(found["symbol_recall@8k"]).toBeUndefined();
  });
});

describe("amounts", () => {
  test("are the tokens of packages that are counted exactly", () => {
    const packages = [
      packed([], { budget: 4_000, tokens: 3_900 }),
      packed([], { budget: 8_000, tokens: 7_000 }),
      packed([], { budget: 8_000, tokens: 9_000, tokenizer: "approximate" }),
    ];
    const { amounts } = measure(aCase(), anAnswer({ packages, main: packed([], { tokens: 6_000 }) }));
    expect(amounts).toEqual({ tokens: 6_000, "tokens@4k": 3_900, "tokens@8k": 7_000 });
  });

  test("of tiers are shares of the whole text", () => {
    const tierTokens = { primary: 50, tests: 20, supporting: 10, type_context: 5, rationale: 0 };
    const found = scores({}, { main: packed([], { tokens: 100 }), tierTokens });
    expect(found).toMatchObject({ primary_share: 0.5, tests_share: 0.2, supporting_share: 0.1, rest_share: 0.15 });
    expect(scores({}, { main: packed([], { tokens: 0 }) }).rest_share).toBeUndefined();
  });
});

describe("laws", () => {
  test("metrics are from 0 to 1, or absent without expectations", () => {
    fc.assert(
      fc.property(anyCase, anyAnswer, (expected, answer) => {
        const found = measure(expected, answer).scores;
        const shares = TIER_SHARE_NAMES.reduce((sum, name) => sum + (found[name] ?? 0), 0);
        expect(shares).toBeCloseTo(found.rest_share === undefined ? 0 : 1, 9);
        for (const [name, value] of Object.entries(found)) {
          if (!(value >= 0 && value <= 1)) throw new Error(`${name} is ${value}`);
        }
        expect(found.mrr === undefined).toBe(expected.expectedFiles.length === 0);
        expect(found.line_coverage === undefined).toBe(expected.expectedLines.length === 0);
      }),
    );
  });

  test("a larger k finds no less, all is at most any, and tests hide no expected file", () => {
    fc.assert(
      fc.property(anyCase, anyAnswer, (expected, answer) => {
        const found = measure(expected, answer).scores;
        const of = (name: (typeof METRIC_NAMES)[number]) => found[name] ?? 0;
        for (const view of VIEWS) {
          for (const [at, depth] of FILE_DEPTHS.entries()) {
            const next = FILE_DEPTHS[at + 1] ?? depth;
            expect(of(`acc@${depth}${view}`)).toBeLessThanOrEqual(of(`acc@${next}${view}`));
            expect(of(`any@${depth}${view}`)).toBeLessThanOrEqual(of(`any@${next}${view}`));
            expect(of(`acc@${depth}${view}`)).toBeLessThanOrEqual(of(`any@${depth}${view}`));
            expect(of(`acc@${depth}`)).toBeLessThanOrEqual(of(`acc@${depth}_tests_out`));
          }
          for (const depth of SYMBOL_DEPTHS) {
            expect(of(`symbol_all@${depth}${view}`)).toBeLessThanOrEqual(of(`symbol_any@${depth}${view}`));
          }
        }
        expect(of("mrr")).toBeLessThanOrEqual(of("mrr_tests_out"));
      }),
    );
  });

  test("the order of expected items and spans does not matter", () => {
    const shuffled = fc.tuple(anyCase, anyAnswer).chain(([expected, answer]) =>
      fc.record({
        expected: fc.constant(expected),
        answer: fc.constant(answer),
        files: shuffle(expected.expectedFiles),
        symbols: shuffle(expected.expectedSymbols),
        lines: shuffle(expected.expectedLines),
        spans: shuffle(answer.main.spans),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ expected, answer, files, symbols, lines, spans }) => {
        const other = { ...expected, expectedFiles: files, expectedSymbols: symbols, expectedLines: lines };
        const otherAnswer = { ...answer, main: { ...answer.main, spans } };
        expect(measure(other, otherAnswer).scores).toEqual(measure(expected, answer).scores);
      }),
    );
  });

  test("a larger package never has less recall", () => {
    fc.assert(
      fc.property(anyCase, anyAnswer, anyAnswer, (expected, answer, { main: more }) => {
        const fuller = { ...answer, main: { ...answer.main, spans: [...answer.main.spans, ...more.spans] } };
        const [less, all] = [answer, fuller].map((one) => measure(expected, one).scores);
        for (const name of ["file_recall", "symbol_recall", "line_coverage", "test_any", "test_recall"] as const)
          expect(all?.[name] ?? 1).toBeGreaterThanOrEqual(less?.[name] ?? 0);
      }),
    );
  });

  test("the perfect answer scores 1 in everything that it can", () => {
    const expecting = anyCase.filter(({ expectedFiles }) => expectedFiles.length > 0);
    fc.assert(
      fc.property(expecting, (loose) => {
        const files = [...new Set(loose.expectedFiles)];
        const names = files.map((path, at) => gold(path, `of${at}`, 3, 8));
        const expected = {
          ...loose,
          expectedTestFiles: [...loose.expectedTestFiles, "tests/f.ts"],
          expectedSymbols: names,
          expectedLines: files.map((path) => ({ path, start: 4, end: 5 })),
        };
        const tests = expected.expectedTestFiles.map((path) => span(path, 1, 2, "signature", 0));
        const main = packed([...names.map((_, at) => span(files[at] ?? "", 3, 8)), ...tests]);
        const full = { ...main, budget: main.tokens };
        const answer = anAnswer({
          rankedFiles: source(...files),
          rankedSymbols: names.map(({ name }, at) => ({
            ...{ path: files[at] ?? "", name, qualified: name },
            ...{ start: 3, end: 8 },
          })),
          scopeFiles: files,
          main: full,
          packages: everywhere(main),
          curve: onCurve(main),
        });
        const found = measure(expected, answer).scores;
        for (const name of METRIC_NAMES) {
          const depth = Number(/^(?:acc|symbol_all)@(\d+)/.exec(name)?.[1] ?? files.length);
          const isOther = name.startsWith("budget_use@") || name === "file_precision" || name.endsWith("_share");
          if (depth >= files.length && !isOther) expect([name, found[name]]).toEqual([name, 1]);
        }
      }),
    );
  });
});

const shuffle = <Item>(items: readonly Item[]): fc.Arbitrary<readonly Item[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
