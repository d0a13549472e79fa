import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openCyclicMemo } from "../../../src/indexing/imports/rust/cyclic-memo.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { resolveImports } from "../../support/resolved-imports.ts";
import { checkEdges, edgeLines } from "./imports-check.ts";

describe("modules", () => {
  checkEdges(
    "are declared by mod, in either file, inside inline modules, and by path",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
mod cart;
mod tax;
mod inner { mod deep; }
#[path = "../gen/made.rs"]
mod made;
mod missing;
//- src/cart.rs
mod item;
//- src/cart/item.rs
//- src/tax/mod.rs
mod rate;
//- src/tax/rate.rs
//- src/inner/deep.rs
//- gen/made.rs
mod beside;
//- gen/beside.rs
//- src/item.rs
`,
    `
gen/made.rs -> gen/beside.rs
src/cart.rs -> src/cart/item.rs
src/lib.rs -> gen/made.rs
src/lib.rs -> src/cart.rs
src/lib.rs -> src/inner/deep.rs
src/lib.rs -> src/tax/mod.rs
src/tax/mod.rs -> src/tax/rate.rs
`,
  );

  checkEdges(
    "are reached through crate, self and super",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/main.rs
mod a;
//- src/a/mod.rs
pub mod b;
pub mod c;
pub fn top() {}
//- src/a/b.rs
use crate::a::c::{self, One};
use super::top;
use super::super::a::c::Two as Zwei;
fn f() { c::three(); }
mod tests {
    use super::*;
    use super::super::d::Deep;
}
//- src/a/c.rs
pub struct One;
pub struct Two;
pub fn three() {}
//- src/a/d.rs
pub struct Deep;
//- src/c.rs
pub struct One;
`,
    `
src/a/b.rs -> src/a/c.rs
src/a/b.rs -> src/a/d.rs
src/a/b.rs -> src/a/mod.rs
src/a/mod.rs -> src/a/b.rs
src/a/mod.rs -> src/a/c.rs
src/main.rs -> src/a/mod.rs
`,
  );

  checkEdges(
    "re-export what they import, renamed or by a glob, and cycles end",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub use self::cart::Cart as Basket;
pub use self::prelude::*;
pub use crate::one::Loop;
//- src/cart.rs
pub struct Cart;
//- src/prelude.rs
pub use crate::kind::{Kind, Kind::*};
//- src/kind.rs
pub enum Kind { A, B }
//- src/one.rs
pub use crate::two::Loop;
//- src/two.rs
pub use crate::one::Loop;
//- tests/all.rs
use shop::Basket;
use shop::Kind;
use shop::Kind::A;
use shop::Loop;
`,
    `
src/lib.rs -> src/cart.rs
src/lib.rs -> src/one.rs
src/lib.rs -> src/prelude.rs
src/one.rs -> src/two.rs
src/prelude.rs -> src/kind.rs
src/two.rs -> src/one.rs
tests/all.rs -> src/cart.rs
tests/all.rs -> src/kind.rs
tests/all.rs -> src/lib.rs
`,
  );

  checkEdges(
    "used by their full path count too",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub mod tax;
pub mod text;
//- src/tax.rs
pub fn rate() { crate::text::fold(); super::text::Text::new(); std::text::no(); text::no(); }
//- src/text.rs
pub fn fold() {}
pub struct Text;
//- src/main.rs
fn main() { shop::tax::rate(); }
`,
    `
src/lib.rs -> src/tax.rs
src/lib.rs -> src/text.rs
src/main.rs -> src/tax.rs
src/tax.rs -> src/text.rs
`,
  );
});

describe("modules that pass on each other's names", () => {
  const tree = `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
mod a;
mod b;
mod c;
pub use a::*;
pub use b::*;
//- src/a.rs
use super::*;
//- src/b.rs
pub struct Tax;
//- src/c.rs`;
  // Whichever name is asked for first, the other must not keep the answer that it gave inside of that question.
  for (const [first, second] of [
    ["crate::Tax", "crate::a::Tax"],
    ["crate::a::Tax", "crate::Tax"],
  ])
    checkEdges(
      `give the same file for ${first} before ${second}`,
      `${tree}
use ${first} as One;
use ${second} as Two;
`,
      `
src/a.rs -> src/lib.rs
src/c.rs -> src/b.rs
src/lib.rs -> src/a.rs
src/lib.rs -> src/b.rs
src/lib.rs -> src/c.rs
`,
    );
});

