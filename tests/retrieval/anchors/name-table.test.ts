import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FileRow } from "../../../src/db/curated/knowledge-base.ts";
import { nameTable, plain } from "../../../src/retrieval/anchors/name-table.ts";
import { fileStem } from "../../../src/text/terms/path-names.ts";

const NO_FILE = {
  language: "text",
  lineCount: 0,
  tokenCount: 0,
  isTest: false,
  modifiedAt: null,
} as const;

const filesAt = (paths: readonly string[]): readonly FileRow[] =>
  paths.map((path, at) => ({ ...NO_FILE, id: at + 1, path }));
const pathsOf = (entries: readonly { readonly path: string }[]): readonly string[] => entries.map(({ path }) => path);
const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

test("finds files by name, stem and the folder that they represent", () => {
  const files = filesAt([
    "a/Make-File.ts",
    "a/make_file.py",
    "a/types.d.ts",
    "cart/index.ts",
    "index.ts",
    "x/__init__.py",
  ]);
  const names = nameTable(files);
  expect(pathsOf(names.withBase("types.d.ts"))).toEqual(["a/types.d.ts"]);
  expect(pathsOf(names.withStem("make_file"))).toEqual(["a/make_file.py"]);
  expect(pathsOf(names.named("make_file"))).toEqual(["a/Make-File.ts", "a/make_file.py"]);
  expect(pathsOf(names.ofFolder("cart"))).toEqual(["cart/index.ts"]);
  expect(pathsOf(names.named("x"))).toEqual(["x/__init__.py"]);
  expect(pathsOf(names.named("__init__"))).toEqual([]);
});

test("finds what a comparison with every name finds", () => {
  // The Kelvin sign and the dotted I become letters of ASCII in lower case.
  const letter = fc.constantFrom("a", "B", "_", "-", ".", "k", "K", "\u212a", "\u0130", "ß", "7");
  const base = fc.oneof(
    fc.string({ unit: letter, minLength: 1, maxLength: 6 }),
    fc.constantFrom("index.ts", "mod.rs", "__init__.py", ".a.b", "_.a.b"),
  );
  const path = fc.array(base, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), base, (unordered, asked) => {
      const paths = unordered.toSorted();
      const names = nameTable(filesAt(paths));
      const stems = paths.filter((each) => fileStem(baseOf(each)) === asked);
      expect(pathsOf(names.withBase(asked))).toEqual(paths.filter((each) => baseOf(each) === asked));
      expect(pathsOf(names.withStem(asked))).toEqual(stems);
      const folders = ["index", "__init__", "mod"];
      const isNamed = (each: string): boolean => {
        const stem = fileStem(baseOf(each));
        return folders.includes(stem)
          ? plain(each.split("/").at(-2) ?? stem) === plain(asked)
          : plain(stem) === plain(asked);
      };
      expect(pathsOf(names.named(plain(asked)))).toEqual(paths.filter(isNamed));
    }),
    { numRuns: 300 },
  );
});
