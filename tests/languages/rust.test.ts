/** What is found in Rust: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { expectFindings, findingsIn } from "./findings.ts";

const finds = findingsIn("rust");

finds(
  "definitions of every kind",
  symbolLines,
  `
//! About the file.
pub const LIMIT: usize = 1;
static mut COUNT: u32 = 0;
pub type Result<T> = std::result::Result<T, Error>;

/// A cart.
///
/// It holds.
#[derive(Debug)]
#[serde(rename = "c")]
pub struct Cart<T: Clone>
where
    T: Send, // a comment
{
    /// What is in it.
    pub items: Vec<T>,
    hidden: u8,
}
pub struct Pair(pub u8, u16);
struct Unit;
union Bits { a: u8 }

pub(crate) enum Kind {
    A,
    /// With a value.
    B(u8),
    C { x: u8 } = 3,
}

/** Keeps. */
pub unsafe trait Store: Base {
    const MAX: u8 = 1;
    type Item: Clone;
    fn get(&self) -> Self::Item;
    fn len(&self) -> usize { 0 }
}

impl<T: Clone> Cart<T> {
    const ONE: u8 = 1;
    pub const fn new() -> Self {
        const LOCAL: u8 = 1;
        let x = 1;
        fn inner() {}
        Self {}
    }
    fn secret(&self) {}
}
impl<'a, T> Store for &'a mut inner::Cart<T> {
    type Item = T;
    async unsafe fn get(&self) {}
}
impl Store for [Pair] { fn sliced() {} }
impl Store for u8 { fn number() {} }
impl dyn Store { fn dynamic() {} }

#[macro_export]
macro_rules! add {
    ($a:expr) => { fn not_found() {} };
}

extern "C" {
    fn strlen(s: *const u8) -> usize;
    pub static ERRNO: u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    const K: u8 = 1;
    #[test]
    fn works() {}
    pub(self) mod deep { pub fn f() {} }
}
mod elsewhere;
const _: () = {
    impl Cart<u8> { pub fn eaten(&self) {} }
    assert!(LIMIT > 0);
};

#[doc = "Goes."]
#[inline]
pub async fn go<'a>(x: &'a str, f: impl Fn(u8) -> u8) -> Option<u8> { None }
`,
  `
+variable LIMIT 2-2 pub const LIMIT: usize = 1
-variable COUNT 3-3 static mut COUNT: u32 = 0
+type_alias Result 4-4 pub type Result<T> = std::result::Result<T, Error>
+class Cart 6/9-18@11 pub struct Cart<T: Clone> where T: Send «plain: A cart.⏎⏎It holds.»
+property Cart.items 15/16-16 pub items: Vec<T> «plain: What is in it.»
-property Cart.hidden 17-17 hidden: u8
+class Pair 19-19 pub struct Pair(pub u8, u16)
-class Unit 20-20 struct Unit
-class Bits 21-21 union Bits
-property Bits.a 21-21 a: u8
+enum Kind 23-28 pub(crate) enum Kind
+property Kind.A 24-24 A
+property Kind.B 25/26-26 B(u8) «plain: With a value.»
+property Kind.C 27-27 C { x: u8 } = 3
+interface Store 30/31-36 pub unsafe trait Store: Base «plain: Keeps.»
+property Store.MAX 32-32 const MAX: u8 = 1
+type_alias Store.Item 33-33 type Item: Clone
+method Store.get 34-34 fn get(&self) -> Self::Item
+method Store.len 35-35 fn len(&self) -> usize
-property Cart.ONE 39-39 const ONE: u8 = 1
+method Cart.new 40-45 pub const fn new() -> Self
-function Cart.new.inner 43-43 fn inner()
-method Cart.secret 46-46 fn secret(&self)
-method Cart.get 50-50 async unsafe fn get(&self)
-method Pair.sliced 52-52 fn sliced()
-method u8.number 53-53 fn number()
-method Store.dynamic 54-54 fn dynamic()
+function add 56-59@57 macro_rules! add
-function strlen 62-62 fn strlen(s: *const u8) -> usize
+variable ERRNO 63-63 pub static ERRNO: u8
-namespace tests 66-73@67 mod tests
-variable tests.K 69-69 const K: u8 = 1
-function tests.works 70-71@71 fn works()
-namespace tests.deep 72-72 pub(self) mod deep
-function tests.deep.f 72-72 pub fn f()
+method Cart.eaten 76-76 pub fn eaten(&self)
+function go 80-82@82 pub async fn go<'a>(x: &'a str, f: impl Fn(u8) -> u8) -> Option<u8> «plain: Goes.»
`,
);

finds(
  "methods of references, pointers and trait objects belong to the type or trait",
  symbolLines,
  `
impl dyn Store + Send { fn a(&self) {} }
impl fmt::Debug for dyn inner::Store + Send + 'static { fn b(&self) {} }
impl dyn Keeps<u8> { fn c(&self) {} }
impl Tr for &mut dyn Store { fn d(&self) {} }
impl Tr for *const Store { fn e(&self) {} }
impl Tr for &'static str { fn f(&self) {} }
`,
  `
-method Store.a 1-1 fn a(&self)
-method Store.b 2-2 fn b(&self)
-method Keeps.c 3-3 fn c(&self)
-method Store.d 4-4 fn d(&self)
-method Store.e 5-5 fn e(&self)
-method str.f 6-6 fn f(&self)
`,
);

finds(
  "imports in every form",
  importLines,
  `
