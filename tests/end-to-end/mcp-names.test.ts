/** The names that agents copy from elsewhere, as the tool `read` of the compiled binary and searches take them. */
import { expect, test } from "bun:test";
import { SearchAnswer } from "../../src/present/answers.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { runHere } from "../support/run-here.ts";
import { shopRepo } from "../support/shop.ts";

test("read takes places and names as diffs, links, compilers and documentation write them", async () => {
  using repo = shopRepo();
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  const call = (name: string, args: Record<string, unknown>) => callTool(mcp, name, args);
  for (const [what, symbol] of [
    ["b/shop/cart.py", null],
    [`file://${repo.path}/shop/cart.py`, null],
    ["file:///home/me/work/shop/cart.py", null],
    ["C:\\work\\shop\\cart.py", null],
    ["https://github.com/acme/store/blob/main/shop/cart.py", null],
    ["acme::shop::cart::Cart::sum", "Cart.sum"],
    ["github.com/acme/shop/cart.(*Cart).sum", "Cart.sum"],
    ["shop.cart:Cart.sum", "Cart.sum"],
    ["shop.cart.Cart.sum(Item, int)", "Cart.sum"],
    ["Cart.prototype.sum", "Cart.sum"],
  ] as const)
    expect([what, (await call("read", { what })).structured]).toMatchObject([what, { path: "shop/cart.py", symbol }]);
  const linked = await call("read", { what: "https://github.com/acme/store/blob/main/shop/cart.py#L1-L2" });
  expect(linked.structured).toMatchObject({ path: "shop/cart.py", from: 1, to: 2 });
});

test("read shows the only definition outside of tests, and lines outside of a definition without its name", async () => {
  using repo = shopRepo();
  const text = "def ship(cart):\n    return cart\n\n\ndef wrap(cart):\n    return cart\n";
  repo.write({
    "post/ship.py": text,
    "tests/copies/ship.py": text,
    "tests/test_ship.py": "def ship():\n    pass\n",
  });
  const places = ["tests/copies/ship.py:ship", "tests/test_ship.py:ship"];
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  const read = async (args: Record<string, unknown>) => (await callTool(mcp, "read", args)).structured;
  expect(await read({ what: "ship" })).toMatchObject({
    ...{ path: "post/ship.py", symbol: "ship", from: 1, to: 2, text: "def ship(cart):\n    return cart", places },
    note: `tests define the same name: ${places.join(", ")}`,
  });
  expect(await read({ what: "tests/test_ship.py:ship" })).toMatchObject({ path: "tests/test_ship.py", places: [] });
  for (const [from, to, symbol] of [
    [6, 6, "wrap"],
    [4, 6, null],
    [2, 2, null],
  ] as const)
    expect(await read({ what: "post/ship.py:wrap", from, to })).toMatchObject({ from, to, symbol });
});

test("search finds definitions by names with their module, package or path first, and says them once", async () => {
  using repo = shopRepo();
  const first = async (query: string) => {
    const run = await runHere(["search", query, "--json"], { cwd: repo.path });
    const { hits } = SearchAnswer.parse(JSON.parse(run.stdout));
    const places = hits.map(({ path, line, name }) => `${path}:${line} ${name}`);
    expect([query, new Set(places).size]).toEqual([query, places.length]);
    return [hits[0]?.path, hits[0]?.name];
  };
  await runHere(["index"], { cwd: repo.path });
  for (const query of ["shop.cart.Cart.sum", "acme::shop::cart::Cart::sum", "github.com/acme/shop/cart.(*Cart).sum"])
    expect([query, await first(query)]).toEqual([query, ["shop/cart.py", "Cart.sum"]]);
  for (const query of ["shop.price.total", "shop.price:total", "shop/price.py:total", "price.total()"])
    expect([query, await first(query)]).toEqual([query, ["shop/price.py", "total"]]);
  expect(await first("shop/price.py")).toEqual(["shop/price.py", null]);
  expect(await first("total")).toEqual(["shop/price.py", "total"]);
});
