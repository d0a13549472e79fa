import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("C sources that others include", () => {
  check(
    "a source that another one includes sees what that one includes",
    `
//- src/cart.c
#include "sizes.h"
#include "basic.c"
static int tax(void) { return 1; }
//- src/sizes.h
#define SIZE_OF(x) (x)
static int price(void) { return 2; }
//- src/basic.c
int total(void) { return SIZE_OF(1) + price() + tax() + lost(); }
//- src/alone.c
static int lost(void) { return 3; }
int other(void) { return price(); }
//- tests/test_basic.c
#include "../src/basic.c"
static int lost(void) { return 4; }
`,
    `
src/basic:total -> src/cart:tax call 0.9
src/basic:total -> src/sizes:SIZE_OF call 0.9
src/basic:total -> src/sizes:price call 0.9
`,
  );

  check(
    "a header sees what those that include it include before it, its own source first",
    `
//- src/item.h
struct item { int price; };
//- src/other.h
struct item { int size; };
//- src/cart.h
int cart_total(struct item *first);
struct cart { struct item *first; struct till *till; };
//- src/apart.c
#include "other.h"
#include "cart.h"
//- src/cart.c
#include "item.h"
#include "cart.h"
//- src/lost.h
struct lost { struct item *first; };
//- tests/test_cart.c
struct till { int cash; };
#include "../src/cart.h"
`,
    `
src/cart:cart.first -> src/item:item type 0.9
src/cart:cart_total -> src/item:item type 0.9
`,
  );
});
