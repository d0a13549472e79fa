/** Chains whose arguments are longer than a qualifier may be, and chains that begin in brackets. */
import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

const LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";

describe("a chain of calls with long arguments", () => {
  check(
    "leads on, also through a variable that holds its result, in Kotlin",
    `
//- a/Cart.kt
package a
class Cart {
  fun label(text: String): Cart = this
  fun each(block: (Int) -> Unit): Cart = this
  fun close() {}
}
//- a/Use.kt
package a
class Use {
  fun inline(cart: Cart) {
    cart.label("${LONG}").each { it.toString() } // it's (done
      .close()
  }
  fun held(cart: Cart) {
    val other = cart.label("a").label("${LONG}")
    other.close()
  }
}
`,
    `
a/Cart:Cart.each -> a/Cart:Cart type 1
a/Cart:Cart.label -> a/Cart:Cart type 1
a/Use:Use.held -> a/Cart:Cart type 0.95
a/Use:Use.held -> a/Cart:Cart.close call 0.65
a/Use:Use.held -> a/Cart:Cart.label call 0.7
a/Use:Use.inline -> a/Cart:Cart type 0.95
a/Use:Use.inline -> a/Cart:Cart.close call 0.65
a/Use:Use.inline -> a/Cart:Cart.each call 0.7
a/Use:Use.inline -> a/Cart:Cart.label call 0.7
`,
  );

  check(
    "leads on behind an address in quotes, and behind a comment",
    `
//- a/Cart.kt
package a
class Cart {
  fun label(text: String): Cart = this
  fun each(block: (Int) -> Unit): Cart = this
  fun close() {}
}
//- a/Use.kt
package a
class Use {
  fun address(cart: Cart) {
    cart.label("http://a.b")
      .each { it.toString() }
      .close()
  }
  fun comment(cart: Cart) {
    cart.label("a") // done.
      .each { it.toString() } // "quoted
      .close()
  }
}
`,
    `
a/Cart:Cart.each -> a/Cart:Cart type 1
a/Cart:Cart.label -> a/Cart:Cart type 1
a/Use:Use.address -> a/Cart:Cart type 0.95
a/Use:Use.address -> a/Cart:Cart.close call 0.65
a/Use:Use.address -> a/Cart:Cart.each call 0.7
a/Use:Use.address -> a/Cart:Cart.label call 0.7
a/Use:Use.comment -> a/Cart:Cart type 0.95
a/Use:Use.comment -> a/Cart:Cart.close call 0.65
a/Use:Use.comment -> a/Cart:Cart.each call 0.7
a/Use:Use.comment -> a/Cart:Cart.label call 0.7
`,
  );

  check(
    "begins with an object that is made in brackets, in PHP and C#",
    `
//- Cart.php
<?php
class Cart {
  public function open(): Cart { return $this; }
  public function close() {}
}
//- use.php
<?php
function run() { (new Cart('a', ['b' => f()]))->open()->close(); }
function other() { (new Cart)->close(); }
//- Cart.cs
class Cart { public void Close() {} }
class Use { void Run() { (new Cart()).Close(); } }
`,
    `
Cart:Cart.open -> Cart:Cart type 1
Cart:Use.Run -> Cart:Cart call 1
Cart:Use.Run -> Cart:Cart.Close call 0.7
use:other -> Cart:Cart call 0.95
use:other -> Cart:Cart.close call 0.7
use:run -> Cart:Cart call 0.95
use:run -> Cart:Cart.close call 0.65
use:run -> Cart:Cart.open call 0.7
`,
  );

  check(
    "may have comments between and inside its brackets",
    `
//- a/Cart.java
package a;
class Cart {
  Cart label(String text) { return this; }
  void close() {}
}
class Use {
  void afterSlashes(Cart cart) {
    cart.label( // don't (ask
        "${LONG}").close();
  }
  void afterStar(Cart cart) {
    cart.label("${LONG}" /* isn't it :-) */).close();
  }
  void inShort(Cart cart) { cart.label(/* :-) */ "a").close(); }
}
//- cart.py
class Cart:
    def label(self, text) -> "Cart": return self
    def close(self): pass

def run(cart: Cart):
    cart.label(  # don't (ask
        "${LONG}", 7 // 2).close()
`,
    `
a/Cart:Cart.label -> a/Cart:Cart type 1
a/Cart:Use.afterSlashes -> a/Cart:Cart type 1
a/Cart:Use.afterSlashes -> a/Cart:Cart.close call 0.7
a/Cart:Use.afterSlashes -> a/Cart:Cart.label call 0.7
a/Cart:Use.afterStar -> a/Cart:Cart type 1
a/Cart:Use.afterStar -> a/Cart:Cart.close call 0.7
a/Cart:Use.afterStar -> a/Cart:Cart.label call 0.7
a/Cart:Use.inShort -> a/Cart:Cart type 1
a/Cart:Use.inShort -> a/Cart:Cart.close call 0.7
a/Cart:Use.inShort -> a/Cart:Cart.label call 0.7
cart:Cart.label -> cart:Cart type 1
cart:run -> cart:Cart type 1
cart:run -> cart:Cart.close call 0.7
cart:run -> cart:Cart.label call 0.7
`,
  );
});
