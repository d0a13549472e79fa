import { expect, test } from "bun:test";
import fc from "fast-check";
import { extendedMatch, Fzf } from "fzf";
import { fuzzyOf } from "../../../../src/tui/state/lists/fuzzy.ts";

const NAMES = ["src/cart.ts", "src/cart-view.tsx", "src/price.ts", "tests/cart.test.ts", "docs/Émile.md", "SRC/Big.ts"];

const found = (query: string): readonly (string | undefined)[] =>
  fuzzyOf(NAMES)
    .matching(query)
    .map((at) => NAMES[at]);

test.each([
  ["cart", ["src/cart.ts", "src/cart-view.tsx", "tests/cart.test.ts"]],
  ["'price", ["src/price.ts"]],
  ["^tests", ["tests/cart.test.ts"]],
  [".tsx$", ["src/cart-view.tsx"]],
  ["cart !tests !view", ["src/cart.ts"]],
  ["price | view", ["src/cart-view.tsx", "src/price.ts"]],
  ["^src/price.ts$", ["src/price.ts"]],
  ["Big", ["SRC/Big.ts"]],
  ["emile", ["docs/Émile.md"]],
  ["", NAMES],
  ["!", NAMES],
  ["nothing like it", []],
] as const)("%s", (query, names) => expect(found(query)).toEqual([...names]));

test("the best match comes first, with its matched characters", () => {
  const { count, best } = fuzzyOf(NAMES).search("cart", 2);
  expect(count).toBe(3);
  expect(best.map(({ index, at }) => [NAMES[index], at.map((place) => NAMES[index]?.[place]).join("")])).toEqual([
    ["src/cart.ts", "cart"],
    ["src/cart-view.tsx", "cart"],
  ]);
});

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abAB/._- 1é"), minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."ab/"), minLength: 1, maxLength: 6 }),
);
const query = fc.string({ unit: fc.constantFrom(..."aabbAB/. |!^$'1"), maxLength: 8 });

/** What fzf says. Its search for an empty query is another one, which gives everything. */
const byFzf = (names: readonly string[], typed: string): readonly number[] =>
  new Fzf(
    names.map((_, at) => at),
    { match: extendedMatch, selector: (at: number) => names[at] ?? "" },
  )
    .find(typed)
    .map(({ item }) => item)
    .toSorted((a, b) => a - b);

test("it matches the same names as fzf", () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), query, (names, typed) => {
      expect(fuzzyOf(names).matching(typed)).toEqual(byFzf(names, typed));
    }),
    { numRuns: 1_000 },
  );
});

test("a query typed letter by letter gives the same matches as at once", () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), fc.array(query, { maxLength: 3 }), (names, queries) => {
      const typing = fuzzyOf(names);
      for (const typed of queries)
        for (let length = 0; length <= typed.length; length += 1)
          expect(typing.matching(typed.slice(0, length))).toEqual(fuzzyOf(names).matching(typed.slice(0, length)));
    }),
  );
});

test("among very many names, fzf's best match is found", () => {
  const words = ["src", "cart", "view", "model", "test", "price", "index", "render"];
  const many = Array.from({ length: 3_000 }, (_, at) => {
    const parts = Array.from(
      { length: 3 + (at % 3) },
      (_none, place) => words[(at * 7 + place * (1 + (at % 5))) % words.length],
    );
    return `${parts.join("/")}-${at}.ts`;
  });
  for (const typed of ["cart", "crtvw", "'render price", "tst9", "model !src"]) {
    const [first] = new Fzf(many, { match: extendedMatch, forward: false, limit: 1 }).find(typed);
    const best = fuzzyOf(many)
      .search(typed, 50)
      .best.map(({ index }) => many[index]);
    const score = (one: string | undefined) =>
      new Fzf([one ?? ""], { match: extendedMatch, forward: false }).find(typed)[0]?.score;
    expect(score(best[0])).toBe(first?.score);
  }
});
