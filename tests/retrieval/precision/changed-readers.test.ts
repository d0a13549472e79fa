/** Who reads a constant that a review changes. */
import { expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const world = shared(
  await indexed({
    "shop/rates.py":
      "LIMIT = 3\nOTHER = 4\n\n\ndef rate(net):\n    return net * LIMIT\n\n\ndef free(net):\n    return net * OTHER\n",
    "shop/cart.py": "from shop.rates import LIMIT\n\n\ndef total(net):\n    return min(net, LIMIT)\n",
    "shop/page.py": "import shop.rates\n\n\ndef page(net):\n    return min(net, shop.rates.LIMIT)\n",
    "shop/mode.py":
      "options = {}\n\n\ndef set_mode(options):\n    return options\n\n\ndef mode(node):\n    return node.options\n\n\ndef kind():\n    return options\n",
    "shop/apart.py": "LIMIT = 7\n\n\ndef apart(net):\n    return net * LIMIT\n",
    "shop/own.py": "import shop.rates\n\nLIMIT = 9\n\n\ndef own(net):\n    return net * LIMIT\n",
    "tests/test_rates.py": "from shop.rates import LIMIT\n\n\ndef test_limit():\n    assert LIMIT == 3\n",
  }),
);

const readersOf = async (name: string): Promise<readonly string[]> => {
  const [path = "", own = ""] = name.split(":");
  const run = await world.run(`Please review these changes:\n\n- \`${path}\`: \`${own}\``, {
    constraints: { ...NO_CONSTRAINTS, changed: [name] },
  });
  return run.pkg.provenance.symbols
    .filter(({ why }) => why.startsWith(`uses ${own}, which was changed`))
    .map(({ path, qualified_name, detail }) => `${detail} ${path}:${qualified_name}`)
    .sort();
};

test("what reads a changed constant is shown, in its file and in those that import it, and no namesake's reader", async () => {
  expect(await readersOf("shop/rates.py:LIMIT")).toEqual([
    "body shop/cart.py:total",
    "body shop/page.py:page",
    "body shop/rates.py:rate",
    "body tests/test_rates.py:test_limit",
  ]);
});

test("a parameter or a member of that name is another one", async () => {
  expect(await readersOf("shop/mode.py:options")).toEqual(["body shop/mode.py:kind"]);
});
