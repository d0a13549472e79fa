/** Edits that other files do not see: little is written, and the index is what a fresh one would be. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openKnowledgeBase } from "../../../../src/db/curated/open-knowledge-base.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";
import { expectFresh as expectFreshOf, firstTexts, tryAnyEdits, type Variants } from "../any-edits.ts";
import { runIndex, sharedWorlds, type World } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

const expectFresh = (repo: TempRepo, here: World) => expectFreshOf(worldOf, repo, here);

/** Texts of one file: most differ inside functions only, some in what others see. */
const VARIANTS: Variants = {
  "lib/cart.ex": [
    "defmodule Shop.Cart do\n  use Shop.Web\n  alias Shop.Item\n  def total(x), do: x |> price() |> Item.round()\n  def run(x), do: Shop.Sums.price(x)\nend\n",
    "defmodule Shop.Cart do\n  use Shop.Web, :cart\n  alias Shop.Sums, as: Item\n  def total(x), do: Item.round(Web.price(x))\nend\n",
  ],
  "lib/web.ex": [
    "defmodule Shop.Web do\n  alias Shop.Sums\n  defmacro __using__(_) do\n    quote do\n      import Sums\n    end\n  end\n  def round(x), do: x\nend\n",
    "defmodule Shop.Web do\n  alias Shop.Item, as: Sums\n  defmacro __using__(_) do\n    quote do\n      import Sums\n      alias Shop.Web\n    end\n  end\n  def price(x), do: x\nend\n",
    "defmodule Shop.Web do\n  @callback total(map) :: map\nend\n",
  ],
  "lib/sums.ex": [
    "defmodule Shop.Sums do\n  def price(x), do: x\n  def round(x), do: x\nend\n",
    "defmodule Shop.Item do\n  def price(x), do: x\n  def round(x), do: x\nend\n",
    "defmodule Shop.Sums do\n  def price(x, y), do: x\nend\ndefmodule Shop.Item do\n  def round(x), do: x\nend\n",
  ],
  "src/shop.zig": [
    'const Cart = @import("Cart.zig");\npub const Item = @import("item.zig").Item;\npub fn run(cart: *Cart, item: Item) void {\n    cart.add(item);\n    item.price();\n    helper();\n}\nfn helper() void {}\n',
    'const item = @import("item.zig");\npub const Item = item.Till;\npub const helper = item.round;\npub fn run(cart: *item.Cart, other: Item) void {\n    cart.add(other);\n    other.price();\n    helper();\n}\n',
  ],
  "src/Cart.zig": [
    'const Self = @This();\nconst Item = @import("shop.zig").Item;\nlast: *Item,\npub fn add(self: *Self, item: Item) void {\n    self.last.price();\n    item.price();\n}\n',
    'const shop = @import("shop");\npub fn add(item: shop.Item) void {\n    shop.helper();\n    item.price();\n}\n',
  ],
  "src/item.zig": [
    "pub const Item = struct {\n    pub fn price(self: Item) void {}\n};\npub const Till = Item;\npub fn round() void {}\n",
    'pub const Cart = @import("Cart.zig");\npub usingnamespace @import("shop.zig");\npub const Till = struct {\n    pub fn price(self: *Till) void {}\n};\n',
  ],
  "src/Shop.sol": [
    'import {Owned as Base} from "./Owned.sol";\nimport "./Sums.sol";\ncontract Shop is Base {\n  using Sums for uint;\n  function run(uint a) public only { a.double(); close(); half(a); }\n}\n',
    'import "./Owned.sol";\nimport * as s from "./Sums.sol";\ncontract Shop is Owned, Other {\n  using s.Sums for uint;\n  function run(uint a) public only { a.double(); super.close(); s.half(a); }\n}\n',
  ],
  "src/Owned.sol": [
    'import "src/Sums.sol";\ncontract Owned {\n  modifier only() { _; }\n  function close() public { half(1); }\n}\n',
    "contract Other {\n  modifier only() { _; }\n  function close() public {}\n}\ncontract Owned is Other {}\n",
  ],
  "src/Sums.sol": [
    "library Sums {\n  function double(uint a) internal {}\n}\nfunction half(uint a) {}\n",
    "library Sums {\n  function half(uint a) internal {}\n}\nlibrary Other {\n  function double(uint a) internal {}\n}\n",
  ],
  "test/Shop.t.sol": [
    'import {Shop, half} from "../src/Shop.sol";\ncontract ShopTest {\n  Shop shop;\n  function testRun() public { shop.run(1); shop.close(); half(1); }\n}\n',
    'import "../src/Shop.sol";\ncontract ShopTest is Shop {\n  function testRun() public only { run(1); Sums.double(1); }\n}\n',
  ],
  "bin/run.sh": [
    'source "$ROOT/lib/log.sh"\nmain() {\n  log-line a\n  read_all\n}\n',
    "source lib/text.sh\nmain() {\n  log-line a\n  read_all\n}\n",
  ],
  "lib/log.sh": [
    ". ./text.sh\nlog-line() {\n  main\n}\n",
    "read_all() {\n  main\n}\n",
    ". ./text.sh\nsource ../bin/run.sh\nlog_line() {\n  main\n}\n",
  ],
  "lib/text.sh": ["read_all() {\n  log-line\n}\n", "log-line() {\n  read_all\n}\n"],
  "pubspec.yaml": ["name: shop\n", "name: till\n"],
  "lib/cart.dart": [
    "import 'package:shop/item.dart';\nimport 'sums.dart' hide price;\npart 'cart_part.dart';\nclass Cart extends Base {\n  Cart(this.item);\n  final Item item;\n  void run() => item.rounded(price());\n}\n",
    "import 'sums.dart' as sums;\nimport 'item.dart' show Item, price;\nclass Cart {\n  Item get item => sums.price();\n  void run() => item.rounded(price());\n}\n",
    "export 'item.dart' hide Base;\npart 'cart_part.dart';\nimport 'sums.dart';\nclass Cart {\n  void run() => price();\n}\n",
  ],
  "lib/cart_part.dart": [
    "part of 'cart.dart';\nvoid _step() => Cart().run();\nvoid pay() => price();\n",
    "part of 'cart.dart';\nvoid pay() {\n  _step();\n  total();\n}\n",
  ],
  "lib/item.dart": [
    "export 'sums.dart' hide total;\nclass Base {\n  void close() {}\n}\nclass Item {\n  void rounded(int x) {}\n}\n",
    "class Item extends Base {}\nclass Base {\n  void rounded(int x) {}\n}\nint price() => 1;\n",
  ],
  "lib/sums.dart": [
    "int price() => 1;\nint total() => price();\n",
    "import 'item.dart';\nItem price() => Item();\nclass Base {}\n",
  ],
  "test/cart_test.dart": [
    "import 'package:shop/cart.dart';\nvoid main() {\n  test('runs', () {\n    Cart().run();\n    pay();\n    total();\n    Base().close();\n  });\n}\n",
  ],
  "lua/shop/cart.lua": [
    'local sums = require("shop.sums")\nlocal M = {}\nfunction M.total(x)\n  return sums.price(x)\nend\nfunction M:run()\n  self.total(1)\n  self:pay_late()\nend\nreturn M\n',
    'local price = require("shop.sums").price\nlocal M = {}\nfunction M.total(x)\n  require("shop.more").price(x)\n  return price(x)\nend\nreturn { total = M.total, run = price }\n',
    'return require("shop.sums")\n',
  ],
  "lua/shop/sums.lua": [
    "local M = {}\nlocal function price(x) end\nM.price = price\nfunction M:pay_late() end\nreturn M\n",
    "local N = {}\nlocal function price(x) end\nfunction N.price(x) end\nfunction N.total() end\nreturn N\n",
    "local function price(x) end\nreturn { price = price, total = function() price(1) end }\n",
  ],
  "spec/cart_spec.lua": [
    'local cart = require("shop.cart")\ndescribe("cart", function()\n  it("runs", function()\n    cart.total(1)\n    cart:run()\n  end)\nend)\n',
    'it("runs", function()\n  require("shop.cart").price(1)\n  require("shop.cart"):run()\nend)\n',
  ],
  "test/cart_test.exs": [
    'defmodule Shop.CartTest do\n  alias Shop.Cart\n  test "total" do\n    Cart.total(1)\n    Shop.Web.round(1)\n  end\nend\n',
    'defmodule Shop.CartTest do\n  use Shop.Cart\n  test "total" do\n    total(1)\n  end\nend\n',
  ],
  "pkg/core.py": [
    "from pkg.util import one, two\n\ndef run(x):\n    return one(x)\n",
    "from pkg.util import one, two\n\ndef run(x):\n    # because two is faster\n    x = two(x)\n    return x\n",
    'from pkg.util import one, two\n\ndef run(x):\n    """Runs."""\n    return helper(x)\n\ndef helper(x): return two(x)\n',
  ],
  "pkg/util.py": [
    "def one(x):\n    return 1\n\ndef two(x):\n    return one(x)\n",
    "def one(x):\n    return two(x)\n\n\n\ndef two(x):\n    return 2\n",
    "def two(x):\n    return 2\n",
  ],
  "tests/test_core.py": [
    "from pkg.core import run\n\ndef test_run():\n    assert run(1)\n",
    "from pkg.core import run\n\ndef test_run():\n    run(2)\n    assert run(3)\n",
    "from pkg.util import one\n\ndef test_run():\n    assert one(1)\n",
  ],
  "go.mod": ["module example.org/m\n", "module example.org/other\n"],
  "main.go": [
    'package main\n\nimport "example.org/m/lib"\n\nfunc main() { lib.A() }\n',
    'package main\n\nimport "example.org/m/lib"\n\nfunc main() { lib.B() }\n',
  ],
  "lib/a.go": ["package lib\n\nfunc A() { B() }\n", "package lib\n\nfunc A() {}\n"],
  "lib/b.go": ["package lib\n\nfunc B() {}\n", "package lib\n\n// B calls.\nfunc B() { A() }\n"],
  "tsconfig.json": [
    '{"compilerOptions": {"paths": {"@/*": ["./web/*"]}}}',
    '{"compilerOptions": {"paths": {"@/*": ["./other/*"]}}}',
  ],
  "web/a.ts": [
    'import { g } from "@/b";\nexport class A { run() { return g(); } }\n',
    'import { g } from "@/b";\nexport class A { run() { return this.run() + g(); } }\n',
  ],
  "web/b.ts": [
    "export function g() { return 1; }\n",
    "export function g() {\n  return 2;\n}\n",
    'import { Base as Other } from "./base";\nexport class G extends Other {}\nexport function g(): Other { return new G(); }\n',
  ],
  "web/package.json": [
    '{"name": "web", "version": "1.0.0", "imports": {"#b": "./b.ts"}}',
    '{"name": "web", "version": "2.0.0", "scripts": {"test": "true"}, "imports": {"#b": "./b.ts"}}',
    '{"name": "web", "version": "2.0.0", "imports": {"#b": "./base.ts"}}',
  ],
  "web/alias.ts": ['import { g } from "#b";\nexport const aliased = () => g();\n'],
  "web/base.ts": [
    "export class Base { stop() {} }\nexport default Base;\n",
    "export class Base { stop() {} start() {} }\nexport default function made(): Base { return new Base(); }\n",
    "class Hidden { stop() {} }\nexport { Hidden as Base };\n",
  ],
  "web/index.ts": [
    'export { default as Renamed } from "./base";\nexport { g } from "./b";\n',
    'export * from "./base";\nexport * from "./b";\n',
    'export { Base as g } from "./base";\n',
  ],
  "web/use.ts": [
    'import { g, Renamed } from ".";\nimport Base from "./base";\nexport function u(b: Base) { b.stop(); g().stop(); return new Renamed(); }\n',
    'import * as all from "./index";\nexport function u() { return all.g().start(); }\n',
  ],
  "web/use.test.ts": ['import { u } from "./use";\nfunction checks() { u(); }\n', "function checks() {}\n"],
  "web/late.ts": ["export function late() {}\n", 'import { u } from "./use";\nexport const late = () => u();\n'],
  "web/early.ts": ['import { late } from "./late";\nexport function early() { late(); }\n', "export {};\n"],
  "jvm/a/Shop.java": [
    "package a;\npublic class Shop extends Store { public Cart open() { return new Cart(); } }\n",
    "package a;\nimport b.*;\npublic class Shop { public b.Cart open() { return new b.Cart(); } void close() {} }\n",
    "package b;\npublic class Shop {}\n",
  ],
  "jvm/a/Cart.java": [
    "package a;\npublic class Cart { void add() {} }\n",
    "package a;\npublic class Cart { void add() {} void drop() { add(); } }\n",
  ],
  "jvm/b/Cart.java": ["package b;\npublic class Cart { public void add() {} public void drop() {} }\n", "package b;\n"],
  "jvm/a/Main.java": [
    "package a;\nclass Main { void main(Shop s) { s.open().add(); s.open().drop(); s.close(); } }\n",
    "package a;\nimport b.Cart;\nclass Main { void main(Shop s, Cart c) { c.drop(); s.open().add(); } }\n",
  ],
  "c/shop.h": [
    "struct Shop { int open(); };\nint total(int n);\n",
    "int total(int n);\n",
    '#include "more.h"\nint total(int n);\n',
  ],
  "c/more.h": ["int more(int n);\n", "struct Shop { int open(); };\n"],
  "c/shop.cpp": [
    '#include "shop.h"\nint Shop::open() { return total(1); }\nint total(int n) { return n; }\n',
    '#include "shop.h"\nint total(int n) { return n + more(n); }\nint more(int n) { return n; }\n',
  ],
  "c/main.cpp": [
    '#include "shop.h"\nint main() { Shop s; return s.open() + total(2) + more(3); }\n',
    "int main() {}\n",
  ],
  "rs/Cargo.toml": ['[package]\nname = "shop"\n'],
  "rs/src/lib.rs": [
    "mod macros;\npub mod cart;\npub use cart::Cart;\npub fn open() -> Cart { Cart::new() }\n",
    "pub mod cart;\n",
  ],
  "rs/src/macros.rs": ["#[macro_export]\nmacro_rules! tally { () => {} }\n", "pub fn tally() {}\n"],
  "rs/src/cart.rs": [
    "pub struct Cart;\nimpl Cart { pub fn new() -> Cart { Cart } pub fn total(&self) -> u32 { 1 } }\n",
    "pub struct Cart;\nimpl Cart { pub fn new() -> Cart { Cart } }\npub fn total() {}\n",
  ],
  "rs/src/main.rs": [
    "use shop::{open, Cart};\nfn main() { let c: Cart = open(); c.total(); Cart::new().total(); shop::tally!(); }\n",
    "use shop::tally;\nfn main() { tally!(); }\n",
  ],
  "notes.json": ['{"a": 1}\n', '{"b": 1}\n'],
  "php/Cart.php": [
    "<?php\nclass Cart extends Box { use Sums; function total() {} }\nclass Box { function weigh() {} }\n",
    "<?php\nclass Cart { function total() {} }\nclass Box { use Sums; function weigh() {} }\n",
    "<?php\nclass Cart { use Sums; }\nclass Box { use Sums; function total() {} }\n",
  ],
  "php/Sums.php": [
    "<?php\ntrait Sums { function add(): static { $this->total(); $this->weigh(); return $this; } }\n",
    "<?php\ntrait Sums { function weigh() { $this->add()->total(); } }\n",
  ],
  "rb/shop.rb": [
    "module Shop\n  class Cart\n    def total; 1; end\n  end\nend\n",
    "module Shop\n  def self.open; end\nend\n",
  ],
  "rb/main.rb": [
    "require_relative 'shop'\nclass Main\n  def run; Shop::Cart.new.total; Shop.open; end\nend\n",
    "class Main; end\n",
  ],
};
const PATHS = Object.keys(VARIANTS);

