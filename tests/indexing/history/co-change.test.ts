import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CommitFiles, coChanges, lastTouched } from "../../../src/indexing/history/co-change.ts";

/** Commits as `hash@time: files`; pairs as `a + b x count, hash`. */
const commits = (text: string): readonly CommitFiles[] =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [, hash = "", time = "0", files = ""] = /^\s*(\w+)@(\d+): (.*)$/.exec(line) ?? [];
      return { hash, timestamp: Number(time), files: files.split(" ").filter((name) => name !== "") };
    });

const pairs = (text: string, filesMax = 50, indexed = "a b c d e"): string =>
  coChanges(commits(text), { filesMax, indexed: new Set(indexed.split(" ")) })
    .map(({ a, b, count, lastCommit }) => `${a} + ${b} x${count}, ${lastCommit}`)
    .join("\n");

describe("pairs", () => {
  const check = (name: string, input: string, expected: string, filesMax = 50) =>
    test(name, () => expect(pairs(input, filesMax)).toBe(expected.trim().replace(/^\s+/gm, "")));

  check(
    "are counted over commits, with the newest commit of each",
    `
one@1: a b
three@3: b a c
two@2: b a
`,
    `
a + b x3, three
a + c x1, three
b + c x1, three
`,
  );
  check("of equal time are ordered by hash", "zz@5: a b\naa@5: a b", "a + b x2, zz");
  check("of large commits are left out", "one@1: a b\nbig@2: a b c", "a + b x1, one", 2);
  check("need both files indexed", "one@1: a gone\ntwo@2: gone lost\nthree@3: a", "");
  check("count a file listed twice only once", "one@1: a a b", "a + b x1, one");
});

test("the size of a commit counts files that are not indexed", () => {
  expect(pairs("one@1: a b x y z", 4)).toBe("");
});

const history = fc.array(
  fc.record({
    hash: fc.stringMatching(/^[0-9a-f]{4}$/),
    timestamp: fc.integer({ min: 0, max: 5 }),
    files: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "__proto__"), { maxLength: 6 }),
  }),
  { maxLength: 20 },
);

test("counts equal counting pair by pair, in any order of the commits", () => {
  const indexed = new Set(["a", "b", "c", "d", "__proto__"]);
  fc.assert(
    fc.property(history, (all) => {
      const expected = new Map<string, number>();
      for (const { files } of all.filter((commit) => commit.files.length <= 4)) {
        const kept = files.filter((path) => indexed.has(path)).sort();
        kept.forEach((a, at) => {
          for (const b of kept.slice(at + 1)) expected.set(`${a} ${b}`, (expected.get(`${a} ${b}`) ?? 0) + 1);
        });
      }
      const found = coChanges(all, { filesMax: 4, indexed });
      expect(found.map(({ a, b, count }) => `${a} ${b} ${count}`)).toEqual(
        [...expected].map(([pair, count]) => `${pair} ${count}`).sort(),
      );
      expect(coChanges(all.toReversed(), { filesMax: 4, indexed })).toEqual(found);
    }),
  );
});

test("a long history of large commits is counted completely", () => {
  const indexed = new Set(Array.from({ length: 3_000 }, (_, at) => `f${at}`));
  const many = Array.from({ length: 3_500 }, (_, commit) => ({
    hash: `${commit}`,
    timestamp: commit,
    files: Array.from({ length: 50 }, (_, at) => `f${(commit * 37 + at * (1 + (commit % 7))) % 3_000}`),
  }));
  const found = coChanges(many, { filesMax: 50, indexed });
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(3_500 * ((50 * 49) / 2));
});

test("a file's last commit is its newest one, of any size", () => {
  const touched = lastTouched(commits("one@5: a b\ntwo@9: a\nthree@7: b a"));
  expect([...touched].sort()).toEqual([
    ["a", 9],
    ["b", 7],
  ]);
});
