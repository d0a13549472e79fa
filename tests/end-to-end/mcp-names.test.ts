/** The names that agents copy from elsewhere, as the tool `read` of the compiled binary takes them. */
import { expect, test } from "bun:test";
import { callTool, openMcp } from "../support/mcp-client.ts";
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
