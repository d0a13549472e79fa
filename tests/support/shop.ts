/** A small Python shop with tests, documentation and history, for tests of whole runs. */
import { copiesOf, type TempRepo, tempRepo } from "./repo.ts";

export const SHOP_FILES = {
  "shop/cart.py":
    'from shop.price import total\n\n\nclass Cart:\n    """What a customer wants."""\n\n    def sum(self):\n        # In cents, because floats lose them.\n        return total(self.items)\n',
  "shop/price.py":
    "def total(items):\n    return sum(item.cents for item in items)\n\n\ndef discount(items, percent):\n    return total(items) * percent\n",
  "shop/mail.py": "def send(text):\n    print(text)\n",
  "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().sum() == 0\n",
  "README.md": "# Shop\n\nThe cart adds prices.\n",
} as const;

/** A task that names one of its symbols. */
export const SHOP_TASK = "Cart.sum is wrong for a discount";

/** Four commits, in which the cart and its prices change together. */
export const shopRepo: () => TempRepo = copiesOf(() => {
  const repo = tempRepo(SHOP_FILES, { git: true });
  for (const round of [1, 2, 3]) {
    repo.write({
      "shop/cart.py": `${SHOP_FILES["shop/cart.py"]}# round ${round}\n`,
      "shop/price.py": `${SHOP_FILES["shop/price.py"]}# round ${round}\n`,
    });
    repo.commit(`Round ${round} of prices`);
  }
  return repo;
});
