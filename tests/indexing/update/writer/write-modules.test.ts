/** Edits of modules: only files that see what differs are linked again, and the index is what a fresh one would be. */
import { expect, test } from "bun:test";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";
import { expectFresh as expectFreshOf, firstTexts, tryAnyEdits, type Variants } from "../any-edits.ts";
import { runIndex, sharedWorlds, type World } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

const expectFresh = (repo: TempRepo, here: World) => expectFreshOf(worldOf, repo, here);

/** Texts of one module. Names are few, so that many files mention each, and few see it. */
const VARIANTS: Variants = {
  "a/user.ts": [
    "export class User { role: Role; open(): Role { return this.role; } }\nexport class Role { grant() {} }\n",
    "export class User { role: Role; open(): Base { return this.role; } }\nexport class Role extends Base { grant() {} }\nclass Base { revoke() {} }\n",
    "export class User { open(by: string) {} grant() {} }\nexport { User as Role };\n",
  ],
  "b/user.ts": [
    "export class User { role: Role; open(): Role { return this.role; } }\nexport class Role { revoke() {} }\n",
    "export interface Role { grant(): void; revoke(): void }\nexport class User { open(): Role { return make(); } }\nfunction make(): Role { return { grant() {}, revoke() {} }; }\n",
  ],
  "a/use.ts": [
    'import { User } from "./user";\nexport function use(user: User) { user.open().grant(); user.open().revoke(); }\n',
    'import { User as Other, Role } from "../b/user.js";\nexport function use(user: Other): Role { return user.open(); }\n',
    'import type { Role } from "./user";\nimport { User } from "./user";\nexport const use = (user: User): Role => user.open();\n',
  ],
  "b/use.ts": [
    'import { User } from "./user";\nexport function use(user: User) { user.open().grant(); user.open().revoke(); }\n',
    'import { use as other } from "../a/use";\nexport function use(user) { other(user).grant(); return other; }\n',
  ],
  "a/index.ts": [
    'export * from "./user";\nexport { use } from "./use";\n',
    'export { User as default } from "./user";\n',
    "",
  ],
  "shared.ts": [
    'import { User, use } from "./a";\nexport function shared(user: User) { use(user).grant(); return user.role.grant(); }\n',
    'import User from "./a/index";\nimport * as all from "./a";\nexport let held: all.Role;\nexport function shared(user: User) { held.grant(); user.open().grant(); all.use(user); }\n',
  ],
  "made.ts": [
    'import { User } from "./a/user";\nexport function made(user: User): Inner {\n  class Inner { role = user.open(); grant() { this.role.grant(); } }\n  return new Inner();\n}\n',
    'import { User } from "./b/user";\nexport function made(user: User): Inner {\n  const open = () => user.open();\n  class Inner { revoke() { open().grant(); } }\n  return new Inner();\n}\n',
    'import { User } from "./b/user";\nexport function made(user: User): user.role {\n  function grant() { user.open(); }\n  return grant();\n}\n',
  ],
  "calls.ts": [
    'import { made } from "./made";\nimport { shared, held } from "./shared";\nexport function calls(x) { made(x).grant(); made(x).revoke(); shared(x); held.grant(); x.settle(); }\n',
    'import { made as shared } from "./made";\nexport function calls(x) { shared(x).grant().revoke(); x.extend(); }\n',
  ],
  "thing.js": [
    "function Thing() {}\nThing.prototype.settle = function () { return this.extend(); };\nmodule.exports = Thing;\n",
    "function Thing() {}\nmodule.exports = { Thing, open() { return new Thing(); } };\n",
  ],
  "extend.js": [
    'const Thing = require("./thing");\nThing.prototype.extend = function () { return new Thing().settle(); };\n',
    'const { Thing, open } = require("./thing");\nfunction settle() { open().extend(); }\nmodule.exports = settle;\n',
    "function settle() { extend(); }\n",
  ],
  "script.js": ["function extend() { settle(); }\n", "function extendAll() { extend(); }\n"],
  "test/user.test.ts": [
    'import { User } from "../a/user";\ndescribe("a user", () => {\n  const held = new User();\n  it("opens", () => { held.open().grant(); });\n});\n',
    'import { User } from "../b/user";\ndescribe("user", () => {\n  it("opens (twice)", () => { const grant = () => new User().open(); grant().revoke(); });\n});\n',
  ],
  "package.json": [
    '{"name": "users", "scripts": {"test": "run test/user.test.ts a/use.ts"}, "imports": {"#u": "./a/user.ts"}}',
    '{"name": "users", "scripts": {}, "imports": {"#u": "./b/user.ts"}}',
  ],
  "named.ts": [
    'import { User } from "#u";\nexport const named = (user: User) => user.open().revoke();\n',
    'import styles from "./user.css";\nimport { named } from "users";\nexport function other() { named(styles); }\n',
  ],
  "user.css": [".user { color: red; }\n", ".role { color: red; }\n"],
};

