import { describe, expect, test } from "bun:test";
import { JVM } from "../../../src/indexing/imports/jvm/jvm.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { checkEdges } from "./imports-check.ts";

describe("what an import names", () => {
  checkEdges(
    "is found by the declared package of a file, in any folder",
    `
//- src/main/java/com/shop/Cart.java
package com.shop;
import com.shop.stock.Item;
import com.shop.stock.Item.Size;
import static com.shop.stock.Prices.of;
import static com.shop.stock.Taxes.*;
import java.util.List;
import com.elsewhere.Item;
//- odd/folder/Things.java
package com.shop.stock;
class Item { enum Size { S } }
//- src/main/java/com/shop/stock/Prices.java
package com.shop.stock;
public class Prices { static int of() { return 1; } }
//- src/main/java/com/shop/stock/Taxes.java
package com.shop.stock;
public class Taxes {}
//- src/main/java/com/elsewhere/Item.java
package com.other;
class Item {}
`,
    `
src/main/java/com/shop/Cart.java -> odd/folder/Things.java
src/main/java/com/shop/Cart.java -> src/main/java/com/shop/stock/Prices.java
src/main/java/com/shop/Cart.java -> src/main/java/com/shop/stock/Taxes.java
`,
  );

  checkEdges(
    "can be defined in another JVM language",
    `
//- a/Use.java
package a;
import b.Thing;
import b.UtilsKt;
import c.Model;
//- b/utils.kt
package b
fun help() = 1
//- b/Thing.kt
package b
import c.Model
class Thing
//- c/Model.scala
package c
import b.Thing
case class Model(x: Int)
`,
    `
a/Use.java -> b/Thing.kt
a/Use.java -> b/utils.kt
a/Use.java -> c/Model.scala
b/Thing.kt -> c/Model.scala
c/Model.scala -> b/Thing.kt
`,
  );

  checkEdges(
    "is in Kotlin also a function, an extension, a property, or a member of a companion object",
    `
//- Use.kt
package use
import a.b.topLevel
import a.b.extended as ext
import a.b.LIMIT
import a.b.Path.Companion.toPath
import a.b.missing
//- One.kt
package a.b
fun topLevel() = 1
//- Two.kt
package a.b
fun String.extended() = 1
//- Three.kt
package a.b
const val LIMIT = 1
//- Path.kt
package a.b
class Path {
  companion object {
    fun String.toPath() = 1
  }
}
`,
    `
Use.kt -> One.kt
Use.kt -> Path.kt
Use.kt -> Three.kt
Use.kt -> Two.kt
`,
  );

  checkEdges(
    "in module-info is what it provides and uses",
    `
//- module-info.java
module m { uses a.Service; provides a.Service with a.impl.One; exports a; }
//- a/Service.java
package a;
public interface Service {}
//- a/impl/One.java
package a.impl;
public class One {}
`,
    `
module-info.java -> a/Service.java
module-info.java -> a/impl/One.java
`,
  );
});

describe("a wildcard import", () => {
  checkEdges(
    "imports what the file uses of a package, except names defined nearer",
    `
//- Use.java
package use;
import a.*;
import b.Near;
class Use { Used f; Near g; Own h; void m() { Called.run(); } }
//- Own.java
package use;
class Own {}
//- a/Used.java
package a;
public class Used {}
//- a/Called.java
package a;
public class Called {}
//- a/Unused.java
package a;
public class Unused {}
//- a/Near.java
package a;
public class Near {}
//- a/Own.java
package a;
public class Own {}
//- b/Near.java
package b;
public class Near {}
`,
    `
Use.java -> a/Called.java
Use.java -> a/Used.java
Use.java -> b/Near.java
`,
  );

  checkEdges(
    "without a use imports a small package without its tests",
    `
//- Use.kt
package use
import a.*
//- a/One.kt
package a
class One
//- a/OneTest.kt
package a
class OneTest
`,
    "Use.kt -> a/One.kt",
  );
});

