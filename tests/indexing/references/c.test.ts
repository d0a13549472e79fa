import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("C", () => {
  check(
    "a declaration in a header resolves to the file that defines it",
    `
//- cart.h
#include "item.h"
void cart_put(struct item *it);
static inline int cart_size(void) { return 0; }
#define CART_MAX(x) (x)
//- item.h
struct item { int n; };
//- cart.c
#include "cart.h"
static void helper(void) {}
void cart_put(struct item *it) { helper(); }
//- use.c
#include "cart.h"
void go(void) { cart_put(0); cart_size(); CART_MAX(1); helper(); unseen(); printf(""); }
//- far.c
static void helper(void) {}
void unseen(void) {}
`,
    `
cart:cart_put -> item:item type 0.9
cart:cart_put -> item:item type 0.9
cart:cart_put -> cart:helper call 1
use:go -> cart:cart_put call 0.85
use:go -> cart:cart_size call 0.9
use:go -> cart:CART_MAX call 0.9
`,
  );

  check(
    "a declaration defined in two files stays ambiguous",
    `
//- port.h
void port_open(void);
//- port_a.c
#include "port.h"
void port_open(void) {}
//- port_b.c
#include "port.h"
void port_open(void) {}
//- use.c
#include "port.h"
void go(void) { port_open(); }
`,
    "use:go -> port:port_open call 0.9",
  );
});

