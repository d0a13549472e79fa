/** Stack frames resolved to files and symbols, in five languages and from other machines. */
import { describe, expect, test } from "bun:test";
import { withFrames } from "../../../src/retrieval/refinement/failure-frames.ts";
import { NO_CONSTRAINTS, type RefinementRequest } from "../../../src/retrieval/requests/refinement.ts";
import { type FixtureFile, knowledgeOf } from "../../support/knowledge.ts";

const file = (...names: readonly string[]): FixtureFile => ({
  text: "x\n".repeat(100),
  symbols: names.map((name, at) => ({ name, kind: "function", lines: [1 + 10 * at, 9 + 10 * at] })),
});

const KB = knowledgeOf({
  files: {
    "README.md": "x",
    "cmd/server/main.go": file("main", "handle"),
    "crates/core/src/lib.rs": file("parse", "read_all"),
    "java/src/main/java/com/shop/Cart.java": file("Cart", "add"),
    "shop/__init__.py": file("create_app"),
    "shop/cart.py": file("cart_sum", "clear"),
    "web/__init__.py": file("start"),
    "web/src/cart.ts": file("sum", "render"),
    "o\\d/x/slashes.py": file("odd"),
    "be\x07l/x/controls.py": file("odd"),
    "src/json/encoder.py": file("encode"),
    "src/lonely.py": file("alone"),
    "index.js": file("serve"),
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`deep/part_${at}.py`, file(`f_${at}`, `g_${at}`)])),
  },
});

const missed = (text: string, request: RefinementRequest = {}, standing = {}) => {
  const { request: found, notices } = withFrames(request, { text }, KB, { ...NO_CONSTRAINTS, ...standing });
  const unplaced = notices.flatMap((notice) => (notice.code === "trace-unplaced" ? notice.paths : [notice.code]));
  return { ...found, unplaced };
};

describe("frames of", () => {
  test.each([
    [
      "Python in a container, the deepest last",
      'File "/usr/lib/python3.12/runpy.py", line 9, in run\n  File "/app/shop/__init__.py", line 2, in create_app\n  File "/app/shop/cart.py", line 12, in clear',
      ["shop/__init__.py", "shop/cart.py"],
      ["shop/__init__.py:create_app", "shop/cart.py:clear"],
    ],
    ["Python on Windows", 'File "C:\\Users\\ci\\shop\\cart.py", line 95, in <module>', ["shop/cart.py"], []],
    [
      "an installed package",
      'File "/venv/lib/python3.12/site-packages/shop/cart.py", line 3, in cart_sum',
      ["shop/cart.py"],
      ["shop/cart.py:cart_sum"],
    ],
    [
      "Node",
      "TypeError: x\n    at render (file:///srv/build/web/src/cart.ts:14:3)\n    at Module._compile (node:internal/modules/cjs/loader:1105:14)",
      ["web/src/cart.ts"],
      ["web/src/cart.ts:render"],
    ],
    [
      "Java",
      'Exception in thread "main" java.lang.NullPointerException\n\tat com.shop.Cart.add(Cart.java:12)\n\tat java.base/java.lang.Thread.run(Thread.java:840)',
      ["java/src/main/java/com/shop/Cart.java"],
      ["java/src/main/java/com/shop/Cart.java:add"],
    ],
    [
      "Go",
      "panic: boom\n\ngoroutine 1 [running]:\nmain.handle(0xc000010250)\n\t/home/ci/go/src/x/cmd/server/main.go:12 +0x1d\nmain.main()\n\t/home/ci/go/src/x/cmd/server/main.go:3 +0x20",
      ["cmd/server/main.go"],
      ["cmd/server/main.go:handle", "cmd/server/main.go:main"],
    ],
    [
      "Rust",
      "thread 'main' panicked at crates/core/src/lib.rs:3:9:\nboom\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:652:5\n   1: core::parse::read_all\n             at ./crates/core/src/lib.rs:13:5",
      ["crates/core/src/lib.rs"],
      ["crates/core/src/lib.rs:parse", "crates/core/src/lib.rs:read_all"],
    ],
  ])("%s", (_, text, files, symbols) => {
    const { missing_files = [], missing_symbols = [], unplaced } = missed(`\`\`\`\n${text}\n\`\`\``);
    expect([missing_files, missing_symbols, unplaced]).toEqual([files, symbols, []]);
  });
});

