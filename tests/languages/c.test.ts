/** What is found in C: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { withoutCasts, withoutMacros } from "../../src/languages/c/macros.ts";
import { C_GRAMMAR } from "../../src/languages/c/syntax.ts";
import { commentLines, importLines, referenceLines, symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

const finds = findingsIn("c");

finds(
  "definitions of every kind, around macros and conditions",
  symbolLines,
  `
/** A file about lists. */
#include "list.h"
#include <sys/types.h>
# include <json/parser.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIMIT 10
#define EMPTY
#define MAX(a, b) \\
  ((a) > (b) ? (a) : (b))

/*! A node. */
typedef struct node {
  int value; /**< of it */
  struct node *next, **all;
  int (*compare)(const void *, const void *);
  union { long l; char c[4]; } as;
} node;
typedef struct { int x; } Point, *PointPtr;
typedef struct tag { int y; } Tagged;
typedef enum { RED, GREEN } Colour;
typedef int (*callback)(int);
typedef unsigned long size, sizes[3];
enum { ONE = 1, TWO };
enum state {
  OPEN,
  CLOSED
};
union number { int i; float f; };
struct forward;

static const char *names[] = { "a", "b" };
extern int errors;
int (*handler)(int) = NULL;
int a, *b, c[3];

/// Makes one.
/// In two lines.
node *node_new(int value);
int unused(void);

static node *
node_new_at(int value, /* where */ int at)
{
  int local = value;
  struct inner { int z; };
  return NULL;
}

// No documentation.
node *node_new(int value) { return node_new_at(value, 0); }

int old_style(a, b)
  int a;
  char *b;
{
  return a;
}

char **two(void) { return 0; }
int (*signal(int sig))(int) { return 0; }
static inline int fast(void) { return 1; }
JSON_API(int) json_run(void) { return 0; }
EXPORT_API int exported_run(void) { return 0; }
STATIC implicit(int a) { return a; }
__attribute__((noinline)) int slow(void) { return 0; }
int CALL_STYLE main(int argc, char **argv) { return 0; }
LIBRARY_BEGIN
void between(void) {}
TEST(Suite, works)
{
  between();
}
static ALLOCATOR(my_alloc) { return 0; }

#ifdef WINDOWS
int platform(void) { return 1; }
#else
int platform(void) { return 2; }
#endif

int branches(int x)
{
#if LIMIT > 5
  if (x > 5) {
#else
  if (x > LIMIT) {
#endif
    return 1;
  }
  return 0;
}

int after(void) { return 0; }
#ifdef __cplusplus
}
#endif
`,
  `
+variable LIMIT 10-10 #define LIMIT 10
+function MAX 12-13 #define MAX(a, b)
+class node 15/16-21 typedef struct node «plain: A node.»
+property node.value 17-17 int value
+property node.next 18-18 struct node *next, **all
+property node.all 18-18 struct node *next, **all
+property node.compare 19-19 int (*compare)(const void *, const void *)
+property node.as 20-20 union { long l; char c[4]; } as
+property node.l 20-20 long l
+property node.c 20-20 char c[4]
+class Point 22-22 typedef struct Point
+property Point.x 22-22 int x
+type_alias Point.PointPtr 22-22 *PointPtr
+class tag 23-23 typedef struct tag
+property tag.y 23-23 int y
+type_alias Tagged 23-23 Tagged
+enum Colour 24-24 typedef enum Colour
+property Colour.RED 24-24 RED
+property Colour.GREEN 24-24 GREEN
+type_alias callback 25-25 typedef int (*callback)(int)
+type_alias size 26-26 typedef unsigned long size, sizes[3]
+type_alias sizes 26-26 typedef unsigned long size, sizes[3]
+variable ONE 27-27 ONE = 1
+variable TWO 27-27 TWO
+enum state 28-31 enum state
+property state.OPEN 29-29 OPEN
+property state.CLOSED 30-30 CLOSED
+class number 32-32 union number
+property number.i 32-32 int i
+property number.f 32-32 float f
-variable names 35-35 static const char *names[] = { "a", "b" }
+variable errors 36-36 extern int errors
+variable handler 37-37 int (*handler)(int) = NULL
+variable a 38-38 int a, *b, c[3]
+variable b 38-38 int a, *b, c[3]
+variable c 38-38 int a, *b, c[3]
+function unused 43-43 int unused(void)
-function node_new_at 45-51@46 static node * node_new_at(int value, int at)
-class node_new_at.inner 49-49 struct inner
-property node_new_at.inner.z 49-49 int z
+function node_new 53/54-54 node *node_new(int value)
+function old_style 56-61 int old_style(a, b) int a; char *b
+function two 63-63 char **two(void)
+function signal 64-64 int (*signal(int sig))(int)
+function fast 65-65 static inline int fast(void)
+function json_run 66-66 JSON_API(int) json_run(void)
+function exported_run 67-67 int exported_run(void)
+function implicit 68-68 STATIC implicit(int a)
+function slow 69-69 __attribute__((noinline)) int slow(void)
+function main 70-70 int CALL_STYLE main(int argc, char **argv)
+function between 72-72 void between(void)
+function Suite.works 73-76 TEST(Suite, works)
-function my_alloc 77-77 static ALLOCATOR(my_alloc)
+function platform 80-80 int platform(void)
+function platform 82-82 int platform(void)
+function branches 85-95 int branches(int x)
+function after 97-97 int after(void)
`,
);

finds(
  "uses of names, including functions as values",
  referenceLines,
  `
