import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failed } from "../../../../src/failure.ts";
import { ITEM_TIERS } from "../../../../src/retrieval/model/tiers.ts";
import { pack } from "../../../../src/retrieval/packing/fitting/fit-rendering.ts";
import { type Fit, fitter } from "../../../../src/retrieval/packing/fitting/packer.ts";
import type { Item } from "../../../../src/retrieval/packing/items/items.ts";
import { pricedText } from "../../../../src/retrieval/packing/items/priced-text.ts";
import { failureOf } from "../../../support/failure.ts";
import { emptyPackage } from "../../../support/package.ts";

/** One token a word: exact, fast, and nothing like the estimates. */
const counter = {
  name: "o200k_base" as const,
  count: (text: string): number => text.split(/\s+/).filter(Boolean).length,
};

const BUDGET = { tokens: 4_000 };
const LINES = 400;
const source = pricedText(
  Array.from({ length: LINES }, (_, index) => `word${index} and more text`).join("\n"),
  counter,
);

const item = (
  index: number,
  given: {
    tier: Item["tier"];
    score: number;
    lines: number;
    floor: boolean;
    start: number;
    error: number;
    companionOf?: readonly number[];
  },
): Item => {
  const ranges =
    given.tier === "supporting"
      ? []
      : [{ startLine: given.start, endLine: Math.min(LINES, given.start + given.lines) }];
  const real = ranges.reduce((sum, range) => sum + (range.endLine - range.startLine + 1) * 4, 0);
  const symbol =
    given.tier === "rationale"
      ? null
      : {
          id: index,
          fileId: index % 5,
          name: `s${index}`,
          qualifiedName: `s${index}`,
          kind: "function",
          startLine: given.start,
          endLine: Math.min(LINES, given.start + given.lines),
          docLine: given.start,
          nameLine: given.start,
          signature: `def s${index}()`,
          signatureTokens: 4,
          bodyTokens: real,
          parentId: null,
          exported: true,
        };
  return {
    key: `f${index % 5}#${index}`,
    fileId: index % 5,
    path: `f${index % 5}.py`,
    rank: (index % 5) + 1,
    tier: given.tier,
    floor: given.floor && given.tier === "primary",
    score: given.score,
    label: `s${index}`,
    why: "",
    symbol,
    docstring: null,
    assertions: [],
    reason: given.tier === "rationale" ? "why" : null,
    ranges,
    // Wrong on purpose: the packer must not trust estimates.
    bodyTokens: Math.ceil(real * given.error),
    signatureTokens: symbol ? Math.ceil(4 * given.error) : null,
    needs: [],
    ...(given.companionOf === undefined ? {} : { companionOf: given.companionOf }),
  };
};

