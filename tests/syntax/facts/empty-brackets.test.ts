import { expect, test } from "bun:test";
import { withEmptyBrackets } from "../../../src/syntax/facts/empty-brackets.ts";

test("brackets of calls lose what is in them", () => {
  expect(withEmptyBrackets('Cart.open(a, b(c)).add { it.label() }.add(")", [d])')).toBe("Cart.open().add {}.add()");
  expect(withEmptyBrackets("carts.open().lines")).toBe("carts.open().lines");
  expect(withEmptyBrackets('"(".open(a).add(b)')).toBe('"(".open().add()');
  expect(withEmptyBrackets("Cart.open(b => don't(b), 1).add()")).toBe("Cart.open().add()");
});

test("a text in quotes may end in an escaped backslash", () => {
  expect(withEmptyBrackets(String.raw`path.split("\\").join("/").add(a)`)).toBe("path.split().join().add()");
  expect(withEmptyBrackets(String.raw`path.split("\")").join("/")`)).toBe("path.split().join()");
});

test("an object that is made in brackets needs none", () => {
  expect(withEmptyBrackets("(new Cart(a)).open(b)")).toBe("new Cart().open()");
  expect(withEmptyBrackets("(new shop.Cart).open(b)")).toBe("new shop.Cart().open()");
  expect(withEmptyBrackets("(new Cart(a) ?? b).open(c)")).toBe("(new Cart(a) ?? b).open()");
  expect(withEmptyBrackets("(a ?? b).open(c)")).toBe("(a ?? b).open()");
});

test("a text that ends inside of brackets stays as it is", () => {
  for (const text of ["a(", "a(b(c)", "a().b { c(d)", '"a(', "(".repeat(50_000)])
    expect(withEmptyBrackets(text)).toBe(text);
});
