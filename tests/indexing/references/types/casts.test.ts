import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("a cast says what a value is", () => {
  check(
    "C#",
    `
//- Cart.cs
namespace Shop;
public class Cart { public void Open() {} }
public class Till { public void Ring() {} }
//- Use.cs
namespace Shop;
public class Use {
  void Cast(object item) { ((Cart)item).Open(); }
  void As(object item) { (item as Cart)?.Open(); (item as Till).Ring(); }
  void HeldCast(object item) { var cart = (Cart)item; cart.Open(); }
}
`,
    `
Use:Use.Cast -> Cart:Cart type 0.95
Use:Use.Cast -> Cart:Cart.Open call 0.7
Use:Use.As -> Cart:Cart type 0.95
Use:Use.As -> Cart:Cart.Open call 0.7
Use:Use.As -> Cart:Till type 0.95
Use:Use.As -> Cart:Till.Ring call 0.7
Use:Use.HeldCast -> Cart:Cart type 0.95
Use:Use.HeldCast -> Cart:Cart.Open call 0.7
`,
  );

  check(
    "Java, and the 'var' of a resource",
    `
//- shop/Cart.java
package shop;
class Cart {
  void open() {}
  static Cart make() { return null; }
}
//- shop/Use.java
package shop;
class Use {
  void cast(Object item) { ((Cart) item).open(); }
  void heldCast(Object item) { var cart = (Cart) item; cart.open(); }
  void resource() { try (var cart = Cart.make()) { cart.open(); } }
}
`,
    `
shop/Cart:Cart.make -> shop/Cart:Cart type 1
shop/Use:Use.cast -> shop/Cart:Cart type 0.95
shop/Use:Use.cast -> shop/Cart:Cart.open call 0.7
shop/Use:Use.heldCast -> shop/Cart:Cart type 0.95
shop/Use:Use.heldCast -> shop/Cart:Cart.open call 0.7
shop/Use:Use.resource -> shop/Cart:Cart.open call 0.7
shop/Use:Use.resource -> shop/Cart:Cart.make call 0.8
`,
  );

  check(
    "C++",
    `
//- cart.hpp
struct Cart { void open(); };
//- use.cpp
#include "cart.hpp"
void condition_cast(void* item) { if (auto* cart = dynamic_cast<Cart*>(item)) { cart->open(); } }
void cast(void* item) { static_cast<Cart*>(item)->open(); }
void old_cast(void* item) { ((Cart*)item)->open(); }
void reference(Base& item) { static_cast<Cart&>(item).open(); }
void held_cast(void* item) { auto cart = static_cast<Cart*>(item); cart->open(); }
`,
    `
use:condition_cast -> cart:Cart type 0.9
use:condition_cast -> cart:Cart.open call 0.7
use:cast -> cart:Cart type 0.9
use:cast -> cart:Cart.open call 0.7
use:old_cast -> cart:Cart type 0.9
use:old_cast -> cart:Cart.open call 0.7
use:reference -> cart:Cart type 0.9
use:reference -> cart:Cart.open call 0.7
use:held_cast -> cart:Cart type 0.9
use:held_cast -> cart:Cart.open call 0.7
`,
  );
});
