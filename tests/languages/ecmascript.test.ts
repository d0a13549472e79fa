/** What is found in JavaScript, TypeScript and TSX: source first, then findings as `render.ts` writes them. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const findsInTypeScript = findingsIn("typescript");
const findsInJavaScript = findingsIn("javascript");
const findsInTsx = findingsIn("tsx");

findsInTypeScript(
  "definitions of TypeScript",
  symbolLines,
  `
/**
 * @fileoverview What this is.
 */
import x from "x";

/**
 * Does it.
 * @param a what
 */
export async function* run<T,>(
  a: T, // first
  b = 1,
): AsyncGenerator<T> {}
function over(a: string): void;
function over(a: any) {}
export default abstract class Box<T> extends Base<T> implements Shape {
  @Input() private readonly name: string = "n";
  /** Area. */
  @Memo
  static async area(): Promise<number> { const local = 1; return local; }
  get size() { return 1; }
  set size(v) {}
  constructor(private a: A, @Inject(B) readonly b?: B, override c = 1, plain: C) { super(); }
  abstract draw(): void;
  handler = (e: Event): void => {};
  #secret = 1;
  [Symbol.iterator]() {}
  declare y: string;
}
export interface Shape extends A, B<C> { id: string; move(dx: number): void; }
export type Id = string | number;
export const enum Color { Red, Green = "g" }
declare module "pkg" { export function d(): void }
declare global { interface Window { extra: string } var debug: boolean }
export namespace Deep.Inner { export const z = 1; }
export const { p, q: r = 2, ...rest } = make();
const [first, , second] = pair;
const table = { get() {}, post: async () => {}, "put it": function () {}, plain: 1 };
let a1 = 1, fn = function named() {};
@Component({})
export class Decorated {}
export { over as under, table };
`,
  `
+function run 6/10-13 export async function* run<T>(a: T, b = 1): AsyncGenerator<T> «jsdoc: Does it.⏎@param a what»
+function over 14-14 function over(a: string): void
+function over 15-15 function over(a: any)
+class Box 16-29 export default abstract class Box<T> extends Base<T> implements Shape
-property Box.name 17-17 private readonly name: string = "n"
+method Box.area 18/19-20@20 static async area(): Promise<number> «jsdoc: Area.»
+method Box.size 21-21 get size()
+method Box.size 22-22 set size(v)
+method Box.constructor 23-23 constructor(private a: A, @Inject(B) readonly b?: B, override c = 1, plain: C)
-property Box.a 23-23 private a: A
+property Box.b 23-23 readonly b?: B
+property Box.c 23-23 override c = 1
+method Box.draw 24-24 abstract draw(): void
+method Box.handler 25-25 handler = (e: Event): void =>
-property Box.#secret 26-26 #secret = 1
+method Box.[Symbol.iterator] 27-27 [Symbol.iterator]()
+property Box.y 28-28 declare y: string
+interface Shape 30-30 export interface Shape extends A, B<C>
+property Shape.id 30-30 id: string
+method Shape.move 30-30 move(dx: number): void
+type_alias Id 31-31 export type Id = string | number
+enum Color 32-32 export const enum Color
+property Color.Red 32-32 Red
+property Color.Green 32-32 Green = "g"
-namespace pkg 33-33 declare module "pkg"
+function pkg.d 33-33 export function d(): void
-namespace global 34-34 declare global
-interface global.Window 34-34 interface Window
-property global.Window.extra 34-34 extra: string
-variable global.debug 34-34 var debug: boolean
+namespace Deep.Inner 35-35 export namespace Deep.Inner
+variable Deep.Inner.z 35-35 export const z = 1
+variable p 36-36 export const { p, q: r = 2, ...rest } = make()
+variable r 36-36 export const { p, q: r = 2, ...rest } = make()
+variable rest 36-36 export const { p, q: r = 2, ...rest } = make()
-variable first 37-37 const [first, , second] = pair
-variable second 37-37 const [first, , second] = pair
+variable table 38-38 const table = { get() {}, post: async () => {}, "put it": function () {}, plain: 1 }
+method table.get 38-38 get()
+method table.post 38-38 post: async () =>
+method table.put it 38-38 "put it": function ()
-variable a1 39-39 let a1 = 1
-function fn 39-39 fn = function named()
+class Decorated 40-41@41 export class Decorated
`,
);

findsInJavaScript(
  "definitions of JavaScript, including CommonJS",
  symbolLines,
  `
'use strict'
var debug = require('debug')('app');
var http = require('http');
var app = exports = module.exports = {};

/**
 * Starts.
 */

app.start = function start(port) { function inner() {} };
Foo.prototype.bar = () => 1;
exports.helper = function () {};
exports.LIMIT = 10;
exports.alias = helper;
module.exports.late = class {};
class A extends mixin(B) { static s = 1; f = () => {}; *g() {} }
const K = class Named { m() {} };
router.use(function logger(req) {});
function outer() { return function wrapped() {}; }
this.x = () => {};
later = function () {};
Later = class { m() {} };
`,
  `