// The number of runs is set by hand while links are changed.
test("after any edits of modules, the index equals a fresh one", () => tryAnyEdits(worldOf, VARIANTS, 4, 3));

test("a change links only the files that see what differs", async () => {
  using repo = tempRepo(firstTexts(VARIANTS));
  const here = worldOf(repo);
  await runIndex(here);
  const linkedAfter = async (change: () => void): Promise<number> => {
    change();
    const totals: (number | null)[] = [];
    await runIndex(here, {}, new AbortController().signal, ({ phase, total }) => {
      if (phase === "resolve") totals.push(total);
    });
    await expectFresh(repo, here);
    // The last report is about all files.
    return totals[0] ?? 0;
  };
  const write = (path: string, from: string, to: string) => () =>
    repo.write({ [path]: (VARIANTS[path]?.[0] ?? "").replace(from, to) });
  // Of the files that mention "User", two see this one.
  expect(await linkedAfter(write("b/user.ts", "class User", "class User extends Role"))).toBe(2);
  // The type of a parameter is nothing that others see, and neither is a name inside a function.
  expect(await linkedAfter(write("a/use.ts", "(user: User)", "(user: User, by: Date)"))).toBe(1);
  expect(await linkedAfter(write("made.ts", "class Inner {", "function inside() {}\n  class Inner {"))).toBe(1);
  // The name of the file is in package.json, where no import leads by it.
  expect(await linkedAfter(() => repo.remove("test/user.test.ts"))).toBe(0);
  expect(await linkedAfter(() => repo.write({ "b/use.test.ts": 'import { use } from "./use";\nuse();\n' }))).toBe(1);
});

type Step = Readonly<Record<string, string>>;

test.each<readonly [what: string, before: Step, added: Step]>([
  [
    "Cargo.toml",
    { "a/src/lib.rs": "use b::run;\npub fn go() { run(); }\n", "b/src/lib.rs": "pub fn run() {}\n" },
    {
      "a/Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\n[dependencies]\nb = { path = "../b" }\n',
      "b/Cargo.toml": '[package]\nname = "b"\nversion = "0.1.0"\n',
    },
  ],
  [
    "project of C#",
    {
      "A/A.csproj": "<Project/>\n",
      "A/N.cs": "namespace N;\npublic class Cart { public static void Open() {} }\n",
      "B/Use.cs": "public class Use { void Go() { Cart.Open(); } }\n",
    },
    { "B/Bee.csproj": '<Project><ItemGroup><Using Include="N"/></ItemGroup></Project>\n' },
  ],
  [
    "composer.json",
    { "app/src/a.php": '<?php\nrequire "lib/x.php";\n', "app/lib/x.php": "<?php\nfunction x() {}\n" },
    { "app/composer.json": "{}\n" },
  ],
  [
    "__main__.py",
    { "shop/__init__.py": "", "tests/test_run.py": 'import sys\nrun([sys.executable, "-m", "shop"])\n' },
    { "shop/__main__.py": "def go(): pass\n" },
  ],
  [
    "program of Cargo",
    { "Cargo.toml": '[package]\nname = "shop"\n', "tests/a.rs": 'fn go() { env!("CARGO_BIN_EXE_shop"); }\n' },
    { "src/main.rs": "fn main() {}\n" },
  ],
  [
    "program that a script runs",
    { "test/run.sh": '"$ROOT/bin/tool.py"\n', "bin/other.py": "a = 1\n" },
    { "bin/tool.py": "a = 1\n" },
  ],
  [
    "source of a built entry",
    {
      "package.json": '{ "name": "shop", "source": "src/start.js", "main": "dist/shop.js" }\n',
      "shop.test.js": 'import "shop";\n',
    },
    { "src/start.js": "export const a = 1;\n" },
  ],
  [
    "file behind a target with a star",
    {
      "tsconfig.json":
        '{"compilerOptions":{"baseUrl":".","paths":{"@x/*":["src/*-impl"],"@styles/*":["styles/*.css"]}}}',
      "package.json": '{"name":"r","exports":{"./*":"./src/ui/*.component.tsx"},"imports":{"#db/*":"./lib/*.node.js"}}',
      "src/a.ts":
        'import { run } from "@x/foo";\nimport { Card } from "r/card";\nimport { open } from "#db/users";\nimport "@styles/page";\nexport function go() { run(); open(); return Card(1); }\n',
    },
    {
      "src/foo-impl.ts": "export function run() {}\n",
      "src/ui/card.component.tsx": "export function Card(x: number) { return x; }\n",
      "lib/users.node.js": "export function open() {}\n",
      "styles/page.css": ".page { color: red; }\n",
    },
  ],
])("the first %s links what it leads to", async (_, before, added) => {
  for (const one of [added, ...Object.entries(added).map(([path, text]) => ({ [path]: text }))]) {
    using repo = tempRepo(before);
    const here = worldOf(repo);
    await runIndex(here);
    repo.write(one);
    await runIndex(here);
    await expectFresh(repo, here);
    for (const path of Object.keys(one)) repo.remove(path);
    await runIndex(here);
    await expectFresh(repo, here);
  }
});