test("an answer does not depend on what was asked before it, with cycles and at the limit", () => {
  const graph = fc.array(fc.record({ leadsTo: fc.array(fc.nat(7), { maxLength: 4 }), isFound: fc.boolean() }), {
    minLength: 8,
    maxLength: 8,
  });
  fc.assert(
    fc.property(graph, fc.array(fc.nat(7), { maxLength: 12 }), fc.nat(7), fc.nat(6), (nodes, before, last, limit) => {
      const asker = (): ((at: number) => string | null) => {
        const { ask, mayFollow } = openCyclicMemo<string>(limit);
        const find = (at: number): string | null =>
          ask(String(at), () => {
            if (nodes[at]?.isFound === true) return String(at);
            for (const next of nodes[at]?.leadsTo ?? []) {
              if (!mayFollow()) return null;
              const found = find(next);
              if (found !== null) return found;
            }
            return null;
          });
        return find;
      };
      const practised = asker();
      for (const at of before) practised(at);
      expect(practised(last)).toBe(asker()(last));
    }),
  );
});

test("of a name behind more imports than are followed, nothing is known", async () => {
  const passOn = (count: number): string =>
    Array.from({ length: count }, (_, at) => `pub use crate::m${at}::*;`).join("\n");
  const targets = async (count: number): Promise<boolean> =>
    (
      await edgeLines(`
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
${Array.from({ length: count }, (_, at) => `mod m${at} {}`).join("\n")}
mod found;
mod c;
${passOn(count)}
pub use found::*;
//- src/found.rs
pub struct Tax;
//- src/c.rs
use crate::Tax;
`)
    ).includes("src/c.rs -> src/found.rs");
  expect([await targets(499), await targets(500)]).toEqual([true, false]);
});