describe("Scala paths", () => {
  checkEdges(
    "are relative to the package, its enclosing clauses, and other imports",
    `
//- Use.scala
package shop
package orders
import util.Money
import lines._
import shop.stock
import stock.{Item => I, Gone => _}
import _root_.scala.Other
class Use { def f(l: Line): Customer = ??? }
//- shop/Money.scala
package shop.util
class Money
//- shop/Line.scala
package shop.orders.lines
class Line
//- shop/Customer.scala
package shop
class Customer
//- shop/Item.scala
package shop.stock
class Item
//- Other.scala
package shop.scala
class Other
`,
    `
Use.scala -> shop/Customer.scala
Use.scala -> shop/Item.scala
Use.scala -> shop/Line.scala
Use.scala -> shop/Money.scala
`,
  );

  checkEdges(
    "do not reach what encloses a single clause",
    `
//- Use.scala
package test.os
import os.Path
//- tests.scala
package test.os
class Path
//- os.scala
package os
class Path
`,
    "Use.scala -> os.scala",
  );

  checkEdges(
    "lead into package objects, as into packages",
    `
//- Use.scala
package use
import a.data.State
import a.data._
import a.instances.all._
class Use { def f: Reader = ??? }
//- a/data/package.scala
package a
package object data { type State = Int; type Reader = Int }
//- a/instances.scala
package a
package object instances { object all }
`,
    `
Use.scala -> a/data/package.scala
Use.scala -> a/instances.scala
`,
  );
});

describe("several definitions of one name", () => {
  checkEdges(
    "prefer the file's own module and source set",
    `
//- one/src/main/java/App.java
package app;
import model.Item;
//- one/src/test/java/AppTest.java
package app;
import model.Item;
//- one/src/main/java/Item.java
package model;
public class Item {}
//- two/src/main/java/Item.java
package model;
public class Item {}
//- two/src/test/java/Item.java
package model;
public class Item {}
//- three/src/main/java/App.java
package app3;
import model.Item;
`,
    `
one/src/main/java/App.java -> one/src/main/java/Item.java
one/src/test/java/AppTest.java -> one/src/main/java/Item.java
three/src/main/java/App.java -> one/src/main/java/Item.java
three/src/main/java/App.java -> two/src/main/java/Item.java
`,
  );

  checkEdges(
    "expect and actual resolve together from outside, and to the nearest from inside",
    `
//- lib/src/commonMain/kotlin/Clock.kt
package lib
expect class Clock
//- lib/src/jvmMain/kotlin/Clock.kt
package lib
actual class Clock
//- lib/src/jvmMain/kotlin/Use.kt
package lib.use
import lib.Clock
//- lib/src/jvmTest/kotlin/ClockTest.kt
package lib.test
import lib.Clock
//- app/src/main/kotlin/Main.kt
package app
import lib.Clock
`,
    `
app/src/main/kotlin/Main.kt -> lib/src/commonMain/kotlin/Clock.kt
app/src/main/kotlin/Main.kt -> lib/src/jvmMain/kotlin/Clock.kt
lib/src/jvmMain/kotlin/Use.kt -> lib/src/jvmMain/kotlin/Clock.kt
lib/src/jvmTest/kotlin/ClockTest.kt -> lib/src/jvmMain/kotlin/Clock.kt
`,
  );
});

test("bindings give the file, or the package and the path in it, and nothing for external names", async () => {
  const texts = fixtureTexts(`
//- Use.kt
package use
import a.Outer
import a.Outer.Inner as I
import java.util.List
import a.*
//- a/Outer.java
package a;
public class Outer { class Inner {} }
//- plain/Main.java
class Main {}
`);
  const files = await fixtureFiles(texts);
  const resolver = JVM.open(files, new Set(texts.keys()), () => null);
  const bindings = files[0]?.facts.imports.flatMap((fact) => resolver.resolve("Use.kt", fact).bindings);
  expect(bindings?.map(({ alias, name, module, group, star }) => [alias, name, module, group, star])).toEqual([
    ["Outer", "Outer", "a/Outer.java", null, false],
    ["I", "Outer.Inner", null, "a", false],
    ["List", "List", null, null, false],
    [null, "*", null, "a", true],
  ]);
  expect(["Use.kt", "a/Outer.java", "plain/Main.java"].map((path) => resolver.groupOf(path))).toEqual([
    "use",
    "a",
    "/plain",
  ]);
});
