import { expect, test } from "bun:test";
import fc from "fast-check";
import { CONTAINER_KINDS } from "../../../src/syntax/facts/facts.ts";
import { encodeTermStats } from "../../../src/text/terms/encode-term-stats.ts";
import { CONTAINERS, SEGMENT_KINDS } from "../../../src/text/terms/segments.ts";
import { stem } from "../../../src/text/terms/stem.ts";
import { termHash } from "../../../src/text/terms/term-hashes.ts";
import {
  exactHash,
  FIELD,
  lookUp,
  packedCount,
  packedField,
  packedStep,
  readPostingStarts,
  readTermStats,
  segmentInfo,
  type TermStats,
  termTable,
} from "../../../src/text/terms/term-stats.ts";
import { soundTermStats } from "../../../src/text/terms/term-stats-check.ts";
import { nextVarint, varintWriter } from "../../../src/text/terms/varints.ts";
import { type FixtureFile, statsOf } from "../../support/knowledge.ts";

const FIELD_NAMES = new Map<number, string>(Object.entries(FIELD).map(([name, number]) => [number, name]));

/** The postings of a term. */
function postingsOf(stats: TermStats, entry: number) {
  const starts = new Int32Array(stats.termCount + 1);
  readPostingStarts(stats, starts);
  const reader = { bytes: stats.bytes, at: starts[entry] ?? 0 };
  const postings: { readonly segment: number; readonly field: number; readonly count: number }[] = [];
  for (let segment = 0; reader.at < (starts[entry + 1] ?? 0); ) {
    const head = nextVarint(reader);
    segment += packedStep(head);
    postings.push({ segment, field: packedField(head), count: packedCount(head, reader) });
  }
  return postings;
}

/** A blob as text: the segments, and where each of these terms is. */
function describe(file: FixtureFile, terms: readonly string[], language = "typescript") {
  const stats = readTermStats(statsOf(file, language));
  if (stats === null) throw new Error("unreadable");
  const table = termTable(terms);
  const found: string[] = [];
  for (let entry = 0; entry < stats.termCount; entry += 1) {
    const term = lookUp(table, exactHash(stats, entry));
    if (term < 0) continue;
    expect(stats.words[stats.stemAt + entry]).toBe(termHash(stem(terms[term] ?? "")) | 0);
    for (const { segment, field, count } of postingsOf(stats, entry))
      found.push(`${terms[term]} ${segment} ${FIELD_NAMES.get(field)} ${count}`);
  }
  const segments = Array.from({ length: stats.segmentCount }, (_, index) => segmentInfo(stats, index));
  return { stats, segments, found: found.sort() };
}

const CLASS: FixtureFile = {
  text: [
    "import { hash } from './hash'",
    "// keeps users",
    "class Store {",
    "  limit = 3",
    "  add(user) {",
    "    return hash(user)",
    "  }",
    "}",
  ].join("\n"),
  symbols: [
    { name: "Store", kind: "class", lines: [3, 8], doc: 2 },
    { name: "limit", kind: "property", lines: [4, 4], parent: 0 },
    { name: "add", kind: "method", lines: [5, 7], parent: 0, signature: "add(user)" },
  ],
  commentLines: [[2, 2]],
};

test("segments have the same containers as symbols", () => {
  expect(CONTAINERS).toEqual(new Set(["rest", ...CONTAINER_KINDS]));
});

test("each line belongs to the innermost definition, its comment to it, the rest to segment 0", () => {
  const { segments, found } = describe(CLASS, ["hash", "users", "store", "add", "user", "limit"]);
  expect(segments.map(({ ordinal, kind, parent }) => [ordinal, SEGMENT_KINDS[kind], parent])).toEqual([
    [-1, "rest", -1],
    [0, "class", 0],
    [2, "method", 1],
  ]);
  expect(found).toEqual(
    [
      "hash 0 code 2",
      "hash 2 code 1",
      "users 1 comment 1",
      "store 1 code 1",
      "store 1 name 1",
      "limit 1 code 1",
      "add 2 code 1",
      "add 2 name 1",
      "add 2 signature 1",
      "user 2 code 2",
      "user 2 signature 1",
    ].sort(),
  );
});

test("a function's length includes what is inside it, a class's does not", () => {
  // segment terms: rest import, hash, from, hash = 4; class: keeps users + class store + limit = 5; method: add user return hash user = 5
  expect(describe(CLASS, []).segments.map(({ terms }) => terms)).toEqual([4, 5, 5]);
  const nested = describe(
    {
      text: "def outer():\n  def inner():\n    return alpha\n  return beta",
      symbols: [
        { name: "outer", kind: "function", lines: [1, 4] },
        { name: "inner", kind: "function", lines: [2, 3], parent: 0 },
      ],
    },
    ["alpha", "beta"],
    "python",
  );
  // inner: def inner return alpha = 4; outer: def outer return beta = 4, and inner
  expect(nested.segments.map(({ terms }) => terms)).toEqual([0, 8, 4]);
  expect(nested.segments.map(({ chars }) => chars)).toEqual([0, 13 + 15 + 17 + 14, 15 + 17]);
  expect(nested.stats.definitionTerms).toBe(12);
  expect(nested.found).toEqual(["alpha 2 code 1", "beta 1 code 1"]);
});

