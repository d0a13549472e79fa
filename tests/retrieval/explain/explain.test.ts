/** `explain` on a recorded run. */
import { expect, test } from "bun:test";
import type { RawLog } from "../../../src/db/raw-log/raw-log.ts";
import { Failed } from "../../../src/failure.ts";
import { explain } from "../../../src/retrieval/explain/explain.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { MANY, SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed({ ...SHOP, ...MANY }));
const { taskId } = await shop.run("the cart sum is wrong, see `Cart.cart_sum`", { scopeSize: 2 });

const ask = (target: string | null) => explain(shop.log, shop.kb, taskId, target);
const verdicts = async (target: string): Promise<readonly string[]> =>
  (await ask(target)).decisions.map(({ stage, symbol, tier }) => `${stage} ${symbol ?? "file"} ${tier}`);

test("a path: the file first, then its symbols in every stage", async () => {
  const found = await verdicts("shop/cart.py");
  expect(found[0]).toBe("scope file seed");
  expect(found).toContain("precision Cart.cart_sum primary");
  expect(found).toContain("budget Cart.cart_sum primary");
  expect(await verdicts("./shop/cart.py")).toEqual(found);
  expect(await verdicts("shop\\cart.py")).toEqual(found);
});

test("a symbol: by its full name, by its last part, and in one file", async () => {
  for (const name of ["Cart.cart_sum", "cart_sum", "shop/cart.py:cart_sum", "shop/cart.py:Cart.cart_sum"])
    expect([name, await verdicts(name)]).toEqual([
      name,
      ["precision Cart.cart_sum primary", "budget Cart.cart_sum primary"],
    ]);
});

test("a symbol as calls and test runners write it", async () => {
  const { decisions } = await ask("Cart.cart_sum");
  for (const target of [
    ...["Cart.cart_sum()", "Cart::cart_sum", "shop/cart.py::Cart::cart_sum", "(*Cart).cart_sum"],
    ...["Cart#cart_sum", "shop/cart.py#Cart.cart_sum", "shop/cart.py#Cart.cart_sum:29", "Cart.cart_sum/1"],
  ])
    expect([target, (await ask(target)).decisions]).toEqual([target, decisions]);
});

test("a symbol by the name of its module has the decisions of the run", async () => {
  const { decisions } = await ask("Cart.cart_sum");
  for (const target of ["shop.cart.cart_sum", "cart.cart_sum", "shop.cart.Cart.cart_sum"]) {
    const found = await ask(target);
    expect([target, found.unrecorded, found.decisions]).toEqual([target, null, decisions]);
  }
});

test("of modules with a symbol of one name, that before the name is meant", async () => {
  const total = "def total(rows):\n    return sum(rows)\n";
  using repo = await indexed({ "shop/bill.py": total, "shop/cart.py": total });
  const run = await repo.run("the total is wrong");
  for (const module of ["bill", "cart"]) {
    const { decisions } = await explain(repo.log, repo.kb, run.taskId, `shop.${module}.total`);
    expect(new Set(decisions.map(({ path }) => path))).toEqual(new Set([`shop/${module}.py`]));
  }
});

test("a file without a recorded decision is ranked again: its position, or that nothing leads to it", async () => {
  for (const target of ["mod/part7.py", "turn_part7", "mod/part7.py:turn_part7"]) {
    const { decisions, unrecorded } = await ask(target);
    expect([target, decisions.length, unrecorded?.path]).toEqual([target, 0, "mod/part7.py"]);
    expect(unrecorded?.reason).toBe("nothing in it matches the task, and no seed leads to it");
  }
});

test("a file that an option excludes is reported as left out", async () => {
  const run = await shop.run("the cart sum is wrong", { exclude: ["web/**"] });
  const { unrecorded } = await explain(shop.log, shop.kb, run.taskId, "web/format.ts");
  expect([unrecorded?.position, unrecorded?.reason]).toEqual([
    null,
    "left out by --include, --exclude or --hint-language",
  ]);
});

test("a file that was rejected is known to the run, also without an index", async () => {
  const run = await shop.run("the cart sum is wrong", {
    constraints: { ...NO_CONSTRAINTS, rejected_files: ["shop/cart.py"] },
  });
  for (const kb of [shop.kb, null])
    expect((await explain(shop.log, kb, run.taskId, "shop/cart.py")).unrecorded?.reason).toBe(
      "left out since it was rejected",
    );
});

