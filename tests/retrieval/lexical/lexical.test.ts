import { expect, test } from "bun:test";
import fc from "fast-check";
import { scoreText, type TextScores } from "../../../src/retrieval/lexical/lexical.ts";
import { weighTerms } from "../../../src/retrieval/lexical/weighted-terms.ts";
import { atOnce } from "../../../src/retrieval/model/steps.ts";
import type { SectionKind } from "../../../src/task/query.ts";
import { type Fixture, type FixtureFile, knowledgeOf } from "../../support/knowledge.ts";

const sections = (...pairs: readonly (readonly [SectionKind, string])[]) =>
  pairs.map(([kind, text]) => ({ kind, text }));

const textScores = (
  kb: ReturnType<typeof knowledgeOf>,
  task: ReturnType<typeof sections>,
  factorOf: (path: string) => number = () => 1,
): TextScores =>
  atOnce(
    scoreText(
      kb,
      kb.files(),
      task,
      Float64Array.from(kb.files(), ({ path }) => factorOf(path)),
    ),
  );

function score(fixture: Fixture, ...task: readonly (readonly [SectionKind, string])[]) {
  const kb = knowledgeOf(fixture);
  const files = kb.files();
  const scores = textScores(kb, sections(...task));
  const byPath = (values: Float64Array) =>
    Object.fromEntries(files.map(({ path }, position) => [path, Math.round((values[position] ?? 0) * 1e6) / 1e6]));
  return {
    content: byPath(scores.content),
    definitions: byPath(scores.definitions),
    segments: Array.from({ length: scores.segments.count }, (_, row) => [
      files[scores.segments.position[row] ?? -1]?.path,
      scores.segments.ordinal[row],
      Math.round((scores.segments.score[row] ?? 0) * 1e6) / 1e6,
    ]),
  };
}

const weights = (...task: readonly (readonly [SectionKind, string])[]) => {
  const { terms, weights } = weighTerms(sections(...task)).exact;
  return Object.fromEntries(terms.map((term, index) => [term, Math.round((weights[index] ?? 0) * 1e6) / 1e6]));
};

test("a word is weighted by its section, and repeats add up", () => {
  expect(weights(["title", "cookie"], ["inline", "cookie"], ["error", "cookie cookie"])).toEqual({
    cookie: 3 + 1.5 + 2 * 1.7,
    cookiecookie: 1,
  });
  expect(weights(["code", "zip"], ["trace", "zap"], ["noise", "zop"])).toEqual({ zip: 0.7, zap: 0.5, zop: 0.1 });
});

test("stop words of issues and of code weigh less; neighbouring words count as one word too", () => {
  // "the": 3 × .2; "self": 3 × .8; "this" is both: 3 × .2 × .8
  expect(weights(["title", "the"], ["prose", "zip"])).toEqual({ the: 0.6, zip: 1 });
  expect(weights(["title", "self"])).toEqual({ self: 2.4 });
  expect(weights(["title", "this"], ["prose", "zip"])).toEqual({ this: 0.48, zip: 1 });
  expect(weights(["title", "session cookie"])).toEqual({ session: 3, cookie: 3, sessioncookie: 2 });
  expect(weights(["prose", "a cookie\nsession"])).toEqual({ cookie: 1, session: 1 });
});

test("stop words alone are not searched for", () => {
  expect(weights(["title", "fix the bug in this"], ["prose", "it fails"])).toEqual({});
});

test("one term, one field: the score is the formula's", () => {
  const fixture: Fixture = { files: { "a.ts": "zebra zebra lion", "b.ts": "lion zebra fox", "c.ts": "lion fox fox" } };
  // every file has 3 terms, the average: counts are not divided. idf is the same for both holders,
  // so b / a = (1 × 1.8 / 1.8) / (2 × 1.8 / 2.8) = 0.777778, in the exact and the stemmed space
  expect(score(fixture, ["prose", "zebra"]).content).toEqual({ "a.ts": 1, "b.ts": 0.777778, "c.ts": 0 });
});

test("a comment counts half, a path twice", () => {
  const fixture: Fixture = {
    files: {
      "a.ts": { text: "// zebra x1 x2", commentLines: [[1, 1]] },
      "b.ts": "zebra x1 x2",
      "zebra/c.ts": "x1 x2 x3",
    },
  };
  // a: .5 × 1.8 / 1.3 = .692308; b: 1; c: path 2 × 1.8 / 2.8 = 1.285714
  expect(score(fixture, ["prose", "zebra"]).content).toEqual({
    "a.ts": 0.538462,
    "b.ts": 0.777778,
    "zebra/c.ts": 1,
  });
});

test("the file's name counts on top of its path; index files are named by their folder", () => {
  const fixture: Fixture = {
    files: { "zebra/other.ts": "x1", "zebra/index.ts": "x1", "zebra.ts": "x1", "lion.ts": "x1" },
  };
  const { content } = score(fixture, ["prose", "zebra"]);
  expect(content["zebra/index.ts"]).toBe(1);
  expect(content["zebra.ts"]).toBe(1);
  // path 2 → 2 × 1.8 / 2.8; path and name 4 → 4 × 1.8 / 4.8: .857143
  expect(content["zebra/other.ts"]).toBe(0.857143);
});

test("stems bring word forms together, at half", () => {
  const fixture: Fixture = { files: { "a.ts": "validation", "b.ts": "validate", "c.ts": "lion" } };
  // the stem of both is valid: a has the stem alone (.5 × 0 + .5 × 1), b both
  expect(score(fixture, ["prose", "validate"]).content).toEqual({ "a.ts": 0.5, "b.ts": 1, "c.ts": 0 });
});