// The number of runs is set by hand while links are changed.
test("after any edits, the index equals a fresh one", () => tryAnyEdits(worldOf, VARIANTS, 4, 4));

test("a change inside a function keeps its symbol and the references to it", async () => {
  using repo = tempRepo({ ...VARIANTS_OF_PYTHON }, { git: true });
  const here = worldOf(repo);
  await runIndex(here);
  const look = () => {
    const kb = openKnowledgeBase(here.paths.curated, repo.path);
    const [one] = kb.symbolsNamed(["one"]);
    const found = { id: one?.id ?? 0, endLine: one?.endLine, callers: kb.referencesTo([one?.id ?? 0]).length };
    kb.close();
    return found;
  };
  const before = look();
  expect(before.callers).toBeGreaterThan(0);
  repo.write({ "pkg/util.py": "def one(x):\n    y = 2\n    return y\n\ndef two(x):\n    return one(x)\n" });
  await runIndex(here);
  expect(look()).toEqual({ ...before, endLine: 3 });
  await expectFresh(repo, here);
});

test("a change that uses the same names in the same order links nothing", async () => {
  using repo = tempRepo({ ...VARIANTS_OF_PYTHON }, { git: true });
  const here = worldOf(repo);
  await runIndex(here);
  const phasesAfter = async (text: string): Promise<ReadonlySet<string>> => {
    repo.write({ "pkg/core.py": text });
    const phases = new Set<string>();
    await runIndex(here, {}, new AbortController().signal, ({ phase }) => void phases.add(phase));
    await expectFresh(repo, here);
    return phases;
  };
  const text = VARIANTS["pkg/core.py"]?.[0] ?? "";
  expect(await phasesAfter(text.replace("    return", "    # at once\n    return"))).not.toContain("resolve");
  expect(await phasesAfter(text.replace("one(x)", "two(x)"))).toContain("resolve");
});

