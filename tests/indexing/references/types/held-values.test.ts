import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("types that hold a value", () => {
  check(
    "Rust: '?', 'unwrap', 'await' and patterns give what Option, Result and futures hold",
    `
//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
mod cart;
mod till;
//- src/cart.rs
pub struct Cart;
pub struct Failure;
pub type Result<T> = std::result::Result<T, Failure>;
impl Cart {
    pub fn late(&self) {}
    pub fn open() -> Result<Self> { todo!() }
    pub fn find(by: impl Fn(u8) -> Failure) -> Option<Box<Cart>> { todo!() }
    pub async fn load() -> std::io::Result<Cart> { todo!() }
    pub fn all() -> Vec<Cart> { todo!() }
    pub fn pairs() -> Option<(Cart, Failure)> { todo!() }
}
impl Failure {
    pub fn late(&self) {}
    pub fn unwrap(&self) {}
}
//- src/till.rs
use std::cell::RefCell;
use std::sync::Arc;
use crate::cart::{Cart, Failure};
pub struct Till { last: Option<Cart>, next: RefCell<Cart>, locked: Arc<Mutex<Cart>> }
impl Till {
    fn tried(&self) { Cart::open()?.late(); }
    fn field(&self) { self.last.as_ref().unwrap().late(); }
    fn lock(&self) { let cart = self.locked.lock().unwrap(); cart.late(); }
    async fn lock_later(&self) { self.locked.lock().await.late(); }
    fn not_locked(&self) { self.locked.late(); }
    fn cell(&self) { self.next.borrow_mut().late(); }
}
fn held() { let cart = Cart::open().map_err(|e| e)?; cart.late(); }
fn boxed() { let cart = Cart::find(f).expect("one"); cart.late(); }
fn awaited() { let cart = Cart::load().await?; cart.late(); }
fn shared() { let cart = Arc::new(Cart::open()?); cart.late(); }
fn matched() { if let Some(cart) = Cart::find(f) { cart.late(); } }
fn otherwise() { let Ok(cart) = Cart::open() else { return }; cart.late(); }
fn arms() { match Cart::open() { Ok(cart) => cart.late(), Err(_) => {} } }
fn parameter(cart: &Arc<Cart>, other: Option<Cart>) { cart.clone().late(); other.unwrap().late(); }
fn own(failure: Failure) { failure.unwrap(); }
fn not_opened() { Cart::open().late(); Cart::load().late(); }
fn of_lists() { Cart::all().unwrap().late(); }
fn of_pairs() { Cart::pairs().unwrap().late(); }
`,
    `
src/cart:Result -> src/cart:Failure type 1
src/cart:Cart.open -> src/cart:Result type 1
src/cart:Cart.find -> src/cart:Cart type 1
src/cart:Cart.find -> src/cart:Failure type 1
src/cart:Cart.load -> src/cart:Cart type 1
src/cart:Cart.all -> src/cart:Cart type 1
src/cart:Cart.pairs -> src/cart:Cart type 1
src/cart:Cart.pairs -> src/cart:Failure type 1
src/till:Till.last -> src/cart:Cart type 0.9
src/till:Till.next -> src/cart:Cart type 0.9
src/till:Till.tried -> src/cart:Cart.late call 0.7
src/till:Till.tried -> src/cart:Cart.open call 0.8
src/till:Till.field -> src/cart:Cart.late call 0.7
src/till:Till.locked -> src/cart:Cart type 0.9
src/till:Till.lock -> src/cart:Cart.late call 0.7
src/till:Till.lock_later -> src/cart:Cart.late call 0.7
src/till:Till.cell -> src/cart:Cart.late call 0.7
src/till:held -> src/cart:Cart.late call 0.7
src/till:held -> src/cart:Cart.open call 0.8
src/till:boxed -> src/cart:Cart.late call 0.7
src/till:boxed -> src/cart:Cart.find call 0.8
src/till:awaited -> src/cart:Cart.late call 0.7
src/till:awaited -> src/cart:Cart.load call 0.8
src/till:shared -> src/cart:Cart.late call 0.7
src/till:shared -> src/cart:Cart.open call 0.8
src/till:matched -> src/cart:Cart.late call 0.7
src/till:matched -> src/cart:Cart.find call 0.8
src/till:otherwise -> src/cart:Cart.late call 0.7
src/till:otherwise -> src/cart:Cart.open call 0.8
src/till:arms -> src/cart:Cart.late call 0.7
src/till:arms -> src/cart:Cart.open call 0.8
src/till:parameter -> src/cart:Cart type 0.9
src/till:parameter -> src/cart:Cart.late call 0.7
src/till:own -> src/cart:Failure type 0.9
src/till:own -> src/cart:Failure.unwrap call 0.7
src/till:not_opened -> src/cart:Cart.open call 0.8
src/till:not_opened -> src/cart:Cart.load call 0.8
src/till:of_lists -> src/cart:Cart.all call 0.8
src/till:of_pairs -> src/cart:Cart.pairs call 0.8
`,
  );

  check(
    "C#: what is awaited is what the task holds",
    `
//- Cart.cs
namespace Shop;
public class Cart {
  public void Open() {}
  public Till Till { get; set; }
  public static async Task<Cart> LoadAsync() { return null; }
  public ValueTask<Cart> NextAsync() { return default; }
  public static async Task<List<Cart>> AllAsync() { return null; }
}
public class Till { public void Ring() {} }
//- Use.cs
namespace Shop;
public class Use {
  private Task<Cart> pending;
  async Task Held() { var cart = await Cart.LoadAsync().ConfigureAwait(false); cart.Open(); }
  async Task Direct() { (await Cart.LoadAsync()).Open(); }
  async Task Nested() { var cart = await (await Cart.LoadAsync()).NextAsync(); cart.Open(); }
  async Task Field() { var cart = await pending; cart.Open(); }
  void Blocking() { var cart = Cart.LoadAsync().Result; cart.Open(); Cart.LoadAsync().GetAwaiter().GetResult().Open(); }
  void NotAwaited() { var task = Cart.LoadAsync(); task.Open(); }
  async Task Lists() { var carts = await Cart.AllAsync(); carts.Open(); }
}
`,
    `
Cart:Cart.Till -> Cart:Till type 1
Cart:Cart.LoadAsync -> Cart:Cart type 1
Cart:Cart.NextAsync -> Cart:Cart type 1
Cart:Cart.AllAsync -> Cart:Cart type 1
Use:Use.pending -> Cart:Cart type 0.95
Use:Use.Held -> Cart:Cart type 0.95
Use:Use.Held -> Cart:Cart.Open call 0.7
Use:Use.Held -> Cart:Cart.LoadAsync call 0.8
Use:Use.Direct -> Cart:Cart type 0.95
Use:Use.Direct -> Cart:Cart.Open call 0.7
Use:Use.Direct -> Cart:Cart.LoadAsync call 0.8
Use:Use.Nested -> Cart:Cart type 0.95
Use:Use.Nested -> Cart:Cart.Open call 0.65
Use:Use.Nested -> Cart:Cart.LoadAsync call 0.8
Use:Use.Nested -> Cart:Cart.NextAsync call 0.7
Use:Use.Field -> Cart:Cart.Open call 0.7
Use:Use.Blocking -> Cart:Cart type 0.95
Use:Use.Blocking -> Cart:Cart.Open call 0.7
Use:Use.Blocking -> Cart:Cart.LoadAsync call 0.8
Use:Use.NotAwaited -> Cart:Cart type 0.95
Use:Use.NotAwaited -> Cart:Cart.LoadAsync call 0.8
Use:Use.Lists -> Cart:Cart type 0.95
Use:Use.Lists -> Cart:Cart.AllAsync call 0.8
`,
  );

  check(
    "Java: what an Optional or a future gives is what it holds",
    `
//- shop/Cart.java
package shop;
class Cart {
  void open() {}
  static Cart make() { return null; }
  static Optional<Cart> find() { return null; }
  static CompletableFuture<Cart> load() { return null; }
}
//- shop/Use.java
package shop;
class Use {
  void optional() { Cart.find().orElseThrow().open(); }
  void future() { var cart = Cart.load().join(); cart.open(); }
  void notOpened() { Cart.find().open(); }
}
`,
    `
shop/Cart:Cart.make -> shop/Cart:Cart type 1
shop/Cart:Cart.find -> shop/Cart:Cart type 1
shop/Cart:Cart.load -> shop/Cart:Cart type 1
shop/Use:Use.optional -> shop/Cart:Cart.open call 0.7
shop/Use:Use.optional -> shop/Cart:Cart.find call 0.8
shop/Use:Use.future -> shop/Cart:Cart.open call 0.7
shop/Use:Use.future -> shop/Cart:Cart.load call 0.8
shop/Use:Use.notOpened -> shop/Cart:Cart.find call 0.8
`,
  );

  check(
    "Java: what a collection gives is what it holds",
    `
//- shop/Cart.java
package shop;
class Cart { void open() {} Label label() { return null; } }
class Label { void print() {} void open() {} }
//- shop/Use.java
package shop;
class Use {
  private final Map<String, List<Cart>> byName = new HashMap<>();
  private List<? extends Cart> carts;
  Deque<Cart> waiting() { return null; }
  void list() { carts.get(0).open(); }
  void map(String name) { this.byName.get(name).get(0).label().print(); }
  void queue() { waiting().poll().open(); }
  void entry(Map.Entry<Label, Cart> entry) { entry.getKey().print(); entry.getValue().label(); }
  void iterator(Set<Cart> set) { set.iterator().next().open(); }
  void other() { carts.open(); carts.size().open(); carts.get(0).print(); byName.get("a").open(); }
}
`,
    `
shop/Cart:Cart.label -> shop/Cart:Label type 1
shop/Use:Use.byName -> shop/Cart:Cart type 0.95
shop/Use:Use.carts -> shop/Cart:Cart type 0.95
shop/Use:Use.entry -> shop/Cart:Cart type 0.95
shop/Use:Use.entry -> shop/Cart:Cart.label call 0.7
shop/Use:Use.entry -> shop/Cart:Label type 0.95
shop/Use:Use.entry -> shop/Cart:Label.print call 0.7
shop/Use:Use.iterator -> shop/Cart:Cart type 0.95
shop/Use:Use.iterator -> shop/Cart:Cart.open call 0.7
shop/Use:Use.list -> shop/Cart:Cart.open call 0.7
shop/Use:Use.map -> shop/Cart:Cart.label call 0.7
shop/Use:Use.map -> shop/Cart:Label.print call 0.65
shop/Use:Use.queue -> shop/Cart:Cart.open call 0.7
shop/Use:Use.queue -> shop/Use:Use.waiting call 0.95
shop/Use:Use.waiting -> shop/Cart:Cart type 0.95
`,
  );
});