test("a whole run, an unknown task, an unknown target, and no index", async () => {
  expect((await ask(null)).decisions).toEqual([...shop.log.decisions(taskId)]);
  const failing = async (run: () => Promise<unknown>): Promise<string> => {
    try {
      await run();
    } catch (error) {
      if (error instanceof Failed) return error.failure.code;
      throw error;
    }
    return "nothing";
  };
  expect(await failing(() => explain(shop.log, shop.kb, "0000000000", null))).toBe("unknown-task");
  expect(await failing(() => ask("no/such/file.py"))).toBe("no-match");
  expect(await failing(() => ask("__proto__"))).toBe("no-match");
  expect(await failing(() => explain(shop.log, null, taskId, "mod/part7.py"))).toBe("no-match");
});

test("an unknown target is told with what it may mean", async () => {
  const said = async (target: string): Promise<unknown> => ask(target).catch((error: unknown) => error);
  const unknown = (target: string, meant: string): Failed =>
    new Failed({ code: "no-match", message: `neither the run nor the index knows "${target}"${meant}` });
  expect(await said("shop/carts.py")).toEqual(unknown("shop/carts.py", "; did you mean shop/cart.py?"));
  expect(await said("shop/cart.py:Cart.cart_summ")).toEqual(
    unknown("shop/cart.py:Cart.cart_summ", "; did you mean shop/cart.py:Cart.cart_sum?"),
  );
  expect(await said("shop/nothing.py")).toEqual(unknown("shop/nothing.py", "; run: cra search shop/nothing.py"));
  expect(await said("the cart")).toEqual(unknown("the cart", "; run: cra search 'the cart'"));
});

test("without an index, an unknown target is told with how to make one", async () => {
  const said = await explain(shop.log, null, taskId, "nothing").catch((error: unknown) => error);
  const message = 'the run does not know "nothing", and there is no index; run: cra index';
  expect(said).toEqual(new Failed({ code: "no-match", message }));
});

test("a line of a file is the definition around it, and the file where there is none", async () => {
  const [sum] = (await ask("shop/cart.py:Cart.cart_sum")).decisions;
  const line = sum?.line ?? 0;
  for (const place of [`shop/cart.py:${line}`, `shop/cart.py:${line}:5`]) {
    const { target, decisions } = await ask(place);
    expect([target, decisions]).toEqual([place, (await ask("shop/cart.py:Cart.cart_sum")).decisions]);
  }
  expect((await ask("shop/cart.py:99999")).decisions).toEqual((await ask("shop/cart.py")).decisions);
  expect((await explain(shop.log, null, taskId, `shop/cart.py:${line}`)).decisions).toEqual(
    (await ask("shop/cart.py")).decisions,
  );
  const inFolder = { root: "/", folder: "/shop" };
  expect((await explain(shop.log, shop.kb, taskId, `cart.py:${line}`, inFolder)).decisions).toEqual(
    (await ask("shop/cart.py:Cart.cart_sum")).decisions,
  );
});

test("files are listed by rank: shown ones with their tokens, the others with the reason", async () => {
  const { about, files } = await ask(null);
  expect(about).toBe("run");
  const inScope = files.filter(({ rank }) => rank !== null);
  expect(inScope.map(({ rank }) => rank)).toEqual(inScope.map((_, at) => at + 1));
  expect(files.slice(inScope.length).every(({ shown, tokens }) => !shown && tokens === 0)).toBe(true);
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  const cart = files.find(({ path }) => path === "shop/cart.py");
  expect(cart).toMatchObject({ tier: "seed", shown: true });
  expect(cart?.tokens).toBeGreaterThan(10);
  for (const { reason } of files) expect(reason).not.toBe("");
});

test("a folder is explained like a run, with the ranks of the run", async () => {
  const { about, files, decisions } = await ask("shop/");
  expect(about).toBe("folder");
  expect(files).toEqual((await ask(null)).files.filter(({ path }) => path.startsWith("shop/")));
  expect(decisions.every(({ path }) => path.startsWith("shop/"))).toBe(true);
  expect((await ask("shop")).about).toBe("folder");
  expect((await ask(".")).about).toBe("run");
});

