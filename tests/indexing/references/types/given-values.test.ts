import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("what a call gives to a nameless function", () => {
  check(
    "Java: an element of a collection, a stream, an optional or a future",
    `
//- shop/Cart.java
package shop;
class Cart { boolean open() { return true; } Line line() { return null; } java.util.List<Line> lines() { return null; } }
//- shop/Line.java
package shop;
class Line { boolean open() { return true; } boolean paid() { return true; } }
//- shop/Use.java
package shop;
import java.util.*;
class Use {
  private List<Cart> carts;
  private Map<String, Line> byName;
  Optional<Line> last() { return null; }
  void field() { this.carts.forEach(cart -> cart.open()); }
  void inBrackets() { carts.removeIf((cart) -> { return cart.open(); }); }
  void parameter(Collection<Line> given) { given.stream().filter(line -> line.open()).sorted().anyMatch(line -> line.paid()); }
  void local() { Set<Line> found = new HashSet<>(); found.forEach(line -> line.open()); }
  void result() { last().ifPresent(line -> line.open()); }
  void first() { carts.stream().findFirst().get().open(); carts.stream().findAny().map(cart -> cart.line()); }
  void values() { byName.values().forEach(line -> line.open()); }
  void within() { carts.forEach(cart -> cart.lines().forEach(line -> line.open())); }
  void later(CompletableFuture<Cart> future) { future.thenAccept(cart -> cart.open()); }
}
`,
    `
shop/Cart:Cart.line -> shop/Line:Line type 0.95
shop/Cart:Cart.lines -> shop/Line:Line type 0.95
shop/Use:Use.carts -> shop/Cart:Cart type 0.95
shop/Use:Use.byName -> shop/Line:Line type 0.95
shop/Use:Use.last -> shop/Line:Line type 0.95
shop/Use:Use.field -> shop/Cart:Cart.open call 0.7
shop/Use:Use.inBrackets -> shop/Cart:Cart.open call 0.7
shop/Use:Use.parameter -> shop/Line:Line type 0.95
shop/Use:Use.parameter -> shop/Line:Line.open call 0.7
shop/Use:Use.parameter -> shop/Line:Line.paid call 0.7
shop/Use:Use.local -> shop/Line:Line type 0.95
shop/Use:Use.local -> shop/Line:Line.open call 0.7
shop/Use:Use.result -> shop/Line:Line.open call 0.7
shop/Use:Use.result -> shop/Use:Use.last call 0.95
shop/Use:Use.first -> shop/Cart:Cart.open call 0.7
shop/Use:Use.first -> shop/Cart:Cart.line call 0.7
shop/Use:Use.values -> shop/Line:Line.open call 0.7
shop/Use:Use.within -> shop/Cart:Cart.lines call 0.7
shop/Use:Use.within -> shop/Line:Line.open call 0.65
shop/Use:Use.later -> shop/Cart:Cart type 0.95
shop/Use:Use.later -> shop/Cart:Cart.open call 0.7
`,
  );

  check(
    "Java: nothing is known of other arguments, of what was changed before, or of other types; a known element has no methods of others",
    `
//- shop/Cart.java
package shop;
class Cart { boolean open() { return true; } }
class Line { boolean open() { return true; } boolean payLater() { return true; } }
//- shop/List.java
package shop;
class Shelf<T> { void forEach(Object run) {} }
//- shop/Use.java
package shop;
import java.util.*;
class Use {
  private Map<Cart, Line> byCart;
  private List<Cart> carts;
  private Shelf<Cart> shelf;
  void pairs() { byCart.forEach((cart, line) -> line.open()); }
  void sorted() { carts.sort((a, b) -> a.open() ? 1 : 0); }
  void mapped() { carts.stream().map(cart -> cart.hashCode()).forEach(it -> it.open()); }
  void own() { shelf.forEach(cart -> cart.open()); }
  void second() { run(carts, cart -> cart.open()); }
  void keys() { byCart.keySet().forEach(cart -> cart.open()); }
  void element() { carts.forEach(cart -> cart.payLater()); }
  <T> List<T> all() { return null; }
  void guessed() { all().forEach(each -> each.payLater()); carts.stream().map(c -> c).forEach(each -> each.payLater()); }
}
`,
    `
shop/Use:Use.byCart -> shop/Cart:Cart type 0.95
shop/Use:Use.byCart -> shop/Cart:Line type 0.95
shop/Use:Use.carts -> shop/Cart:Cart type 0.95
shop/Use:Use.shelf -> shop/Cart:Cart type 0.95
shop/Use:Use.shelf -> shop/List:Shelf type 0.95
shop/Use:Use.own -> shop/List:Shelf.forEach call 0.7
shop/Use:Use.guessed -> shop/Use:Use.all call 0.95
shop/Use:Use.guessed -> shop/Cart:Line.payLater call 0.5
`,
  );

  check(
    "Rust: a closure of an option, a result or a collection",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
pub struct Cart { lines: Vec<Line>, last: Option<Line> }
pub struct Line;
impl Cart {
    pub fn open(&self) -> bool { true }
    fn field(&self) { self.lines.iter().all(|line| line.open()); }
    fn option(&self) { self.last.as_ref().map(|line| line.open()); }
    fn indexed(&self) { self.lines.iter().enumerate().map(|each| each.open()); }
}
impl Line { pub fn open(&self) -> bool { true } }
fn find() -> Result<Cart, Line> { todo!() }
fn result() { find().map(move |cart| cart.open()); }
fn failure() { find().map_err(|line| line.open()); }
`,
    `
src/lib:Cart.lines -> src/lib:Line type 1
src/lib:Cart.last -> src/lib:Line type 1
src/lib:Cart.field -> src/lib:Line.open call 0.7
src/lib:Cart.option -> src/lib:Line.open call 0.7
src/lib:find -> src/lib:Cart type 1
src/lib:find -> src/lib:Line type 1
src/lib:result -> src/lib:Cart.open call 0.7
src/lib:result -> src/lib:find call 1
src/lib:failure -> src/lib:find call 1
`,
  );
});

check(
  "the arguments of a variable's type tell what it holds",
  `
//- shop/Cart.java
package shop;
class Cart { void open() {} }
class Line { void open() {} }
//- shop/Use.java
package shop;
import java.util.*;
class Use {
  void list() { List<Cart> carts = new ArrayList<>(); carts.get(0).open(); }
  void map() { final Map<String, List<Line>> lines = load(); lines.get("a").get(0).open(); }
  void made() { var carts = new ArrayList<Cart>(); carts.get(0).open(); }
}
`,
  `
shop/Use:Use.list -> shop/Cart:Cart type 0.95
shop/Use:Use.list -> shop/Cart:Cart.open call 0.7
shop/Use:Use.map -> shop/Cart:Line type 0.95
shop/Use:Use.map -> shop/Cart:Line.open call 0.7
shop/Use:Use.made -> shop/Cart:Cart type 0.95
shop/Use:Use.made -> shop/Cart:Cart.open call 0.7
`,
);

check(
  "Kotlin: an element of a collection, also without a name, and what `let` and `also` are called on",
  `
//- shop/Cart.kt
package shop
class Cart(val lines: List<Line>) { fun open() {} }
class Line { fun open() {}; fun label(): String = "" }
fun find(): Cart? = null
//- shop/Use.kt
package shop
class Use(val carts: List<Cart>, val byName: Map<String, Line>) {
  fun named() { carts.forEach { cart -> cart.open() } }
  fun nameless() { carts.filter { it.open() } }
  fun nested() { carts.forEach { cart -> cart.lines.forEach { it.open() } } }
  fun result() { find()?.let { it.open() } }
  fun parameter(line: Line) { line.also { it.label() } }
  fun element() { byName.getValue("a").open() }
}
`,
  `
shop/Cart:Cart.lines -> shop/Cart:Line type 1
shop/Cart:find -> shop/Cart:Cart type 1
shop/Use:Use.byName -> shop/Cart:Line type 0.95
shop/Use:Use.carts -> shop/Cart:Cart type 0.95
shop/Use:Use.element -> shop/Cart:Line.open call 0.7
shop/Use:Use.named -> shop/Cart:Cart.open call 0.7
shop/Use:Use.nameless -> shop/Cart:Cart.open call 0.7
shop/Use:Use.nested -> shop/Cart:Line.open call 0.65
shop/Use:Use.parameter -> shop/Cart:Line type 0.95
shop/Use:Use.parameter -> shop/Cart:Line.label call 0.65
shop/Use:Use.result -> shop/Cart:Cart.open call 0.65
shop/Use:Use.result -> shop/Cart:find call 0.95
`,
);

check(
  "C#: an element of a collection, and what a parameter is declared as",
  `
//- Cart.cs
class Cart { public List<Line> Lines { get; } public void Open() {} }
class Line { public bool Open() { return true; } public bool Paid() { return true; } }
class Use {
  IEnumerable<Cart> carts;
  void Each() { carts.ToList().ForEach(cart => cart.Open()); }
  void Within(Cart cart) { cart.Lines.Where(line => line.Open()).Any((line) => line.Paid()); }
  void Typed() { Unknown((Cart cart) => cart.Open()); }
}
`,
  `
Cart:Cart.Lines -> Cart:Line type 1
Cart:Use.Each -> Cart:Cart.Open call 0.7
Cart:Use.Typed -> Cart:Cart type 1
Cart:Use.Typed -> Cart:Cart.Open call 0.7
Cart:Use.Within -> Cart:Cart type 1
Cart:Use.Within -> Cart:Line.Open call 0.7
Cart:Use.Within -> Cart:Line.Paid call 0.7
Cart:Use.carts -> Cart:Cart type 1
`,
);

check(
  "Scala: an element of a collection or option",
  `
//- shop/Cart.scala
package shop
class Cart { def open(): Unit = {} }
class Line { def open(): Unit = {}; def label(): String = "" }
class Use {
  val carts: List[Cart] = Nil
  def last(): Option[Line] = None
  def each() = carts.foreach(cart => cart.open())
  def block() = last().map { line => line.label() }
  def first() = carts.last.open()
}
`,
  `
shop/Cart:Use.block -> shop/Cart:Line.label call 0.7
shop/Cart:Use.block -> shop/Cart:Use.last call 0.95
shop/Cart:Use.carts -> shop/Cart:Cart type 1
shop/Cart:Use.each -> shop/Cart:Cart.open call 0.7
shop/Cart:Use.first -> shop/Cart:Cart.open call 0.7
shop/Cart:Use.last -> shop/Cart:Line type 1
`,
);
