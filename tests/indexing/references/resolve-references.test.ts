import { describe, expect, test } from "bun:test";
import { checkReferences as check, references } from "./references-check.ts";

describe("within a file", () => {
  check(
    "the innermost scope wins, and a recursive call is no reference",
    `
//- a.py
def help(): ...
def outer():
    def help(): ...
    help()
    outer()
def other():
    help()
`,
    `
a:outer -> a:outer.help call 1
a:other -> a:help call 1
`,
  );

  check(
    "members are found through self, the class and its bases",
    `
//- a.py
class Base:
    def shared(self): ...
    def over(self): ...
class Thing(Base):
    def __init__(self):
        self.own()
        self.shared()
        super().over()
        self.unknown_to_all()
    def own(self):
        own()
    def over(self):
        Base.over(self)
    @classmethod
    def build(cls):
        cls.own()
`,
    `
a:Thing -> a:Base inherit 1
a:Thing.__init__ -> a:Thing.own call 0.95
a:Thing.__init__ -> a:Base.shared call 0.9
a:Thing.__init__ -> a:Base.over call 0.9
a:Thing.over -> a:Base.over call 0.8
a:Thing.build -> a:Thing.own call 0.95
`,
  );

  check(
    "this and super of JavaScript are resolved",
    `
//- a.ts
class Base { start(): void {} }
export class Thing extends Base {
  start(): void { super.start(); this.#tick(); this.start(); }
  #tick(): void { start(); }
}
interface Shape { area: number }
export function draw(shape: Shape): Shape { return shape }
`,
    `
a:Thing -> a:Base inherit 1
a:Thing.start -> a:Base.start call 0.9
a:Thing.start -> a:Thing.#tick call 0.95
a:draw -> a:Shape type 1
`,
  );

  check(
    "the body of a class sees its own names, but not those of its enclosing class",
    `
//- a.py
class Outer:
    def make(): ...
    if make(): ...
    class Inner:
        if make(): ...
`,
    "a:Outer -> a:Outer.make call 1",
  );

  check(
    "a parameter shadows other definitions of its name",
    `
//- a.py
def handler(): ...
def run(handler):
    handler()
`,
    "",
  );
});

describe("through imports", () => {
  check(
    "names, aliases and modules lead to the definition",
    `
//- app/__init__.py
def start(): ...
//- app/main.py
from .tools import make as build, Kind
from . import tools
import app.tools
import app.tools as t
def go(k: Kind):
    build()
def more():
    tools.make()
def most():
    app.tools.make()
    t.Kind.of()
//- outside.py
import app.tools
def begin():
    app.start()
    app.tools.make()
//- app/tools.py
def make(): ...
class Kind:
    def of(): ...
`,
    `
app/main:go -> app/tools:make call 0.9
app/main:go -> app/tools:Kind type 0.9
app/main:more -> app/tools:make call 0.9
app/main:most -> app/tools:make call 0.9
app/main:most -> app/tools:Kind.of call 0.8
outside:begin -> app/__init__:start call 0.9
outside:begin -> app/tools:make call 0.9
`,
  );

  check(
    "re-exports are followed through packages, stars and cycles",
    `
//- lib/__init__.py
from .core import Engine
from .extra import *
from . import loop
//- lib/core/__init__.py
from .engine import Motor as Engine
//- lib/core/engine.py
class Motor: ...
//- lib/extra.py
def tune(): ...
//- lib/loop.py
from lib import missing
//- use.py
from lib import Engine, tune, missing
import lib
def a():
    Engine()
    tune()
    missing()
def b():
    lib.Engine()
    lib.extra.tune()
`,
    `
use:a -> lib/core/engine:Motor call 0.9
use:a -> lib/extra:tune call 0.9
use:b -> lib/core/engine:Motor call 0.9
use:b -> lib/extra:tune call 0.9
`,
  );

  check(
    "star imports resolve names with less confidence",
    `
//- a.py
from b import *
def go():
    make()
//- b.py
def make(): ...
`,
    "a:go -> b:make call 0.8",
  );

  check(
    "barrels, defaults and renamed exports are followed",
    `
//- index.ts
export * from "./one";
export { two as deux, default as main } from "./two";
export * as everything from "./one";
//- one.ts
export function first(): void {}
function hidden(): void {}
//- two.ts
function inner(): void {}
export { inner as two };
export default class Main { run(): void {} }
//- use.ts
import { first, deux, main, hidden, everything } from "./index";
import Direct from "./two";
import * as all from "./index";
export function a(): void { first(); deux(); new main(); hidden(); }
export function b(): void { all.first(); everything.first(); new Direct(); all.deux(); }
`,
    `
use:a -> one:first call 0.9
use:a -> two:inner call 0.9
use:a -> two:Main call 0.9
use:b -> one:first call 0.9
use:b -> two:Main call 0.9
use:b -> two:inner call 0.9
`,
  );

  check(
    "CommonJS modules can export values and objects",
    `
//- make.js
module.exports = create;
function create() {}
//- tools.js
exports.cut = function cut() {};
function glue() {}
module.exports.glue = glue;
//- use.js
const make = require("./make");
const { cut, glue: stick } = require("./tools");
const tools = require("./tools");
function a() { make(); cut(); stick(); }
function b() { tools.cut(); tools.none(); }
`,
    `
use:a -> make:create call 0.9
use:a -> tools:cut call 0.9
use:a -> tools:glue call 0.9
use:b -> tools:cut call 0.9
`,
  );

  check(
    "an endless chain of re-exports gives nothing",
    `
//- a.ts
export * from "./b";
//- b.ts
export * from "./a";
export * from "./c";
//- c.ts
export function real(): void {}
//- use.ts
import { real, ghost } from "./a";
export function go(): void { real(); ghost(); }
`,
    "use:go -> c:real call 0.9",
  );
});

