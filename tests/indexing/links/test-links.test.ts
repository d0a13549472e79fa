/** Links of many tests come back as they were kept. */
import { expect, test } from "bun:test";
import { type TestLink, testLinkList } from "../../../src/indexing/links/test-links.ts";

const FILES = ["cart.py", "sum.py", "test_cart.py", "test_sum.py"].map((path) => ({ path }));
const POSITIONS = new Map(FILES.map(({ path }, at) => [path, at]));

test("links of several tests, and of one that has none", () => {
  const list = testLinkList(FILES, POSITIONS);
  const cart: readonly TestLink[] = [
    { test: "test_cart.py", source: "cart.py", score: 1, by: "name,import,reference" },
    { test: "test_cart.py", source: "sum.py", score: 0.083333, by: "import" },
  ];
  const sum: readonly TestLink[] = [{ test: "test_sum.py", source: "sum.py", score: 0.6, by: "name,reference" }];
  list.set(2, cart);
  list.set(1, []);
  list.set(3, sum);
  expect([2, 1, 3, 0].map(list.get)).toEqual([cart, [], sum, undefined]);
});