describe("C++", () => {
  check(
    "tests are members of their fixture",
    `
//- fixture.h
class Base {
 protected:
  int reopen();
};
class LogTest : public Base {
 protected:
  void append(const char* text);
};
//- log_test.cc
#include "fixture.h"
TEST_F(LogTest, Appends) {
  append("foo");
  ASSERT_EQ(1, this->reopen());
}
TEST_P(LogTest, AppendsAll)
{
  append("foo");
}
TEST(LogTest, Plain) {
  append("none");
}
TEST_F(Unknown, Plain) {
  append("none");
}
`,
    `
fixture:LogTest -> fixture:Base inherit 1
log_test:LogTest.Plain -> fixture:LogTest type 0.9
log_test:LogTest.Appends -> fixture:Base.reopen call 0.9
log_test:LogTest.Appends -> fixture:LogTest type 0.9
log_test:LogTest.Appends -> fixture:LogTest.append call 0.95
log_test:LogTest.AppendsAll -> fixture:LogTest type 0.9
log_test:LogTest.AppendsAll -> fixture:LogTest.append call 0.95
`,
  );

  check(
    "tests of other frameworks are members of their fixture, and their titles hide no names",
    `
//- till.h
namespace shop {
class Till {
 protected:
  void ring();
};
}
void trim(int n);
//- till.cc
#include "till.h"
void trim(int n) {}
//- till_test.cc
#include "till.h"
TEST_CASE_METHOD(shop::Till, "trim rings", "[till]") { ring(); trim(1); }
TEST_CASE_FIXTURE(shop::Till, "trims") { ring(); }
BOOST_FIXTURE_TEST_CASE(rings, shop::Till) { ring(); }
BOOST_AUTO_TEST_CASE(trim) { trim(1); }
TEST_CASE("trim") { trim(1); }
TEST(Text, trim) { trim(1); }
static void other() { trim(1); }
`,
    `
till_test:other -> till:trim call 0.85
till_test:rings -> till:shop.Till type 0.9
till_test:rings -> till:shop.Till.ring call 0.95
till_test:Text.trim -> till:trim call 0.85
till_test:trim -> till:trim call 0.85
till_test:trim -> till:trim call 0.85
till_test:trim rings -> till:shop.Till type 0.9
till_test:trim rings -> till:shop.Till.ring call 0.95
till_test:trim rings -> till:trim call 0.85
till_test:trims -> till:shop.Till type 0.9
till_test:trims -> till:shop.Till.ring call 0.95
`,
  );

  check(
    "members of variables of functions are those of their types",
    `
//- cart.h
#include <memory>
namespace shop {
class Item { public: void pay(); };
class Cart {
 public:
  void add(int n);
  void reset();
  Item* first();
};
Cart find(int n);
using Basket = Cart;
}
class Till { public: void add(int n); };
//- use.cc
#include "cart.h"
using shop::Cart;
void value() { Cart c; c.add(1); }
void braces() { shop::Cart c{1}; c.add(1); }
void brackets(Till& t) { Cart c(t); c.add(1); }
void pointer() { Cart* c = nullptr; c->add(1); }
void held() { std::unique_ptr<Cart> c; c->add(1); c.reset(); }
void made() { auto c = std::make_shared<Cart>(1); c->add(1); }
void created() { auto* c = new Cart(1); c->add(1); }
void result() { auto c = shop::find(1); auto i = c.first(); i->pay(); }
void loop(std::vector<Cart>& all) { for (const auto& c : all) c.add(1); for (Cart& c : all) c.add(1); }
void lambda() { run([](Cart& c) { c.add(1); }); }
void list() { std::vector<Cart> c; c.add(1); }
void hidden() { Cart c; { auto c = unknown(); c.add(1); } }
void twice() { { Cart c; c.add(1); } { Till c; c.add(1); } }
void alias() { shop::Basket c; c.add(1); }
void arrow() { Cart c; c->add(1); }
`,
    `
cart:shop.find -> cart:shop.Cart type 1
cart:shop.Cart.first -> cart:shop.Item type 1
cart:shop.Basket -> cart:shop.Cart type 1
use:alias -> cart:shop.Basket type 0.9
use:alias -> cart:shop.Cart.add call 0.7
use:arrow -> cart:shop.Cart type 0.9
use:braces -> cart:shop.Cart type 0.9
use:braces -> cart:shop.Cart.add call 0.7
use:brackets -> cart:Till type 0.9
use:brackets -> cart:shop.Cart type 0.9
use:brackets -> cart:shop.Cart.add call 0.7
use:created -> cart:shop.Cart call 0.9
use:created -> cart:shop.Cart.add call 0.7
use:held -> cart:shop.Cart type 0.9
use:held -> cart:shop.Cart.add call 0.7
use:hidden -> cart:shop.Cart type 0.9
use:lambda -> cart:shop.Cart type 0.9
use:lambda -> cart:shop.Cart.add call 0.7
use:list -> cart:shop.Cart type 0.9
use:loop -> cart:shop.Cart type 0.9
use:loop -> cart:shop.Cart.add call 0.7
use:made -> cart:shop.Cart type 0.9
use:made -> cart:shop.Cart.add call 0.7
use:pointer -> cart:shop.Cart type 0.9
use:pointer -> cart:shop.Cart.add call 0.7
use:result -> cart:shop.Cart.first call 0.7
use:result -> cart:shop.Item.pay call 0.65
use:result -> cart:shop.find call 0.9
use:twice -> cart:Till type 0.9
use:twice -> cart:Till.add call 0.7
use:twice -> cart:shop.Cart type 0.9
use:twice -> cart:shop.Cart.add call 0.7
use:value -> cart:shop.Cart type 0.9
use:value -> cart:shop.Cart.add call 0.7
`,
  );

  check(
    "a variable of a function ends with its loop, hides its function, and may be defined often",
    `
//- cart.h
class Cart { public: void add(int n); };
class Till { public: void add(int n); };
//- use.cc
#include "cart.h"
void after() { Cart c; for (Till& c : tills()) {} c.add(1); }
void c() { Cart c; c.add(1); }
void broken() {
  Cart c;
  c
    .add(1);
}
void often() {
${"  { Till c; }\n".repeat(20)}  { Cart c; c.add(1); }
}
`,
    `
use:after -> cart:Cart type 0.9
use:after -> cart:Cart.add call 0.7
use:after -> cart:Till type 0.9
use:broken -> cart:Cart type 0.9
use:broken -> cart:Cart.add call 0.7
use:c -> cart:Cart type 0.9
use:c -> cart:Cart.add call 0.7
use:often -> cart:Cart type 0.9
use:often -> cart:Cart.add call 0.7
use:often -> cart:Till type 0.9
`,
  );

  check(
    "members defined outside their class, split namespaces, and bases are resolved",
    `
//- shop/cart.h
#pragma once
#include "base.h"
namespace shop {
class Till;
class Cart : public Base {
 public:
  Cart();
  void put(int n);
 private:
  void check(int n);
  Till* till_;
};
}
//- shop/base.h
namespace shop {
class Base { public: void shared() {} };
class Till { public: void ring() {} };
inline void log_it() {}
}
//- shop/cart.cc
#include "cart.h"
namespace shop {
Cart::Cart() { put(1); }
void Cart::put(int n) { check(n); shared(); till_->ring(); this->check(n); log_it(); }
void Cart::check(int n) {}
}
//- main.cc
#include "shop/cart.h"
using shop::Cart;
void go(shop::Cart& cart, const std::vector<shop::Cart>& all) {
  cart.put(2);
  shop::log_it();
  all.put(3);
}
`,
    `
shop/cart:shop.Cart -> shop/base:shop.Base inherit 0.9
shop/cart:shop -> shop/base:shop.Till type 0.9
shop/cart:shop.Cart.till_ -> shop/base:shop.Till type 0.9
shop/cart:shop.Cart.Cart -> shop/cart:shop.Cart.put call 0.95
shop/cart:shop.Cart.put -> shop/cart:shop.Cart.check call 0.95
shop/cart:shop.Cart.put -> shop/base:shop.Base.shared call 0.9
shop/cart:shop.Cart.put -> shop/base:shop.Till.ring call 0.7
shop/cart:shop.Cart.put -> shop/base:shop.log_it call 0.9
main:go -> shop/cart:shop.Cart type 0.9
main:go -> shop/cart:shop.Cart.put call 0.7
main:go -> shop/base:shop.log_it call 0.9
`,
  );

  check(
    "a member that the smart pointer itself may have is a weak guess",
    `
//- cart.hpp
#include <memory>
class Cart {
 public:
  void reset() {}
  void put() {}
};
//- use.cpp
#include "cart.hpp"
class Use {
  std::unique_ptr<Cart> held;
  Cart plain;
  void keep() {
    held->reset();
    held->put();
  }
  void clear() {
    plain.reset();
  }
  void take(std::shared_ptr<Cart> other) {
    other.reset();
    other->put();
  }
  void look(const ::Cart& cart) {
    cart.put();
  }
};
`,
    `
use:Use.clear -> cart:Cart.reset call 0.7
use:Use.held -> cart:Cart type 0.9
use:Use.keep -> cart:Cart.put call 0.7
use:Use.keep -> cart:Cart.reset call 0.3
use:Use.look -> cart:Cart type 0.9
use:Use.look -> cart:Cart.put call 0.7
use:Use.plain -> cart:Cart type 0.9
use:Use.take -> cart:Cart type 0.9
use:Use.take -> cart:Cart.put call 0.7
use:Use.take -> cart:Cart.reset call 0.3
`,
  );

  check(
    "using in a namespace names what is in it or around it",
    `
//- shop/os.h
namespace shop { namespace details { namespace os { inline bool exists(int n) { return true; } } } }
//- shop/sink.h
#include "shop/os.h"
namespace shop { namespace sinks {
class Sink {
  void open(int n) { using details::os::exists; exists(n); }
};
using namespace details::os;
inline void close() { exists(1); }
} }
`,
    `
shop/sink:shop.sinks.Sink.open -> shop/os:shop.details.os.exists call 0.9
shop/sink:shop.sinks.close -> shop/os:shop.details.os.exists call 0.9
`,
  );

  check(
    "using and aliases bring names of namespaces",
    `
//- shop/cart.h
namespace shop {
namespace detail { int round_up(int n) { return n; } }
class Cart { public: void put(int n) {} };
inline void log_it() {}
enum class Colour { red };
}
namespace other { class Cart {}; class Till {}; }
//- directive.cc
#include "shop/cart.h"
using namespace shop;
Cart* directive(Colour colour) { log_it(); detail::round_up(1); return new Cart(); }
void Cart::put(int n) {}
//- declaration.cc
#include "shop/cart.h"
namespace app {
using shop::Cart;
using ::shop::log_it;
void declaration(Cart& cart) { cart.put(1); log_it(); round_up(1); swap(cart); }
}
//- alias.cc
#include "shop/cart.h"
namespace parts = shop::detail;
void alias() {
  namespace s = shop;
  using shop::log_it;
  parts::round_up(1);
  log_it();
}
//- unseen.cc
using namespace shop;
void unseen(Cart& cart) { log_it(); }
`,
    `
alias:alias -> shop/cart:shop.detail.round_up call 0.8
alias:alias -> shop/cart:shop.log_it call 0.9
declaration:app.declaration -> directive:Cart.put call 0.7
declaration:app.declaration -> shop/cart:shop.Cart type 0.9
declaration:app.declaration -> shop/cart:shop.log_it call 0.9
directive:directive -> shop/cart:shop.Cart call 0.9
directive:directive -> shop/cart:shop.Cart type 0.9
directive:directive -> shop/cart:shop.Colour type 0.9
directive:directive -> shop/cart:shop.detail.round_up call 0.9
directive:directive -> shop/cart:shop.log_it call 0.9
`,
  );

  check(
    "using in a header brings names to what includes it, also as members of its namespace",
    `
//- base.h
namespace base {
class Widget { public: void draw() {} };
inline void helper() {}
inline void hidden() {}
}
namespace deep { inline void opened() {} }
namespace inner { inline void local() {} }
//- app.h
#include "base.h"
namespace app {
using base::Widget;
using base::helper;
using namespace deep;
inline void own() {
  using namespace inner;
  local();
}
}
//- app.cc
#include "app.h"
namespace app {
void show(Widget& w) { w.draw(); helper(); opened(); hidden(); }
}
//- main.cc
#include "app.h"
int main() { app::Widget w; app::helper(); app::opened(); app::hidden(); }
//- unseen.cc
#include "base.h"
void unseen(Widget& w) { helper(); app::helper(); }
`,
    `
app:app.own -> base:inner.local call 0.9
app:app.show -> base:base.Widget type 0.9
app:app.show -> base:base.Widget.draw call 0.7
app:app.show -> base:base.helper call 0.9
app:app.show -> base:deep.opened call 0.9
main:main -> base:base.Widget type 0.9
main:main -> base:base.helper call 0.9
main:main -> base:deep.opened call 0.9
`,
  );

  check(
    "a template, not what specializes it",
    `
//- box.h
template <class T> struct Box : Base<Box<T>> { void open() {} };
template <> struct Box<int> { void shut() {} };
template <class T> void show(T it) {}
template <> void show<int>(int it) {}
inline void own(Box<char>& box) { box.open(); show(1); }
//- more.h
#include "box.h"
struct Mine {};
template <> struct Box<Mine> {};
inline void more(Box<char>& box) { box.open(); }
//- use.cc
#include "more.h"
void use(Box<char>& box) { box.open(); show(1); }
`,
    `
box:own -> box:Box type 1
box:own -> box:Box.open call 0.7
box:own -> box:show call 1
more:Box -> more:Mine type 1
more:more -> box:Box type 0.9
more:more -> box:Box.open call 0.7
use:use -> box:Box type 0.9
use:use -> box:Box.open call 0.7
use:use -> box:show call 0.9
`,
  );
});