describe("crates", () => {
  checkEdges(
    "of a workspace see their dependencies, by path, by name, and renamed",
    `
//- Cargo.toml
[workspace]
members = ["crates/*"]
[workspace.dependencies]
shared = { path = "crates/shared" }
//- crates/app/Cargo.toml
[package]
name = "my-app"
[dependencies]
shared.workspace = true
text-tools = "1.0"
old = { path = "../old-one", package = "old-one" }
hash-impl = { path = "../hash" }
other = { path = "../other-hash", package = "other-hash" }
serde = "1"
[target.'cfg(unix)'.dependencies]
unixy = { path = "../unixy" }
//- crates/app/src/lib.rs
use shared::Thing;
use text_tools::fold;
use old::Old;
use fast_hash::digest;
use other::digest as other_digest;
use unixy::Unix;
use serde::Serialize;
use unrelated::No;
//- crates/app/src/bin/tool.rs
use my_app::Thing;
//- crates/shared/Cargo.toml
[package]
name = "shared"
//- crates/shared/src/lib.rs
pub struct Thing;
//- crates/text/Cargo.toml
[package]
name = "text-tools"
[lib]
path = "lib/start.rs"
//- crates/text/lib/start.rs
mod folding;
pub use folding::fold;
//- crates/text/lib/folding.rs
pub fn fold() {}
//- crates/old-one/Cargo.toml
[package]
name = "old-one"
//- crates/old-one/src/lib.rs
pub struct Old;
//- crates/hash/Cargo.toml
[package]
name = "hash-impl"
[lib]
name = "fast_hash"
//- crates/hash/src/lib.rs
pub fn digest() {}
//- crates/other-hash/Cargo.toml
[package]
name = "other-hash"
[lib]
name = "never_used"
//- crates/other-hash/src/lib.rs
pub fn digest() {}
//- crates/unixy/Cargo.toml
[package]
name = "unixy"
//- crates/unixy/src/lib.rs
pub struct Unix;
//- crates/unrelated/Cargo.toml
[package]
name = "unrelated"
//- crates/unrelated/src/lib.rs
pub struct No;
`,
    `
crates/app/src/bin/tool.rs -> crates/shared/src/lib.rs
crates/app/src/lib.rs -> crates/hash/src/lib.rs
crates/app/src/lib.rs -> crates/old-one/src/lib.rs
crates/app/src/lib.rs -> crates/other-hash/src/lib.rs
crates/app/src/lib.rs -> crates/shared/src/lib.rs
crates/app/src/lib.rs -> crates/text/lib/folding.rs
crates/app/src/lib.rs -> crates/unixy/src/lib.rs
crates/text/lib/start.rs -> crates/text/lib/folding.rs
`,
  );

  checkEdges(
    "have roots in tests, examples and benches too, each with its own modules",
    `
//- Cargo.toml
[package]
name = "shop"
autobenches = false
[[bench]]
name = "all"
path = "benches/all.rs"
//- src/lib.rs
pub struct Cart;
//- tests/one.rs
mod common;
use common::setup;
use crate::common::teardown;
use shop::Cart;
//- tests/common/mod.rs
pub fn setup() {}
pub fn teardown() {}
//- examples/demo/main.rs
mod view;
//- examples/demo/view.rs
use crate::view::Other;
//- benches/all.rs
mod help;
//- benches/help.rs
use crate::Top;
`,
    `
benches/all.rs -> benches/help.rs
benches/help.rs -> benches/all.rs
examples/demo/main.rs -> examples/demo/view.rs
tests/one.rs -> src/lib.rs
tests/one.rs -> tests/common/mod.rs
`,
  );

  checkEdges(
    "of a build script in a folder of its own start at the file that the manifest names",
    `
//- Cargo.toml
[package]
name = "shop"
build = "build/main.rs"
//- src/lib.rs
mod util;
//- src/util.rs
pub struct Cart;
//- build/main.rs
mod pages;
mod util;
//- build/pages.rs
use crate::util::render;
//- build/util.rs
pub fn render() {}
//- tool/Cargo.toml
[package]
name = "tool"
build = false
//- tool/src/main.rs
mod util;
//- tool/src/util.rs
`,
    `
build/main.rs -> build/pages.rs
build/main.rs -> build/util.rs
build/pages.rs -> build/util.rs
src/lib.rs -> src/util.rs
tool/src/main.rs -> tool/src/util.rs
`,
  );

  checkEdges(
    "with a broken manifest, and with 2015 paths, follow the layout",
    `
//- Cargo.toml
[[[ not toml
//- src/lib.rs
mod a;
mod b;
//- src/a.rs
use b::B;
use ::b::B as C;
//- src/b.rs
pub struct B;
`,
    `
src/a.rs -> src/b.rs
src/lib.rs -> src/a.rs
src/lib.rs -> src/b.rs
`,
  );
});

test("bindings give the name at its definition, and nothing outside the repository", async () => {
  const texts = fixtureTexts(`
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub mod cart;
pub use cart::Cart as Basket;
use std::fmt;
//- src/cart.rs
pub struct Cart;
//- tests/t.rs
use shop::{cart, Basket as B};
use shop::cart::*;
fn f() { shop::cart::Cart::new(); }
`);
  const { bindings } = resolveImports(await fixtureFiles(texts), (path) => texts.get(path) ?? null);
  const rows = (path: string): readonly string[] =>
    (bindings.get(path) ?? []).map(
      ({ alias, name, module, submodule, star, reexport }) =>
        `${alias ?? ""} = ${name} of ${module}${submodule === null ? "" : " itself"}${star ? " star" : ""}${reexport ? " on" : ""}`,
    );
  expect(rows("src/lib.rs")).toEqual([
    "cart = * of src/cart.rs itself",
    "Basket = Cart of src/cart.rs",
    "Basket = Cart of src/cart.rs on",
    "fmt = * of null",
  ]);
  expect(rows("tests/t.rs")).toEqual([
    "cart = * of src/cart.rs itself",
    "B = Cart of src/cart.rs",
    " = * of src/cart.rs star",
    "shop.cart.Cart = Cart of src/cart.rs",
  ]);
});
