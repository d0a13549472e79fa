import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

const CRATE = `
//- Cargo.toml
[package]
name = "shop"
`;

describe("Rust", () => {
  check(
    "methods of impl blocks belong to the type, in any file",
    `${CRATE}
//- src/lib.rs
mod cart;
mod more;
//- src/cart.rs
use crate::more::Till;
pub struct Cart { till: Box<Till>, last: Option<Till> }
impl Cart {
    pub fn new() -> Self { Self::build() }
    fn build() -> Self { todo!() }
    pub fn put(&mut self, other: &Till) {
        self.late();
        self.till.ring();
        self.last.ring();
        other.ring();
        Cart::new().late();
        self.shared();
    }
}
//- src/more.rs
use super::cart::Cart;
pub struct Till;
impl Till { pub fn ring(&self) {} }
impl Cart { pub fn late(&self) {} }
pub trait Shared { fn shared(&self) {} }
impl Shared for Cart {}
`,
    `
src/cart:Cart.till -> src/more:Till type 0.9
src/cart:Cart.last -> src/more:Till type 0.9
src/cart:Cart.new -> src/cart:Cart.build call 0.95
src/cart:Cart.put -> src/cart:Cart.new call 0.8
src/cart:Cart.put -> src/more:Cart.late call 0.95
src/cart:Cart.put -> src/more:Till type 0.9
src/cart:Cart.put -> src/more:Till.ring call 0.7
`,
  );

  check(
    "paths and re-exports are resolved, external crates are not",
    `${CRATE}
//- src/lib.rs
pub mod deep;
pub use deep::inner::make as build;
//- src/deep/mod.rs
pub mod inner;
//- src/deep/inner.rs
pub fn make() {}
pub enum Kind { One, Two }
//- src/use_it.rs
use crate::build;
use crate::deep::inner::Kind;
use serde::make as other;
fn go() {
    build();
    crate::deep::inner::make();
    other();
    make();
}
//- src/main.rs
mod use_it;
`,
    "src/use_it:go -> src/deep/inner:make call 0.9",
  );

  check(
    "self, aliases of paths, variants, associated items and macros of the crate are resolved",
    `${CRATE}
//- src/lib.rs
#[macro_use]
mod macros;
pub mod cart;
pub mod util;
pub mod shop;
//- src/macros.rs
#[macro_export]
macro_rules! count_all {
    () => {};
}
//- src/util.rs
pub fn sort_out() {}
pub struct Knife;
impl Knife {
    pub fn cut() {}
}
//- src/cart.rs
pub enum Kind {
    Full(u8),
    Empty,
}
pub struct Cart;
impl Cart {
    pub fn open() -> Cart { Self::made() }
    fn made() -> Self { self::fill() }
}
fn fill() -> Cart { todo!() }
pub mod deep {
    pub fn go() { self::stay() }
    fn stay() {}
}
//- src/shop.rs
use crate::cart::Kind::Full;
use crate::cart::Kind::*;
fn go() {
    self::stay();
    crate::util::sort_out();
    crate::util::Knife::cut();
    crate::cart::Kind::Empty(1);
    Full(1);
    Empty(2);
    count_all!();
}
fn stay() {}
`,
    `
src/cart:Cart.made -> src/cart:fill call 0.5
src/cart:Cart.open -> src/cart:Cart type 1
src/cart:Cart.open -> src/cart:Cart.made call 0.95
src/cart:deep.go -> src/cart:deep.stay call 1
src/cart:fill -> src/cart:Cart type 1
src/shop:go -> src/cart:Kind.Empty call 0.8
src/shop:go -> src/cart:Kind.Full call 0.9
src/shop:go -> src/macros:count_all call 0.5
src/shop:go -> src/shop:stay call 1
src/shop:go -> src/util:Knife.cut call 0.8
src/shop:go -> src/util:sort_out call 0.9
`,
  );

  check(
    "a method called in the arguments of a macro is no function of that name",
    `${CRATE}
//- src/lib.rs
pub struct Cart;
pub struct Total;
impl Cart {
    pub fn sum_up(&self) -> Total { Total }
}
impl Total {
    pub fn rounded(&self) {}
}
fn cart() -> Cart { Cart }
fn rounded() {}
fn test_total() {
    assert_eq!(cart().sum_up().rounded(), 1);
}
`,
    `
src/lib:Cart.sum_up -> src/lib:Total type 1
src/lib:cart -> src/lib:Cart type 1
src/lib:test_total -> src/lib:cart call 1
src/lib:test_total -> src/lib:Cart.sum_up call 0.7
src/lib:test_total -> src/lib:Total.rounded call 0.65
`,
  );

  check(
    "an exported macro is an item of the root, whatever file it is in",
    `${CRATE}
//- src/lib.rs
#[macro_use]
mod macros;
mod cart;
//- src/macros.rs
#[macro_export]
macro_rules! sum_of {
    () => { $crate::each_of!() };
}
#[macro_export]
macro_rules! each_of {
    () => {};
}
macro_rules! writeln {
    () => {};
}
//- src/cart.rs
use crate::*;
use crate::each_of;
fn add() {
    writeln!();
    crate::sum_of!();
    each_of!();
}
//- src/main.rs
use shop::sum_of;
fn main() {
    sum_of!();
    shop::each_of!();
}
//- tests/sums.rs
use shop::*;
fn sums() {
    sum_of!();
}
`,
    `
src/cart:add -> src/macros:each_of call 0.9
src/cart:add -> src/macros:sum_of call 0.9
src/macros:sum_of -> src/macros:each_of call 0.9
src/main:main -> src/macros:each_of call 0.9
src/main:main -> src/macros:sum_of call 0.9
tests/sums:sums -> src/macros:sum_of call 0.8
`,
  );

  check(
    "a variant has the methods of its enum",
    `${CRATE}
//- src/lib.rs
pub enum Kind { Full(u8), Empty }
impl Kind {
    fn weigh_in(&self) {}
}
pub struct Scale;
impl Scale {
    fn weigh_in(&self) {}
}
fn go() {
    Kind::Empty.weigh_in();
    Kind::Full(1).weigh_in();
}
`,
    `
src/lib:go -> src/lib:Kind.Full call 0.8
src/lib:go -> src/lib:Kind.weigh_in call 0.7
`,
  );

  check(
    "functions of a type or trait in angle brackets",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub trait Price {
    fn price() -> u32;
    fn tax() -> u32 { 1 }
}
pub struct Book;
impl Price for Book {
    fn price() -> u32 { 2 }
}
pub struct Shelf<T>(T);
impl<T> Shelf<T> {
    pub fn empty() -> u32 { 0 }
}
fn known() -> u32 { <Book as Price>::price() }
fn generic<T: Price>() -> u32 { <T as Price>::tax() }
fn short() -> u32 { <Book>::price() }
fn inner() -> u32 { <Shelf<Vec<Book>>>::empty() }
fn sliced() -> u32 { <[u8] as Price>::tax() }
`,
    `
src/lib:Book -> src/lib:Price implement 1
src/lib:known -> src/lib:Book type 1
src/lib:known -> src/lib:Price type 1
src/lib:known -> src/lib:Book.price call 0.8
src/lib:generic -> src/lib:Price type 1
src/lib:generic -> src/lib:Price.tax call 0.8
src/lib:short -> src/lib:Book type 1
src/lib:short -> src/lib:Book.price call 0.8
src/lib:inner -> src/lib:Shelf type 1
src/lib:inner -> src/lib:Book type 1
src/lib:inner -> src/lib:Shelf.empty call 0.8
src/lib:sliced -> src/lib:Price type 1
src/lib:sliced -> src/lib:Price.tax call 0.8
`,
  );

  check(
    "a call is one of the method, not of a field of the same name",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub struct Cart { till: Drawer }
impl Cart { pub fn till(&self) -> Till { todo!() } }
pub struct Till;
impl Till { pub fn ring(&self) {} }
pub struct Drawer;
impl Drawer { pub fn ring(&self) {} }
fn by_method(cart: &Cart) { cart.till().ring(); }
fn by_field(cart: &Cart) { cart.till.ring(); }
`,
    `
src/lib:Cart.till -> src/lib:Drawer type 1
src/lib:Cart.till -> src/lib:Till type 1
src/lib:by_method -> src/lib:Cart type 1
src/lib:by_method -> src/lib:Cart.till call 0.7
src/lib:by_method -> src/lib:Till.ring call 0.7
src/lib:by_field -> src/lib:Cart type 1
src/lib:by_field -> src/lib:Drawer.ring call 0.7
`,
  );

  check(
    "a function of the name of its module is what a call means",
    `${CRATE}
//- src/lib.rs
mod rules;
use crate::rules::cart;
pub fn check() {
    cart::rules::open();
    cart::rules::close();
    rules::cart::rules::open::inner();
}
//- src/rules/mod.rs
pub(crate) mod cart;
//- src/rules/cart/mod.rs
pub(crate) mod rules;
//- src/rules/cart/rules/mod.rs
pub(crate) use close::close;
pub(crate) use open::*;
mod close;
mod open;
//- src/rules/cart/rules/open.rs
pub(crate) fn open() {}
pub(crate) fn inner() {}
//- src/rules/cart/rules/close.rs
pub(crate) fn close() {}
`,
    `
src/lib:check -> src/rules/cart/rules/open:open call 0.9
src/lib:check -> src/rules/cart/rules/open:inner call 0.9
src/lib:check -> src/rules/cart/rules/close:close call 0.9
`,
  );

  check(
    "an import names what a module inside another file defines",
    `${CRATE}
//- src/lib.rs
mod cart;
pub(crate) fn fill() {}
#[cfg(test)]
mod tests {
    pub(super) fn fill() {}
    pub(super) struct Till;
    impl Till {
        pub(super) fn open() {}
    }
}
//- src/cart.rs
#[cfg(test)]
mod tests {
    use crate::tests::{Till, fill};
    fn fills() {
        fill();
        Till::open();
    }
}
`,
    `
src/cart:tests.fills -> src/lib:tests.fill call 0.9
src/cart:tests.fills -> src/lib:tests.Till.open call 0.8
src/lib:tests -> src/lib:tests.Till type 1
`,
  );

  check(
    "a value that is made at its first use has the methods of its type",
    `${CRATE}
//- src/lib.rs
pub struct Till;
impl Till { pub fn ring(&self) {} }
pub static TILL: Lazy<Till> = Lazy::new(|| Till);
fn pay() { TILL.ring(); }
`,
    `
src/lib:TILL -> src/lib:Till type 1
src/lib:pay -> src/lib:Till.ring call 0.7
`,
  );
});
