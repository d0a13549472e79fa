/** What is found in C++: source on the left hand, findings as `render.ts` writes them on the right. */
import { importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("cpp");

finds(
  "definitions of every kind, around macros",
  symbolLines,
  `
//! What a shop needs.
#pragma once
#include <vector>
#include "shop/cart.h"

namespace shop {
inline namespace v1 {
namespace { int hidden; }

enum class Colour : unsigned { red, green };
using Carts = std::vector<Cart>;
template <class T> using List = std::vector<T>;

/**
 * A cart.
 */
template <typename T, REQUIRES(is_item<T>::value)>
class SHOP_API Cart final : public Base<T>, private detail::Other {
  Q_OBJECT
 public:
  Cart() = default;
  explicit Cart(int size) : size_(size), items_{} {}
  Cart(const Cart&) = delete;
  virtual ~Cart();
  /// Adds one.
  [[nodiscard]] bool add(const T& item) const override;
  virtual void clear() = 0;
  static Cart* create(int size) { return new Cart(size); }
  operator bool() const { return size_ > 0; }
  explicit operator const char*() const;
  bool operator==(const Cart& other) const;
  T& operator[](int at) { return items_[at]; }
  friend std::ostream& operator<<(std::ostream& out, const Cart& cart) { return out; }
  friend class Shop;
  struct Line { int count; };
  void locked() SHOP_REQUIRES(mutex_);
  SHOP_SECTION:
  int seen;
 private:
  int size_ = 0, *more_;
  std::vector<T> items_ SHOP_GUARDED_BY(mutex_);
};

template <> struct Cart<int> {};
struct Cart<void>::Line { int total; };
union Value { int i; float f; };
template <class T> concept Item = requires(T t) { t.price(); };
auto twice = [](int a) { return 2 * a; };
constexpr int LIMIT = 3;
SHOP_EXPORT int exported();
}  // namespace v1

template <typename T>
bool Cart<T>::add(const T& item) const { auto local = [] { return 1; }; return true; }

Cart<int>::Cart(int size) : size_(size) {}
Cart<int>::~Cart() {}
v1::Cart<int>::operator bool() const { return true; }
bool Cart<int>::operator==(const Cart& other) const { return true; }
const int* Cart<int>::more() { return nullptr; }
int Cart<int>::count = 0;
void ::shop::global() {}
auto trailing(int a) -> Cart<int> { return {}; }
static void local_only() {}
}  // namespace shop

namespace a::b { void nested(); }
extern "C" { int c_function(void) { return 0; } }
SHOP_BEGIN
class After { int x; };
SHOP_END
TEST(Cart, adds) { EXPECT_EQ(1, 1); }
TEST_CASE("a cart * [adds]") {}
`,
  `
+namespace shop 6-65 namespace shop
+namespace shop.v1 7-51 inline namespace v1
+variable shop.v1.hidden 8-8 int hidden
+enum shop.v1.Colour 10-10 enum class Colour : unsigned
+property shop.v1.Colour.red 10-10 red
+property shop.v1.Colour.green 10-10 green
+type_alias shop.v1.Carts 11-11 using Carts = std::vector<Cart>
+type_alias shop.v1.List 12-12 using List = std::vector<T>
+class shop.v1.Cart 14/17-42@18 class SHOP_API Cart final : public Base<T>, private detail::Other «plain: A cart.»
+method shop.v1.Cart.Cart 21-21 Cart() = default
+method shop.v1.Cart.Cart 22-22 explicit Cart(int size) : size_(size), items_{}
+method shop.v1.Cart.Cart 23-23 Cart(const Cart&) = delete
+method shop.v1.Cart.~Cart 24-24 virtual ~Cart()
+method shop.v1.Cart.add 25/26-26 bool add(const T& item) const override «plain: Adds one.»
+method shop.v1.Cart.clear 27-27 virtual void clear() = 0
+method shop.v1.Cart.create 28-28 static Cart* create(int size)
+method shop.v1.Cart.operator bool 29-29 operator bool() const
+method shop.v1.Cart.operator const char* 30-30 explicit operator const char*() const
+method shop.v1.Cart.operator== 31-31 bool operator==(const Cart& other) const
+method shop.v1.Cart.operator[] 32-32 T& operator[](int at)
+method shop.v1.Cart.operator<< 33-33 std::ostream& operator<<(std::ostream& out, const Cart& cart)
+class shop.v1.Cart.Line 35-35 struct Line
+property shop.v1.Cart.Line.count 35-35 int count
+method shop.v1.Cart.locked 36-36 void locked() SHOP_REQUIRES(mutex_)
+property shop.v1.Cart.seen 38-38 int seen
-property shop.v1.Cart.size_ 40-40 int size_ = 0, *more_
-property shop.v1.Cart.more_ 40-40 int size_ = 0, *more_
-property shop.v1.Cart.items_ 41-41 std::vector<T> items_ SHOP_GUARDED_BY(mutex_)
+class shop.v1.Cart 44-44 struct Cart<int>
+class shop.v1.Cart.Line 45-45 struct Cart<void>::Line
+property shop.v1.Cart.Line.total 45-45 int total
+class shop.v1.Value 46-46 union Value
+property shop.v1.Value.i 46-46 int i
+property shop.v1.Value.f 46-46 float f
+interface shop.v1.Item 47-47 concept Item = requires(T t) { t.price(); }
+function shop.v1.twice 48-48 auto twice = [](int a)
+variable shop.v1.LIMIT 49-49 constexpr int LIMIT = 3
+function shop.v1.exported 50-50 int exported()
+method shop.Cart.add 53-54@54 bool Cart<T>::add(const T& item) const
+method shop.Cart.Cart 56-56 Cart<int>::Cart(int size) : size_(size)
+method shop.Cart.~Cart 57-57 Cart<int>::~Cart()
+method shop.v1.Cart.operator bool 58-58 v1::Cart<int>::operator bool() const
+method shop.Cart.operator== 59-59 bool Cart<int>::operator==(const Cart& other) const
+method shop.Cart.more 60-60 const int* Cart<int>::more()
+variable shop.Cart.count 61-61 int Cart<int>::count = 0
+method shop.shop.global 62-62 void ::shop::global()
+function shop.trailing 63-63 auto trailing(int a) -> Cart<int>
-function shop.local_only 64-64 static void local_only()
+namespace a.b 67-67 namespace a::b
+function a.b.nested 67-67 void nested()
+function c_function 68-68 int c_function(void)
+class After 70-70 class After
+property After.x 70-70 int x
+function Cart.adds 72-72 TEST(Cart, adds)
+function a cart * [adds] 73-73 TEST_CASE("a cart * [adds]")
`,
);

finds(
  "no function for a variable of one",
  symbolLines,
  `
void Cart::add(Item& item) {
  std::lock_guard<std::mutex> lock(mutex_);
  Item copy(item);
}
`,
  `
+method Cart.add 1-4 void Cart::add(Item& item)
`,
);

finds(
  "tests by what their reports call them",
  symbolLines,
  `
TEST(Cart, adds)  // one
{
}
TEST_F(CartTest, removes) {}
TYPED_TEST(Numbers, wraps) {}
namespace shop {
  TEST_CASE_METHOD(shop::Fixture, "a \\"full\\" cart (all of it)",
                   "[cart][.]")
  {
    check();
  }
  SCENARIO( "carts can be emptied", "[cart]" ) {}
}
TEMPLATE_TEST_CASE("numbers", "[tag]", int,
                   (std::tuple<int, float>)) {}
TEST_SUITE("till") {
  TEST_CASE_FIXTURE(Till, "rings") { ring(); }
}
TEST_CASE() {}
BOOST_AUTO_TEST_SUITE(carts)
BOOST_FIXTURE_TEST_CASE(holds, Fixture) {}
BOOST_AUTO_TEST_CASE(empties, * utf::label("slow")) {}
BOOST_AUTO_TEST_SUITE_END()
`,
  `
+function Cart.adds 1-3 TEST(Cart, adds)
+function CartTest.removes 4-4 TEST_F(CartTest, removes)
+function Numbers.wraps 5-5 TYPED_TEST(Numbers, wraps)
+namespace shop 6-13 namespace shop
+function shop.a \\"full\\" cart (all of it) 7-11 TEST_CASE_METHOD(shop::Fixture, "a \\"full\\" cart (all of it)", "[cart][.]")
+function shop.carts can be emptied 12-12 SCENARIO("carts can be emptied", "[cart]")
+function numbers 14-15 TEMPLATE_TEST_CASE("numbers", "[tag]", int, (std::tuple<int, float>))
+function rings 17-17 TEST_CASE_FIXTURE(Till, "rings")
+function TEST_CASE 19-19 TEST_CASE()
+function holds 21-21 BOOST_FIXTURE_TEST_CASE(holds, Fixture)
+function empties 22-22 BOOST_AUTO_TEST_CASE(empties, * utf::label("slow"))
`,
);

finds(
  "a specialization with arguments on lines of their own",
  symbolLines,
  `
template <typename T>
struct use_format_as<
    T, bool_constant<std::is_arithmetic<format_as_result<T>>::value>>
    : std::true_type {};
`,
  `
+class use_format_as 1-4@2 struct use_format_as<T, bool_constant<std::is_arithmetic<format_as_result<T>>::value>> : std::true_type
`,
);

finds(
  "macros for try and catch, and lists in decltype",
  symbolLines,
  `
namespace shop {
class Cart {
  void save(bool all) {
    SHOP_TRY
    {
      write(all, [this](const Cart& it)
      {
        return it.parent == this;
      });
    }
    SHOP_CATCH (const std::exception& e) {} // never
    SHOP_TRY {
      write();
    }
    SHOP_LOG_CATCH(this)
  }
  void load() {}
};
template <class J, class T>
auto read(const J& j, T& value)
-> decltype(
    value.reserve(std::declval<std::map<J, T>>(), "👍"),
    j.template get<T>(),
    void())
{
  for (auto it : j)
  {
    value.add(it);
  }
}
int after();
}
`,
  `
+namespace shop 1-32 namespace shop
+class shop.Cart 2-18 class Cart
+method shop.Cart.save 3-16 void save(bool all)
+method shop.Cart.load 17-17 void load()
+function shop.read 19-30@20 auto read(const J& j, T& value) -> decltype(value.reserve(std::declval<std::map<J, T>>(), "👍"), j.template get<T>(), void())
+function shop.after 31-31 int after()
`,
);

finds(
  "templates with a macro before the type, or on a line of its own",
  symbolLines,
  `
template <typename T>
SHOP_INLINE Cart<T>::Cart(int size)
    : size_(size) {}

// Adds one.
template <typename T>
SHOP_INLINE int Cart<T>::add(int item) {
  return item;
}
template <typename T>
SHOP_ALWAYS_INLINE
void Cart<T>::clear() {}
`,
  `
+method Cart.Cart 1-3@2 Cart<T>::Cart(int size) : size_(size)
+method Cart.add 5/6-9@7 int Cart<T>::add(int item)
+method Cart.clear 10-12@12 void Cart<T>::clear()
`,
);

finds(
  "uses of names",
  referenceLines,
  `
namespace a { class Base {}; int helper(int); }
class Shop : public a::Base, private T<int>, ns::x::Q<Shop> {
 public:
  Shop() : a::Base(), y_(helper()) { init(); this->run(); obj.go().stop(); p->q.r(); }
  std::vector<a::b::Type> v;
  Foo* f(const Bar& b) { auto x = new a::Thing(1); return static_cast<Foo*>(x); }
  int g() { a::b::c::deep(); ::global(); a::tmpl<Foo>(1); S<int>::make(); return Foo{1}.x; }
};
static void cb(int) {}
void reg() { on("x", cb); auto m = &cb; std::make_unique<Shop>(); Shop d(1); (Old*)p; }
`,
  `
inherit a . Base in Shop
inherit T in Shop
inherit ns.x . Q in Shop
type Shop in Shop
call helper in Shop.Shop
call init in Shop.Shop
call this . run in Shop.Shop
call obj . go in Shop.Shop
call obj.go() . stop in Shop.Shop
call p.q . r in Shop.Shop
type std . vector in Shop.v
type b . Type in Shop.v
type Foo in Shop.f
type Bar in Shop.f
call a . Thing in Shop.f
call a.b.c . deep in Shop.g
call global in Shop.g
call a . tmpl in Shop.g
type Foo in Shop.g
call S . make in Shop.g
call Foo in Shop.g
call on in reg
call cb in reg
call std . make_unique in reg
type Shop in reg
type Old in reg
`,
);

finds(
  "included files",
  importLines,
  `
#include <vector>
#include "shop/cart.h"
using namespace shop::v1;
namespace app {
using shop::Cart;
using ::log_it;
void f() { using std::swap; using namespace std; }
}
`,
  `
1 import <vector> *
2 import shop/cart.h *
3 import shop::v1 *>
5 import shop::Cart Cart
6 import ::log_it log_it
7 import std::swap swap
7 import std *>
`,
);

finds(
  "the value of a pointer without a name ends no class",
  symbolLines,
  `
namespace bench {
    template <typename T, bool Destruct>
    struct Storage {
        void construct(int n) { make(n); }

    private:
        // Only if it was made.
        template <typename U>
        void destroy(std::enable_if_t<Destruct, U>* = nullptr) { end<true>(); }
        template <typename U>
        void destroy(std::enable_if_t<!Destruct, U>* = nullptr) { }

#if defined( __GNUC__ ) && __GNUC__ <= 6
#    pragma GCC diagnostic push
#endif
        T& object() { return *data; }
#if defined( __GNUC__ ) && __GNUC__ <= 6
#    pragma GCC diagnostic pop
#endif
        T* data;
    };
}
void copy(const char* = NULL, int = 0);
`,
  `
+namespace bench 1-22 namespace bench
+class bench.Storage 2-21@3 struct Storage
+method bench.Storage.construct 4-4 void construct(int n)
-method bench.Storage.destroy 7/8-9@9 void destroy(std::enable_if_t<Destruct, U>* = nullptr)
-method bench.Storage.destroy 10-11@11 void destroy(std::enable_if_t<!Destruct, U>* = nullptr)
-method bench.Storage.object 16-16 T& object()
-property bench.Storage.data 20-20 T* data
+function copy 23-23 void copy(const char* = NULL, int = 0)
`,
);