const items = fc
  .array(
    fc.record({
      tier: fc.constantFrom(...ITEM_TIERS),
      score: fc.double({ min: 0.1, max: 1, noNaN: true }),
      lines: fc.integer({ min: 0, max: 60 }),
      floor: fc.boolean(),
      start: fc.integer({ min: 1, max: LINES - 1 }),
      error: fc.double({ min: 0.5, max: 2, noNaN: true }),
      companionOf: fc.uniqueArray(fc.nat({ max: 39 }), { maxLength: 3 }),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((given, index) => item(index, given)));

const sources = new Map([0, 1, 2, 3, 4].map((id) => [id, source]));
const scorer = (line: string): number => (line.includes("7") ? 1 : 0);
const text = (shown: Fit["shown"]): string =>
  `task text\n${shown
    .map(({ item: { label }, detail, ranges }) =>
      detail === "signature"
        ? `def ${label} () :`
        : ranges.map(({ startLine, endLine }) => source.lines.slice(startLine - 1, endLine).join("\n")).join("\n"),
    )
    .join("\n")}`;

/** Packs with a rendering that is as simple as can be; the shown items ride along in `warnings`. */
function packed(list: readonly Item[], tokens: number, maxLines: number | null = null) {
  let last: Fit = { shown: [], target: 0, estimate: 0, complete: true };
  const texts = new Map<unknown, string>();
  const result = pack({
    isAboutTests: false,
    items: list,
    sources,
    scorer,
    counter,
    budget: { tokens, maxLines, contextWindow: null, reservedTokens: null, coverage: 1 },
    assemble: (chosen) => {
      last = chosen;
      const pkg = emptyPackage("t");
      texts.set(pkg, text(chosen.shown));
      return pkg;
    },
    render: (pkg) => ({ markdown: texts.get(pkg) ?? "", prompt: `${texts.get(pkg) ?? ""} prompt words` }),
  });
  return { result, text: texts.get(result.pkg) ?? "", last };
}

const floorOf = (list: readonly Item[]): number => {
  try {
    packed(list, 1);
    return 1;
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "budget-below-floor") return error.failure.floor;
    throw error;
  }
};

test("the rendered text never exceeds the budget, and the floor is always shown", () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 4000 }), (list, tokens) => {
      const floor = floorOf(list);
      if (tokens < floor) {
        expect(() => packed(list, tokens)).toThrow(Failed);
        return;
      }
      const { result, text: shown } = packed(list, tokens);
      expect(counter.count(`${shown} prompt words`)).toBeLessThanOrEqual(tokens);
      const kept = new Set(result.fit.shown.map(({ item: { key } }) => key));
      for (const one of list) if (one.floor) expect(kept.has(one.key)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("the floor named in a failure works as a budget, and one token less does not", () => {
  fc.assert(
    fc.property(items, (list) => {
      const floor = floorOf(list);
      expect(counter.count(`${packed(list, floor).text} prompt words`)).toBeLessThanOrEqual(floor);
      if (floor > 1) expect(() => packed(list, floor - 1)).toThrow(Failed);
    }),
    { numRuns: 60 },
  );
});

test("with enough room everything is shown in full", () => {
  fc.assert(
    fc.property(items, (list) => {
      const { result } = packed(list, 1_000_000);
      expect(result.fit.complete).toBe(true);
      expect(result.relevant).toBe(result.tokens);
    }),
    { numRuns: 60 },
  );
});

test("a limit of lines that is too low is refused with the least that works", () => {
  const floor = { tier: "primary", score: 1, lines: 8, floor: true, error: 1 } as const;
  const list = Array.from({ length: 6 }, (_, index) => item(index, { ...floor, start: 1 + index * 20 }));
  const refused = failureOf(() => packed(list, 10_000, 2));
  if (refused?.code !== "budget-below-floor") throw new Error("nothing was refused");
  expect([refused.unit, refused.budget]).toEqual(["lines", 2]);
  expect(packed(list, 10_000, refused.floor).text.split("\n")).toHaveLength(refused.floor);
  expect(() => packed(list, 10_000, refused.floor - 1)).toThrow(Failed);
});

test("with room for one companion, the one that stands first is shown, in whatever order they come", () => {
  const of = (index: number, start: number, lines: number): Item =>
    item(index, { tier: "primary", score: 1 - index / 1_000, lines, floor: false, start, error: 1 });
  const beside = (index: number, start: number): Item => ({
    ...item(index, { tier: "supporting", score: 0.1, lines: 3, floor: false, start, error: 1 }),
    ranges: [{ startLine: start, endLine: start + 3 }],
    bodyTokens: 16,
    signatureTokens: null,
    companionOf: [0],
  });
  // Of other files, and more than fits, down to the last tokens.
  const long = Array.from({ length: 18 }, (_, at) => of(5 * at + 6, 1 + 22 * at, 20));
  const short = Array.from({ length: 100 }, (_, at) => of(5 * at + 207, 1 + 4 * at, 0));
  const list = [of(0, 1, 4), ...long, ...short, beside(200, 300), beside(205, 200)];
  for (const given of [list, list.toReversed()]) {
    const { shown } = fitter({ isAboutTests: false, budget: BUDGET, items: given, sources, scorer })(900);
    const companions = shown.filter(({ item: { companionOf } }) => companionOf !== undefined);
    expect(companions.map(({ item: { label } }) => label)).toEqual(["s205"]);
  }
});

test("a limit of lines holds too", () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 60, max: 300 }), (list, maxLines) => {
      const shown = packed(list, 1_000_000, maxLines).text;
      expect(shown.split("\n").length).toBeLessThanOrEqual(maxLines);
    }),
    { numRuns: 60 },
  );
});

test("the budget is used: at least four fifths of it when there is more relevant material", () => {
  const list = Array.from({ length: 30 }, (_, index) =>
    item(index, { tier: "primary", score: 1 - index / 40, lines: 12, floor: false, start: 1 + index * 13, error: 1.3 }),
  );
  for (const tokens of [300, 500, 900, 1300]) {
    const { result, text: shown } = packed(list, tokens);
    expect(result.relevant).toBeGreaterThan(tokens);
    expect(counter.count(shown) / tokens).toBeGreaterThanOrEqual(0.8);
  }
});

test("over budget: weaker tiers give way first, then bodies become signatures", () => {
  const list = [
    item(0, { tier: "primary", score: 1, lines: 10, floor: true, start: 1, error: 1 }),
    item(1, { tier: "primary", score: 0.5, lines: 10, floor: false, start: 51, error: 1 }),
    item(2, { tier: "supporting", score: 0.4, lines: 10, floor: false, start: 101, error: 1 }),
    item(3, { tier: "type_context", score: 0.4, lines: 10, floor: false, start: 151, error: 1 }),
  ];
  const details = (tokens: number) =>
    fitter({ isAboutTests: false, budget: BUDGET, items: list, sources, scorer })(tokens)
      .shown.map(({ item: { label }, detail }) => `${label}:${detail}`)
      .join(" ");
  expect(details(10_000)).toBe("s0:body s1:body s2:signature s3:body");
  expect(details(130)).toBe("s0:body s1:signature s2:signature");
  expect(details(0)).toBe("s0:signature");
});