test("a text without frames changes nothing and gives no notice", () => {
  expect(missed("shop/cart.py is wrong", { missing_files: ["a"] })).toEqual({ missing_files: ["a"], unplaced: [] });
});

test("unmatched frames are reported; those of libraries only if no other frame matches", () => {
  const library = 'File "/usr/lib/python3.12/site-packages/web/serving.py", line 1, in run';
  const known = 'File "/app/shop/cart.py", line 1, in cart_sum';
  expect(missed(`${library}\n${known}\nFile "/app/shop/gone.py", line 1, in f`).unplaced).toEqual([
    "/app/shop/gone.py",
  ]);
  expect(missed(library)).toEqual({ unplaced: ["/usr/lib/python3.12/site-packages/web/serving.py"] });
});

test.each([
  ["that could be several files", "__init__.py"],
  ["that no request can name", "/a/x/slashes.py"],
  ["that no line can hold", "/a/x/controls.py"],
  ["of the standard library", "/usr/lib/python3.12/json/encoder.py"],
  ["of another package", "/venv/lib/python3.12/site-packages/other/json/encoder.py"],
  ["of a package of npm", "/app/node_modules/express/index.js"],
  ["of which the name alone agrees", "/elsewhere/lonely.py"],
])("a path %s is not required", (_, path) => {
  const found = missed(`File "${path}", line 2, in odd`);
  expect([found.missing_files, found.missing_symbols]).toEqual([undefined, undefined]);
});

test.each([
  ["/ci/build/src/lonely.py", "src/lonely.py"],
  ["/app/index.js", "index.js"],
  ["lonely.py", "src/lonely.py"],
  ["/usr/src/app/shop/cart.py", "shop/cart.py"],
])("%s is %s", (path, named) => {
  expect(missed(`File "${path}", line 95, in <module>`).missing_files).toEqual([named]);
});

test("only the deepest frames of a long trace count", () => {
  const trace = Array.from({ length: 12 }, (_, at) => [
    `File "/a/deep/part_${at}.py", line 2, in f_${at}`,
    `File "/a/deep/part_${at}.py", line 12, in g_${at}`,
  ]).flat();
  const { missing_files, missing_symbols = [] } = missed(trace.join("\n"));
  expect(missing_files).toEqual([
    "deep/part_10.py",
    "deep/part_11.py",
    "deep/part_7.py",
    "deep/part_8.py",
    "deep/part_9.py",
  ]);
  expect(missing_symbols).toHaveLength(8);
  expect(missing_symbols).toEqual(expect.arrayContaining(["deep/part_11.py:g_11", "deep/part_8.py:f_8"]));
});

test("rejected files and left out symbols stay out, from this request or earlier ones", () => {
  const trace = 'File "/a/deep/part_1.py", line 2, in f_1\nFile "/a/shop/cart.py", line 2, in cart_sum';
  const kept = { missing_files: ["deep/part_1.py"], missing_symbols: ["deep/part_1.py:f_1"], unplaced: [] };
  expect(missed(trace, {}, { rejected_files: ["shop/cart.py"] })).toEqual(kept);
  expect(missed(trace, { rejected_files: ["shop/cart.py"] })).toEqual({ ...kept, rejected_files: ["shop/cart.py"] });
  for (const [request, standing] of [
    [{ left_out: ["shop/cart.py:cart_sum"] }, {}],
    [{}, { left_out: ["shop/cart.py:cart_sum"] }],
  ] as const)
    expect(missed(trace, { ...request, left_out: [...(request.left_out ?? [])] }, standing)).toMatchObject({
      missing_files: ["deep/part_1.py", "shop/cart.py"],
      missing_symbols: ["deep/part_1.py:f_1"],
    });
});

test("the request keeps its own names", () => {
  const request: RefinementRequest = { reason: "why", missing_files: ["README.md"], error_signatures: ["b", "a"] };
  expect(missed('File "/a/shop/cart.py", line 2, in cart_sum', request)).toEqual({
    reason: "why",
    missing_files: ["README.md", "shop/cart.py"],
    missing_symbols: ["shop/cart.py:cart_sum"],
    error_signatures: ["b", "a"],
    unplaced: [],
  });
});
