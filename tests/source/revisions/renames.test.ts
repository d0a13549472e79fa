/** Renames are the most similar pairs of files, and looking for them takes a bounded number of steps. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { renamedFrom } from "../../../src/source/revisions/renames.ts";

const file = (path: string, text: string) => ({ path, text, hash: Bun.hash(text).toString(16), mode: "100644" });
const names = (renamed: ReturnType<typeof renamedFrom>): readonly string[] =>
  [...renamed].map(([now, { path }]) => `${path} -> ${now}`).sort();

test("each file has the most similar one with at least half of the lines in common", () => {
  const lines = fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 1, maxLength: 8 });
  const check = (old: readonly string[][], now: readonly string[][]): void => {
    const share = (one: readonly string[], other: readonly string[]): number =>
      one.filter((line) => other.includes(line)).length / Math.max(one.length, other.length);
    const [gone, fresh] = [
      old.map((text, at) => file(`old-${at}`, text.join("\n"))),
      now.map((text, at) => file(`new-${at}`, `${text.join("\n")}\n`)),
    ];
    const left = new Set(old.keys());
    const expected = new Map<number, number>();
    const pairs = now.flatMap((b, to) => old.map((a, from) => ({ from, to, alike: share(a, b) })));
    for (const { from, to, alike } of pairs.toSorted((a, b) => b.alike - a.alike || a.to - b.to || a.from - b.from))
      if (alike >= 0.5 && left.has(from) && !expected.has(to)) {
        expected.set(to, from);
        left.delete(from);
      }
    expect(names(renamedFrom(gone, fresh))).toEqual(
      [...expected].map(([to, from]) => `old-${from} -> new-${to}`).sort(),
    );
  };
  fc.assert(fc.property(fc.array(lines, { maxLength: 5 }), fc.array(lines, { maxLength: 5 }), check), { seed: 11 });
});

/** Half of its lines are those of every other such file, at the end. */
const hostile = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, at) => (at < lines / 2 ? `${name} ${at}` : `common ${at}`)).join("\n");

test.each([
  ["pairs with too many lines to look up", 100, 2_000],
  ["files with too many lines to hold", 4, 300_000],
])("%s are not compared, and equal contents are still found", (_, count, lines) => {
  const all = Array.from({ length: count }, (_, at) => at);
  const gone = all.map((at) => file(`old-${String(at).padStart(3, "0")}`, hostile(`old ${at}`, lines)));
  const fresh = all.map((at) => file(`new-${String(at).padStart(3, "0")}`, hostile(`new ${at}`, lines)));
  const renamed = names(renamedFrom([...gone, file("same", "same")], [...fresh, file("moved", "same")]));
  expect(renamed).toContain("same -> moved");
  expect(renamed.length).toBeLessThan(count);
});
