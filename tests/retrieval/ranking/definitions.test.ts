import { expect, test } from "bun:test";
import type { ScoredSegments } from "../../../src/retrieval/lexical/segment-scores.ts";
import type { Anchor } from "../../../src/retrieval/model/anchor.ts";
import { rankDefinitions } from "../../../src/retrieval/ranking/definitions.ts";
import { SEGMENT_KINDS } from "../../../src/text/terms/segments.ts";
import { type Fixture, knowledgeOf } from "../../support/knowledge.ts";

const FIXTURE: Fixture = {
  files: {
    "a.ts": {
      text: "",
      symbols: [
        { name: "one", kind: "function", lines: [1, 2] },
        { name: "LIMIT", kind: "variable", lines: [3, 3] },
        { name: "Shape", kind: "interface", lines: [4, 6] },
      ],
    },
    "tests/a.test.ts": { text: "", symbols: [{ name: "two", kind: "function", lines: [1, 2] }] },
  },
};
const KB = { ...knowledgeOf(FIXTURE), inlineTests: () => inlineTests };
/** Ids that count as tests in files that are none. */
let inlineTests: ReadonlySet<number> = new Set();
const FILES = KB.files();
const idOf = (name: string): number => KB.symbolsNamed([name])[0]?.id ?? -1;

/** A row of `ScoredSegments`. */
type Segment = { readonly position: number; readonly ordinal: number; readonly kind: number; readonly score: number };

const inColumns = (rows: readonly Segment[]): ScoredSegments => ({
  count: rows.length,
  position: Int32Array.from(rows, ({ position }) => position),
  ordinal: Int32Array.from(rows, ({ ordinal }) => ordinal),
  kind: Uint8Array.from(rows, ({ kind }) => kind),
  score: Float64Array.from(rows, ({ score }) => score),
});

const segment = (position: number, ordinal: number, kind: (typeof SEGMENT_KINDS)[number], score: number): Segment => ({
  position,
  ordinal,
  kind: SEGMENT_KINDS.indexOf(kind),
  score,
});

function rankOf(
  segments: readonly Segment[],
  anchors: readonly Anchor[] = [],
  totals: readonly number[] = [2, 1],
  title = "",
) {
  const names = new Map(["one", "LIMIT", "Shape", "two"].map((name) => [idOf(name), name]));
  return rankDefinitions({
    kb: KB,
    files: FILES,
    segments: inColumns(segments),
    totals: Float64Array.from(FILES, (_, position) => totals[position] ?? 0),
    anchors,
    factors: Float64Array.from(FILES, ({ path }) => (path.startsWith("tests/") ? 0.4 : 1)),
    inlineTestFactor: 0.2,
    title,
  }).map(({ symbolId, score }) => [names.get(symbolId), score]);
}

const anchor = (
  kind: Anchor["kind"],
  section: Anchor["section"],
  symbols: readonly string[],
  rest: Partial<Anchor> = {},
): Anchor => ({
  kind,
  text: "",
  section,
  codeLike: true,
  files: [...new Set(KB.symbolsNamed(symbols).map(({ fileId }) => fileId))],
  symbols: symbols.map(idOf),
  value: 1,
  ...rest,
});

test("a score combines the definition's own, its file's, and the factors of its kind and file", () => {
  expect(
    rankOf([
      segment(0, -1, "rest", 1),
      segment(0, 0, "function", 0.5),
      segment(0, 2, "interface", 0.5),
      segment(1, 0, "function", 1),
    ]),
  ).toEqual([
    ["one", 1], // .5 + .5 × √(2 / 2)
    ["Shape", 0.8], // the same × .8
    ["two", 0.541421], // (1 + .5 × √(1 / 2)) × .4
  ]);
});

test("names and traces add to the score, divided among what they can mean", () => {
  const own = segment(0, 0, "function", 0.5);
  const check = (anchors: readonly Anchor[], expected: number): void =>
    expect(rankOf([own], anchors)[0]).toEqual(["one", expected]);
  check([anchor("definition", "title", ["one"])], 1.2);
  check([anchor("definition", "inline", ["one"])], 1.2);
  check([anchor("definition", "prose", ["one"], { codeLike: false })], 1.075); // .25 × .3
  check([anchor("definition", "title", ["one"]), anchor("definition", "prose", ["one"])], 1.45);
  check([anchor("definition", "title", ["one", "two"])], 1.1);
  check([anchor("definition", "code", ["one"])], 1);
  check([anchor("qualified", "prose", ["one"])], 1.2);
  check([anchor("trace", "trace", ["one"], { value: 0.5 })], 1.15);
  check([anchor("trace", "trace", ["one"]), anchor("trace", "trace", ["one"], { value: 0.5 })], 1.3);
});

test("a title that says part of a definition's name raises its score by that share", () => {
  const named = (title: string): unknown => rankOf([segment(0, 0, "function", 0.5)], [], [2, 1], title)[0];
  expect(named("The one is missing")).toEqual(["one", 1]); // "one" says nothing
  const fixture = knowledgeOf({
    files: { "b.ts": { text: "", symbols: [{ name: "parseLoginUrls", kind: "function", lines: [1, 2] }] } },
  });
  const scoreFor = (title: string): number | undefined =>
    rankDefinitions({
      kb: fixture,
      files: fixture.files(),
      segments: inColumns([segment(0, 0, "function", 0.5)]),
      totals: new Float64Array(1),
      anchors: [],
      factors: Float64Array.of(1),
      inlineTestFactor: 1,
      title,
    })[0]?.score;
  expect(scoreFor("Nothing of it")).toBe(0.5);
  expect(scoreFor("Login is broken")).toBe(0.533333);
  expect(scoreFor("Parsing the URL of the login fails")).toBe(0.6);
});

test("a named definition is listed even if nothing else matches", () => {
  // constants of one line have no segment: .5 × √(2 / 2) + .2
  expect(rankOf([], [anchor("definition", "title", ["LIMIT"])])).toEqual([["LIMIT", 0.7]]);
});

test("equal scores are ordered by path, then by position", () => {
  expect(rankOf([segment(0, 1, "variable", 1), segment(0, 0, "function", 1)]).map(([name]) => name)).toEqual([
    "one",
    "LIMIT",
  ]);
});

test("an inline test gets the penalty of a test, and only once in a test file", () => {
  const segments = [segment(0, 0, "function", 1), segment(1, 0, "function", 1)];
  const scoreOf = () => new Map(rankOf(segments, [], [0, 0]).map(([name, score]) => [name, score]));
  expect(scoreOf()).toEqual(
    new Map([
      ["one", 1],
      ["two", 0.4],
    ]),
  );
  inlineTests = new Set([idOf("one"), idOf("two")]);
  try {
    expect(scoreOf()).toEqual(
      new Map([
        ["one", 0.2],
        ["two", 0.2],
      ]),
    );
  } finally {
    inlineTests = new Set();
  }
});
