import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("extension functions of Kotlin", () => {
  check(
    "are those of the imported package, by name and by star, and never those of another",
    `
//- jdbc/Queries.kt
package jdbc
import core.Table
fun Table.weighAll() {}
fun <T : Table> T.weighOne() {}
//- r2dbc/Queries.kt
package r2dbc
import core.Table
fun Table.weighAll() {}
fun <T : Table> T.weighOne() {}
//- core/Table.kt
package core
class Table
//- use/Star.kt
package use
import core.Table
import jdbc.*
fun byStar(table: Table) { table.weighAll(); table.weighOne() }
//- use/Name.kt
package use
import core.Table
import r2dbc.weighAll
fun byName(table: Table) { table.weighAll() }
//- use/None.kt
package use
import core.Table
fun byNone(table: Table, row: Row) { table.weighAll(); row.weighOne() }
`,
    `
jdbc/Queries:T.weighOne -> core/Table:Table type 0.9
jdbc/Queries:Table.weighAll -> core/Table:Table type 0.9
r2dbc/Queries:T.weighOne -> core/Table:Table type 0.9
r2dbc/Queries:Table.weighAll -> core/Table:Table type 0.9
use/Name:byName -> core/Table:Table type 0.9
use/Name:byName -> r2dbc/Queries:Table.weighAll call 0.7
use/None:byNone -> core/Table:Table type 0.9
use/Star:byStar -> core/Table:Table type 0.9
use/Star:byStar -> jdbc/Queries:T.weighOne call 0.5
use/Star:byStar -> jdbc/Queries:Table.weighAll call 0.7
`,
  );

  check(
    "of text, of a companion, between their operands, and of the receiver of a lambda",
    `
//- a/Cart.kt
package a
class Cart {
  companion object {
    fun String.toCart(): Cart = Cart()
    fun ByteArray.toCart(): Cart = Cart()
  }
}
infix fun Cart.holds(other: Cart) {}
fun Cart.weighIt() {}
//- b/Use.kt
package b
import a.Cart.Companion.toCart
import a.holds
import a.weighIt as measure
fun go(bytes: ByteArray) {
  "red".toCart() holds "blue".toCart()
  with(bytes.toCart()) { measure() }
}
//- a/Near.kt
package a
fun near(name: String) { one(name) holds two(name) }
fun one(name: String) = make(name).weighIt()
`,
    `
a/Cart:Cart.ByteArray.toCart -> a/Cart:Cart call 1
a/Cart:Cart.ByteArray.toCart -> a/Cart:Cart type 1
a/Cart:Cart.String.toCart -> a/Cart:Cart call 1
a/Cart:Cart.String.toCart -> a/Cart:Cart type 1
a/Cart:Cart.holds -> a/Cart:Cart type 1
a/Cart:Cart.weighIt -> a/Cart:Cart type 1
a/Near:near -> a/Cart:Cart.holds call 0.5
a/Near:near -> a/Near:one call 1
a/Near:one -> a/Cart:Cart.weighIt call 0.5
b/Use:go -> a/Cart:Cart.String.toCart call 0.7
b/Use:go -> a/Cart:Cart.ByteArray.toCart call 0.15
b/Use:go -> a/Cart:Cart.holds call 0.7
b/Use:go -> a/Cart:Cart.weighIt call 0.7
`,
  );
});

check(
  "builders of Kotlin give themselves, and overloads give what one of them declares",
  `
//- a/Cart.kt
package a
class Cart {
  class Builder {
    fun name(name: String) = apply { this.name = name }
    fun size(size: Int): Builder = apply {}
    fun size(size: String) = size(size.toInt())
    fun count() = sum()
    fun build(): Cart = Cart()
  }
}
//- a/Use.kt
package a
fun one() { Cart.Builder().name("a").size("1").build() }
fun two() { Cart.Builder().count().build() }
`,
  `
a/Cart:Cart.Builder.build -> a/Cart:Cart call 1
a/Cart:Cart.Builder.build -> a/Cart:Cart type 1
a/Cart:Cart.Builder.size -> a/Cart:Cart.Builder type 0.95
a/Use:one -> a/Cart:Cart type 0.95
a/Use:one -> a/Cart:Cart.Builder call 0.8
a/Use:one -> a/Cart:Cart.Builder.build call 0.6
a/Use:one -> a/Cart:Cart.Builder.name call 0.7
a/Use:one -> a/Cart:Cart.Builder.size call 0.65
a/Use:two -> a/Cart:Cart type 0.95
a/Use:two -> a/Cart:Cart.Builder call 0.8
a/Use:two -> a/Cart:Cart.Builder.count call 0.7
`,
);

