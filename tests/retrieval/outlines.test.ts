/** Headings, keys and selectors are found by search and by hints, and take no part in ranking. */
import { expect, test } from "bun:test";
import { indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";

const FILES = {
  "src/build.ts":
    "/** Makes the bundle. */\nexport function build(target: string): string {\n  return pack(target);\n}\n",
  "src/pack.ts": "export function pack(target: string): string {\n  return target;\n}\n",
  "package.json": '{\n  "name": "shop",\n  "scripts": {\n    "build": "tsc",\n    "release": "npm publish"\n  }\n}\n',
  "README.md": "# Shop\n\nSells.\n\n## build\n\nRun the build of the target.\n\n## Release notes\n\nNone yet.\n",
  ".github/workflows/ci.yml": "name: CI\non: push\njobs:\n  build:\n    runs-on: ubuntu\n",
  "web/page.css": "build {\n  color: red;\n}\n",
};

const shop = shared(await indexed(FILES));

const pathOf = (fileId: number): string => shop.kb.files().find(({ id }) => id === fileId)?.path ?? "";

test("a name means definitions of code, and parts of outlines only when asked for those", () => {
  expect(shop.kb.symbolsNamed(["build"]).map(({ fileId }) => pathOf(fileId))).toEqual(["src/build.ts"]);
  expect(shop.kb.outlineNamed(["build"]).map(({ fileId }) => pathOf(fileId))).toEqual([
    ".github/workflows/ci.yml",
    "README.md",
    "package.json",
    "web/page.css",
  ]);
  expect(shop.kb.symbolsIn(shop.kb.files().map(({ id }) => id)).map(({ name }) => name)).toEqual(["build", "pack"]);
});

test("search gives definitions and files of a name before parts of outlines", () => {
  const hits = shop.kb.search("build", 20).map(({ what, path, name }) => (what === "file" ? path : `${path} ${name}`));
  expect(hits.slice(0, 3)).toEqual(["src/build.ts build", "src/build.ts", "web/page.css build"]);
  expect(shop.kb.search("release notes", 1)).toMatchObject([
    { path: "README.md", name: "Shop.Release notes", line: 9 },
  ]);
});

test("ranking and packages have definitions of code only, whatever else has the name", async () => {
  const { selection } = await shop.run("`build` of the target fails with the release");
  expect(selection.definitions.map(({ fileId }) => pathOf(fileId)).filter((path) => !path.endsWith(".ts"))).toEqual([]);
  expect(selection.symbols.map(({ symbol }) => pathOf(symbol.fileId)).filter((path) => !path.endsWith(".ts"))).toEqual(
    [],
  );
  expect(selection.seeds.map(({ fileId }) => pathOf(fileId))).toEqual(["src/build.ts"]);
});

test("a heading or key that a hint names is shown whole, unless code has the name", async () => {
  const { pkg } = await shop.run("the newsletter", { symbols: ["scripts.release", "Release notes", "build"] });
  const shown = pkg.files.flatMap(({ path, symbols }) => symbols.map((symbol) => `${path} ${symbol.qualified_name}`));
  expect(shown).toEqual(
    expect.arrayContaining(["package.json scripts.release", "README.md Shop.Release notes", "src/build.ts build"]),
  );
  expect(shown).not.toContain("README.md Shop.build");
});