describe("names as values", () => {
  check(
    "what a variable's value is made from is no parameter of it",
    `
//- a.py
from b import Made
def load(): ...
table = make(load, kind=Made)
class Shop:
    cart: int = field(default_factory=load)
def use(load):
    run(load)
//- b.py
class Made: ...
`,
    `
a:table -> a:load call 1
a:table -> b:Made call 0.9
a:Shop.cart -> a:load call 1
`,
  );
});

describe("through types in signatures", () => {
  check(
    "parameters, variables and results have members",
    `
//- shop.py
from typing import Optional
class Cart:
    def put_item(self): ...
    def twin(self) -> "Cart": ...
class BigCart(Cart): ...
def open_cart() -> Cart: ...
shared = BigCart()
def a(cart: Optional["Cart"] = None):
    cart.put_item()
def b():
    shared.put_item()
    open_cart().twin()
//- other.py
class Other:
    def put_item(self): ...
`,
    `
shop:BigCart -> shop:Cart inherit 1
shop:Cart.twin -> shop:Cart type 1
shop:open_cart -> shop:Cart type 1
shop:shared -> shop:BigCart call 1
shop:a -> shop:Cart type 1
shop:a -> shop:Cart.put_item call 0.7
shop:b -> shop:Cart.put_item call 0.7
shop:b -> shop:open_cart call 1
shop:b -> shop:Cart.twin call 0.7
`,
  );
});

describe("by a rare name", () => {
  const METHODS = `
//- one.py
class A:
    def flush_queue(self): ...
    def append(self): ...
    def pick(self): ...
//- two.py
class B:
    def pick(self): ...
`;
  check(
    "one definition is likely, three are weak, common names give nothing",
    `${METHODS}
//- use.py
import outside
def go(x):
    x.flush_queue()
    x.append()
    x.pick()
    outside.flush_queue()
    "".flush_queue()
    flush_queue()
`,
    `
use:go -> one:A.flush_queue call 0.5
use:go -> one:A.pick call 0.15
use:go -> two:B.pick call 0.15
`,
  );

  check(
    "methods of built-in types are not those of the repository",
    `
//- list.ts
export class List { includes(): void {} toSorted(): void {} defineProperty(): void {} refill(): void {} }
//- use.ts
export function go(x: any) {
  x.includes(1);
  "ab".split("").toSorted();
  Object.defineProperty(x, "y", {});
  x.refill();
}
//- store.py
class Store:
    def read_text(self): ...
    def total_seconds(self): ...
    def hexdigest(self): ...
    def top_up(self): ...
//- use.py
def go(x):
    x.read_text()
    (x - 1).total_seconds()
    x.hexdigest()
    x.top_up()
`,
    `
use:go -> list:List.refill call 0.5
use:go -> store:Store.top_up call 0.5
`,
  );

  check(
    "names defined in tests are visible only there",
    `
//- tests/test_a.py
class Fake:
    def only_here(self): ...
def test_it(x):
    x.only_here()
//- app.py
def go(x):
    x.only_here()
`,
    "tests/test_a:test_it -> tests/test_a:Fake.only_here call 0.5",
  );
});

test("names of JavaScript prototypes are ordinary names", async () => {
  const lines = await references(`
//- a.py
class __proto__:
    def hasOwnProperty(self): ...
    def constructor(self):
        self.hasOwnProperty()
def toString():
    __proto__()
    valueOf()
`);
  expect(lines).toEqual([
    "a:__proto__.constructor -> a:__proto__.hasOwnProperty call 0.95",
    "a:toString -> a:__proto__ call 1",
  ]);
});

test("bases and types that depend on themselves terminate", async () => {
  const lines = await references(`
//- a.py
class A(A.B, C.A): ...
class C(A.C): ...
x: x.y = 1
y: z.x = 1
z: y.x = 1
def go(p: p.q, q: x.y.z):
    A.none()
    x.y.z.none()
    p.none()
    q.none()
`);
  expect(lines.filter((line) => line.includes("call"))).toEqual([]);
});

test("classes that are their own bases terminate", async () => {
  const lines = await references(`
//- a.py
from b import B
class A(B):
    def go(self):
        self.none_of_these()
//- b.py
from a import A
class B(A): ...
`);
  expect(lines).toEqual(["a:A -> b:B inherit 0.9", "b:B -> a:A inherit 0.9"]);
});
