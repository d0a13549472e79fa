/**
 * Three small repositories for tests of the whole pipeline: an ordinary one with a history, one whose files are made
 * to break what counts tokens or cuts text, and one with many files of few names.
 */
import type { Files, TempRepo } from "../support/repo.ts";

/** A shop: Python behind, TypeScript in front, tests for some of it, and parts that have nothing to do with the rest. */
export const SHOP: Files = {
  "README.md": "# Shop\n\nSells things.\n\n## Layout\n\nThe server is in `shop`, the page in `web`.\n",
  "pyproject.toml": '[project]\nname = "shop"\n',
  "shop/__init__.py": "from shop.cart import Cart\n\n__all__ = ['Cart']\n",
  "shop/cart.py": `"""What a customer wants to buy."""
from shop.price import Money, price_total


class CartError(Exception):
    """A cart that cannot be bought."""


class Cart:
    """Holds the items of one customer."""

    limit = 100

    def __init__(self, customer: str) -> None:
        self.customer = customer
        self.items: list[Money] = []

    def add_item(self, item: Money, count: int = 1) -> None:
        """Adds an item as often as asked for.

        Raises CartError when the cart is full.
        """
        # Checked before adding because a full cart must stay as it was.
        if len(self.items) + count > self.limit:
            raise CartError("the cart is full")
        self.items.extend([item] * count)

    def cart_sum(self) -> Money:
        """The sum of all items, with tax."""
        return price_total(self.items)
`,
  "shop/price.py": `from dataclasses import dataclass

from shop.tax import tax_for


@dataclass
class Money:
    """An amount in cents."""

    cents: int
    currency: str = "EUR"


def price_total(items: list[Money], country: str = "de") -> Money:
    """Adds up prices and the tax of the country."""
    net = sum(item.cents for item in items)
    return Money(net + tax_for(country, net))
`,
  "shop/tax.py": `RATES = {"de": 19, "fr": 20}


def tax_for(country: str, net: int) -> int:
    """The tax on a net amount, rounded down.

    HACK: rounds down because the old till did so.
    """
    return net * RATES[country] // 100
`,
  "shop/stock.py": `class StockKeeper:
    """Knows what lies on the shelves."""

    def reserve_shelf(self, name: str) -> bool:
        return name in self.shelves
`,
  "shop/mail.py": `def send_newsletter(address: str) -> None:
    """Posts the weekly letter."""
    print("dear", address)
`,
  "shop/legacy/report.py": `def monthly_report(year: int) -> str:
    return f"{year};revenue"
`,
  "tests/test_cart.py": `import pytest

from shop.cart import Cart, CartError
from shop.price import Money


def test_cart_sum_has_tax():
    cart = Cart("ada")
    cart.add_item(Money(100))
    assert cart.cart_sum().cents == 119


def test_full():
    with pytest.raises(CartError):
        Cart("ada").add_item(Money(1), count=101)
`,
  "tests/test_newsletter.py": `from shop.mail import send_newsletter


def test_prints_the_address(capsys):
    send_newsletter("a@b.c")
    assert "a@b.c" in capsys.readouterr().out
`,
  "web/cart-view.tsx": `import { formatMoney, type Shown } from "./format";

/** Shows the cart on the page. */
export function CartView({ rows }: { rows: Shown[] }) {
  return <ul>{rows.map((row) => <li key={row.name}>{formatMoney(row.cents)}</li>)}</ul>;
}
`,
  "web/format.ts": `export interface Shown {
  readonly name: string;
  readonly cents: number;
}

/** Cents as people write them. */
export const formatMoney = (cents: number): string => \`\${(cents / 100).toFixed(2)} €\`;
`,
  "web/clock.ts": "export function tickClock(now: Date): string {\n  return now.toISOString();\n}\n",
};