-variable debug 2-2 var debug = require('debug')('app')
+variable app 4-4 var app = exports = module.exports = {}
+method app.start 6/10-10 app.start = function start(port) «jsdoc: Starts.»
-function app.start.inner 10-10 function inner()
-method Foo.bar 11-11 Foo.prototype.bar = () =>
+function helper 12-12 exports.helper = function ()
+variable LIMIT 13-13 exports.LIMIT = 10
+class late 15-15 module.exports.late = class
-class A 16-16 class A extends mixin(B)
-property A.s 16-16 static s = 1
-method A.f 16-16 f = () =>
-method A.g 16-16 *g()
-class K 17-17 const K = class Named
-method K.m 17-17 m()
-function logger 18-18 function logger(req)
-function outer 19-19 function outer()
-function outer.wrapped 19-19 function wrapped()
-method x 20-20 this.x = () =>
-function later 21-21 later = function ()
-class Later 22-22 Later = class
-method Later.m 22-22 m()
`,
);

findsInJavaScript(
  "an anonymous module.exports",
  symbolLines,
  `
module.exports = function () { return 1 }
`,
  `
+function exports 1-1 module.exports = function ()
`,
);

findsInJavaScript(
  "an anonymous default export, and titles of tests",
  symbolLines,
  `
export default () => {};
describe("math", () => {
  it.only('adds   two', async function () {});
  test.each([1, 2])(\`rows\`, (n) => {});
  it(dynamic, () => {});
  expect("x", () => {});
  test("options", { timeout: 5 }, () => {});
  it("a remark", /* slow */ function () {});
  it("no body", "text");
});
`,
  `
+function default 1-1 export default () =>
-function math 2-10 describe("math", () =>
-function math.adds two 3-3 it.only('adds two', async function ()
-function math.rows 4-4 test.each([1, 2])(\`rows\`, (n) =>
-function math.options 7-7 test("options", { timeout: 5 }, () =>
-function math.a remark 8-8 it("a remark", function ()
`,
);

findsInTypeScript(
  "imports in every form",
  importLines,
  `
import "side";
import def, { a, b as c } from "./m.js";
import * as ns from "ns";
import type { T } from "t";
import { type U, v } from "uv";
import old = require("old");
export { d as e, f } from "d";
export { default as G } from "g";
export * from "all";
export * as h from "h";
export type { W } from "w";
const fs = require("fs"), { join, sep: s } = require("path");
const y = require("z").y;
require("bare");
exports.k = require("k");
const lazy = await import("lazy");
const { one, two: zwei } = await import("some");
import("loose").then(() => {});
import(/* webpackChunkName: "b" */ "told");
import(\`plain\`);
import(\`not/\${plain}\`);
declare module "added" { interface Options {} }
`,
  `
1 import side
2 import ./m.js default>def a b>c
3 import ns *>ns
4 type t T
5 import uv v
5 type uv U
6 require old *>old
7 reexport d f> d>e
8 reexport g default>G
9 reexport all *
10 reexport h *>h
11 reexport w W>
12 require fs *>fs
12 require path join sep>s
13 require z y
14 require bare
15 require_reexport k *>k
16 dynamic lazy *>lazy
17 dynamic some one two>zwei
18 dynamic loose
19 dynamic told
20 dynamic plain
22 type added
`,
);

for (const finds of [findsInTypeScript, findsInJavaScript])
  finds(
    "modules whose paths are texts of calls",
    importLines,
    `
jest.mock("./store", () => ({ load: jest.fn() }));
vi.mock("@/api");
const real = await vi.importActual("./real");
const preset = [require.resolve("./preset"), { a: 1 }];
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const data = new URL("../data.json", import.meta.url);
const here = [new URL(".", import.meta.url), new URL("../", import.meta.url), new URL("../src", import.meta.url)];
const other = [new URL("/a.ts", base), new URL("./b.ts", "https://example.com"), path.resolve("./c"), jest.fn("./d")];
other.mock("./e");
`,
    `
1 dynamic ./store
2 dynamic @/api
3 dynamic ./real
4 dynamic ./preset
5 dynamic ./worker.ts
6 dynamic ../data.json
`,
  );

findsInJavaScript(
  "default under other names, in JavaScript's grammar too",
  importLines,
  `
export { default as G } from "g";
export { default } from "h";
export { a as default } from "i";
import { default as j } from "j";
`,
  `
1 reexport g default>G
2 reexport h default>
3 reexport i a>default
4 import j default>j
`,
);

findsInJavaScript(
  "module.exports = require() re-exports everything",
  importLines,
  `
module.exports = require('./lib/express');
`,
  `
1 require_reexport ./lib/express *
`,
);

findsInTsx(
  "uses of names, in types and JSX too",
  referenceLines,
  `
@Injectable()
class A extends ns.Base<Item> implements I, J.K<L> {
  f(x: Foo): Map<string, Bar> { this.g(x); a?.b!.c(); return new Thing<Gen>(x as Cast); }
}
interface P extends Q {}
const view = <Page title="x"><ui.Button /><div /></Page>;
type V = typeof view;
`,
  `
decorate Injectable in A
inherit ns . Base in A
type Item in A
implement I in A
implement J . K in A
type L in A
type Foo in A.f
type Map in A.f
type Bar in A.f
call this . g in A.f
call a.b . c in A.f
call Thing in A.f
type Gen in A.f
type Cast in A.f
inherit Q in P
call Page in view
call ui . Button in view
type view in V
`,
);

findsInTypeScript(
  "comments, and the symbols they belong to",
  commentLines,
  `
#!/usr/bin/env node
/*!
 * Copyright(c) 2020
 */
import x from "x";
// eslint-disable-next-line because
// Retried since we lose the first packet.
/* block
 *   kept indent
 */
const a = 1; // FIXME wrong
/** Not above a definition. */
a();
/** Doc of f. */
// workaround for #4321
function f() {
  // inside
}
`,
  `
1-1 general: /usr/bin/env node
2-4 general: Copyright(c) 2020
6-6 general in a: eslint-disable-next-line because
7-7 rationale! in a: Retried since we lose the first packet.
8-10 general in a: block⏎  kept indent
11-11 fixme in a: FIXME wrong
12-12 general: Not above a definition.
15-15 bug_ref! in f: workaround for #4321
17-17 general in f: inside
`,
);

test("declarations of what is elsewhere are exports", async () => {
  const { symbols } = await factsOf(
    "typescript",
    "export declare function f(): void;\nexport declare class K { m(): void }\nexport declare const a: A, b: B;\nexport declare namespace N { const z: 1; }\nexport declare enum E { One }\ndeclare function own(): void;\n",
  );
  const top = symbols.filter(({ parent }) => parent === null);
  expect(top.map(({ name, exported }) => [name, exported])).toEqual([
    ["f", true],
    ["K", true],
    ["a", true],
    ["b", true],
    ["N", true],
    ["E", true],
    ["own", false],
  ]);
});

test("names exported under another name", async () => {
  const as = async (text: string): Promise<unknown> => (await factsOf("javascript", text)).exportedAs;
  expect(await as("export { a as b, c }; export default d;")).toEqual({ b: "a", default: "d" });
  expect(await as("export default function f() {}")).toEqual({ default: "f" });
  expect(await as("exports = module.exports = make; exports.x = y;")).toEqual({ default: "make", x: "y" });
  expect(await as("module.exports = { a, b: c, d() {} };")).toEqual({ b: "c" });
  expect(await as("module.exports = function () {};")).toEqual({ default: "exports" });
  expect(await as("export { default as a } from 'x'")).toEqual({});
});

test("the file's documentation: declared, or the first comment that belongs to no definition", async () => {
  const doc = async (text: string): Promise<string | undefined> => (await factsOf("javascript", text)).doc?.content;
  expect(await doc("#!/usr/bin/env node\n// strict\n/** Tools. */\n\nimport a from 'a';\n")).toBe("Tools.");
  expect(await doc("import a from 'a';\n/** @module tools */\n\nimport b from 'b';\n")).toBe("@module tools");
  expect(await doc("/** About f. */\nfunction f() {}\n")).toBeUndefined();
  expect(await doc("import a from 'a';\n/** Later. */\n\nimport b from 'b';\n")).toBeUndefined();
  expect(await doc("/** Copyright 2020 */\nimport a from 'a';\n")).toBeUndefined();
});

test("call signatures without semicolons do not hide the rest of a file", async () => {
  const source = "interface On {\n  <A>(a: A): [A]\n  // two\n  <\n    B,\n  >(b: B): B\n}\nexport class After {}\n";
  expect(await symbolLines("typescript", source)).toEqual([
    "-interface On 1-7 interface On",
    "+class After 8-8 export class After",
  ]);
});

const ALIASES = `
import * as shop from "./shop";
import Cart = shop.Cart;
export import Item = shop.parts.Item;
namespace Till {
  export import Coin = shop.Coin;
  import Own = Local;
}
`;
findsInTypeScript(
  "other names for what is in a namespace are definitions",
  symbolLines,
  ALIASES,
  `
-variable Cart 2-2 import Cart = shop.Cart
+variable Item 3-3 export import Item = shop.parts.Item
-namespace Till 4-7 namespace Till
+variable Till.Coin 5-5 export import Coin = shop.Coin
-variable Till.Own 6-6 import Own = Local
`,
);
findsInTypeScript(
  "other names use what is in a namespace",
  referenceLines,
  ALIASES,
  `
type shop . Cart in Cart
type shop.parts . Item in Item
type shop . Coin in Till.Coin
type Local in Till.Own
`,
);
