/** Macros of C++, and namespaces that they open. */
import { describe } from "bun:test";
import { checkReferences as check } from "../references-check.ts";

describe("C++", () => {
  check(
    "a macro is in no namespace, and one that opens a namespace puts the names after it there",
    `
//- include/shop/base.h
#define SHOP_BEGIN_NAMESPACE \\
  namespace shop {           \\
  inline namespace v1 {
#define SHOP_END_NAMESPACE }}
SHOP_BEGIN_NAMESPACE
class Cart { public: int size() const { return 1; } };
namespace detail {
int total(int x) { return x; }
}
int open(int x) { return detail::total(x); }
SHOP_END_NAMESPACE
namespace checks {
#define CHECK_EQ(a, b) same(a, b)
}
//- src/use.cc
#include "shop/base.h"
using shop::Cart;
int use(const shop::Cart& cart) {
  CHECK_EQ(1, 2);
  other::open(3);
  return cart.size() + shop::open(1) + shop::detail::total(2);
}
int named(Cart& cart) { return cart.size(); }
`,
    `
include/shop/base:open -> include/shop/base:detail.total call 0.9
src/use:named -> include/shop/base:Cart type 0.9
src/use:named -> include/shop/base:Cart.size call 0.7
src/use:use -> include/shop/base:Cart type 0.9
src/use:use -> include/shop/base:Cart.size call 0.7
src/use:use -> include/shop/base:checks.CHECK_EQ call 0.9
src/use:use -> include/shop/base:detail.total call 0.9
src/use:use -> include/shop/base:open call 0.9
`,
  );

  check(
    "a namespace that a macro opens may be written out elsewhere",
    `
//- include/shop/base.h
#define SHOP_BEGIN namespace shop {
SHOP_BEGIN
class Cart { public: int size() const { return 1; } };
int open(int x) { return x; }
}
//- src/inside.cc
#include "shop/base.h"
namespace shop {
template <> struct Key<Cart> { int of(Cart& cart) { return open(cart.size()); } };
}
int inside() { return shop::open(1); }
`,
    `
src/inside:inside -> include/shop/base:open call 0.9
src/inside:shop.Key -> include/shop/base:Cart type 0.9
src/inside:shop.Key.of -> include/shop/base:Cart type 0.9
src/inside:shop.Key.of -> include/shop/base:Cart.size call 0.7
src/inside:shop.Key.of -> include/shop/base:open call 0.9
`,
  );
});
