/** Added and removed lines are shown where git shows them. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { hunkHeader } from "../../../src/text/diff/file-patch.ts";
import { unifiedHunks } from "../../../src/text/diff/unified-hunks.ts";
import { git, temporaryRepository, writeFiles } from "../../source/fixture.ts";

type Pair = readonly [before: string, after: string];

const hunks = ([before, after]: Pair): string =>
  unifiedHunks(before, after)
    .flatMap((hunk) => [hunkHeader(hunk), ...hunk.lines])
    .join("\n");

/** The hunks of git for every pair, asked for at once. */
function hunksOfGit(pairs: readonly Pair[]): readonly string[] {
  using repo = temporaryRepository();
  const { path } = repo;
  const files = (side: 0 | 1) => Object.fromEntries(pairs.map((pair, at) => [`f${at}.txt`, pair[side]]));
  writeFiles(path, files(0));
  git(path, ["add", "--all"]);
  writeFiles(path, files(1));
  const found = new Map<string, string>();
  for (const part of git(path, ["diff", "--no-ext-diff"]).split(/^diff --git a\/(?=f\d+\.txt )/m)) {
    const hunksAt = part.indexOf("\n@@ ");
    if (hunksAt !== -1) found.set(part.slice(0, part.indexOf(" ")), part.slice(hunksAt + 1).replace(/\n$/, ""));
  }
  return pairs.map((_, at) => found.get(`f${at}.txt`) ?? "");
}

const expectHunksOfGit = (pairs: fc.Arbitrary<Pair>): void =>
  fc.assert(
    fc.property(fc.array(pairs, { minLength: 100, maxLength: 100 }), (some) => {
      const theirs = hunksOfGit(some);
      for (const [at, one] of some.entries()) expect(hunks(one)).toBe(theirs[at] ?? "");
    }),
    { numRuns: 5, endOnFailure: true },
  );

const line = fc.constantFrom(
  "",
  "",
  " ",
  "\f",
  "a:",
  "  b",
  "  c",
  "    d",
  "\te",
  "  \tf",
  "}",
  "  }",
  `${" ".repeat(199)}g`,
  `${" ".repeat(201)}h`,
);
const lines = (maxLength: number) => fc.array(line, { maxLength });
/** Texts with a part that repeats, so that an edit of it can be shown in several places, and one of them without some lines. */
const pair = fc
  .tuple(
    lines(5),
    fc.array(line, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(1, 2, 2, 3, 30, 130),
    lines(5),
    fc.boolean(),
    fc.nat(),
    fc.nat(),
    fc.boolean(),
  )
  .map(([start, part, times, end, isEnded, from, count, isAdded]): Pair => {
    const all = [...start, ...Array.from({ length: times }, () => part).flat(), ...end];
    const at = from % all.length;
    const less = all.toSpliced(at, 1 + (count % 8));
    const text = (of: readonly string[]): string => of.join("\n") + (isEnded && of.length > 0 ? "\n" : "");
    return isAdded ? [text(less), text(all)] : [text(all), text(less)];
  });

test("lines that can be added or removed in several places are shown where git shows them", () => {
  expectHunksOfGit(pair);
});

/** A file of functions, and the same file without some of them. */
const functionsGone = fc
  .tuple(
    fc.array(
      fc.tuple(fc.boolean(), fc.constantFrom("", "  ", "\t", "  \t"), fc.constantFrom(0, 1, 1, 2), fc.nat({ max: 8 })),
      { minLength: 1, maxLength: 8 },
    ),
    fc.boolean(),
  )
  .map(([functions, isAdded]): Pair => {
    const texts = functions.map(([isGone, indent, blanks, size], at) => {
      const body = Array.from({ length: size }, (_, line) => `${indent}  ${at}.${line}\n`).join("");
      return { isGone, text: `${indent}def f${at} ${"x".repeat(at * 20)}\n${body}${"\n".repeat(blanks)}` };
    });
    const whole = texts.map(({ text }) => text).join("");
    const less = texts.flatMap(({ isGone, text }) => (isGone ? [] : [text])).join("");
    return isAdded ? [less, whole] : [whole, less];
  });

test("added or removed functions are shown where git shows them", () => {
  expectHunksOfGit(functionsGone);
});