test("a strong body that does not fit becomes a signature before weaker bodies go in", () => {
  const of = (index: number, score: number, start: number, lines: number): Item => ({
    ...item(index, { tier: "primary", score, lines, floor: false, start, error: 1 }),
    signatureTokens: 30,
  });
  // Of one file, so that no other rule shows the signature.
  const list = [
    of(0, 1, 1, 5),
    of(5, 0.9, 10, 60),
    ...Array.from({ length: 15 }, (_, at) => of(10 + 5 * at, 0.2, 80 + 20 * at, 18)),
  ];
  for (const tokens of [280, 300, 350]) {
    const { shown } = fitter({ isAboutTests: false, budget: BUDGET, items: list, sources, scorer })(tokens);
    expect(shown.find(({ item: { label } }) => label === "s5")?.detail).toBe("signature");
    expect(shown.filter(({ detail }) => detail === "body").length).toBeGreaterThan(2);
  }
});

test("the same items give the same fit in any order", () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 0, max: 3000 }), (list, tokens) => {
      const show = (given: readonly Item[]) =>
        fitter({ isAboutTests: false, budget: BUDGET, items: given, sources, scorer })(tokens)
          .shown.map(({ item: { key }, detail, ranges }) => `${key} ${detail} ${JSON.stringify(ranges)}`)
          .sort();
      expect(show([...list].reverse())).toEqual(show(list));
    }),
    { numRuns: 80 },
  );
});

test("row ids, which change when the index is rebuilt, have no influence", () => {
  const tie = { tier: "primary" as const, score: 0.5, lines: 10, floor: false, error: 1 };
  const list = Array.from({ length: 12 }, (_, index) => ({
    ...item(5 * index, { ...tie, start: 1 + index * 12 }),
    label: `s${index}`,
  }));
  const shownWith = (idOf: (index: number) => number) =>
    fitter({
      isAboutTests: false,
      budget: BUDGET,
      items: list.map((one, index) => ({
        ...one,
        key: `f0.py#${idOf(index)}`,
        symbol: one.symbol && { ...one.symbol, id: idOf(index) },
      })),
      sources,
      scorer,
    })(220).shown.map(({ item: { label }, detail }) => `${label} ${detail}`);
  expect(shownWith((index) => 96 + index)).toEqual(shownWith((index) => 200 + index));
});

test("a small best file is shown in full before better definitions of others, a larger one is not", () => {
  const of = (index: number, score: number, start: number, lines: number) =>
    item(index, { tier: "primary", score, lines, floor: false, start, error: 1 });
  const others = Array.from({ length: 60 }, (_, at) => of(1 + 5 * at, 1 - at / 100, 1 + 8 * at, 6));
  const bodiesOfBest = (list: readonly Item[]): readonly string[] =>
    fitter({ isAboutTests: false, budget: BUDGET, items: list, sources, scorer })(900)
      .shown.filter(({ item: { rank }, detail }) => rank === 1 && detail === "body")
      .map(({ item: { label } }) => label);
  expect(bodiesOfBest([...others, of(0, 0.2, 1, 9), of(5, 0.15, 20, 9)])).toEqual(["s0", "s5"]);
  expect(bodiesOfBest([...others, of(0, 0.2, 1, 14), of(5, 0.15, 20, 14)])).toEqual([]);
  const against = [of(0, 0.2, 1, 9), of(5, 0.15, 20, 9)].map((one) => ({ ...one, evidence: 0.1 }));
  expect(bodiesOfBest([...others, ...against])).toEqual([]);
});

describe("a test that the task names", () => {
  const named = { ...item(1, { tier: "tests", score: 0.1, lines: 15, floor: true, start: 1, error: 1 }), floor: true };
  const others = [2, 3, 4].map((index) =>
    item(index, { tier: "primary", score: 0.9, lines: 29, floor: false, start: index * 50, error: 1 }),
  );
  const shownOf = (test: Item) => {
    const { shown } = fitter({ isAboutTests: false, budget: BUDGET, items: [test, ...others], sources, scorer })(470);
    return Object.fromEntries(shown.map(({ item: { label }, detail }) => [label, detail]));
  };
  test("is shown in full before bodies that only rank well", () => {
    expect(shownOf(named)).toMatchObject({ s1: "body", s2: "body", s3: "body" });
  });
  test("leaves the room to others if it is long, only mentioned, or shown as a change", () => {
    const long = item(1, { tier: "tests", score: 0.1, lines: 40, floor: true, start: 1, error: 1 });
    const [mentioned, reviewed] = [{ inPassing: true } as const, { isReviewed: true } as const];
    for (const test of [
      { ...long, floor: true },
      { ...named, ...mentioned },
      { ...named, ...reviewed },
    ])
      expect(shownOf(test)).toMatchObject({ s1: "signature", s2: "body", s3: "body", s4: "body" });
  });
});
