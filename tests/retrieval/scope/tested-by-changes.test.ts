/** What a review shows of the sources when it changes tests alone. */
import { expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const world = shared(
  await indexed({
    "shop/rates.py": "def lookup(key):\n    return {1: 2}[key]\n\n\ndef other():\n    return lookup(2)\n",
    "shop/cart.py": "from shop.rates import lookup\n\n\ndef total(items):\n    return sum(lookup(i) for i in items)\n",
    "shop/label.py": "class Label:\n    def get_tag(self):\n        return 1\n",
    "docs/guide.md": "# Guide\n\nSome words.\n",
    "tests/helpers.py": "from shop.cart import total\n\n\ndef priced(items):\n    return total(items)\n",
    "tests/test_rates.py":
      "from shop.rates import lookup\n\n\ndef test_of_one(tag):\n    assert lookup(1) == tag.get_tag()\n",
    "tests/test_cart.py": "from tests.helpers import priced\n\n\ndef test_priced():\n    assert priced([1]) == 2\n",
    "tests/test_class.py":
      "from shop.cart import total\n\n\nclass TestTotal:\n    func = total\n\n    def test_none(self):\n        assert self.func([]) == 0\n\n    def test_one(self):\n        assert total([1]) == 2\n",
  }),
);

const shown = async (...changed: readonly string[]): Promise<readonly string[]> => {
  const list = changed.map((name) => `- \`${name.split(":")[0]}\`: \`${name.split(":")[1]}\``).join("\n");
  const run = await world.run(`Please review these changes:\n\n${list}`, {
    constraints: { ...NO_CONSTRAINTS, changed },
  });
  return run.pkg.provenance.symbols
    .filter(({ detail }) => detail === "body")
    .map(({ path, qualified_name, why }) => `${path}:${qualified_name} (${why})`);
};

test("a review of a test shows what it tests, and nothing that only has a name in common", async () => {
  const all = await shown("tests/test_rates.py:test_of_one");
  expect(all).toContain("shop/rates.py:lookup (tested by test_of_one, which was changed)");
  expect(all.filter((one) => one.startsWith("shop/"))).toHaveLength(1);
});

test("what a helper of tests uses is tested by its caller", async () => {
  expect(await shown("tests/test_cart.py:test_priced")).toContain(
    "shop/cart.py:total (tested by test_priced, which was changed)",
  );
});

test("a test that uses nothing itself tests what the others of its class use", async () => {
  expect(await shown("tests/test_class.py:TestTotal.test_none")).toContain(
    "shop/cart.py:total (tested beside TestTotal.test_none, which was changed)",
  );
});

test("a document that was changed too is no source; a source that was changed is shown instead", async () => {
  const tested = "shop/rates.py:lookup (tested by test_of_one, which was changed)";
  expect(await shown("tests/test_rates.py:test_of_one", "docs/guide.md:Guide")).toContain(tested);
  expect(await shown("tests/test_rates.py:test_of_one", "shop/cart.py:total")).not.toContain(tested);
});