const TWO_FUNCTIONS: Fixture = {
  files: {
    "a.ts": {
      text: "function zebra() {\n lion\n}\nfunction other() {\n zebra\n}",
      symbols: [
        { name: "zebra", kind: "function", lines: [1, 3], signature: "function zebra()" },
        { name: "other", kind: "function", lines: [4, 6], signature: "function other()" },
      ],
    },
    "b.ts": { text: "fox" },
  },
};

test("a definition with the name beats one that only uses the word", () => {
  const { segments, definitions } = score(TWO_FUNCTIONS, ["prose", "zebra"]);
  expect(segments.map(([path, ordinal]) => [path, ordinal])).toEqual([
    ["a.ts", 0],
    ["a.ts", 1],
  ]);
  // definitions have 3 terms each, so 120 / 3 = 40 times the average: list norm 1 - .4 + .4 × 40 = 16.6
  // zebra: 1 / 16.6 + name 1 + signature 1 = 2.060241 → × 2.2 / (+ 1.2) = 1.390248
  // other: 1 / 16.6 = .060241 → .105163; divided by the best: .075643
  expect(segments.map(([, , value]) => value)).toEqual([1, 0.075643]);
  expect(definitions).toEqual({ "a.ts": 1, "b.ts": 0 });
});

test("in the list of definitions, stems count three fifths", () => {
  const named = (name: string): FixtureFile => ({
    text: `function ${name}() {}`,
    symbols: [{ name, kind: "function", lines: [1, 1], signature: `function ${name}()` }],
  });
  const fixture: Fixture = { files: { "a.ts": named("validation"), "b.ts": named("validate") } };
  // both have the stem; the word itself has b alone
  expect(score(fixture, ["prose", "validate"]).segments.map(([path, , value]) => [path, value])).toEqual([
    ["a.ts", 0.6],
    ["b.ts", 1],
  ]);
});

test("members know the name of their class, functions contain what is inside them", () => {
  const fixture: Fixture = {
    files: {
      "a.ts": {
        text: "class Zebra {\n run() {}\n}\nfunction outer() {\n function inner() { lion }\n}",
        symbols: [
          { name: "Zebra", kind: "class", lines: [1, 3] },
          { name: "run", kind: "method", lines: [2, 2], parent: 0 },
          { name: "outer", kind: "function", lines: [4, 6] },
          { name: "inner", kind: "function", lines: [5, 5], parent: 2 },
        ],
      },
    },
  };
  expect(score(fixture, ["prose", "zebra"]).segments.map(([, ordinal]) => ordinal)).toEqual([0, 1]);
  expect(score(fixture, ["prose", "lion"]).segments.map(([, ordinal]) => ordinal)).toEqual([2, 3]);
});

test("a test that repeats the words does not set the scale: the best score without a penalty is 1", () => {
  const holding = (name: string, text: string): FixtureFile => ({
    text: `function ${name}() {\n ${text}\n}`,
    symbols: [{ name, kind: "function", lines: [1, 3], signature: `function ${name}()` }],
  });
  const kb = knowledgeOf({
    files: {
      "a.ts": holding("lion", "zebra"),
      "b.ts": holding("other", "fox"),
      "tests/a.test.ts": holding("zebra", "zebra zebra zebra"),
    },
  });
  const scored = (factorOf?: (path: string) => number) => textScores(kb, sections(["prose", "zebra"]), factorOf);
  const damped = scored((path) => (path.startsWith("tests/") ? 0.01 : 1));
  for (const of of ["content", "definitions"] as const) {
    expect(scored()[of][0]).toBeLessThan(1);
    expect(scored()[of][2]).toBe(1);
    expect(damped[of][0]).toBe(1);
    expect(damped[of][2]).toBeCloseTo(1 / (scored()[of][0] ?? 0), 9);
  }
  expect([...damped.segments.score.slice(0, damped.segments.count)]).toEqual([1, expect.any(Number)]);
});

test("an empty task and an empty repository score nothing", () => {
  expect(score(TWO_FUNCTIONS, ["prose", ""]).content).toEqual({ "a.ts": 0, "b.ts": 0 });
  expect(score({ files: {} }, ["prose", "zebra"]).content).toEqual({});
});

test("neither ids nor the order of rows change any score", () => {
  const word = fc.constantFrom("zebra", "lion", "fox", "validate", "validation", "runFast", "the");
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      text,
      fc.infiniteStream(fc.nat()),
      (texts, task, noise) => {
        const files = Object.fromEntries(texts.map((content, index) => [`f${index}.ts`, content]));
        const ids = new Map(texts.map((_, index) => [index, index + 1]));
        const keys = texts.map((_, index) => ({ index, key: noise.next().value })).sort((a, b) => a.key - b.key);
        for (const [position, { index }] of keys.entries()) ids.set(index, 100 + position);
        const [plain, permuted] = [knowledgeOf({ files }), knowledgeOf({ files }, (index) => ids.get(index) ?? 0)].map(
          (kb) => textScores(kb, sections(["title", task])),
        );
        expect(permuted?.content).toEqual(plain?.content);
        expect(permuted?.definitions).toEqual(plain?.definitions);
        expect(permuted?.segments).toEqual(plain?.segments);
      },
    ),
    { numRuns: 50 },
  );
});

test("a huge task keeps its heaviest terms", () => {
  const words = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(" ");
  const { exact } = weighTerms(sections(["prose", words], ["title", "zebra"]));
  expect(exact.terms).toHaveLength(2_000);
  expect(exact.terms).toContain("zebra");
});
