import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Verdict } from "../../src/judgement/judge.ts";
import {
  applyPrecision,
  PRECISION_CLASSES,
  type PrecisionClass,
  precisionKey,
  precisionQuestion,
} from "../../src/judgement/precision.ts";
import { byValueDensity } from "../../src/retrieval/packing/value-density.ts";

type Placed = {
  symbol: { id: number };
  tier: PrecisionClass;
  floor: boolean;
  score: number;
  why: string;
  ahead?: true;
};
const placed = (id: number, tier: PrecisionClass, score: number, floor = false): Placed => ({
  symbol: { id },
  tier,
  floor,
  score,
  why: `why ${id}`,
});
const verdicts = (of: Readonly<Record<number, PrecisionClass>>): ReadonlyMap<string, Verdict<PrecisionClass>> =>
  new Map(
    Object.entries(of).map(([id, verdict]) => [precisionKey(Number(id)), { class: verdict, reason: `says of ${id}` }]),
  );

test("the description of a symbol for a model", () => {
  const { candidates, classes, stage } = precisionQuestion("Fix it", [
    {
      id: 7,
      path: "src/a.ts",
      qualifiedName: "Url.parse",
      kind: "method",
      signature: "parse(text: string):\n  Url",
      doc: "Parses a URL.",
      why: "the task names it",
      tier: "primary",
    },
    {
      id: 8,
      path: "src/b.ts",
      qualifiedName: "f",
      kind: "function",
      signature: "f()",
      doc: "",
      why: "used",
      tier: "supporting",
    },
  ]);
  expect(stage).toBe("precision");
  expect(classes).toEqual(PRECISION_CLASSES);
  expect(candidates).toEqual([
    {
      key: "7",
      text: "method Url.parse in src/a.ts\nparse(text: string): Url\nParses a URL.\nprimary so far: the task names it",
    },
    { key: "8", text: "function f in src/b.ts\nf()\nsupporting so far: used" },
  ]);
});

const SYMBOLS = [
  placed(1, "primary", 1, true),
  placed(2, "primary", 0.8),
  placed(3, "supporting", 0.4),
  placed(4, "type_context", 0.2),
];

const keys = (...ids: readonly number[]): ReadonlySet<string> => new Set(ids.map(precisionKey));
const ALL = keys(...Array.from({ length: 100 }, (_, id) => id));

test("without verdicts, nothing changes", () => {
  expect(applyPrecision(SYMBOLS, new Map(), ALL)).toEqual({
    placed: SYMBOLS,
    leftOut: [],
    unasked: [],
    overruled: false,
  });
});

test("symbols judged primary are tried before all others, in their previous order", () => {
  const { placed: after } = applyPrecision(SYMBOLS, verdicts({ 3: "primary", 4: "primary" }), ALL);
  expect(after.map(({ symbol, tier, score, ahead }) => [symbol.id, tier, score, ahead])).toEqual([
    [1, "primary", 1, undefined],
    [2, "primary", 0.8, undefined],
    [3, "primary", 0.4, true],
    [4, "primary", 0.2, true],
  ]);
});

test("symbols judged lower or excluded are moved, except those of the floor", () => {
  const { placed: after, leftOut } = applyPrecision(
    SYMBOLS,
    verdicts({ 1: "excluded", 2: "supporting", 3: "excluded" }),
    ALL,
  );
  expect(after).toEqual([placed(1, "primary", 1, true), placed(2, "supporting", 0.8), placed(4, "type_context", 0.2)]);
  expect(leftOut).toEqual([placed(3, "supporting", 0.4)]);
});

test("floor symbols keep their tier for any verdict", () => {
  const symbols = [placed(1, "supporting", 1, true), placed(2, "supporting", 1, true)];
  expect(applyPrecision(symbols, verdicts({ 1: "supporting", 2: "type_context" }), ALL).placed).toEqual(symbols);
});