typedef struct node node;
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static struct command table[] = { { "get", compare }, { .run = compare } };
int run(node *n, struct tree *t) {
  enum state s = t->root.state;
  qsort(n, 1, sizeof(*n), compare);
  t->ops->close(n);
  n->next = compare;
  return (int)((other *)n)->x + MAX(1, 2);
}
`,
  `
type node in node
call strcmp in compare
type command in table
call compare in table
type node in run
type tree in run
type state in run
call qsort in run
call compare in run
call t.ops . close in run
type other in run
call MAX in run
`,
);

finds(
  "included files as written",
  importLines,
  `
#include "list.h"
# include <sys/types.h>
#include CONFIG_HEADER
#if A
#include "../a/b.h" // for b
#endif
`,
  `
1 import list.h *
2 import <sys/types.h> *
5 import ../a/b.h *
`,
);

finds(
  "comments, and the symbols they belong to",
  commentLines,
  `
/* Copyright 2020 Somebody. */

// Belongs to run,
// in two lines.
int run(void) {
  /* TODO: more */
  return 1; // trailing
}
`,
  `
1-1 general: Copyright 2020 Somebody.
3-4 general in run: Belongs to run,⏎in two lines.
6-6 todo in run: TODO: more
7-7 general in run: trailing
`,
);

test("a header is C++ if its text is", async () => {
  const kinds = async (text: string): Promise<readonly string[]> =>
    (await symbolLines("c", text)).map((line) => line.split(" ", 2).join(" "));
  expect(await kinds("namespace a {\nclass B { void c(); };\n}\n")).toEqual([
    "+namespace a",
    "+class a.B",
    "+method a.B.c",
  ]);
  expect(await kinds("template <class T>\nT twice(T value);\n")).toEqual(["+function twice"]);
  expect(await kinds("/*\n * class of things\n * namespace of names\n */\nint class(int new);\n")).toEqual([
    "+function class",
  ]);
});

finds(
  "a list split by a preprocessor condition is read completely, and so is what follows",
  symbolLines,
  `
static struct entry entries[] = {
  { "a", 1 },
#ifdef WITH_B
  { "b", 2 },
#endif
#include "entries.inc"
};
void call(int a,
#ifdef WITH_B
          int b,
#else
          long b,
#endif
          int c) { }
void after(void) { }
#if 0
void never(void) {
#endif
int last;
`,
  `
-variable entries 1-7 static struct entry entries[] = { { "a", 1 }, #ifdef WITH_B { "b", 2 }, #endif #include "entries.inc" }
+function call 8-14 void call(int a, #ifdef WITH_B int b, #else long b, #endif int c)
+function after 15-15 void after(void)
+variable last 19-19 int last
`,
);

test("hostile text is read to its end and keeps its length", async () => {
  const texts = [
    "#if A\n{\n#else\n}\n".repeat(5_000),
    "#if A\n{\n".repeat(5_000) + "#endif\n".repeat(5_000),
    `${"AAA(".repeat(240)}\n`.repeat(100),
    `class A <${"<".repeat(900)}\n`.repeat(100),
    `operator ${"a b".repeat(300)}\n`.repeat(100),
    `x ${")const".repeat(150)} AAA\n`.repeat(100),
    `${"AAA ".repeat(100)}${") AAA ".repeat(90)};\n`.repeat(100),
    `class${" ".repeat(100_000)}(`,
    `namespace${" ".repeat(100_000)}(`,
    'R"(\n'.repeat(5_000),
  ];
  for (const text of texts) {
    expect(withoutCasts(withoutMacros(text))).toHaveLength(text.length);
    expect(C_GRAMMAR.dialect?.(text)).toBeNull();
  }
});

finds(
  "a struct whose fields are macros",
  symbolLines,
  `
struct tcp {
  HANDLE_FIELDS
  STREAM_FIELDS
};
EXPORT int tcp_init(struct tcp* handle);
typedef enum {
  SUPPORTED,
  UNSUPPORTED
} state;
enum one {
  ONLY
};
`,
  `
+class tcp 1-4 struct tcp
+function tcp_init 5-5 int tcp_init(struct tcp* handle)
+enum state 6-9@9 typedef enum state
+property state.SUPPORTED 7-7 SUPPORTED
+property state.UNSUPPORTED 8-8 UNSUPPORTED
+enum one 10-12 enum one
+property one.ONLY 11-11 ONLY
`,
);

finds(
  "tests by what their reports call them",
  symbolLines,
  `
static int calls;

TEST_IMPL(close_order) {
  int a = 1;
  return a;
}
START_TEST(alpha)
{
}
TEST(Suite, wraps) {}
RB_GENERATE(tree) {}
`,
  `
-variable calls 1-1 static int calls
+function close_order 3-6 TEST_IMPL(close_order)
+function alpha 7-9 START_TEST(alpha)
+function Suite.wraps 10-10 TEST(Suite, wraps)
+function RB_GENERATE 11-11 RB_GENERATE(tree)
`,
);
