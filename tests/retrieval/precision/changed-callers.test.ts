/** Direct callers of what was changed, with bounds for each symbol. */
import { expect, test } from "bun:test";
import { withCallers } from "../../../src/retrieval/precision/changed-callers.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { callRow, symbolRow } from "../../support/symbol-row.ts";

const world = shared(
  await indexed({
    "shop/rates.py":
      "TABLE = {}\n\n\ndef lookup(key):\n    return TABLE[key]\n\n\ndef other():\n    return lookup(2)\n",
    "shop/cart.py": "from shop.rates import lookup\n\n\ndef total(items):\n    return sum(lookup(i) for i in items)\n",
    "shop/page.py": "from shop.cart import total\n\n\ndef page(items):\n    return str(total(items))\n",
    "tests/test_rates.py": "from shop.rates import lookup\n\n\ndef test_of_one():\n    assert lookup(1) == 2\n",
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        `many/user_${at}.py`,
        `from many.base import base\n\n\ndef user_${at}():\n    return base() + ${at}\n`,
      ]),
    ),
    "many/base.py": "def base():\n    return 1\n",
    "web/safe.py": "def check_change(code):\n    return find_mistakes(review(code))\n",
    "post/codes.py":
      "def _digits(text):\n    return [c for c in text if c.isdigit()]\n\n\ndef code(text):\n    return ''.join(_digits(text))\n",
    "tests/test_letters.py": "from post.codes import code\n\n\ndef test_of_two():\n    assert code('a1') == '1'\n",
    "tests/test_codes.py":
      "import post.codes\n\nKNOWN = post.codes.__doc__\n\n\ndef test_of_three():\n    assert KNOWN is None\n",
  }),
);

const TASK = (name: string) => `Please review these changes:\n\n- \`${name.split(":")[0]}\`: \`${name.split(":")[1]}\``;
const shown = async (name: string, task = TASK(name)): Promise<readonly string[]> => {
  const run = await world.run(task, { constraints: { ...NO_CONSTRAINTS, changed: [name] } });
  return run.pkg.provenance.symbols
    .filter(({ tier }) => tier === "primary" || tier === "tests")
    .map(({ path, qualified_name, detail, why }) => `${detail} ${path}:${qualified_name} (${why})`);
};

test("a review shows the changed symbol, what calls it, and tests that call it; not the callers of callers", async () => {
  const all = await shown("shop/rates.py:lookup");
  const why = "uses lookup, which was changed";
  expect(all).toContain("body shop/rates.py:lookup (was changed)");
  expect(all).toContain(`body shop/rates.py:other (${why})`);
  expect(all).toContain(`body shop/cart.py:total (${why})`);
  expect(all.some((one) => one.startsWith(`body tests/test_rates.py:test_of_one (${why}`))).toBe(true);
  expect(all.join()).not.toContain("shop/page.py");
});

test("a change that no test uses comes with the tests of its callers, and with no beginning of another test", async () => {
  const run = await world.run(TASK("post/codes.py:_digits"), {
    constraints: { ...NO_CONSTRAINTS, changed: ["post/codes.py:_digits"] },
  });
  const test = run.pkg.provenance.symbols.find(({ path }) => path === "tests/test_letters.py");
  expect(test).toMatchObject({
    detail: "body",
    why: expect.stringMatching(/^uses code, which uses _digits, which was changed/),
  });
  expect(run.pkg.files.map(({ path }) => path)).not.toContain("tests/test_codes.py");
});

test("of many callers of one symbol, five are shown", async () => {
  const all = await shown("many/base.py:base");
  expect(all.filter((one) => one.includes("uses base, which was changed"))).toHaveLength(5);
});

test("among callers that are equally sure, the order of rows decides and not their ids", () => {
  const chosen = (ids: readonly number[]): readonly string[] =>
    withCallers({
      seeds: [],
      likely: new Set<number>(),
      named: new Set([100]),
      placed: [],
      symbols: [symbolRow(100, 100, "base"), ...ids.map((id, at) => symbolRow(id, id, `user_${at}`))],
      testSymbols: () => new Set(),
      referencesTo: () => ids.map((id) => callRow(id, 100)),
    }).map(({ symbol }) => symbol.name);
  const ids = Array.from({ length: 9 }, (_, at) => at + 1);
  expect(chosen(ids)).toEqual(["user_0", "user_1", "user_2", "user_3", "user_4"]);
  expect(chosen(ids.toReversed())).toEqual(chosen(ids));
});