test("symbols that were not judged are left out, except the floor and requested ones", () => {
  const judged = applyPrecision(SYMBOLS, verdicts({ 2: "primary" }), keys(2), ({ symbol }) => symbol.id === 4);
  expect(judged.placed.map(({ symbol }) => symbol.id)).toEqual([1, 2, 4]);
  expect(judged.placed.at(-1)).toEqual(placed(4, "type_context", 0.2));
  expect([judged.unasked, judged.leftOut, judged.overruled]).toEqual([[placed(3, "supporting", 0.4)], [], false]);
});

test("if nothing would be left, nothing changes, also for symbols that were not judged", () => {
  const loose = SYMBOLS.slice(1);
  const of = verdicts({ 2: "excluded", 3: "excluded" });
  expect(applyPrecision(loose, of, keys(2, 3))).toEqual({
    placed: loose,
    leftOut: [],
    unasked: [],
    overruled: true,
  });
  expect(applyPrecision(loose, of, ALL).placed).toEqual([placed(4, "type_context", 0.2)]);
  expect(applyPrecision([], of, ALL).overruled).toBe(false);
});

test("symbols without a tier are not added", () => {
  expect(applyPrecision(SYMBOLS, verdicts({ 99: "primary" }), ALL).placed).toEqual(SYMBOLS);
});

const symbol = fc.record({
  tier: fc.constantFrom(...PRECISION_CLASSES),
  floor: fc.boolean(),
  score: fc.double({ min: 0.05, max: 1.2, noNaN: true }),
  chars: fc.integer({ min: 0, max: 1_048_576 }),
});
const given = fc
  .array(symbol, { maxLength: 30 })
  .map((list) => list.map((rest, id): Placed & { chars: number } => ({ ...rest, symbol: { id }, why: "" })));
const judged = fc
  .dictionary(fc.nat({ max: 40 }).map(String), fc.constantFrom(...PRECISION_CLASSES))
  .map((of) => verdicts(of));

test("property: for any verdicts, the floor keeps its tiers, and no symbol is lost or added", () => {
  fc.assert(
    fc.property(given, judged, fc.nat({ max: 40 }), (symbols, of, most) => {
      const asked = keys(...symbols.slice(0, most).map(({ symbol: { id } }) => id));
      const { placed: after, leftOut, unasked, overruled } = applyPrecision(symbols, of, asked);
      expect(after.length > 0 || symbols.length === 0).toBe(true);
      if (overruled) return expect(after).toBe(symbols);
      const out = new Set([...leftOut, ...unasked].map(({ symbol: { id } }) => id));
      for (const { symbol: left, floor } of unasked)
        expect([floor, asked.has(precisionKey(left.id)), of.has(precisionKey(left.id))]).toEqual([false, false, false]);
      expect(after.map(({ symbol: { id } }) => id)).toEqual(
        symbols.map(({ symbol: { id } }) => id).filter((id) => !out.has(id)),
      );
      const afterOf = new Map(after.map((one) => [one.symbol.id, one]));
      for (const before of symbols) {
        const now = afterOf.get(before.symbol.id);
        const verdict = of.get(precisionKey(before.symbol.id));
        if (before.floor) {
          expect(now?.score).toBe(before.score);
          expect(PRECISION_CLASSES.indexOf(now?.tier ?? "excluded")).toBeLessThanOrEqual(
            PRECISION_CLASSES.indexOf(before.tier),
          );
        }
        if (verdict === undefined && !unasked.includes(before)) expect(now).toBe(before);
        if (out.has(before.symbol.id)) expect(verdict?.class ?? "excluded").toBe("excluded");
      }
    }),
  );
});

test("property: packing tries symbols judged primary before others, for any sizes", () => {
  fc.assert(
    fc.property(given, judged, (symbols, of) => {
      const { placed: after } = applyPrecision(symbols, of, ALL);
      const items = after.map((one, id) => ({
        ...one,
        ahead: one.ahead === true,
        rank: id + 1,
        bodyTokens: one.chars,
      }));
      const order = byValueDensity(
        items.filter(({ floor }) => !floor),
        ({ chars }) => chars,
        (a, b) => a.symbol.id - b.symbol.id,
      );
      const classes = order.map(({ symbol: { id } }) => of.get(precisionKey(id))?.class === "primary");
      expect(classes).toEqual(classes.toSorted((a, b) => Number(b) - Number(a)));
    }),
  );
});