/** The imports and references of the file that uses others. */
const linksOfUser = (here: World): readonly string[] => {
  const [, links = ""] = /\ndependencies\n(.*)\ntest_sources\n/s.exec(dumpCuratedFile(here.paths.curated)) ?? [];
  return links.split("\n").filter((line) => /^\["(?:q\/)?use\./i.test(line));
};

/** What a change of one file means to others that do not write what differs in it. */
test.each<readonly [what: string, before: Step, after: Step]>([
  [
    "default export",
    {
      "made.ts": "export default {};\n",
      "use.ts": 'import made from "./made";\nexport function use() { return made(); }\n',
    },
    { "made.ts": "export default function () {}\n" },
  ],
  [
    "module behind a star",
    {
      "a.ts": "export function go() {}\n",
      "b.ts": "export function go() {}\nexport function stop() {}\n",
      "mid.ts": 'export * from "./a";\n',
      "top.ts": 'export * from "./mid";\n',
      "use.ts": 'import { go, stop } from "./top";\nexport function use() { go(); stop(); }\n',
    },
    { "mid.ts": 'export * from "./b";\n' },
  ],
  [
    "module behind two stars",
    {
      "a.ts": "export function go() {}\n",
      "b.ts": "export function go() {}\n",
      "one.ts": 'export * from "./a";\n',
      "two.ts": 'export * from "./b";\n',
      "top.ts": 'export * from "./one";\n',
      "use.ts": 'import { go } from "./top";\nexport function use() { go(); }\n',
    },
    { "top.ts": 'export * from "./two";\n' },
  ],
  [
    "star import of Python",
    {
      "a.py": "def go():\n    pass\n",
      "b.py": "def go():\n    pass\n",
      "mid.py": "from a import *\n",
      "use.py": "from mid import go\n\n\ndef use():\n    go()\n",
    },
    { "mid.py": "from b import *\n" },
  ],
  [
    "first function of a Kotlin file",
    {
      "p/Carts.kt": "package p\n\nclass Cart\n",
      "q/Use.java": "package q;\n\nimport static p.CartsKt.*;\n\npublic class Use {\n  void use() {}\n}\n",
    },
    { "p/Carts.kt": "package p\n\nclass Cart\n\nfun more() {}\n" },
  ],
  [
    "attribute of C#",
    {
      "Audit.cs": "namespace N;\npublic class Other {}\n",
      "Use.cs": "namespace N;\n[Audit]\npublic class Use {}\n",
    },
    { "Audit.cs": "namespace N;\npublic class AuditAttribute {}\n" },
  ],
])("a new %s is seen by those who do not name it", async (_, before, after) => {
  using repo = tempRepo(before);
  const here = worldOf(repo);
  await runIndex(here);
  const old = linksOfUser(here);
  repo.write(after);
  await runIndex(here);
  await expectFresh(repo, here);
  expect(linksOfUser(here)).not.toEqual(old);
});
