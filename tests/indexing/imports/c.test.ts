import { describe } from "bun:test";
import { checkEdges } from "./imports-check.ts";

describe("includes in quotes", () => {
  checkEdges(
    "are searched next to the including file first",
    `
//- src/list.c
#include "list.h"
#include "../common/types.h"
#include "./deep/inner.h"
//- src/list.h
//- src/deep/inner.h
//- common/types.h
//- other/list.h
`,
    `
src/list.c -> common/types.h
src/list.c -> src/deep/inner.h
src/list.c -> src/list.h
`,
  );

  checkEdges(
    "can be relative to an include folder of the compiler",
    `
//- db/engine.cc
#include "util/hash.h"
#include "shop/engine.h"
//- util/hash.h
//- include/shop/engine.h
//- tools/run.cpp
#include "hash.h"
`,
    `
db/engine.cc -> include/shop/engine.h
db/engine.cc -> util/hash.h
tools/run.cpp -> util/hash.h
`,
  );

  checkEdges(
    "resolve to the nearest of several files, and to none if several are equally near",
    `
//- one/src/a.c
#include "config.h"
//- one/include/config.h
//- two/src/b.c
#include "config.h"
#include "deep/config.h"
//- two/include/config.h
//- three/c.c
#include "config.h"
//- x/deep/config.h
//- y/deep/config.h
`,
    `
one/src/a.c -> one/include/config.h
two/src/b.c -> two/include/config.h
`,
  );

  checkEdges(
    "never resolve outside the repository, to the file itself, or to files of tests only",
    `
//- src/a.c
#include "../../outside.h"
#include "/etc/a.h"
#include "a.c"
#include "mock.h"
//- tests/mock.h
//- tests/test_a.c
#include "mock.h"
#include "outside.h"
//- lib/outside.h
`,
    `
tests/test_a.c -> lib/outside.h
tests/test_a.c -> tests/mock.h
`,
  );
});

describe("includes in brackets", () => {
  checkEdges(
    "resolve to files of the repository if it has them, never to system headers",
    `
//- include/shop/cart.hpp
#pragma once
//- compat/string.h
//- compat/sys/types.h
//- compat/vector
//- src/main.cpp
#include <shop/cart.hpp>
#include <string.h>
#include <sys/types.h>
#include <vector>
#include <elsewhere/thing.h>
//- compat/beside.c
#include "string.h"
`,
    `
compat/beside.c -> compat/string.h
src/main.cpp -> include/shop/cart.hpp
`,
  );
});