test("a package.json that resolves imports as before links no other file again", async () => {
  const { "web/package.json": manifests = [], ...others } = VARIANTS;
  using repo = tempRepo({ ...firstTexts(others), "web/package.json": manifests[0] ?? "" });
  const here = worldOf(repo);
  await runIndex(here);
  const linkedAfter = async (manifest: string | undefined): Promise<number> => {
    repo.write({ "web/package.json": manifest ?? "" });
    const totals: (number | null)[] = [];
    await runIndex(here, {}, new AbortController().signal, ({ phase, total }) => {
      if (phase === "resolve") totals.push(total);
    });
    await expectFresh(repo, here);
    // The last report is about all files.
    return totals[0] ?? 0;
  };
  expect(await linkedAfter(manifests[1])).toBeLessThan(3);
  expect(await linkedAfter(manifests[2])).toBe(Object.keys(VARIANTS).length);
});

const VARIANTS_OF_PYTHON = Object.fromEntries(
  PATHS.filter((path) => path.endsWith(".py")).map((path) => [path, VARIANTS[path]?.[0] ?? ""]),
);

for (const spoil of ["update entries set facts = x'00'", "update entries set uses = x'00'", "delete from entries"])
  test(`the cache entries needed to resolve one file are rebuilt after: ${spoil}`, async () => {
    using repo = tempRepo({ ...VARIANTS_OF_PYTHON }, { git: true });
    const here = worldOf(repo);
    await runIndex(here);
    const cache = new Database(here.paths.parseCache);
    cache.run(spoil);
    cache.close();
    repo.write({ "pkg/core.py": VARIANTS["pkg/core.py"]?.[1] ?? "" });
    await runIndex(here);
    await expectFresh(repo, here);
  });

