/** Copies of a file are counted once, and are still looked at one by one. */
import { expect, test } from "bun:test";
import { countFile } from "../../../src/indexing/provisional/count-file.ts";
import { termStatsCache } from "../../../src/indexing/provisional/term-stats-cache.ts";

const treeOf = (text: string) => ({
  readFile: () => ({ kind: "bytes" as const, bytes: new TextEncoder().encode(text) }),
  holdsPackage: () => false,
  skipByText: (path: string) => (path.endsWith(".lock") ? "lock" : null),
  skipByAscii: (path: string) => (path.endsWith(".lock") ? "lock" : null),
});

for (const text of ["export const one = 1;\n", "const größe = 1;\n", `x${" + x".repeat(20_000)}\n`])
  test(`a copy of ${JSON.stringify(text.slice(0, 24))} has the counts of the first, which are those of a new count`, () => {
    const known = termStatsCache();
    const tree = treeOf(text);
    const [first, copy] = ["a.ts", "lib/b.ts"].map((path) => countFile(tree, path, 1_000_000, known));
    expect(first).toEqual(countFile(tree, "a.ts", 1_000_000, termStatsCache()));
    expect(copy).toEqual(first);
    expect(countFile(tree, "c.lock", 1_000_000, known)).toMatchObject({ kind: "skipped", reason: "lock" });
  });

test("what is known of a content is taken, and not counted again", () => {
  const known = termStatsCache();
  const found = countFile(treeOf("one two\n"), "a.ts", 1_000, termStatsCache());
  if (found.kind !== "counted") throw new Error("it is counted");
  known.keep(found.counts.hash, new Uint8Array([1, 2, 3]));
  const again = countFile(treeOf("one two\n"), "a.ts", 1_000, known);
  expect(again).toEqual({ ...found, counts: { ...found.counts, stats: new Uint8Array([1, 2, 3]) } });
});

test("no more than a limit is kept, and what was found stays as it was", () => {
  const known = termStatsCache(10);
  const stats = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);
  known.keep("a", stats(6, 1));
  known.keep("a", stats(6, 1));
  known.keep("b", stats(4, 2));
  known.keep("long", stats(11, 3));
  const [a, b] = [known.find("a"), known.find("b")];
  known.keep("c", stats(10, 4));
  expect([a, b]).toEqual([stats(6, 1), stats(4, 2)]);
  expect(["a", "b", "c", "long"].map(known.find)).toEqual([null, null, stats(10, 4), null]);
});
