import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("JavaScript and TypeScript", () => {
  check(
    "a test has a title, which hides no name",
    `
//- queue.ts
export function push(job: Job): void {}
export function flush(): void {}
//- queue.test.ts
import { flush, push } from "./queue";
describe("queue", () => {
  describe("push", () => {
    it("push", () => { push(1); });
    it.each([1])("runs in order", (n) => { push(n); flush(); });
  });
  test("flush", () => { flush(); });
});
`,
    `
queue.test:queue.push.push -> queue:push call 0.9
queue.test:queue.push.runs in order -> queue:push call 0.9
queue.test:queue.push.runs in order -> queue:flush call 0.9
queue.test:queue.flush -> queue:flush call 0.9
`,
  );

  check(
    "a method is used through its object only",
    `
//- dom.ts
export function render(node: unknown): void {}
//- app.ts
import { render } from "./dom";
export const page = {
  render() { render(1); },
  show() { page.render(); },
};
export function start() {
  const view = { render() { render(2); } };
  render(view);
}
module.exports = { render() { render(3); }, once() { render(4); } };
`,
    `
app:page.render -> dom:render call 0.9
app:page.show -> app:page.render call 0.8
app:start.render -> dom:render call 0.9
app:start -> dom:render call 0.9
app:render -> dom:render call 0.9
app:once -> dom:render call 0.9
`,
  );

  check(
    "a parameter of a constructor that is a property has its type in all members",
    `
//- svc.ts
export class Svc { run(): void {} }
export class Other { run(): void {} }
//- use.ts
import { Svc, type Other } from "./svc";
export class Use {
  constructor(private readonly svc: Svc, public other?: Other, plain: Svc) {}
  go() { this.svc.run(); }
  stop() { this.other?.run(); }
  no() { this.plain.run(); }
}
`,
    `
use:Use.svc -> svc:Svc type 0.9
use:Use.other -> svc:Other type 0.9
use:Use.constructor -> svc:Svc type 0.9
use:Use.go -> svc:Svc.run call 0.7
use:Use.stop -> svc:Other.run call 0.7
`,
  );

  check(
    "another name for what is in a namespace uses it, and can be imported",
    `
//- shop.ts
export class Cart { run(): void {} }
export function total(): number { return 1; }
export namespace parts { export interface Item {} }
//- names.ts
import * as shop from "./shop";
export import Basket = shop.Cart;
import sum = shop.total;
export import Piece = shop.parts.Item;
//- use.ts
import { Basket, Piece } from "./names";
export function go(piece: Piece) { return new Basket(); }
`,
    `
names:Basket -> shop:Cart type 0.9
names:Piece -> shop:parts.Item type 0.8
names:sum -> shop:total type 0.9
use:go -> names:Basket call 0.9
use:go -> names:Piece type 0.9
`,
  );

  check(
    "an import that is exported under its own name is passed on",
    `
//- cart.ts
export default class Cart {}
export function fill(): void {}
export type Price = number;
//- index.ts
import Cart, { fill, type Price } from "./cart";
import { hidden } from "./hidden";
export { Cart, fill };
export type { Price };
//- hidden.ts
export function hidden(): void {}
//- old.js
const { fill } = require("./cart");
module.exports = { fill };
//- older.js
const { fill } = require("./old");
function start() { fill(); }
//- use.ts
import { Cart, fill, hidden, type Price } from "./index";
export function go(price: Price) {
  new Cart();
  fill();
  hidden();
}
`,
    `
use:go -> cart:Cart call 0.9
use:go -> cart:fill call 0.9
use:go -> cart:Price type 0.9
older:start -> cart:fill call 0.9
`,
  );

  const HIDING = `
function constant() { const pick = make(); pick(); }
function later() { const inner = () => pick(); const pick = make(); inner(); }
function parts() { const { a: pick } = make(); pick(); }
function short() { const { pick } = make(); pick(); }
function listed() { const [pick] = make(); pick(); }
function argument() { each((pick) => pick()); each(pick => pick()); }
function looped() { for (const pick of all()) pick(); }
function caught() { try { make(); } catch (pick) { pick(); } }
function own() { const pick = () => 1; pick(); }
function loaded() { const pick = require("./list").pick; pick(); }
function imported() { pick(); }
class Shop { run() { const pick = make(); return { sell() { pick(); } }; } }
`;

  for (const path of ["use.js", "use.ts", "use.tsx"])
    check(
      `a variable of a function hides what is imported: ${path}`,
      `
//- list.js
export function pick() {}
//- ${path}
import { pick } from "./list";
${HIDING}
`,
      `
use:later -> use:later.inner call 1
use:own -> use:own.pick call 1
use:loaded -> list:pick call 0.9
use:imported -> list:pick call 0.9
`,
    );

  check(
    "what exports and prototypes are given: Object.assign, util.inherits",
    `
//- shapes.js
const util = require("util");
function Shape() {}
Shape.prototype.area = function () {};
function Round() {}
util.inherits(Round, Shape);
Round.prototype.draw = function () { this.area(); };
function hidden() {}
function circle() {}
Object.assign(module.exports, { circle, round: Round, square() {}, line: () => 1 });
Object.assign(other, { hidden });
//- use.js
const shapes = require("./shapes");
function go() {
  shapes.circle();
  shapes.square();
  shapes.line();
  shapes.hidden();
  new shapes.round();
}
`,
    `
shapes:Round -> shapes:Shape inherit 1
shapes:Round.draw -> shapes:Shape.area call 0.9
use:go -> shapes:circle call 0.9
use:go -> shapes:square call 0.9
use:go -> shapes:line call 0.9
use:go -> shapes:Round call 0.9
`,
  );
});