test("docstrings are comments in languages that have them, else code", () => {
  const file: FixtureFile = { text: 'def f():\n  """Sends mail.\n  twice"""\n  x = """mail"""\n  return mail' };
  expect(describe(file, ["mail"], "python").found).toEqual(["mail 0 code 2", "mail 0 comment 1"]);
  expect(describe(file, ["mail"], "text").found).toEqual(["mail 0 code 3"]);
});

test("a comment after code leaves its line code", () => {
  const file: FixtureFile = {
    text: "send(mail) // mail\n/* mail\n mail */",
    commentLines: [
      [1, 1],
      [2, 3],
    ],
  };
  expect(describe(file, ["mail"]).found).toEqual(["mail 0 code 2", "mail 0 comment 2"]);
});

test("a variable of two lines is a document, of one line it is not", () => {
  const file = (end: number): FixtureFile => ({
    text: "const a = [\n  first ]",
    symbols: [{ name: "a", kind: "variable", lines: [1, end] }],
  });
  expect(describe(file(1), []).segments).toHaveLength(1);
  expect(describe(file(2), []).segments).toHaveLength(2);
});

test("counts, line lengths and nesting are bounded", () => {
  expect(describe({ text: "word ".repeat(399).concat("\n").repeat(20) }, ["word"]).found).toEqual(["word 0 code 4095"]);
  expect(describe({ text: `${"x".repeat(2_000)} late` }, ["late"]).found).toEqual([]);
  const depth = 100;
  const deep: FixtureFile = {
    text: Array.from({ length: depth }, (_, line) => `f${line}`).join("\n"),
    symbols: Array.from({ length: depth }, (_, line) => ({
      name: `f${line}`,
      kind: "function" as const,
      lines: [line + 1, depth] as const,
      ...(line > 0 ? { parent: line - 1 } : {}),
    })),
  };
  expect(describe(deep, []).segments).toHaveLength(33);
});

test("names of the object prototype are counted like any other", () => {
  const file: FixtureFile = {
    text: "class constructor { __proto__() {\n} }",
    symbols: [
      { name: "constructor", kind: "class", lines: [1, 2] },
      { name: "__proto__", kind: "method", lines: [1, 2], parent: 0 },
    ],
  };
  expect(describe(file, ["constructor", "proto"]).found).toEqual([
    "constructor 1 name 1",
    "constructor 2 code 1",
    "proto 2 code 1",
    "proto 2 name 1",
  ]);
});

test("a blob of another format or a truncated one is refused; an unaligned one is read", () => {
  const blob = statsOf(CLASS, "typescript");
  expect(readTermStats(blob.subarray(0, blob.length - 4))).toBeNull();
  expect(readTermStats(new Uint8Array(0))).toBeNull();
  expect(readTermStats(blob.map((byte, at) => (at === 0 ? byte ^ 1 : byte)))).toBeNull();
  const shifted = new Uint8Array(blob.length + 1);
  shifted.set(blob, 1);
  expect(readTermStats(shifted.subarray(1))?.termCount).toBe(readTermStats(blob)?.termCount);
});

test("a blob whose numbers were changed is unsound, or reads to the end", () => {
  const blob = statsOf(CLASS, "typescript");
  const sound = (bytes: Uint8Array): boolean => soundTermStats(bytes, CLASS.symbols?.length ?? 0);
  expect(sound(blob)).toBe(true);
  const refused = [...blob.keys()].filter((at) => {
    const damaged = blob.map((byte, index) => (index === at ? 0xff : byte));
    const stats = readTermStats(damaged);
    for (let entry = 0; entry < (stats?.termCount ?? 0); entry += 1)
      for (const { count } of stats === null ? [] : postingsOf(stats, entry)) expect(count).toBeWithin(0, 4_096);
    return !sound(damaged);
  });
  // Hashes and counts can be anything.
  expect(refused.length).toBeGreaterThan(blob.length / 4);
});

test("numbers are read as they were written", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(300), fc.nat(0xffffffff))), (numbers) => {
      const writer = varintWriter();
      for (const number of numbers) writer.add(number);
      const reader = { bytes: writer.written(), at: 0 };
      expect(numbers.map(() => nextVarint(reader) >>> 0)).toEqual(numbers);
      expect([reader.at, nextVarint(reader)]).toEqual([writer.length(), 0]);
    }),
  );
});

test("any text gives a readable blob whose postings add up to its lengths", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ a-zA-Z0-9_.#"']{0,40}$/)), (lines) => {
      const stats = readTermStats(statsOf({ text: lines.join("\n") }, "python"));
      if (stats === null) throw new Error("unreadable");
      let sum = 0;
      for (let entry = 0; entry < stats.termCount; entry += 1)
        for (const { count } of postingsOf(stats, entry)) sum += count;
      expect(sum).toBe(stats.codeTerms + stats.commentTerms);
    }),
  );
});

test("a text that is counted as a whole gives the blob of its lines", () => {
  const line = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom("", "x".repeat(1_990), `${"word ".repeat(500)}end`),
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, (text) => {
      const plain = { text, symbols: [], commentLines: [] };
      // Without a triple quote, looking for docstrings changes nothing but the way.
      fc.pre(!text.includes('"""') && !text.includes("'''"));
      expect(encodeTermStats({ ...plain, docstrings: false })).toEqual(encodeTermStats({ ...plain, docstrings: true }));
    }),
  );
});
