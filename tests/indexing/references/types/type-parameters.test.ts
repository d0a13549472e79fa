import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("a type parameter has the members of its bounds", () => {
  check(
    "Java: of a class, a method, and the results of these; not of other parameters",
    `
//- shop/Cart.java
package shop;
class Cart { void open() {} }
//- shop/Till.java
package shop;
class Till { void open() {} void sum() {} }
//- shop/Shelf.java
package shop;
class Shelf<A, T extends Cart> {
  private T item;
  private A other;
  void held() { item.open(); }
  void any() { other.open(); }
  <N extends Comparable<N> & Till> void method(N given) { given.open(); }
  T first() { return item; }
  void nested(Map<T, A> map) { map.open(); }
}
//- shop/Shop.java
package shop;
class Shop { void run(Shelf<String, Cart> shelf) { shelf.first().open(); } }
`,
    `
shop/Shelf:Shelf -> shop/Cart:Cart type 0.95
shop/Shelf:Shelf.held -> shop/Cart:Cart.open call 0.7
shop/Shelf:Shelf.method -> shop/Till:Till type 0.95
shop/Shelf:Shelf.method -> shop/Till:Till.open call 0.7
shop/Shop:Shop.run -> shop/Cart:Cart type 0.95
shop/Shop:Shop.run -> shop/Cart:Cart.open call 0.7
shop/Shop:Shop.run -> shop/Shelf:Shelf type 0.95
shop/Shop:Shop.run -> shop/Shelf:Shelf.first call 0.7
`,
  );

  check(
    "Rust: in the list, or after 'where'; a bound of itself ends",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub trait Open { fn open(&self); }
pub trait Sum { fn open(&self); }
pub struct Shelf<T: Open> { item: T }
fn listed<'a, A, T: Send + Sum>(given: &'a T) { given.open(); }
fn after<T, U>(given: T, other: U) where U: Sum, T: Open { given.open(); }
fn held(shelf: Shelf<u8>) { shelf.item.open(); }
fn cyclic<T: U, U: T>(given: T) { given.open(); }
`,
    `
src/lib:Shelf -> src/lib:Open type 1
src/lib:listed -> src/lib:Sum type 1
src/lib:listed -> src/lib:Sum.open call 0.7
src/lib:after -> src/lib:Sum type 1
src/lib:after -> src/lib:Open type 1
src/lib:after -> src/lib:Open.open call 0.7
src/lib:held -> src/lib:Shelf type 1
src/lib:held -> src/lib:Open.open call 0.7
`,
  );

  check(
    "Kotlin, Scala and C# write it in their own ways; a context bound of Scala is none",
    `
//- shop/Carts.kt
package shop
interface Cart { fun open() }
interface Till { fun open() }
fun <A, T : Cart> sell(given: T, other: A) { given.open() }
//- store/Carts.scala
package store
trait Cart { def open(): Unit }
trait Till { def open(): Unit }
object Store {
  def sell[A, T <: Cart](given: T): Unit = given.open()
  def context[T : Till](given: T): Unit = given.open()
}
//- Mall/Carts.cs
namespace Mall;
interface Cart { void Open(); }
interface Till { void Open(); }
class Sale { void Sell<A, T>(T given, A other) where A : Till where T : Cart { given.Open(); } }
`,
    `
shop/Carts:sell -> shop/Carts:Cart type 1
shop/Carts:sell -> shop/Carts:Cart.open call 0.7
store/Carts:Store.sell -> store/Carts:Cart type 1
store/Carts:Store.sell -> store/Carts:Cart.open call 0.7
store/Carts:Store.context -> store/Carts:Till type 1
Mall/Carts:Sale.Sell -> Mall/Carts:Till type 1
Mall/Carts:Sale.Sell -> Mall/Carts:Cart type 1
Mall/Carts:Sale.Sell -> Mall/Carts:Cart.Open call 0.7
`,
  );

  check(
    "Swift, Dart and Go",
    `
//- Sources/Shop/Carts.swift
protocol Cart { func open() }
protocol Till { func open() }
func sell<A, T: Cart>(_ given: T, _ other: A) where A: Till { given.open(); other.open() }
//- lib/carts.dart
abstract class Cart { void open(); }
abstract class Till { void open(); }
void sell<A, T extends Cart>(T given, A other) { given.open(); }
//- go.mod
module example.com/shop
//- carts.go
package shop
type Cart interface { Open() }
type Till interface { Open() }
func Sell[A any, T Cart](given T, other A) { given.Open() }
`,
    `
Sources/Shop/Carts:sell -> Sources/Shop/Carts:Cart type 1
Sources/Shop/Carts:sell -> Sources/Shop/Carts:Till type 1
Sources/Shop/Carts:sell -> Sources/Shop/Carts:Cart.open call 0.7
Sources/Shop/Carts:sell -> Sources/Shop/Carts:Till.open call 0.7
lib/carts:sell -> lib/carts:Cart type 1
lib/carts:sell -> lib/carts:Cart.open call 0.7
carts:Sell -> carts:Cart type 1
carts:Sell -> carts:Cart.Open call 0.7
`,
  );

  check(
    "Kotlin: also with a variance",
    `
//- shop/Carts.kt
package shop
interface Cart { fun open() }
interface Till { fun open() }
class Shelf<in A, out T : Cart>(private val item: T) { fun held() { item.open() } }
fun <reified T : Till> sell(given: T) { given.open() }
`,
    `
shop/Carts:Shelf -> shop/Carts:Cart type 1
shop/Carts:Shelf.held -> shop/Carts:Cart.open call 0.7
shop/Carts:sell -> shop/Carts:Till type 1
shop/Carts:sell -> shop/Carts:Till.open call 0.7
`,
  );

  const names = [..."ABCDEFGHIJKL"];
  const every = names.map((name) => `${name}:${names.join("+")}`).join();
  check(
    "parameters that are all bounds of each other are looked at once each",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub trait Open { fn open(&self); }
fn sell<${every}+Open>(given: A) { given.open(); }
`,
    `
src/lib:sell -> src/lib:Open type 1
src/lib:sell -> src/lib:Open.open call 0.7
`,
  );
});

check(
  "a function of the bound is called through the parameter, in Rust",
  `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub trait Make { fn make() -> Self; fn label(&self) -> u8; }
pub trait Other { fn make() -> Self; }
pub fn listed<T: Make>() -> u8 { let made = T::make(); made.label() }
pub fn after<T>() -> u8 where T: Make { T::make().label() }
pub fn unbound<T>() { T::make(); }
`,
  `
src/lib:after -> src/lib:Make type 1
src/lib:after -> src/lib:Make.label call 0.7
src/lib:after -> src/lib:Make.make call 0.7
src/lib:listed -> src/lib:Make type 1
src/lib:listed -> src/lib:Make.label call 0.7
src/lib:listed -> src/lib:Make.make call 0.7
`,
);