check(
  "members of what a nameless object extends, used inside it",
  `
//- a/Table.kt
package a
open class Table(val name: String) {
  fun column(name: String): Int = 1
}
//- b/Use.kt
package b
import a.Table
val cart = object : Table("cart") {
  val id = column("id")
}
fun go() {
  val till = object : Table("till") {
    val id = column("id")
  }
}
fun other() { column("id") }
//- c/Parser.scala
package c
class Parser[C](name: String) { def opt[A](name: String): Int = 1 }
//- c/Use.scala
package c
object Use {
  val parser = new Parser[Int]("a") { opt[Int]("b") }
  val other = opt[Int]("b")
}
`,
  `
b/Use:cart -> a/Table:Table inherit 0.9
b/Use:cart -> a/Table:Table.column call 0.7
b/Use:go -> a/Table:Table inherit 0.9
b/Use:go -> a/Table:Table.column call 0.7
c/Use:Use.parser -> c/Parser:Parser call 0.95
c/Use:Use.parser -> c/Parser:Parser.opt call 0.7
`,
);

check(
  "an extension of the class around a use, of values of a type from elsewhere",
  `
//- a/Writer.kt
package a
import io.Buffer
class Writer {
  private fun Buffer.writeLabel() {}
  fun write(buffer: Buffer) { buffer.writeLabel() }
  fun writeAll() {
    val buffer = Buffer()
    buffer.writeLabel()
  }
}
class Other { fun write(buffer: Buffer) { buffer.writeLabel() } }
`,
  `
a/Writer:Writer.write -> a/Writer:Writer.Buffer.writeLabel call 0.5
a/Writer:Writer.writeAll -> a/Writer:Writer.Buffer.writeLabel call 0.5
`,
);

check(
  "a property that is made by a chain of calls has the type of its end",
  `
//- a/Cart.kt
package a
class Label { fun show() {} }
class Cart {
  fun open() {}
  fun label(): Label = Label()
  class Builder {
    var label: String = ""
    fun label(text: String): Builder = this
    fun build(): Cart = Cart()
  }
}
//- a/Use.kt
package a
class Use {
  val made = Cart.Builder().label("red (").build()
  val applied = Cart.Builder().build().apply { open() }
  private val label = made.label()?.also { it.show() }
  val unread = Cart.Builder().build() == made
  fun useMade() { made.open() }
  fun useApplied() { applied.open() }
  fun useLabel() { label.show() }
  fun useUnread() { unread.build() }
}
`,
  `
a/Cart:Cart.Builder.build -> a/Cart:Cart call 1
a/Cart:Cart.Builder.build -> a/Cart:Cart type 1
a/Cart:Cart.Builder.label -> a/Cart:Cart.Builder type 0.95
a/Cart:Cart.label -> a/Cart:Label call 1
a/Cart:Cart.label -> a/Cart:Label type 1
a/Use:Use.applied -> a/Cart:Cart type 0.95
a/Use:Use.applied -> a/Cart:Cart.Builder call 0.8
a/Use:Use.applied -> a/Cart:Cart.Builder.build call 0.7
a/Use:Use.label -> a/Cart:Cart.label call 0.7
a/Use:Use.label -> a/Cart:Label.show call 0.65
a/Use:Use.made -> a/Cart:Cart type 0.95
a/Use:Use.made -> a/Cart:Cart.Builder call 0.8
a/Use:Use.made -> a/Cart:Cart.Builder.label call 0.7
a/Use:Use.made -> a/Cart:Cart.Builder.build call 0.65
a/Use:Use.unread -> a/Cart:Cart type 0.95
a/Use:Use.unread -> a/Cart:Cart.Builder call 0.8
a/Use:Use.unread -> a/Cart:Cart.Builder.build call 0.7
a/Use:Use.useApplied -> a/Cart:Cart.open call 0.7
a/Use:Use.useLabel -> a/Cart:Label.show call 0.7
a/Use:Use.useMade -> a/Cart:Cart.open call 0.7
`,
);

check(
  "a property that is made from one that is made from others has a type, whichever of them is asked for first",
  `
//- a/Cart.kt
package a
class Cart {
  fun twin(): Cart = this
  fun close() {}
}
//- a/Use.kt
package a
class Use(val first: Cart) {
  fun last() { p9.close() }
  fun early() { p4.close() }
  val p1 = first.twin().twin()
${[2, 3, 4, 5, 6, 7, 8, 9].map((at) => `  val p${at} = p${at - 1}.twin().twin()`).join("\n")}
}
`,
  `
a/Cart:Cart.twin -> a/Cart:Cart type 1
a/Use:Use.early -> a/Cart:Cart.close call 0.7
a/Use:Use.first -> a/Cart:Cart type 0.95
a/Use:Use.last -> a/Cart:Cart.close call 0.7
a/Use:Use.p1 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p2 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p3 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p4 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p5 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p6 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p7 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p8 -> a/Cart:Cart.twin call 0.7
a/Use:Use.p9 -> a/Cart:Cart.twin call 0.7
`,
);
