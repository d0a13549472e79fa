import { expect, test } from "bun:test";
import { declaredType, parameterType } from "../../../../src/indexing/references/declarations/declared-types.ts";
import { callChain } from "../../../../src/indexing/references/names/chain-text.ts";
import { nameRules } from "../../../../src/languages/languages.ts";

const shown = (text: string): string | null => {
  const chain = callChain(text);
  if (chain === null) return null;
  return [chain.start.join("."), ...chain.rest.map(({ name, isCalled }) => (isCalled ? `${name}()` : name))].join(" ");
};

test("a chain is its path up to the first call and the names after it", () => {
  expect(shown("make()")).toBe("make");
  expect(shown("new a.Cart(1).open().lines")).toBe("a.Cart open() lines");
  expect(shown("this.a(b(c)).d()")).toBe("this.a d()");
  expect(shown(".App.Cart.make()")).toBe(".App.Cart.make");
  expect(shown('a(")", f(2)) .b()')).toBe("a b()");
  expect(shown("new List<A<B>>(x -> x.y()).<T>c()")).toBe("List c()");
  expect(shown("list.map { it.x() }.last()")).toBe("list.map last()");
  expect(shown("open()?.read()?")).toBe("open read()");
});

test("text that is not a chain, or is truncated, gives none", () => {
  for (const text of ["", ".", "a.b", "(a).b()", "a[0].b()", "a(1, b", "a().b(…", "a()b()", "a() + b()", "a()..b()"])
    expect(shown(text)).toBeNull();
  expect(shown("a(".repeat(20_000))).toBeNull();
});

test("an empty name is declared nowhere", () => {
  for (const language of ["cpp", "go", "kotlin", "typescript"]) {
    expect(parameterType("f(int a, Cart b) c", "", nameRules(language))).toBeUndefined();
    expect(declaredType("f(int a, Cart b) c", "", nameRules(language))).toBeNull();
  }
});