/** Commits after which the cart and the stock keeper changed together three times, and the cart and the mail twice. */
export function growShop(repo: TempRepo): void {
  const touch = (path: string, at: number): void => {
    const text = SHOP[path];
    repo.write({ [path]: `${typeof text === "string" ? text : ""}# change ${at}\n` });
  };
  for (const at of [1, 2]) {
    touch("shop/cart.py", at);
    touch("shop/stock.py", at);
    if (at > 1) touch("shop/mail.py", at);
    repo.commit(`Change ${at}`);
  }
}

const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

const ordinary = (topic: string): string =>
  numbered(
    14,
    (at) => `def ${topic}_step_${at}(value, factor=${at}):
    """Does step ${at} of the ${topic}, which depends on the one before."""
    # Doubled because the ${topic} was measured with a broken scale.
    doubled = value * 2
    for index in range(factor):
        doubled += index
    return ${at > 0 ? `${topic}_step_${at - 1}(doubled)` : "doubled"}

`,
  );

/** A text with so many short lines after it that it does not pass for a minified one. */
const padded = (text: string, comment: string): string =>
  `${text}${numbered(80, (at) => `${comment} line ${at} of the manual of the valve`)}\n`;

/** Text that tokenizers, line ranges and Markdown find hard. All of it is indexed. */
export const HOSTILE: Files = {
  "src/engine.py": ordinary("engine"),
  "src/boiler.py": ordinary("boiler"),
  "src/valve.py": ordinary("valve"),
  "src/letters.py": padded(
    `BLOB = "${"a".repeat(1_900)}"\n\n\ndef read_letters():\n    return "${"b".repeat(900)}"\n`,
    "#",
  ),
  "src/cjk.py": padded(
    `def read_登録(名前):\n    """${"登録処理".repeat(120)}"""\n    return "${"漢字".repeat(400)}"\n`,
    "#",
  ),
  "src/punctuation.js": padded(`export function readPunctuation() {\n  return "${"](".repeat(700)}";\n}\n`, "//"),
  "src/emoji.ts": padded(`export const readEmoji = (): string =>\n  "${"🙂👩‍👩‍👧🏳️‍🌈".repeat(60)}";\n`, "//"),
  "src/tables.js": `export const rateTable = [\n${numbered(4_600, (at) => `  [${at}, ${at * 7}, "rate ${at}", ${at % 13}, "x${at}", "region ${at % 40}, valid until revoked"],`)}\n];\n`,
  "src/deep.js": `${numbered(40, (at) => `${"  ".repeat(at)}function nested${at}() {`)}\n${numbered(40, (at) => `${"  ".repeat(39 - at)}}`)}\n`,
  "src/fences.py":
    'def read_fences():\n    """\n    `````\n    ~~~\n    # heading\n    {task} {{context}}\n    """\n    return "```"\n',
  "src/windows.ts": "export function readWindows(): number {\r\n  // line ends\r\n  return 1;\r\n}\r\n",
  "src/marked.py": "\ufeffdef read_marked():\n    return 1\n",
  "src/special.py": 'def read_special():\n    return "<|endoftext|><|im_start|>"\n',
  "src/only_comments.py": "# nothing here\n# but words about the boiler\n",
  "src/empty.py": "",
  "src/blank.py": "\n\n\n",
  "docs/notes.txt": padded(`The engine and the boiler.\n${"word ".repeat(3_000)}\nThe valve.\n`, "-"),
  "docs/long-line.json": `{"engine": [${numbered(900, (at) => String(at)).replaceAll("\n", ",")}]}\n`,
};

/** Six files of one name in six folders, and thirty of which each has a name of its own. */
export const MANY: Files = {
  ...Object.fromEntries(
    ["a", "b", "c", "d", "e", "f"].map((folder) => [
      `pkg/${folder}/settings.py`,
      `def load_settings():\n    return "${folder}"\n`,
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `mod/part${at}.py`,
      `class PartOf${at}:\n    def turn_part${at}(self):\n        return ${at}\n`,
    ]),
  ),
};