use std::io;
use serde;
use ::abs::path as p;
use crate::a::{self, b as c, d::{e, f::*}, self as me, /* no::thing, */ g::h as _};
use {one, two::three};
pub use self::x::Y;
pub(crate) use super::z::*;
#[cfg(unix)]
use r#type::r#fn;
extern crate alloc;
extern crate core as base;
mod near;
#[path = "other/file.rs"]
#[cfg(test)]
pub mod far;
mod inline {
    use super::{
        // comment, here
        super::up,
    };
}
`,
  `
1 import std io
2 import serde *>serde
3 import ::abs path>p
4 import crate a a>me
4 import crate::a b>c
4 import crate::a::d e
4 import crate::a::d::f *
4 import crate::a::g h>
5 import one *>one
5 import two three
6 reexport self::x Y
7 reexport super::z *
9 import r#type r#fn
10 import alloc *>alloc
11 import core *>base
12 require near *>near
15 require other/file.rs *>far
15 require far *>far
17 import super::super up
`,
);

finds(
  "uses of names",
  referenceLines,
  `
use m::imported;
fn handler() {}

#[derive(Debug, serde::Serialize)]
#[cfg(test)]
#[custom]
struct S<T: Bound> {
    #[serde(skip)]
    a: Vec<m::B>,
}

trait Tr: Base + m::Other<K> {}

impl<T> m::Tr for S<T> where T: Q {
    #[tokio::test]
    fn run(&self, x: impl Tr, y: &dyn m::Dy) -> Result<Self, Err> {
        self.a.b();
        Self::new();
        m::inner::f();
        foo::<X>();
        x.c::<Y>()?.d().await;
        Vec::<Z>::with();
        <T as Tr>::go();
        S { a: handler, b: local };
        m::S { ..y };
        vec![];
        log::info!("{}", self.e(1), m::n(2), g(3));
        get(handler, imported, m::func, E::A, local);
        match x { E::B => 1, E::C | E::D => 2, Tup(a) => 3, Foo::G { f } => m::CONST };
        x as W
    }
}
`,
  `
decorate Debug in S
decorate serde . Serialize in S
decorate custom in S
type Bound in S
decorate serde in S.a
type Vec in S.a
type m . B in S.a
inherit Base in Tr
inherit m . Other in Tr
type K in Tr
implement m . Tr in S
type S
type T
type Q
decorate tokio . test in S.run
type Tr in S.run
type m . Dy in S.run
type Result in S.run
type Err in S.run
call self.a . b in S.run
call Self . new in S.run
call m.inner . f in S.run
call foo in S.run
type X in S.run
call x . c in S.run
type Y in S.run
call x.c::<Y>()? . d in S.run
type Vec in S.run
type Z in S.run
call Vec . with in S.run
type T in S.run
call Tr . go in S.run
call S in S.run
call handler in S.run
call m . S in S.run
call vec in S.run
call log . info in S.run
call self . e in S.run
call m . n in S.run
call g in S.run
call get in S.run
call imported in S.run
call m . func in S.run
call E . A in S.run
call E . B in S.run
call E . C in S.run
call E . D in S.run
call Tup in S.run
type Foo . G in S.run
call m . CONST in S.run
type W in S.run
`,
);

finds(
  "calls in the arguments of macros, which are not parsed",
  referenceLines,
  `
fn run() {
    check!(p.go(1).made(), p.q.sold());
    check!(build()?.kept()[0].lent(a::b::C::d(")").e()));
    check!("a.b".text() + 'c'.sign(), 1.count());
    check!(crate::inner::<T>().far(), &mut self.a.near(), a..upto());
    check!(vec![f(1)].whole(), x
        .first()
        .second(), $own.free(), "end.".last());
}

#[cfg(all(unix, not(any(test))))]
#[cfg_attr(all(unix), inline)]
fn all() {}
`,
  `
call check in run
call p . go in run
call p.go(1) . made in run
call p.q . sold in run
call build in run
call build()? . kept in run
call build()?.kept()[0] . lent in run
call a.b.C . d in run
call a.b.C.d(")") . e in run
call " . text in run
call ' . sign in run
call 1 . count in run
call T in run
call crate.inner::<T>() . far in run
call self.a . near in run
call upto in run
call f in run
call vec![f(1)] . whole in run
call x . first in run
call x .first() . second in run
call $own . free in run
call " . last in run
`,
);

test("a line of documentation may begin with a word of a directive", async () => {
  const { symbols } = await factsOf(
    "rust",
    "/// Reads the user's\n/// global configuration,\n/// if any.\nfn read() {}\n",
  );
  expect(symbols.map(({ docLine, doc }) => [docLine, doc?.content])).toEqual([
    [1, "Reads the user's\nglobal configuration,\nif any."],
  ]);
});

test("comments, and the documentation of the file", async () => {
  const source = `
// Copyright 2020 Somebody.

//! About the crate.
//! More.
#![allow(dead_code)]

/* A block. */
// TODO: do it
fn f() {
    // inside, because reasons
    1 // trailing
}

mod m {
    //! About the module.
    fn g() {}
}
`;
  await expectFindings(
    commentLines,
    "rust",
    source,
    `
1-1 general: Copyright 2020 Somebody.
7-7 general in f: A block.
8-8 todo in f: TODO: do it
10-10 rationale! in f: inside, because reasons
11-11 general in f: trailing
15-15 general in m: About the module.
`,
  );
  expect((await factsOf("rust", source.slice(1))).doc).toEqual({
    content: "About the crate.\nMore.",
    format: "plain",
  });
});
