/** Cases and answers for tests of the figures: short forms, and arbitrary ones for laws. */
import fc from "fast-check";
import { CURVE_POINTS } from "../../src/evaluation/curve-points.ts";
import { PACKAGE_BUDGETS } from "../../src/evaluation/metric-names.ts";
import type {
  CaseAnswer,
  CurvePackage,
  EvaluationCase,
  GoldLines,
  GoldSymbol,
  PackageAnswer,
  PackedSpan,
} from "../../src/evaluation/model.ts";
import { NO_TIER_TOKENS } from "../../src/evaluation/tier-tokens.ts";

/** A case that expects what is given and nothing else. */
export const aCase = (expected: Partial<EvaluationCase> = {}): EvaluationCase => ({
  id: "one",
  repo: "owner/name",
  baseCommit: null,
  baseDate: null,
  language: "python",
  source: "history",
  task: "Round the tax down",
  expectedFiles: [],
  expectedTestFiles: [],
  expectedSymbols: [],
  expectedLines: [],
  answerLeak: null,
  exactness: null,
  ...expected,
});

/** A definition `name` in `path`, on the lines given. */
export const gold = (path: string, name: string, start: number, end: number): GoldSymbol => ({
  path,
  qualified: name,
  name,
  lines: { start, end },
  role: "innermost",
});

export const span = (
  path: string,
  start: number,
  end: number,
  kind: PackedSpan["kind"] = "body",
  tokens = 10,
): PackedSpan => ({ path, start, end, kind, tokens });

/** A package of these spans, of no text besides. */
export const packed = (spans: readonly PackedSpan[], rest: Partial<PackageAnswer> = {}): PackageAnswer => ({
  budget: 16_000,
  tokenizer: "o200k_base",
  tokens: spans.reduce((sum, { tokens }) => sum + tokens, 0),
  taskTokens: 0,
  spans,
  ...rest,
});

/** The same package at every budget, counted both ways. */
export const everywhere = (main: PackageAnswer): readonly PackageAnswer[] =>
  ["o200k_base", "approximate"].flatMap((tokenizer) =>
    PACKAGE_BUDGETS.map((budget) => ({ ...main, budget, tokenizer })),
  );

/** The same package at every point of the curve. */
export const onCurve = (main: PackageAnswer): readonly CurvePackage[] =>
  CURVE_POINTS.map(({ label }) => ({ ...main, label }));

export const anAnswer = (answer: Partial<CaseAnswer> = {}): CaseAnswer => ({
  rankedFiles: [],
  rankedSymbols: [],
  namedSymbols: answer.rankedSymbols ?? [],
  scopeFiles: [],
  foreign: [],
  packages: [],
  curve: [],
  main: packed([]),
  tierTokens: NO_TIER_TOKENS,
  ms: { index: 0, retrieve: 0 },
  ...answer,
});

const path = fc.constantFrom(...Array.from({ length: 14 }, (_, at) => `src/f${at}.ts`));
const lines = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.nat(12))
  .map(([start, more]) => ({ start, end: start + more }));
const name = fc.constantFrom("a", "b", "c");
const placed: fc.Arbitrary<GoldLines> = fc.tuple(path, lines).map(([of, at]) => ({ path: of, ...at }));
const symbol: fc.Arbitrary<GoldSymbol> = fc.record({
  path: fc.option(path),
  qualified: name.map((own) => `m.${own}`),
  name,
  lines: fc.option(lines),
  role: fc.constantFrom("innermost" as const, "enclosing" as const),
});
const kind = fc.constantFrom("whole" as const, "body" as const, "signature" as const, "outline" as const);
const anyPiece = fc.tuple(placed, kind, fc.nat(300)).map(([at, of, tokens]) => ({ ...at, kind: of, tokens }));
const anyPackage: fc.Arbitrary<PackageAnswer> = fc.record({
  budget: fc.constantFrom(...PACKAGE_BUDGETS),
  tokenizer: fc.constantFrom("o200k_base", "approximate"),
  tokens: fc.nat(40_000),
  taskTokens: fc.nat(40_000),
  spans: fc.array(anyPiece, { maxLength: 12 }),
});

/** Any case, also one that expects nothing, or the same twice. */
export const anyCase: fc.Arbitrary<EvaluationCase> = fc
  .record({
    expectedFiles: fc.array(path, { maxLength: 4 }),
    expectedTestFiles: fc.array(path, { maxLength: 3 }),
    expectedSymbols: fc.array(symbol, { maxLength: 4 }),
    expectedLines: fc.array(placed, { maxLength: 4 }),
  })
  .map(aCase);

/** Any answer, also one that fits nothing. */
export const anyAnswer: fc.Arbitrary<CaseAnswer> = fc.record({
  rankedFiles: fc
    .uniqueArray(path, { maxLength: 14 })
    .chain((paths) => fc.tuple(...paths.map((of) => fc.boolean().map((isTest) => ({ path: of, isTest }))))),
  rankedSymbols: fc.array(
    fc.tuple(placed, name).map(([at, own]) => ({ ...at, name: own, qualified: `m.${own}` })),
    { maxLength: 20 },
  ),
  namedSymbols: fc.array(
    fc.tuple(placed, name).map(([at, own]) => ({ ...at, name: own, qualified: `m.${own}` })),
    { maxLength: 20 },
  ),
  scopeFiles: fc.uniqueArray(path, { maxLength: 10 }),
  foreign: fc.constant([]),
  packages: fc.array(anyPackage, { maxLength: 8 }),
  curve: fc.array(
    fc.tuple(anyPackage, fc.constantFrom(...CURVE_POINTS)).map(([of, { label }]): CurvePackage => ({ ...of, label })),
    { maxLength: 8 },
  ),
  main: anyPackage,
  tierTokens: fc.record({
    primary: fc.nat(9_000),
    tests: fc.nat(900),
    supporting: fc.nat(900),
    type_context: fc.nat(90),
    rationale: fc.nat(90),
  }),
  ms: fc.record({ index: fc.nat(1000), retrieve: fc.nat(1000) }),
});
