import { expect, test } from "bun:test";
import { awaitedFirst } from "../../../src/syntax/facts/awaited-first.ts";

test("what is awaited first is a step of the chain", () => {
  expect(awaitedFirst("(await a.b(c))")).toBe("a.b(c).await");
  expect(awaitedFirst("(await (await a()).b()).c()")).toBe("a().await.b().await.c()");
  expect(awaitedFirst('(await a(")")).b')).toBe('a(")").await.b');
});

test("other text stays as it is", () => {
  for (const text of ["", "a.b", "(a)", "(awaited)", "(await a(", "await a()", "a((await b()))"])
    expect(awaitedFirst(text)).toBe(text);
});

test("deep brackets end", () => {
  const text = "(await ".repeat(200);
  expect(awaitedFirst(text)).toBe(text);
});
