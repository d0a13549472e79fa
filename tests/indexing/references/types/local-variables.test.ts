/** Members of what variables of functions hold, where a declared type, a constructor or the result of a call decides it. */
import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("variables of functions", () => {
  check(
    "Python: made, called, declared, opened with `with`; not assigned twice",
    `
//- cart.py
class Cart:
    @classmethod
    def read(cls) -> "Cart": ...
    def close(self): ...
class Menu:
    def close(self): ...
class Shelf:
    def close(self): ...
//- use.py
import cart
from cart import Cart
def made():
    c = Cart()
    c.close()
def called():
    c = Cart.read()
    c.close()
def declared(found):
    c: cart.Menu = found
    c.close()
def opened():
    with cart.Menu() as m:
        m.close()
def twice(x):
    c = Cart()
    if x:
        c = cart.Menu()
    c.close()
def inner():
    c = Cart()
    def close(c):
        c.close()
    return lambda: c.close()
`,
    `
cart:Cart.read -> cart:Cart type 1
use:made -> cart:Cart call 0.9
use:made -> cart:Cart.close call 0.7
use:called -> cart:Cart.read call 0.8
use:called -> cart:Cart.close call 0.7
use:declared -> cart:Menu type 0.9
use:declared -> cart:Menu.close call 0.7
use:opened -> cart:Menu call 0.9
use:opened -> cart:Menu.close call 0.7
use:twice -> cart:Cart call 0.9
use:twice -> cart:Menu call 0.9
use:inner -> cart:Cart call 0.9
use:inner -> cart:Cart.close call 0.7
`,
  );

  check(
    "TypeScript: made, called, awaited, declared",
    `
//- cart.ts
export class Cart { close() {} }
export class Shelf { close() {} }
export interface Menu { close(): void }
export async function open(): Promise<Cart> { return new Cart(); }
//- use.ts
import { Cart, open, type Menu } from "./cart";
export function made() { const c = new Cart(); c.close(); }
export async function awaited() { const c = await open(); c.close(); }
export function declared(found: unknown) { const m: Menu = found; m.close(); }
`,
    `
cart:open -> cart:Cart type 1
cart:open -> cart:Cart call 1
use:made -> cart:Cart call 0.9
use:made -> cart:Cart.close call 0.7
use:awaited -> cart:open call 0.9
use:awaited -> cart:Cart.close call 0.7
use:declared -> cart:Menu type 0.9
use:declared -> cart:Menu.close call 0.7
`,
  );

  check(
    "Java: declared, `var`, loops, resources, patterns and lambdas; nothing of a type from elsewhere",
    `
//- shop/Cart.java
package shop;
class Cart implements AutoCloseable {
  Cart() {}
  static Cart open() { return null; }
  public void close() {}
  void copy() { Cart c = new Cart(); c.close(); }
}
class Menu { void close() {} void show() {} }
//- shop/Use.java
package shop;
import java.util.List;
class Use {
  void declared(Object o) { Cart c = find(o); c.close(); }
  void inferred() { var c = new Cart(); c.close(); }
  void called() { var c = Cart.open(); c.close(); }
  void each(List<Cart> all) { for (Cart c : all) c.close(); }
  void with() { try (Cart c = find(null)) { c.close(); } }
  void matched(Object o) { if (o instanceof Menu m) m.close(); }
  void lambda() { run((Cart c) -> c.close()); }
  void elsewhere() { List<Menu> menus = all(); menus.show(); }
}
`,
    `
shop/Cart:Cart.open -> shop/Cart:Cart type 1
shop/Cart:Cart.copy -> shop/Cart:Cart type 1
shop/Cart:Cart.copy -> shop/Cart:Cart.Cart call 0.95
shop/Cart:Cart.copy -> shop/Cart:Cart.close call 0.7
shop/Use:Use.declared -> shop/Cart:Cart type 0.95
shop/Use:Use.declared -> shop/Cart:Cart.close call 0.7
shop/Use:Use.inferred -> shop/Cart:Cart call 0.95
shop/Use:Use.inferred -> shop/Cart:Cart.close call 0.7
shop/Use:Use.called -> shop/Cart:Cart.open call 0.8
shop/Use:Use.called -> shop/Cart:Cart.close call 0.7
shop/Use:Use.each -> shop/Cart:Cart type 0.95
shop/Use:Use.each -> shop/Cart:Cart.close call 0.7
shop/Use:Use.with -> shop/Cart:Cart type 0.95
shop/Use:Use.with -> shop/Cart:Cart.close call 0.7
shop/Use:Use.matched -> shop/Cart:Menu type 0.95
shop/Use:Use.matched -> shop/Cart:Menu.close call 0.7
shop/Use:Use.lambda -> shop/Cart:Cart type 0.95
shop/Use:Use.lambda -> shop/Cart:Cart.close call 0.7
shop/Use:Use.elsewhere -> shop/Cart:Menu type 0.95
`,
  );

  check(
    "C#: declared, `var`, loops and patterns",
    `
//- Cart.cs
namespace Shop;
public class Cart { public static Cart Open() => null; public void Close() {} }
public class Menu { public void Close() {} }
//- Use.cs
namespace Shop;
class Use {
  void Declared(object o) { Cart c = Find(o); c.Close(); }
  void Made() { Cart c = new(); c.Close(); }
  void Inferred() { var c = new Cart(); c.Close(); }
  void Called() { var c = Cart.Open(); c.Close(); }
  void Each(object[] all) { foreach (Menu m in all) m.Close(); }
  void Matched(object o) { if (o is Menu m) m.Close(); }
}
`,
    `
Cart:Cart.Open -> Cart:Cart type 1
Use:Use.Declared -> Cart:Cart type 0.95
Use:Use.Declared -> Cart:Cart.Close call 0.7
Use:Use.Made -> Cart:Cart type 0.95
Use:Use.Made -> Cart:Cart.Close call 0.7
Use:Use.Inferred -> Cart:Cart call 0.95
Use:Use.Inferred -> Cart:Cart.Close call 0.7
Use:Use.Called -> Cart:Cart type 0.95
Use:Use.Called -> Cart:Cart.Open call 0.8
Use:Use.Called -> Cart:Cart.Close call 0.7
Use:Use.Each -> Cart:Menu type 0.95
Use:Use.Each -> Cart:Menu.Close call 0.7
Use:Use.Matched -> Cart:Menu type 0.95
Use:Use.Matched -> Cart:Menu.Close call 0.7
`,
  );

  check(
    "PHP: made, made of the own class, called",
    `
//- src/Cart.php
<?php
namespace Shop;
class Cart {
  public static function open(): self { $c = new self(); $c->close(); return $c; }
  public function close() {}
}
class Menu { public function close() {} }
//- src/Use.php
<?php
namespace Shop;
class User {
  function made() { $c = new Cart(); $c->close(); }
  function called() { $c = Cart::open(); $c->close(); }
  function inner() { $c = new Cart(); return function (Menu $c) { $c->close(); }; }
}
`,
    `
src/Cart:Cart.open -> src/Cart:Cart.close call 0.7
src/Use:User.made -> src/Cart:Cart call 0.95
src/Use:User.made -> src/Cart:Cart.close call 0.7
src/Use:User.called -> src/Cart:Cart type 0.95
src/Use:User.called -> src/Cart:Cart.open call 0.8
src/Use:User.called -> src/Cart:Cart.close call 0.7
src/Use:User.inner -> src/Cart:Cart call 0.95
src/Use:User.inner -> src/Cart:Menu type 0.95
src/Use:User.inner -> src/Cart:Menu.close call 0.7
`,
  );

  check(
    "Rust: called, declared, of fields; Ruby: made",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub struct Cart { n: u8 }
pub struct Menu { n: u8 }
impl Cart { pub fn new() -> Self { Cart { n: 1 } } pub fn close(&self) {} }
impl Menu { pub fn close(&self) {} }
pub fn called() { let c = Cart::new(); c.close(); }
pub fn declared() { let m: &Menu = find(); m.close(); }
pub fn fields() { let m = Menu { n: 1 }; m.close(); }
//- cart.rb
class Basket
  def close_it; end
end
class Shelf
  def close_it; end
end
def made
  b = Basket.new
  b.close_it
end
`,
    `
src/lib:Cart.new -> src/lib:Cart call 1
src/lib:called -> src/lib:Cart.new call 0.8
src/lib:called -> src/lib:Cart.close call 0.7
src/lib:declared -> src/lib:Menu type 1
src/lib:declared -> src/lib:Menu.close call 0.7
src/lib:fields -> src/lib:Menu call 1
src/lib:fields -> src/lib:Menu.close call 0.7
cart:made -> cart:Basket call 1
cart:made -> cart:Basket.close_it call 0.7
`,
  );

  check(
    "Kotlin: made, called, declared, cast, of lambdas and loops; not of a type from elsewhere",
    `
//- shop/Cart.kt
package shop
class Cart {
  fun close() {}
  fun copy(): Cart? = null
}
class Menu { fun close() {} }
class Shelf { fun close() {} }
fun open(): Menu? = null
//- shop/Use.kt
package shop
import other.Box
fun made() { val c = Cart(); c.close() }
fun changed() { val c = Cart().apply { size = 1 }; c.close() }
fun called() { val m = open() ?: return; m.close() }
fun unwrapped(c: Cart) { val d = c.copy()!!; d.close() }
fun declared(x: Any) { val c: Cart? = find(x); c?.close() }
fun cast(x: Any) { val m = x as Menu; m.close() }
fun each(all: Any) { for (m: Menu in all) m.close() }
fun inLambda() { run { m: Menu -> m.close() } }
fun caught() { try { run() } catch (m: Menu) { m.close() } }
fun hidden() { val c = Cart(); run { c -> c.close() } }
fun twice(x: Boolean) { if (x) { val c = Cart() } else { val c = Menu(); c.close() } }
fun elsewhere() { val b = Box(); b.copy() }
`,
    `
shop/Cart:Cart.copy -> shop/Cart:Cart type 1
shop/Cart:open -> shop/Cart:Menu type 1
shop/Use:made -> shop/Cart:Cart call 0.95
shop/Use:made -> shop/Cart:Cart.close call 0.7
shop/Use:changed -> shop/Cart:Cart call 0.95
shop/Use:changed -> shop/Cart:Cart.close call 0.7
shop/Use:called -> shop/Cart:open call 0.95
shop/Use:called -> shop/Cart:Menu.close call 0.7
shop/Use:unwrapped -> shop/Cart:Cart type 0.95
shop/Use:unwrapped -> shop/Cart:Cart.copy call 0.7
shop/Use:unwrapped -> shop/Cart:Cart.close call 0.7
shop/Use:declared -> shop/Cart:Cart type 0.95
shop/Use:declared -> shop/Cart:Cart.close call 0.7
shop/Use:cast -> shop/Cart:Menu type 0.95
shop/Use:cast -> shop/Cart:Menu.close call 0.7
shop/Use:each -> shop/Cart:Menu type 0.95
shop/Use:each -> shop/Cart:Menu.close call 0.7
shop/Use:inLambda -> shop/Cart:Menu type 0.95
shop/Use:inLambda -> shop/Cart:Menu.close call 0.7
shop/Use:caught -> shop/Cart:Menu type 0.95
shop/Use:caught -> shop/Cart:Menu.close call 0.7
shop/Use:hidden -> shop/Cart:Cart call 0.95
shop/Use:twice -> shop/Cart:Cart call 0.95
shop/Use:twice -> shop/Cart:Menu call 0.95
`,
  );

  check(
    "Swift: made, called, declared, cast, unwrapped, of closures",
    `
//- Shop/Cart.swift
class Cart { func close() {} }
class Menu { func close() {} }
class Shelf { func close() {} }
func open() throws -> Menu? { nil }
//- Shop/Use.swift
func made() { let c = Cart(); c.close() }
func called() { let m = try open()!; m.close() }
func declared() { var c: Cart! = find(); c?.close() }
func cast(x: Any) { let m = x as! Menu; m.close() }
func unwrapped() { if let m = try? open() { m.close() } }
func guarded(x: Any) { guard let c = x as? Cart else { return }; c.close() }
func inClosure() { run { (m: Menu) in m.close() } }
func hidden() { let c = Cart(); run { c in c.close() } }
func twice(x: Bool) { if x { let c = Cart() } else { let c = Menu(); c.close() } }
class Shop {
  let c = Shelf()
  func outside(x: Any) { if let c = x as? Cart { c.close() }; c.close() }
}
`,
    `
Shop/Cart:open -> Shop/Cart:Menu type 1
Shop/Use:made -> Shop/Cart:Cart call 0.95
Shop/Use:made -> Shop/Cart:Cart.close call 0.7
Shop/Use:called -> Shop/Cart:open call 0.95
Shop/Use:called -> Shop/Cart:Menu.close call 0.7
Shop/Use:declared -> Shop/Cart:Cart type 0.95
Shop/Use:declared -> Shop/Cart:Cart.close call 0.7
Shop/Use:cast -> Shop/Cart:Menu type 0.95
Shop/Use:cast -> Shop/Cart:Menu.close call 0.7
Shop/Use:unwrapped -> Shop/Cart:open call 0.95
Shop/Use:unwrapped -> Shop/Cart:Menu.close call 0.7
Shop/Use:guarded -> Shop/Cart:Cart type 0.95
Shop/Use:guarded -> Shop/Cart:Cart.close call 0.7
Shop/Use:inClosure -> Shop/Cart:Menu type 0.95
Shop/Use:inClosure -> Shop/Cart:Menu.close call 0.7
Shop/Use:hidden -> Shop/Cart:Cart call 0.95
Shop/Use:twice -> Shop/Cart:Cart call 0.95
Shop/Use:twice -> Shop/Cart:Menu call 0.95
Shop/Use:Shop.c -> Shop/Cart:Shelf call 0.95
Shop/Use:Shop.outside -> Shop/Cart:Cart type 0.95
Shop/Use:Shop.outside -> Shop/Cart:Cart.close call 0.7
Shop/Use:Shop.outside -> Shop/Cart:Shelf.close call 0.7
`,
  );

  check(
    "Scala: made, called, declared, of patterns and lambdas",
    `
//- shop/Cart.scala
package shop
class Cart { def close() = () }
case class Menu(n: Int) { def close() = () }
class Shelf { def close() = () }
object Open { def menu: Menu = Menu(1) }
//- shop/Use.scala
package shop
class Use {
  def made() = { val c = new Cart; c.close() }
  def applied() = { val m = Menu(1); m.close() }
  def called() = { val m = Open.menu; m.close() }
  def declared(x: Any) = { val c: Cart = find(x); c.close() }
  def matched(x: Any) = x match { case m: Menu => m.close(); case c => c.close() }
  def inLambda() = run { (c: Cart) => c.close() }
  def hidden() = { val c = new Cart; run { c => c.close() } }
  def twice(x: Boolean) = if (x) { val c = new Cart } else { val c = Menu(1); c.close() }
}
`,
    `
shop/Cart:Open.menu -> shop/Cart:Menu type 1
shop/Cart:Open.menu -> shop/Cart:Menu call 1
shop/Use:Use.made -> shop/Cart:Cart call 0.95
shop/Use:Use.made -> shop/Cart:Cart.close call 0.7
shop/Use:Use.applied -> shop/Cart:Menu call 0.95
shop/Use:Use.applied -> shop/Cart:Menu.close call 0.7
shop/Use:Use.called -> shop/Cart:Open.menu call 0.8
shop/Use:Use.called -> shop/Cart:Menu.close call 0.7
shop/Use:Use.declared -> shop/Cart:Cart type 0.95
shop/Use:Use.declared -> shop/Cart:Cart.close call 0.7
shop/Use:Use.matched -> shop/Cart:Menu type 0.95
shop/Use:Use.matched -> shop/Cart:Menu.close call 0.7
shop/Use:Use.inLambda -> shop/Cart:Cart type 0.95
shop/Use:Use.inLambda -> shop/Cart:Cart.close call 0.7
shop/Use:Use.hidden -> shop/Cart:Cart call 0.95
shop/Use:Use.twice -> shop/Cart:Cart call 0.95
shop/Use:Use.twice -> shop/Cart:Menu call 0.95
`,
  );

  check(
    "Dart: made, called, awaited, declared with and without a prefix, cast, caught, of lambdas and loops",
    `
//- lib/cart.dart
class Cart { Cart.empty(); void close() {} }
class Menu { void close() {} }
class Shelf { void close() {} }
Future<Menu> open() async => Menu();
//- lib/use.dart
import 'cart.dart';
import 'cart.dart' as p;
void made() { final c = Cart(); c.close(); }
void named() { var c = Cart.empty(); c.close(); }
void awaited() async { final m = await open(); m.close(); }
void declared(Object x) { final Cart? c = find(x); c?.close(); }
void prefixed(Object x) { p.Menu m = find(x); m.close(); }
void cast(Object x) { final m = x as p.Menu; m.close(); }
void caught() { try { run(); } on Menu catch (m) { m.close(); } }
void each(Object all) { for (Cart c in all) { c.close(); } }
void inLambda() { run((Menu m) => m.close()); }
void hidden() { final c = Cart(); run((c) => c.close()); }
void twice(bool x) { if (x) { var c = Cart(); } else { var c = Menu(); c.close(); } }
`,
    `
lib/cart:open -> lib/cart:Menu type 1
lib/cart:open -> lib/cart:Menu call 1
lib/use:made -> lib/cart:Cart call 0.8
lib/use:made -> lib/cart:Cart.close call 0.7
lib/use:named -> lib/cart:Cart type 0.8
lib/use:named -> lib/cart:Cart.empty call 0.8
lib/use:named -> lib/cart:Cart.close call 0.7
lib/use:awaited -> lib/cart:open call 0.8
lib/use:awaited -> lib/cart:Menu.close call 0.7
lib/use:declared -> lib/cart:Cart type 0.8
lib/use:declared -> lib/cart:Cart.close call 0.7
lib/use:prefixed -> lib/cart:Menu type 0.9
lib/use:prefixed -> lib/cart:Menu.close call 0.7
lib/use:cast -> lib/cart:Menu type 0.9
lib/use:cast -> lib/cart:Menu.close call 0.7
lib/use:caught -> lib/cart:Menu type 0.8
lib/use:caught -> lib/cart:Menu.close call 0.7
lib/use:each -> lib/cart:Cart type 0.8
lib/use:each -> lib/cart:Cart.close call 0.7
lib/use:inLambda -> lib/cart:Menu type 0.8
lib/use:inLambda -> lib/cart:Menu.close call 0.7
lib/use:hidden -> lib/cart:Cart call 0.8
lib/use:twice -> lib/cart:Cart call 0.8
lib/use:twice -> lib/cart:Menu call 0.8
`,
  );

  check(
    "variables of conditions are known, and a pointer's own methods are not sure to be those of what it points to",
    `
//- cart.h
struct Cart { void open(); void reset(); };
Cart* find(int number);
std::unique_ptr<Cart> make();
//- use.cpp
#include "cart.h"
void condition() { if (auto cart = find(1)) cart->open(); }
void pointer() { auto cart = make(); cart.reset(); }
`,
    `
cart:find -> cart:Cart type 1
cart:make -> cart:Cart type 1
use:condition -> cart:Cart.open call 0.7
use:condition -> cart:find call 0.9
use:pointer -> cart:Cart.reset call 0.3
use:pointer -> cart:make call 0.9
`,
  );
});
