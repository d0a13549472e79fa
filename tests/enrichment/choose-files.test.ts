/** A model is asked about program text, and about what others import first. */
import { expect, test } from "bun:test";
import { fewestFailuresFirst, inAskingOrder } from "../../src/enrichment/choose-files.ts";
import { isTestPath } from "../../src/languages/file-role.ts";
import { languageOf } from "../../src/languages/languages.ts";

const fileAt = (path: string, id: number) => ({
  id,
  path,
  language: languageOf(path),
  isTest: isTestPath(path),
  tokenCount: path.includes("empty") ? 0 : 10,
});

test("data, prose, style sheets, tests and empty files are left out", () => {
  const paths = [
    "src/a.py",
    "src/app.vue",
    "README.md",
    "package.json",
    "site.css",
    "tests/test_a.py",
    "src/a.test.ts",
    "src/empty.py",
    "LICENSE",
    "build.sh",
    "query.sql",
  ];
  const asked = inAskingOrder(paths.map(fileAt), new Map()).map(({ path }) => path);
  expect(asked).toEqual(["build.sh", "query.sql", "src/a.py", "src/app.vue"]);
});

test("the most imported come first, then the order of paths", () => {
  const files = ["c.py", "b.py", "a.py", "d.py"].map(fileAt);
  const importers = new Map([
    [3, 5],
    [0, 1],
  ]);
  expect(inAskingOrder(files, importers).map(({ path }) => path)).toEqual(["d.py", "c.py", "a.py", "b.py"]);
});

test("files without a usable answer come last, by their number of failed questions", () => {
  const failures = new Map([
    ["a.py", 2],
    ["c.py", 1],
  ]);
  const files = ["a.py", "b.py", "c.py", "d.py"].map(fileAt);
  const ordered = fewestFailuresFirst(files, ({ path }) => failures.get(path) ?? 0);
  expect(ordered.map(({ path }) => path)).toEqual(["b.py", "d.py", "c.py", "a.py"]);
});
