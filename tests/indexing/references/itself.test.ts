/** Members that every object has: its class, and the object around it. */
import { checkReferences as check } from "./references-check.ts";

check(
  "the object around an inner class of Java is named after its class",
  `
//- a/Cart.java
package a;
import b.Engine;
class Cart extends Base {
  private final Engine engine = new Engine();
  void open() {}
  Engine motor() { return engine; }
  class Item {
    void open() {}
    void go() {
      Cart.this.open();
      Cart.this.engine.start();
      Cart.this.motor().halt();
      Cart.this.inherited();
      Cart.this.missing();
    }
  }
}
class Base { void inherited() {} }
//- b/Engine.java
package b;
public class Engine { public void start() {} public void halt() {} }
`,
  `
a/Cart:Cart -> a/Cart:Base inherit 1
a/Cart:Cart.engine -> b/Engine:Engine call 0.9
a/Cart:Cart.engine -> b/Engine:Engine type 0.9
a/Cart:Cart.motor -> b/Engine:Engine type 0.9
a/Cart:Cart.Item.go -> a/Cart:Cart type 1
a/Cart:Cart.Item.go -> a/Cart:Base.inherited call 0.8
a/Cart:Cart.Item.go -> a/Cart:Cart.motor call 0.8
a/Cart:Cart.Item.go -> a/Cart:Cart.open call 0.8
a/Cart:Cart.Item.go -> b/Engine:Engine.halt call 0.7
a/Cart:Cart.Item.go -> b/Engine:Engine.start call 0.7
`,
);

check(
  "the object around an inner class of Scala and Kotlin is named after its class",
  `
//- a/Cart.scala
package a
class Cart {
  def open(): Unit = ()
  class Item { def open(): Unit = (); def go(): Unit = { Cart.this.open() } }
}
//- b/Till.kt
package b
class Till {
  fun open() {}
  inner class Slot {
    fun open() {}
    fun go() { this@Till.open(); run { this@run.open() } }
  }
}
`,
  `
a/Cart:Cart.Item.go -> a/Cart:Cart.open call 0.8
b/Till:Till.Slot.go -> b/Till:Till.open call 0.8
`,
);

check(
  "the class of an object has what the class defines",
  `
//- lib/cart.rb
module Shop
  class Cart < Box
    def self.known_sizes; end
    def go
      self.class.known_sizes
      self.class.box_sizes
      self.class.new(1).label_all
      self.class.missing_one
      other.class.known_sizes
    end
    def label_all; end
    def class; end
  end
  class Box
    def self.box_sizes; end
  end
  class Other
    def self.missing_one; end
  end
end
//- cart.py
class Cart:
    def sizes(cls): pass
    def go(self):
        self.__class__.sizes()
    class Other:
    def sizes(cls): pass
//- till.js
class Till {
  constructor() {}
  static sizes() {}
  go() { this.constructor.sizes(); }
}
class Other { static sizes() {} }
`,
  `
cart:Cart.go -> cart:Cart.sizes call 0.95
lib/cart:Shop.Cart -> lib/cart:Shop.Box inherit 1
lib/cart:Shop.Cart.go -> lib/cart:Shop.Box.box_sizes call 0.9
lib/cart:Shop.Cart.go -> lib/cart:Shop.Cart.class call 0.95
lib/cart:Shop.Cart.go -> lib/cart:Shop.Cart.known_sizes call 0.95
lib/cart:Shop.Cart.go -> lib/cart:Shop.Cart.label_all call 0.7
till:Till.go -> till:Till.sizes call 0.95
`,
);
