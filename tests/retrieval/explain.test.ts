/** What `explain` answers, on a run that was really made. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Failed } from "../../src/failure.ts";
import { explain } from "../../src/retrieval/explain.ts";
import { type Indexed, indexed } from "../support/indexed.ts";
import { MANY, SHOP } from "./retrieve-fixture.ts";

let shop: Indexed;
let taskId: string;
beforeAll(async () => {
  shop = await indexed({ ...SHOP, ...MANY });
  ({ taskId } = await shop.run("the cart sum is wrong, see `Cart.cart_sum`", { scopeSize: 2 }));
}, 30_000);
afterAll(() => shop[Symbol.dispose]());

const ask = (target: string | null) => explain(shop.log, shop.kb, taskId, target);
const verdicts = (target: string): readonly string[] =>
  ask(target).decisions.map(({ stage, symbol, tier }) => `${stage} ${symbol ?? "file"} ${tier}`);

test("a path: the file first, then its symbols in every stage", () => {
  const found = verdicts("shop/cart.py");
  expect(found[0]).toBe("scope file seed");
  expect(found).toContain("precision Cart.cart_sum primary");
  expect(found).toContain("budget Cart.cart_sum primary");
  expect(verdicts("./shop/cart.py")).toEqual(found);
  expect(verdicts("shop\\cart.py")).toEqual(found);
});

test("a symbol: by its whole name, by its last part, and in one file", () => {
  for (const name of ["Cart.cart_sum", "cart_sum", "shop/cart.py:cart_sum", "shop/cart.py:Cart.cart_sum"])
    expect([name, verdicts(name)]).toEqual([name, ["precision Cart.cart_sum primary", "budget Cart.cart_sum primary"]]);
});

test("what the run did not record is asked again: where it ranks, or that nothing leads to it", () => {
  for (const target of ["mod/part7.py", "turn_part7", "mod/part7.py:turn_part7"]) {
    const { decisions, asked } = ask(target);
    expect([target, decisions.length, asked?.path]).toEqual([target, 0, "mod/part7.py"]);
    expect(asked?.reason).toBe("nothing in it matches the task, and no seed leads to it");
  }
});

test("what the run was told to leave out is said to be left out", async () => {
  const run = await shop.run("the cart sum is wrong", { exclude: ["web/**"] });
  const { asked } = explain(shop.log, shop.kb, run.taskId, "web/format.ts");
  expect([asked?.position, asked?.reason]).toEqual([null, "left out by --include, --exclude or --hint-language"]);
});

test("a whole run, an unknown task, an unknown thing, and no index", () => {
  expect(ask(null).decisions).toEqual([...shop.log.decisions(taskId)]);
  const failing = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof Failed) return error.failure.code;
      throw error;
    }
    return "nothing";
  };
  expect(failing(() => explain(shop.log, shop.kb, "0000000000", null))).toBe("unknown-task");
  expect(failing(() => ask("no/such/file.py"))).toBe("no-match");
  expect(failing(() => ask("__proto__"))).toBe("no-match");
  expect(failing(() => explain(shop.log, null, taskId, "mod/part7.py"))).toBe("no-match");
});
