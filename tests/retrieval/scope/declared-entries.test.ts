/** Entry points are what manifests declare; names that look like one count where nothing is declared. */
import { expect, test } from "bun:test";
import { roleOf } from "../../../src/languages/file-role.ts";
import { declaredEntries } from "../../../src/retrieval/scope/declared-entries.ts";
import { indexed } from "../../support/indexed.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

function declared(files: Readonly<Record<string, string>>): readonly string[] {
  const kb = knowledgeOf({ files });
  const all = kb.files();
  const sources = all.filter((file) => roleOf(file) === "source");
  return declaredEntries(kb, all, sources).map(({ path }) => path);
}

test.each<[string, Record<string, string>, readonly string[]]>([
  [
    "package.json: commands, then what importers get; the types are not code",
    {
      "package.json": JSON.stringify({
        bin: { shop: "./bin/shop.js" },
        exports: { ".": { types: "./index.d.ts", default: "./lib/shop.js" }, "./tax": "./lib/tax.js" },
      }),
      "bin/shop.js": "",
      "lib/shop.js": "",
      "lib/tax.js": "",
      "index.d.ts": "",
    },
    ["bin/shop.js", "lib/shop.js"],
  ],
  [
    "package.json: the source of a built file",
    { "package.json": '{"main": "dist/cjs/index.js"}', "src/index.ts": "", "web/index.ts": "" },
    ["src/index.ts"],
  ],
  [
    "package.json: conditions without subpaths",
    {
      "package.json": '{"exports": {"import": "./shop.mjs", "require": "./shop.cjs"}}',
      "shop.mjs": "",
      "shop.cjs": "",
    },
    ["shop.mjs", "shop.cjs"],
  ],
  [
    "package.json: of packages, those nearest to the root",
    {
      "package.json": '{"private": true}',
      "packages/a/package.json": '{"main": "a.js"}',
      "packages/a/a.js": "",
      "packages/a/b/package.json": '{"main": "b.js"}',
      "packages/a/b/b.js": "",
    },
    ["packages/a/a.js"],
  ],
  [
    "Cargo.toml",
    {
      "Cargo.toml": '[[bin]]\nname = "rg"\npath = "core/main.rs"\n',
      "core/main.rs": "",
      "src/lib.rs": "",
      "build/main.rs": "",
    },
    ["core/main.rs", "src/lib.rs"],
  ],
  [
    "Cargo.toml: commands in a folder of the layout",
    { "Cargo.toml": '[package]\nname = "bat"\n', "src/bin/bat/main.rs": "", "src/bin/other.rs": "", "src/lib.rs": "" },
    ["src/bin/bat/main.rs", "src/lib.rs"],
  ],
  [
    "pyproject.toml",
    { "pyproject.toml": '[project.scripts]\nshop = "shop.cli:main"\n', "src/shop/cli.py": "", "src/shop/app.py": "" },
    ["src/shop/cli.py"],
  ],
  [
    "setup.py",
    {
      "setup.py": "setup(entry_points={'console_scripts': ['shop = shop.cli:main']})\n",
      "shop/cli/__init__.py": "",
    },
    ["shop/cli/__init__.py"],
  ],
  [
    "a gemspec: what the command of the gem requires, and the library",
    {
      "shop.gemspec": 'Gem::Specification.new do |gem|\n  gem.name = "shop"\nend\n',
      "bin/shop": "#!/usr/bin/env ruby\nrequire 'rubygems'\nrequire 'shop/command/run'\n",
      "lib/shop/command/run.rb": "",
      "lib/shop.rb": "",
    },
    ["lib/shop/command/run.rb", "lib/shop.rb"],
  ],
  [
    "Go: the root, then `cmd`",
    { "cmd/shop/main.go": "", "main.go": "", "interop/stress/main.go": "" },
    ["main.go", "cmd/shop/main.go"],
  ],
  ["a damaged manifest declares nothing", { "package.json": '{"main": "../a.js"', "a.js": "" }, []],
  [
    "no path leads out of the repository",
    { "package.json": '{"main": "../../etc/a.js"}', "src/a.ts": "" },
    ["src/a.ts"],
  ],
])("%s", (_, files, paths) => {
  expect(declared(files)).toEqual(paths);
});

test("of manifests at one depth, that of the most central file is first", () => {
  const files = { "a/Cargo.toml": "", "a/src/lib.rs": "", "b/Cargo.toml": "", "b/src/main.rs": "", "b/src/lib.rs": "" };
  const kb = knowledgeOf({ files });
  const byName = new Map(kb.files().map((file) => [file.path, file]));
  const central = ["b/src/lib.rs", "a/src/lib.rs", "b/src/main.rs"].flatMap((path) => byName.get(path) ?? []);
  expect(declaredEntries(kb, kb.files(), central).map(({ path }) => path)).toEqual([
    "b/src/main.rs",
    "b/src/lib.rs",
    "a/src/lib.rs",
  ]);
});

test("where something is declared, names count only in other languages", async () => {
  const web = { "web/index.js": "export function shown() {}\n", "web/tax.js": "import './index.js';\n" };
  const api = { "api/main.py": "def main():\n    pass\n" };
  const relationsOf = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    using repo = await indexed({ ...web, ...api, ...files });
    const { selection } = await repo.run("clean up");
    return selection.files.flatMap(({ file, relation }) => (relation === "an entry point" ? [file.path] : []));
  };
  expect(await relationsOf({})).toEqual(["web/index.js", "api/main.py"]);
  const manifest = { "package.json": '{"main": "lib/shop.js"}', "lib/shop.js": "export function shop() {}\n" };
  expect(await relationsOf(manifest)).toEqual(["lib/shop.js", "api/main.py"]);
});
