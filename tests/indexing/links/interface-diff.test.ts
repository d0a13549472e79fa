/** Which names other files see changed after an edit: without one of them the index would be stale. */
import { expect, test } from "bun:test";
import { interfaceDiff } from "../../../src/indexing/links/interface-diff.ts";
import { languageOf } from "../../../src/languages/languages.ts";
import { fixtureFiles } from "../../support/facts.ts";

type Seen = { readonly names?: string; readonly own?: string; readonly isDefault?: true; readonly hasStars?: true };

/** What differs between two texts of a file, names in order; null if it may matter to any file. */
async function seen(path: string, before: string, after: string): Promise<Seen | null> {
  const [old] = await fixtureFiles(new Map([[path, before]]));
  const [now] = await fixtureFiles(new Map([[path, after]]));
  if (old === undefined || now === undefined) throw new Error("no facts");
  const diff = interfaceDiff(languageOf(path), old.facts, now.facts);
  if (diff === null) return null;
  const sorted = (names: ReadonlySet<string>): string => [...names].toSorted().join(" ");
  return {
    ...(diff.names.size > 0 ? { names: sorted(diff.names) } : {}),
    ...(diff.own.size > 0 ? { own: sorted(diff.own) } : {}),
    ...(diff.isDefault ? { isDefault: true } : {}),
    ...(diff.hasStars ? { hasStars: true } : {}),
  };
}

type Row = readonly [what: string, path: string, before: string, after: string, expected?: Seen];

test.each<Row>([
  ["a body", "a.ts", "export function go() { one(); }\n", "export function go() { two(); }\n"],
  ["a type of a parameter", "a.ts", "export function go(a: A) {}\n", "export function go(a: B) {}\n"],
  ["an import for types", "a.ts", 'import { go } from "./x";\n', 'import type { go } from "./x";\n'],
  ["where an import stands", "a.hpp", '#include "x.h"\nint go();\n', 'int go();\n#include "x.h"\n'],
])("%s is nothing that others see", async (_, path, before, after) =>
  expect(await seen(path, before, after)).toEqual({}),
);

test.each<Row>([
  ["an import", "a.ts", 'import { go } from "./x";\n', 'import { go } from "./y";\n', { own: "go" }],
  ["an alias", "a.ts", 'import { go as run } from "./x";\n', 'import { do as run } from "./x";\n', { own: "run" }],
  [
    "a new function inside a function",
    "a.ts",
    "export function go() {\n  function one() {}\n}\n",
    "export function go() {\n  function one() {}\n  function inside() {}\n}\n",
    { own: "inside" },
  ],
  [
    "a changed function inside a function",
    "a.ts",
    "export function go() {\n  function inside() {}\n}\n",
    "export function go() {\n  function inside(): Cart {}\n}\n",
    { own: "inside" },
  ],
])("%s matters to what depends on it in the file", async (_, path, before, after, expected) =>
  expect(await seen(path, before, after)).toEqual(expected ?? {}),
);

