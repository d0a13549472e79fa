/** The names of changes: the symbols around changed lines, in order of importance and up to a limit. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { changedNames } from "../../../src/retrieval/refinement/changed-names.ts";
import type { FileChange } from "../../../src/source/revisions/work-tree-diff.ts";
import { type FixtureFile, knowledgeOf } from "../../support/knowledge.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => (at % 10 === 9 ? "" : `line ${at + 1}`)).join("\n");

const FILES: Record<string, FixtureFile | string> = {
  "src/cart.py": {
    text: lines(60),
    symbols: [
      { name: "Cart", kind: "class", lines: [1, 40] },
      { name: "add", kind: "method", lines: [5, 9], parent: 0 },
      { name: "clear", kind: "method", lines: [11, 19], parent: 0 },
      { name: "total", kind: "function", lines: [45, 55] },
    ],
  },
  "docs/guide.md": lines(20),
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `many/part_${String(at).padStart(2, "0")}.py`,
      {
        text: lines(40),
        symbols: [1, 2, 3].map((n) => ({
          name: `f${at}_${n}`,
          kind: "function",
          lines: [n * 10, n * 10 + 8] as const,
        })),
      },
    ]),
  ),
};
const KB = knowledgeOf({ files: FILES });

type Changed = Omit<FileChange, "patches">;

const modified = (
  path: string,
  added: readonly (readonly [number, number])[],
  goneAfter: readonly number[] = [],
): Changed => ({
  path,
  kind: "modified",
  lines: { added: added.map(([startLine, endLine]) => ({ startLine, endLine })), goneAfter },
});
const names = (...changes: readonly Changed[]) => changedNames(changes, KB, KB.files(), () => true);

test("a line is named by the innermost symbol, an entirely new symbol, or else the file", () => {
  const of = (...ranges: readonly (readonly [number, number])[]) => names(modified("src/cart.py", ranges)).names;
  expect(of([6, 6])).toEqual(["src/cart.py:Cart.add"]);
  expect(of([2, 2])).toEqual(["src/cart.py:Cart"]);
  expect(of([8, 12])).toEqual(["src/cart.py:Cart.add", "src/cart.py:Cart.clear"]);
  expect(of([1, 40])).toEqual(["src/cart.py:Cart"]);
  expect(of([42, 43])).toEqual(["src/cart.py"]);
  expect(of([11, 20])).toEqual(["src/cart.py:Cart.clear"]);
  expect(of([20, 20])).toEqual(["src/cart.py"]);
  expect(of([6, 6], [46, 46])).toEqual(["src/cart.py:Cart.add", "src/cart.py:total"]);
});

test("deleted lines are named by the symbol around their position", () => {
  const of = (...gone: readonly number[]) => names(modified("src/cart.py", [], gone)).names;
  expect(of(6)).toEqual(["src/cart.py:Cart.add"]);
  expect(of(10)).toEqual(["src/cart.py:Cart"]);
  expect(of(0)).toEqual(["src/cart.py"]);
  expect(of(60)).toEqual(["src/cart.py"]);
});

test("a new file is named by its top-level symbols, a deleted one by its path, an unindexed one in a notice", () => {
  const found = names(
    { path: "src/cart.py", kind: "added", lines: null },
    { path: "src/gone.py", kind: "deleted", lines: null },
    { path: "logo.png", kind: "modified", lines: null },
    { path: "docs/guide.md", kind: "modified", lines: null },
  );
  expect(found.names).toEqual(["src/cart.py:Cart", "src/cart.py:total", "docs/guide.md", "src/gone.py"]);
  expect(found.notices).toEqual([{ code: "changed-left", paths: ["logo.png"], kept: null }]);
});

test("a changed file that no request can name is in a notice", () => {
  const found = names(modified("src/cart.py", [[6, 6]]), modified("a\nb.py", [[1, 1]]), modified("a\\b.py", [[1, 1]]));
  expect(found.names).toEqual(["src/cart.py:Cart.add"]);
  expect(found.notices).toEqual([{ code: "changed-unnamed", paths: ["a\nb.py", "a\\b.py"] }]);
});

test("of many changes the most changed sources are named, and the others are in a notice", () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    modified(`many/part_${String(at).padStart(2, "0")}.py`, [[10, 10 + (at % 20)]]),
  );
  const found = names(modified("docs/guide.md", [[1, 19]]), ...many);
  expect(new Set(found.names.map((name) => name.split(":")[0])).size).toBe(30);
  expect(found.names.filter((name) => name.includes(":")).length).toBeLessThanOrEqual(60);
  expect(found.names[0]).toBe("many/part_19.py:f19_1");
  expect(found.names).not.toContain("docs/guide.md");
  const [notice] = found.notices;
  expect(notice).toMatchObject({ code: "changed-left", kept: 30 });
  expect(notice?.code === "changed-left" && notice.paths.length).toBe(11);
});

test("a file with many changed symbols leaves room for those of others", () => {
  const kb = knowledgeOf({
    files: {
      "big.py": {
        text: lines(400),
        symbols: Array.from({ length: 80 }, (_, at) => ({
          name: `b${at}`,
          kind: "function",
          lines: [at * 5 + 1, at * 5 + 4] as const,
        })),
      },
      "small.py": { text: lines(20), symbols: [{ name: "s", kind: "function", lines: [1, 8] }] },
    },
  });
  const found = changedNames(
    [modified("big.py", [[4, 399]]), modified("small.py", [[3, 3]])],
    kb,
    kb.files(),
    () => true,
  );
  expect(found.names).toHaveLength(60);
  // Of one file those in which the most lines have changed.
  expect(found.names[0]).toBe("big.py:b1");
  expect(found.names.at(-1)).toBe("small.py:s");
});

test("names that a request cannot hold, and files that are not candidates, are not named", () => {
  const odd = ["a\nb.py", "../x.py", "a/../b.py", `${"x".repeat(1_001)}.py`];
  expect(names(...odd.map((path) => ({ path, kind: "deleted", lines: null }) as const)).names).toEqual([]);
  const some = changedNames([modified("src/cart.py", [[6, 6]])], KB, KB.files(), (path) => path.startsWith("many/"));
  expect(some).toEqual({ names: [], notices: [] });
});

test("for any symbols and lines, the names are those of a search through all symbols for each line", () => {
  type Span = readonly [number, number];
  /** Symbols one after the other, each with up to two levels inside, and their parents. */
  const nested = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(2), fc.nat(3)), { maxLength: 6 })
    .map((roots) => {
      const spans: { readonly span: Span; readonly parent: number | null }[] = [];
      let line = 1;
      for (const [length, depth, gap] of roots) {
        let span: Span = [line + gap, line + gap + length];
        line = span[1] + 1;
        for (let level = 0; level <= depth && span[0] <= span[1]; level++) {
          spans.push({ span, parent: level === 0 ? null : spans.length - 1 });
          span = [span[0] + 1, span[1] - 1];
        }
      }
      return spans;
    });
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 45 }), { maxLength: 12 });
  const check = (
    spans: readonly { readonly span: Span; readonly parent: number | null }[],
    added: number[],
    gone: number[],
  ) => {
    const symbols = spans.map(({ span, parent }, at) => ({
      ...{ name: `s${at}`, kind: "function" as const, lines: span },
      ...(parent === null ? {} : { parent }),
    }));
    const kb = knowledgeOf({ files: { "a.py": { text: "x\n".repeat(60), symbols } } });
    const ranges = added.toSorted((a, b) => a - b).map((line): Span => [line, line + (line % 2)]);
    const change = modified(
      "a.py",
      ranges,
      gone.toSorted((a, b) => a - b),
    );
    const found = changedNames([change], kb, kb.files(), () => true).names;
    const expected = new Set<number>();
    const around = (first: number, last: number): void => {
      const holders = spans.flatMap(({ span: [from, to] }, at) => (from <= first && last <= to ? [at] : []));
      const isNew = (at: number): boolean =>
        ranges.some(([from, to]) => from <= (spans[at]?.span[0] ?? 0) && (spans[at]?.span[1] ?? 0) <= to);
      const named =
        holders.find(isNew) ?? holders.findLast((at) => !holders.some((other) => spans[other]?.parent === at));
      if (named !== undefined) expected.add(named);
    };
    for (const [from, to] of ranges) for (let line = from; line <= to; line++) around(line, line);
    for (const line of gone) around(line, line + 1);
    const last = (name: string): string => name.split(/[:.]/).at(-1) ?? "";
    expect(found.map(last).sort()).toEqual(expected.size === 0 ? ["py"] : [...expected].map((at) => `s${at}`).sort());
  };
  fc.assert(fc.property(nested, numbers, numbers, check), { seed: 5 });
});