test("of a member that a task names with its class, the callers are those of the member", async () => {
  const parts = shared(
    await indexed({
      "shop/cart.py":
        "class Cart:\n    def add(self, item):\n        return item\n\n    def weigh(self):\n        return 1\n",
      "shop/page.py": "from shop.cart import Cart\n\n\ndef page(item):\n    return Cart().add(item)\n",
      "shop/scale.py": "from shop.cart import Cart\n\n\ndef scale():\n    return Cart().weigh()\n",
      "tests/test_scale.py": "from shop.cart import Cart\n\n\ndef test_of_scale():\n    assert Cart().weigh() == 1\n",
      "go.mod": "module example.com/lift\n",
      "lift/lift.go": "package lift\n\ntype Cabin struct{}\n\nfunc (c *Cabin) Rise() {}\n\nfunc (c *Cabin) Fall() {}\n",
      "lift/use.go": "package lift\n\nfunc up(c *Cabin) { c.Rise() }\n\nfunc down(c *Cabin) { c.Fall() }\n",
      "java/Crate.java": "class Crate {\n  Crate(int size) {}\n\n  int fill(int by) {\n    return by;\n  }\n}\n",
      "java/Depot.java":
        "class Depot {\n  Crate made() {\n    return new Crate(1);\n  }\n\n  int filled(Crate one) {\n    return one.fill(2);\n  }\n}\n",
    }),
  );
  const users = async (task: string): Promise<readonly string[]> =>
    (await parts.run(task)).pkg.provenance.symbols
      .flatMap(({ qualified_name: name, why }) =>
        why.startsWith("uses ") ? [`${name} ${why.replace(/, which the task names.*/, "")}`] : [],
      )
      .sort();
  expect(await users("fix Cart.add")).toEqual(["page uses Cart.add"]);
  expect(await users("fix Cart")).toEqual(["page uses Cart", "scale uses Cart", "test_of_scale uses Cart"]);
  expect(await users("fix Cabin.Rise")).toEqual(["up uses Cabin.Rise"]);
  expect(await users("fix Crate.fill")).toEqual(["Depot.filled uses Crate.fill"]);
});

test("the reason of a file says what it uses of the changes, and of a changed test that it was changed", async () => {
  const changed = ["shop/rates.py:lookup", "tests/test_rates.py:test_of_one"];
  const { pkg } = await world.run(TASK("shop/rates.py:lookup"), { constraints: { ...NO_CONSTRAINTS, changed } });
  const reasons = new Map(pkg.provenance.files.map(({ path, reasons: all }) => [path, all.join("; ")]));
  expect(reasons.get("shop/cart.py")).toStartWith("total uses lookup, which was changed");
  expect(reasons.get("tests/test_rates.py")).toStartWith("was changed: tests/test_rates.py:test_of_one");
});

test.each([
  "review this change",
  "Is my last commit safe to merge?",
  "check these changes for mistakes",
  "find bugs in the diff",
  "code review",
])("a review asked for with words of its own is about the changes alone: %s", async (task) => {
  expect(await shown("shop/rates.py:lookup", task)).toEqual(await shown("shop/rates.py:lookup"));
});

test("a review with a question of its own searches for its words; without changes, any task does", async () => {
  const own = await shown("shop/rates.py:lookup", "Is the new page safe?");
  expect(own.some((one) => one.includes("shop/page.py:page"))).toBe(true);
  const run = await world.run("check this change for mistakes");
  expect(run.pkg.files.map(({ path }) => path)).toContain("web/safe.py");
});

test("tests in the file of a change are tests: they take no place of a caller in another file", async () => {
  const inline = Array.from(
    { length: 6 },
    (_, at) => `    #[test]\n    fn of_${at}() {\n        assert_eq!(size(${at}), ${at});\n    }\n`,
  );
  const crate = shared(
    await indexed({
      "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
      "src/lib.rs": "pub mod rates;\npub mod cart;\n",
      "src/rates.rs": `pub fn size(a: u32) -> u32 {\n    a\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${inline.join("\n")}}\n`,
      "src/cart.rs": "use crate::rates::size;\n\npub fn total(a: u32) -> u32 {\n    size(a) + 1\n}\n",
      "tests/all.rs": "#[test]\nfn all() {\n    assert!(true);\n}\n",
    }),
  );
  const { pkg } = await crate.run(TASK("src/rates.rs:size"), {
    constraints: { ...NO_CONSTRAINTS, changed: ["src/rates.rs:size"] },
  });
  const users = pkg.provenance.symbols.filter(({ why }) => why.startsWith("uses size, which was changed"));
  expect(users.map(({ qualified_name: name }) => name)).toContain("total");
  expect(users.length).toBe(6);
  expect(JSON.stringify(pkg.warnings)).not.toContain("no test uses");
});