test("a commit without edits changes only the history", async () => {
  using repo = tempRepo({ ...VARIANTS_OF_PYTHON }, { git: true });
  const here = worldOf(repo);
  repo.write({ "pkg/util.py": VARIANTS["pkg/util.py"]?.[1] ?? "" });
  await runIndex(here);
  repo.commit("Change it");
  const { files, changed } = await runIndex(here);
  expect([changed, files.changed]).toEqual([true, 0]);
  await expectFresh(repo, here);
});

test("symbols before the first that differs keep their ids, and full-text rows are written in one run", async () => {
  const text = (at: number, more: string): string =>
    `def f${at}(x):\n    return x\n\n\ndef g${at}(x):\n    return f${at}(x)\n${more}`;
  const all = Array.from({ length: 30 }, (_, at) => at);
  const files = (more: string) => Object.fromEntries(all.map((at) => [`m${at}.py`, text(at, more)]));
  using repo = tempRepo(files(""));
  const here = worldOf(repo);
  await runIndex(here);
  const read = <Row>(sql: string): Row[] => {
    using db = new Database(here.paths.curated, { readonly: true });
    return db.query<Row, []>(sql).all();
  };
  const ids = "select qualified_name, id from symbols where name <> 'added' order by id";
  const segments = () => read("select distinct id >> 37 from symbol_search_data where id >> 37 > 0").length;
  const [before, written] = [read(ids), segments()];
  repo.write(files("\n\ndef added():\n    return 1\n"));
  await runIndex(here);
  expect(read(ids)).toEqual(before);
  expect(segments()).toBe(written + 1);
  await expectFresh(repo, here);
});
