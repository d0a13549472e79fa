/** Ignore rules that were made to be slow take a bounded number of steps, hear the signal, and say what no longer applies. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseIgnoreFile } from "../../../src/source/walk/gitignore.ts";
import { type MatchBudget, matchBudget } from "../../../src/source/walk/match-budget.ts";
import { listFiles } from "../../../src/source/walk/sandboxed-reader.ts";
import { walkTree } from "../../../src/source/walk/tree.ts";
import { temporaryFolder } from "../fixture.ts";

const NAME = "a".repeat(250);
/** Patterns that never match, and of which every part fits nearly everywhere. */
const hostile = (count: number): string =>
  Array.from({ length: count }, (_, at) => `**/${"*a".repeat(100)}[b-a]\\${at}*`).join("\n");
const noneTracked = { readTracked: async () => null };

/** A budget without end that counts. */
function counting(): MatchBudget & { taken(): number } {
  let taken = 0;
  return {
    ...matchBudget(),
    spend(steps) {
      taken += steps;
      return true;
    },
    taken: () => taken,
  };
}

describe("steps", () => {
  test("of a pattern are at most its length times that of the path, 32 at once", () => {
    const piece = fc.constantFrom("*", "**/", "a", "?", "[ab]", "[!b]", "*a", "/", "[b-a]", "\\*", "b");
    const pattern = fc.array(piece, { minLength: 1, maxLength: 400 }).map((pieces) => pieces.join(""));
    const path = fc
      .array(fc.constantFrom("a", "b", "ab", "/"), { minLength: 1, maxLength: 400 })
      .map((parts) => parts.join(""));
    const check = (text: string, candidate: string): void => {
      const budget = counting();
      const file = parseIgnoreFile(Buffer.from(text), ".gitignore", false, budget);
      file.verdict(candidate, false);
      const [before, bytes] = [budget.taken(), candidate.length];
      file.verdict(candidate, false);
      // The second time nothing is compiled.
      expect(budget.taken() - before).toBeLessThanOrEqual(102 + bytes * ((text.length >> 5) + 1));
    };
    fc.assert(fc.property(pattern, path, check), { seed: 3, numRuns: 120 });
  });
  test("of real rules stay below the allowance of a path", () => {
    const real = [
      "*.py[cod]",
      "*$py.class",
      "/dist*/",
      "**/node_modules/**",
      "!/keep*.txt",
      "build-*/out",
      "*~",
      ".env.*",
    ];
    const budget = counting();
    const rules = parseIgnoreFile(
      Buffer.from(Array.from({ length: 50 }, () => real.join("\n")).join("\n")),
      "x",
      false,
      budget,
    );
    const paths = Array.from(
      { length: 100 },
      (_, at) => `src/some/folder/deep/inside/component-${at}/file-name-${at}.ts`,
    );
    for (const path of paths) rules.verdict(path, false);
    const before = budget.taken();
    for (const path of paths) rules.verdict(path, false);
    expect((budget.taken() - before) / paths.length).toBeLessThan(5_000);
  });
  test("run out once, and then only wildcards no longer apply", () => {
    const budget = matchBudget();
    const file = parseIgnoreFile(Buffer.from(`${hostile(4_000)}\nplain\n*.log\n`), "x/.gitignore", false, budget);
    for (let path = 0; path < 200; path++) file.verdict(NAME, false);
    expect(budget.problems()).toEqual([
      { path: "x/.gitignore", why: "its patterns take too long to match: from here on, none with wildcards apply" },
    ]);
    expect([file.verdict("plain", false), file.verdict("b.log", false), file.verdict("c", false)]).toEqual([
      "ignored",
      "ignored",
      null,
    ]);
    expect(parseIgnoreFile(Buffer.from("a*b\nc"), "y", false, budget).verdict("aab", false)).toBeNull();
  });
});

describe("a walk", () => {
  const files = (order: readonly number[]): Record<string, string> =>
    Object.fromEntries(order.map((at) => [`${at % 3}/${NAME.slice(4)}${at}`, ""]));
  const numbers = Array.from({ length: 120 }, (_, at) => at);
  test("ends, says so, and gives the same result whatever order the folders are read in", async () => {
    const results: unknown[] = [];
    for (const order of [numbers, numbers.toReversed()]) {
      using folder = temporaryFolder({ ".gitignore": `${hostile(3_000)}\n0/\n`, "z.log": "", ...files(order) });
      const { files: found, problems } = await walkTree(folder.path, noneTracked);
      expect(problems).toMatchObject([{ path: ".gitignore", why: expect.stringContaining("take too long") }]);
      if (order !== numbers) {
        results.push([...found].map(({ path }) => path));
        continue;
      }
      const listed = await listFiles(folder.path, {
        under: [""],
        ignore: { patterns: [], variables: {} },
        without: [],
        isWanted: () => true,
        signal: new AbortController().signal,
      });
      expect(listed.problems).toEqual(problems);
      results.push(
        [...found].map(({ path }) => path),
        listed.files.map(({ path }) => path),
      );
    }
    const [walked, listed, reversed] = results;
    expect(reversed).toEqual(walked);
    for (const paths of [walked, listed])
      expect(paths).toEqual(expect.not.arrayContaining([expect.stringMatching(/^0\//)]));
  });
  test("hears the signal while few paths take long", async () => {
    using folder = temporaryFolder({ ".gitignore": hostile(4_000), ...files(numbers) });
    const stop = new AbortController();
    const walk = walkTree(folder.path, { ...noneTracked, signal: stop.signal });
    setImmediate(() => stop.abort(new Error("heard")));
    await expect(walk).rejects.toThrow("heard");
  });
  test("reads 16 MiB of ignore files", async () => {
    const large = `${"# comment\n".repeat(100_000)}*.tmp\n`;
    const folders = Array.from({ length: 20 }, (_, at) => String(at).padStart(2, "0"));
    using folder = temporaryFolder(
      Object.fromEntries(
        folders.flatMap((name) => [
          [`${name}/.gitignore`, large],
          [`${name}/x.tmp`, ""],
        ]),
      ),
    );
    const { files: found, problems } = await walkTree(folder.path, noneTracked);
    expect(problems).toMatchObject([
      { path: expect.stringMatching(/^\d\d\/.gitignore$/), why: expect.stringContaining("too large together") },
    ]);
    expect([...found].filter(({ path }) => path.endsWith("x.tmp"))).toHaveLength(4);
  });
});