test.each<Row>([
  ["a result", "a.ts", "export function go(): A {}\n", "export function go(): B {}\n", { names: "go" }],
  [
    "the namespace that a macro opens",
    "a.hpp",
    "#define SHOP_BEGIN namespace shop {\n",
    "#define SHOP_BEGIN namespace store {\n",
    { names: "SHOP_BEGIN shop store" },
  ],
  ["an export", "a.ts", "function go() {}\nexport {};\n", "export function go() {}\n", { names: "go" }],
  [
    "a builder",
    "a.kt",
    "class A {\n  fun go() = apply {}\n}\n",
    "class A {\n  fun go() = run {}\n}\n",
    { names: "go" },
  ],
  [
    "the first method of a table",
    "a.lua",
    "local A = {}\nfunction A.new() end\nreturn A\n",
    "local A = {}\nfunction A.new() end\nfunction A:go() end\nreturn A\n",
    { names: "go new" },
  ],
  [
    "a class that is hidden with its private methods",
    "a.rb",
    "class A\n  class B\n    private\n    def go; end\n  end\nend\n",
    "class A\n  class B\n    private\n    def go; end\n  end\n  private_constant :B\nend\n",
    { names: "A B go" },
  ],
  ["a base", "a.ts", "export class A extends B {}\n", "export class A extends C {}\n", { names: "A" }],
  ["a re-export", "a.ts", 'export { go } from "./x";\n', 'export { go } from "./y";\n', { names: "go" }],
  [
    "a re-export's own name",
    "a.ts",
    'export { go as run } from "./x";\n',
    'export { to as run } from "./x";\n',
    { names: "run" },
  ],
  ["a base that goes", "a.py", "class A(B):\n    pass\n", "class A:\n    pass\n", { names: "A" }],
  [
    "what an export is called inside",
    "a.ts",
    "export function a() {}\nexport function b() {}\nexport { a as constructor };\n",
    "export function a() {}\nexport function b() {}\nexport { b as constructor };\n",
    { names: "constructor" },
  ],
  [
    "a class in a function, which a result can be,",
    "a.ts",
    "export function go() {\n  return class In { a() {} };\n}\n",
    "export function go() {\n  return class In { b() {} };\n}\n",
    { names: "a b" },
  ],
  [
    "the first import of a script, whose names all scripts share,",
    "a.js",
    "function go() {}\nclass A { m() {} }\n",
    'import "./x";\nfunction go() {}\nclass A { m() {} }\n',
    { names: "A go" },
  ],
  ["a star", "a.ts", 'export * from "./x";\n', 'export * from "./y";\n', { hasStars: true }],
  ["a default", "a.ts", "export default {};\n", "export default function () {}\n", { isDefault: true }],
  [
    "an import of Python",
    "a.py",
    "from x import go as run, other, same\n",
    "from y import go as run\nfrom x import other, same\n",
    { names: "other run same" },
  ],
  [
    "the order of imports",
    "a.py",
    "from x import a\nfrom y import a\n",
    "from y import a\nfrom x import a\n",
    { names: "a" },
  ],
  ["an import after others", "a.py", "from x import a\n", "from x import a\nfrom y import b\n", { names: "b" }],
  ["an import of Java", "A.java", "import q.B;\nclass A {}\n", "import r.B;\nclass A {}\n", { names: "B" }],
  [
    "a trait, which calls members of what uses it,",
    "a.php",
    "<?php\nclass A { use B; }\n",
    "<?php\nclass A { use C; }\n",
    { names: "A B C" },
  ],
  ["an interface", "a.ts", "export class A implements B {}\n", "export class A implements C {}\n", { names: "A" }],
  [
    "the type of a parameter that a result begins with",
    "a.ts",
    "export function go(a: A): a.role {}\n",
    "export function go(a: B): a.role {}\n",
    { names: "go" },
  ],
  [
    "a new member of a type that goes on elsewhere",
    "a.cs",
    "partial class A { }\n",
    "partial class A { void Go() {} }\n",
    { names: "A Go" },
  ],
  [
    "a lost member of a type that goes on elsewhere",
    "a.cs",
    "partial class A { void Go() {} }\n",
    "partial class A { }\n",
    { names: "A Go" },
  ],
  ["a star of Python", "a.py", "from x import *\n", "from y import *\n", { hasStars: true }],
  [
    "a member of a type that goes on elsewhere",
    "a.cs",
    "namespace N { class A { void Go() {} } }\n",
    "namespace N { class A { void Run() {} } }\n",
    { names: "A Go Run" },
  ],
  [
    "a member in a namespace",
    "a.hpp",
    "namespace n { class A { int go(); }; }\n",
    "namespace n { class A { int run(); }; }\n",
    { names: "A go n run" },
  ],
  [
    "a member of a type that does not",
    "A.java",
    "class A { void go() {} }\n",
    "class A { void run() {} }\n",
    { names: "go run" },
  ],
  [
    "the order of overloads",
    "A.java",
    "class A { void go(int a) {} void go(long a) {} }\n",
    "class A { void go(long a) {} void go(int a) {} }\n",
    { names: "go" },
  ],
  [
    "the second of two equal methods",
    "A.java",
    "class A { void go() {} void go() {} }\n",
    "class A { void go() {} }\n",
    { names: "go" },
  ],
  [
    "which of two equal parts a member is in",
    "a.cs",
    "partial class A { void Go() {} }\npartial class A { }\n",
    "partial class A { }\npartial class A { void Go() {} }\n",
    { names: "A Go" },
  ],
  ["a use of Rust", "lib.rs", "use x::go;\nmod a;\n", "use y::go;\nmod a;\n", { names: "go" }],
  ["an init of another language", "a.py", "", "def init():\n    pass\n", { names: "init" }],
])("%s is seen by name", async (_, path, before, after, expected) =>
  expect(await seen(path, before, after)).toEqual(expected ?? {}),
);

test.each<Row>([
  ["an include", "a.h", '#include "x.h"\nint go();\n', '#include "y.h"\nint go();\n'],
  [
    "a using that leaves a function",
    "a.hpp",
    "namespace n {\ninline void go() {\n  using m::x;\n}\n}\n",
    "namespace n {\ninline void go() {\n}\n  using m::x;\n}\n",
  ],
  ["a require of Ruby", "a.rb", "require 'x'\n", "require 'y'\n"],
  ["a global using of C#", "a.cs", "global using A;\nclass X {}\n", "global using B;\nclass X {}\n"],
  ["a namespace", "a.cs", "namespace N;\nclass A {}\n", "namespace M;\nclass A {}\n"],
  ["a package", "A.java", "package p;\nclass A {}\n", "package q;\nclass A {}\n"],
  ["a module of Rust", "lib.rs", "mod a;\nmod b;\n", "mod a;\n"],
  ["the path of a module of Rust", "lib.rs", '#[path = "x.rs"]\nmod a;\n', '#[path = "y.rs"]\nmod a;\n'],
  ["a module in a file of Rust", "lib.rs", "mod a { pub fn go() {} }\n", "mod b { pub fn go() {} }\n"],
  ["an import of Go", "a.go", 'package p\n\nimport "x"\n', 'package p\n\nimport "y"\n'],
  ["an init of Go", "a.go", "package p\n\nfunc Go() {}\n", "package p\n\nfunc Go() {}\n\nfunc init() {}\n"],
])("%s may matter to any file", async (_, path, before, after) => expect(await seen(path, before, after)).toBeNull());
