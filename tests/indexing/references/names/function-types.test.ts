/** Functions where a type is needed. */
import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("a function with the name of a type", () => {
  check(
    "is no type, and a value has the type of its result",
    `
//- a/Make.kt
package a
import b.Cart
fun Cart(text: String): Cart = Cart()
fun String(vararg codes: Int): Cart = Cart("")
fun openCart(): Cart = Cart("")
class Use {
  val own = openCart()
  fun label(text: String): String = text
  fun run() = own.close()
}
//- b/Cart.kt
package b
class Cart { fun close() {} }
`,
    `
a/Make:Cart -> b/Cart:Cart type 0.9
a/Make:String -> a/Make:Cart call 1
a/Make:String -> b/Cart:Cart type 0.9
a/Make:Use.own -> a/Make:openCart call 1
a/Make:Use.run -> b/Cart:Cart.close call 0.7
a/Make:openCart -> a/Make:Cart call 1
a/Make:openCart -> b/Cart:Cart type 0.9
`,
  );
});