test("paths are tried from the working folder, then from the root", async () => {
  const from = async (folder: string, target: string) =>
    (await explain(shop.log, shop.kb, taskId, target, { root: "/r", folder })).decisions[0]?.path;
  expect(await from("/r/shop", "cart.py")).toBe("shop/cart.py");
  expect(await from("/r/web", "../shop/cart.py")).toBe("shop/cart.py");
  expect(await from("/r/web", "shop/cart.py")).toBe("shop/cart.py");
  expect(await from("/elsewhere", "shop/cart.py")).toBe("shop/cart.py");
  expect(await from("/elsewhere", "/r/shop/cart.py")).toBe("shop/cart.py");
  expect(await from("/r/shop", "cart.py:cart_sum")).toBe("shop/cart.py");
});

test("an id may be shortened while it is unambiguous", async () => {
  const runs = (ids: readonly string[]): RawLog => ({
    ...shop.log,
    runs: () => shop.log.runs(taskId).flatMap((run) => ids.map((id) => ({ ...run, taskId: id }))),
    latestRun: (id) => (id !== undefined && ids.includes(id) ? { ...RUN(), taskId: id } : null),
    decisions: () => [],
  });
  const RUN = () => {
    const run = shop.log.latestRun(taskId);
    if (run === null) throw new Error("no run");
    return run;
  };
  const log = runs(["abcd11112222", "abcd33334444", "ffff00001111"]);
  const found = async (typed: string): Promise<string> => {
    try {
      return (await explain(log, null, typed, null)).run.taskId;
    } catch (error) {
      if (error instanceof Failed) return `${error.failure.code}: ${error.message}`;
      throw error;
    }
  };
  expect(await found("ffff")).toBe("ffff00001111");
  expect(await found("FFFF0000")).toBe("ffff00001111");
  expect(await found("abcd1")).toBe("abcd11112222");
  expect(await found("abcd11112222")).toBe("abcd11112222");
  expect(await found("abcd")).toBe(
    'usage: "abcd" is the beginning of 2 task ids; give more of it: abcd11112222, abcd33334444',
  );
  expect(await found("ff")).toBe(
    'usage: "ff" is too short for a task id; give at least 3 characters of it: ffff00001111',
  );
  for (const typed of ["", "ffff00001112", "gggg"]) expect(await found(typed)).toStartWith("unknown-task: ");
});

test("a file that is ranked again is by what enrichment knows, as in the run", async () => {
  const paths = Array.from({ length: 12 }, (_, at) => `part_${String(at).padStart(2, "0")}.py`);
  const known = { purpose: "p", module: null, publicApiSurface: [], complexityNotes: null };
  const promoted = Object.fromEntries(
    paths.map((path, at) => [path, { ...known, domain: "cart pricing", concepts: at === 0 ? ["cart"] : [] }]),
  );
  using world = await indexed(Object.fromEntries(paths.map((path) => [path, "cart = 1\n"])), { promoted });
  const run = await world.run("the cart is wrong", { weights: "classic", scopeSize: 1 });
  const { unrecorded } = await explain(world.log, world.kb, run.taskId, "part_11.py");
  expect(unrecorded?.score?.terms.map(({ signal }) => signal)).toContain("domain_match");
});

test("lines of a member are counted for the member, and not for its class as well", async () => {
  using bags = await indexed({
    "shop/bag.py":
      'class Bag:\n    """Holds items."""\n\n    def bag_sum(self):\n        total = sum(self.items) + sum(self.others)\n        return total * self.rate\n\n    def bag_count(self):\n        return len(self.items) + len(self.others)\n',
  });
  const run = await bags.run("Bag: bag_sum is wrong");
  const { files, decisions } = await explain(bags.log, bags.kb, run.taskId, null);
  const shown = decisions.filter(({ stage, included }) => stage === "budget" && included);
  expect(shown.map(({ symbol, detail }) => `${symbol} ${detail}`)).toEqual(
    expect.arrayContaining(["Bag body", "Bag.bag_sum body", "Bag.bag_count body"]),
  );
  const [bag, sum, count] = ["Bag", "Bag.bag_sum", "Bag.bag_count"].map(
    (name) => shown.find(({ symbol }) => symbol === name)?.tokens ?? 0,
  );
  expect(sum).toBeGreaterThan(20);
  expect(count).toBeGreaterThan(15);
  expect(bag).toBeLessThan(20);
  expect(files[0]?.tokens).toBeLessThanOrEqual(run.pkg.token_count);
});
