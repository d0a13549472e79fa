import { describe, expect, test } from "bun:test";
import { matchReason } from "../../../src/retrieval/ranking/match-reasons.ts";
import { REASON_SHARE, reasonTokens } from "../../../src/retrieval/reasons/shown-reasons.ts";
import { renderXml } from "../../../src/retrieval/render/xml.ts";
import { stem } from "../../../src/text/terms/stem.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const { count } = await openTokenCounter("o200k_base", { margin: 0 });

/** Reasons are a share of the text, so there has to be some. */
const STEPS = Array.from({ length: 25 }, (_, at) => `    step_${at} = items[${at}].cents * ${at}\n`).join("");

const FILES = {
  "shop/cart.py": `from shop.price import total


class Cart:
    def checkout(self, items):
        # applies the voucher before tax
    ${STEPS.replaceAll("\n", "\n    ")}    return total(items)
`,
  "shop/price.py": `def total(items):
${STEPS}    return sum(item.cents for item in items)


def voucher_discount(items):
${STEPS}    return 0
`,
  "shop/voucher.py": `LIMIT = 10


def expired(items):
${STEPS}    return LIMIT
`,
  "tests/test_price.py": `from shop.price import voucher_discount


def test_discount():
    items = []
${STEPS}    assert voucher_discount(items) == 0
`,
  "README.md": "# Shop\n",
};
const shop = shared(
  await indexed(FILES, {
    git: true,
    grow: (repo) => {
      repo.write({ "shop/price.py": `${FILES["shop/price.py"]}# once\n` });
      repo.commit("Round the voucher discount down\n\nA longer text.");
    },
  }),
);

const reasonsOf = async (task: string, options = {}): Promise<Readonly<Record<string, string | null>>> => {
  const { pkg } = await shop.run(task, options);
  return Object.fromEntries(pkg.files.map(({ path, reason }) => [path, reason]));
};

test("a reason says which words match where, who uses or imports the file, which commits changed it, and what it tests", async () => {
  const { pkg, markdown, prompt } = await shop.run("the voucher discount is wrong");
  const reasons = Object.fromEntries(pkg.provenance.files.map(({ path, reasons: all }) => [path, all.join("; ")]));
  expect(reasons["shop/price.py"]).toBe(
    'discount, voucher in voucher_discount; voucher_discount is used by test_discount in tests/test_price.py; changed by "Round the voucher discount down"',
  );
  expect(reasons["shop/voucher.py"]).toStartWith("voucher in its path");
  expect(reasons["shop/cart.py"]).toStartWith("voucher in its text");
  expect(reasons["tests/test_price.py"]).toStartWith("tests shop/price.py; discount in test_discount");
  const [first] = pkg.files;
  expect(first?.reason).not.toBeNull();
  for (const text of [markdown, prompt]) expect(text).toContain(`(rank #1)\nReason: ${first?.reason}\n`);
  expect(renderXml(pkg)).toContain("<reason>");
});

test("a file that the task names says so first", async () => {
  const reasons = await reasonsOf("fix Cart.checkout in shop/cart.py", { budget: 4_000 });
  expect(reasons["shop/cart.py"]).toStartWith("the task names shop/cart.py");
});

describe("the reason of a file that the task names", () => {
  const NAMED = {
    "shop/cart.py": `from shop.price import total_of\n\n\ndef checkout_total(items):\n    return total_of(items)\n\n\ndef wrong_total(items):\n    return 1\n\n\ndef checkout(items):\n    return 2\n\n\ndef audit(items):\n    return checkout_total(items) + 1\n`,
    "shop/price.py": "def total_of(items):\n    return sum(items)\n",
  };

  test("begins with that, not with who in it uses something", async () => {
    using world = await indexed(NAMED);
    const { pkg } = await world.run("checkout in shop/cart.py gives a wrong total", { purpose: "fix" });
    const cart = pkg.provenance.files.find(({ path }) => path === "shop/cart.py");
    expect(cart?.reasons[0]).toBe("the task names shop/cart.py");
    expect(cart?.reasons.filter((reason) => reason.includes(" uses "))).not.toEqual([]);
  });

  test("nor does that of a file that holds it", async () => {
    using world = await indexed({
      ...NAMED,
      "shop/till.py": "from shop.cart import checkout_total\n\n\ndef ring(items):\n    return checkout_total(items)\n",
    });
    const { pkg } = await world.run("the total at the checkout is wrong", { purpose: "fix" });
    const reasons = Object.fromEntries(pkg.provenance.files.map(({ path, reasons: all }) => [path, all.join("; ")]));
    expect(reasons["shop/cart.py"]).toMatch(/^checkout, total in checkout_total; .*audit uses checkout_total, which/);
    expect(reasons["shop/till.py"]).toStartWith("ring uses checkout_total, which the task is likely about");
  });

  test("does not say twice what it defines", async () => {
    using world = await indexed(NAMED);
    const { pkg } = await world.run("total_of rounds down");
    const price = pkg.provenance.files.find(({ path }) => path === "shop/price.py");
    expect(price?.reasons).toContain("defines total_of, which the task names");
    expect(price?.reasons).not.toContain("defines total_of");
  });

  test("does not say again which words are in the name", async () => {
    using world = await indexed({ "shop/page.ts": "export function ClientIP(page: string) {\n  return page;\n}\n" });
    const { pkg } = await world.run("ClientIP() is empty");
    expect(pkg.provenance.files[0]?.reasons).toEqual(["defines ClientIP, which the task names"]);
  });
});

test("a class that a function compares or hands over is used there, not called", async () => {
  using world = await indexed({
    "shop/voucher.py": "class Voucher:\n    def __init__(self, cents):\n        self.cents = cents\n",
    "shop/till.py": "from shop.voucher import Voucher\n\n\ndef accepts(item):\n    return isinstance(item, Voucher)\n",
  });
  const { pkg } = await world.run("vouchers are accepted twice", { coverage: 1 });
  const reasons = pkg.provenance.files.find(({ path }) => path === "shop/voucher.py")?.reasons ?? [];
  expect(reasons.filter((reason) => reason.includes("accepts"))).toEqual([
    "Voucher is used by accepts in shop/till.py",
  ]);
});

test("the title of a test is in quotes", async () => {
  using world = await indexed({
    "shop/price.ts": "export function price(items: number[]) {\n  return items.length;\n}\n",
    "shop/price.test.ts":
      'import { price } from "./price";\n\ndescribe("price of "old" vouchers", () => {\n  test("no voucher", () => {\n    expect(price([])).toBe(0);\n  });\n});\n',
  });
  const { pkg } = await world.run("the price of an old voucher is wrong", { coverage: 1 });
  const reasons = Object.fromEntries(pkg.provenance.files.map(({ path, reasons: all }) => [path, all.join("; ")]));
  expect(reasons["shop/price.ts"]).toMatch(/price is used by "[^"]+" in shop\/price\.test\.ts/);
  expect(reasons["shop/price.test.ts"]).toMatch(/ in "[^"]*voucher[^"]*"/);
});

describe("what a test tests", () => {
  test("begins with the file that the task is about, and is said once", async () => {
    using world = await indexed({
      "shop/money.py": "# of a voucher\ndef cents(a):\n    return a\n",
      "shop/voucher.py": `def redeem_voucher(voucher):\n${STEPS}    return voucher\n`,
      "tests/test_all.py":
        "from shop.money import cents\nfrom shop.voucher import redeem_voucher\n\n\ndef test_sums():\n    assert cents(1) == 1\n\n\ndef test_voucher():\n    assert redeem_voucher(1) == 1\n",
    });
    const { pkg } = await world.run("redeem_voucher accepts any voucher", { budget: 8_000, coverage: 1 });
    const reasons = pkg.provenance.files.find(({ path }) => path === "tests/test_all.py")?.reasons ?? [];
    expect(reasons.filter((reason) => reason.startsWith("tests "))).toEqual([
      "tests shop/voucher.py and shop/money.py",
    ]);
  });

  test("is no file that only has the same name, where the test uses another", async () => {
    using world = await indexed({
      "src/views.py": "def show_voucher(page):\n    return page\n",
      "examples/celery/views.py": "def add_voucher(page):\n    return page + 1\n",
      "tests/test_views.py":
        "from src.views import show_voucher\n\n\ndef test_voucher():\n    assert show_voucher(1) == 1\n",
    });
    const { pkg } = await world.run("the voucher is not shown", { budget: 8_000, coverage: 1 });
    const reasons = pkg.provenance.files.find(({ path }) => path === "tests/test_views.py")?.reasons ?? [];
    expect(reasons).toContain("tests src/views.py");
  });

  test("is not said twice of one that only comes as a test", async () => {
    using world = await indexed({
      "shop/money.py": "# of a voucher\ndef cents(a):\n    return a\n",
      "shop/voucher.py": `from shop.money import cents\n\n\ndef redeem_voucher(voucher):\n${STEPS}    return cents(voucher)\n`,
      "tests/test_all.py":
        "from shop.money import cents\nfrom shop.voucher import redeem_voucher\n\n\ndef test_sums():\n    assert cents(1) == redeem_voucher(1)\n",
    });
    const { pkg } = await world.run("the voucher is redeemed twice", { budget: 8_000, coverage: 1, scopeSize: 2 });
    const reasons = pkg.provenance.files.find(({ path }) => path === "tests/test_all.py")?.reasons ?? [];
    expect(reasons.filter((reason) => reason.startsWith("tests "))).toEqual([
      "tests shop/voucher.py and shop/money.py",
    ]);
  });

  test("is what it uses, not the file that passes that on", async () => {
    using world = await indexed({
      "shop/index.ts": 'export * from "./client.ts";\nexport * from "./voucher.ts";\n',
      "shop/client.ts": "export const get = (page: number) => page + 1;\n",
      "shop/voucher.ts": "export const showVoucher = (page: number) => page;\n",
      "tests/shown.test.ts":
        'import { get, showVoucher } from "../shop/index.ts";\n\ntest("a voucher", () => {\n  expect(showVoucher(get(1))).toBe(2);\n});\n',
    });
    const { pkg } = await world.run("showVoucher shows the wrong voucher", { budget: 8_000, coverage: 1 });
    const reasons = pkg.provenance.files.find(({ path }) => path === "tests/shown.test.ts")?.reasons ?? [];
    expect(reasons.filter((reason) => reason.startsWith("tests "))).toEqual(["tests shop/voucher.ts"]);
  });

  test("is the only file that it is named after, even if it uses just others", async () => {
    using world = await indexed({
      "shop/voucher.py": "def show_voucher(page):\n    return page\n",
      "shop/client.py": "def get(page):\n    return page + 1\n",
      "tests/test_voucher.py": "from shop.client import get\n\n\ndef test_voucher():\n    assert get(1) == 1\n",
    });
    const { pkg } = await world.run("the voucher of the client is not shown", { budget: 8_000, coverage: 1 });
    const reasons = pkg.provenance.files.find(({ path }) => path === "tests/test_voucher.py")?.reasons ?? [];
    expect(reasons).toContain("tests shop/voucher.py and shop/client.py");
  });
});

test("a test that is shown without using what the task is about has no clause about use", async () => {
  using world = await indexed({
    "shop/price.ts": "export function price(items: number[]) {\n  return items.length;\n}\n",
    "shop/price.test.ts":
      'import { price } from "./price";\n\ndescribe("price of vouchers", () => {\n  test("no voucher", () => {\n    expect(price([])).toBe(0);\n  });\n});\n',
  });
  const { pkg } = await world.run("the price of a voucher is wrong", { purpose: "fix" });
  const reasons = pkg.provenance.files.flatMap(({ reasons: all }) => all);
  expect(reasons).not.toEqual([]);
  expect(reasons.filter((reason) => reason.includes("ranked by search"))).toEqual([]);
});

test("no reason is about the score", async () => {
  for (const task of ["the voucher discount is wrong", "make it faster", "xyzzy"]) {
    const { pkg, events } = await shop.run(task);
    expect(JSON.stringify([pkg, events])).not.toContain("best by score");
    for (const { relation, reasons } of pkg.provenance.files) expect([relation, reasons]).not.toEqual(["", []]);
  }
});

describe("the share of reasons", () => {
  test("is at most 5 % of the tokens, whatever the budget, and every file has one before one has two", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `voucher/part_${at}.py`,
        `def voucher_${at}(a):\n${"    # the voucher discount is applied here, after tax and rounding\n".repeat(1 + at)}    return a\n`,
      ]),
    );
    using world = await indexed(files);
    for (const budget of [300, 700, 1_500, 3_000, 8_000, 32_000]) {
      const { pkg, markdown, prompt, counter } = await world.run("the voucher discount is wrong", { budget });
      const size = Math.min(count(markdown), count(prompt));
      expect(reasonTokens(pkg, counter)).toBeLessThanOrEqual(size * REASON_SHARE);
      expect(Math.max(count(markdown), count(prompt))).toBeLessThanOrEqual(budget);
      expect(pkg.token_count).toBe(count(markdown));
      if (pkg.files.some(({ reason }) => reason?.includes(";")))
        expect(pkg.files.filter(({ reason }) => reason === null)).toEqual([]);
    }
  });

  test("is nothing without reasons, under another task id", async () => {
    const [withReasons, without] = [
      await shop.run("the voucher discount is wrong"),
      await shop.run("the voucher discount is wrong", { reasons: false }),
    ];
    expect(without.taskId).not.toBe(withReasons.taskId);
    expect(without.pkg.files.map(({ reason }) => reason)).toEqual(without.pkg.files.map(() => null));
    expect(without.markdown).not.toContain("Reason:");
    expect(without.pkg.provenance.files[0]?.reasons).toEqual(withReasons.pkg.provenance.files[0]?.reasons ?? []);
  });
});

test("words are named once, the heaviest first, in the first place that has them", () => {
  const wordOf = (found: string): string => ["low", "text", "path", "name"].find((word) => stem(word) === found) ?? "";
  const stems = [
    { stem: stem("low"), weight: 0.01, inPath: false },
    { stem: stem("text"), weight: 1, inPath: false },
    { stem: stem("path"), weight: 2, inPath: true },
    { stem: stem("name"), weight: 3, inPath: false },
  ];
  expect(matchReason(stems, ["other", "by_name", "to_name"], wordOf)).toEqual([
    "name in by_name",
    "path in its path",
    "text in its text",
  ]);
  const heavier = stems.map((found) => (found.inPath ? { ...found, weight: 4 } : found));
  expect(matchReason(heavier, ["by_name"], wordOf)[0]).toBe("path in its path");
  expect(matchReason([{ stem: stem("name"), weight: 1, inPath: false }], ["name"], wordOf)).toEqual(["defines name"]);
  expect(matchReason([], ["name"], wordOf)).toEqual([]);
});

test("a word that is part of another one is not named beside it", () => {
  const stems = ["gridreader", "grid", "reader", "tax"].map((word) => ({ stem: word, weight: 1, inPath: false }));
  expect(matchReason(stems, [], (found) => found)).toEqual(["gridreader, tax in its text"]);
});

test("a name that the task has as a word is said to be defined, without its parts", () => {
  const stems = ["putthings", "put", "thing"].map((word) => ({ stem: stem(word), weight: 1, inPath: false }));
  expect(matchReason(stems, ["PutThing"], (found) => (found === stem("putthings") ? "putthings" : found))).toEqual([
    "defines PutThing",
  ]);
});

test("pairs of a script without blanks are put together as the task has them", () => {
  const stems = ["接池", "超时", "连接", "接口"].map((word, at) => ({ stem: word, weight: 9 - at, inPath: false }));
  const said = (task: string) => matchReason(stems, [], (found) => found, task);
  expect(said("连接池超时，接口")).toEqual(["连接池, 超时, 接口 in its text"]);
  expect(said("连接 超时 接池")).toEqual(["接池, 超时, 连接, 接口 in its text"]);
});

test("a name that has a word as the task spells it comes before one with only its stem", () => {
  const stems = [{ stem: stem("headers"), weight: 1, inPath: false }];
  expect(matchReason(stems, ["head", "set_headers"], () => "headers")).toEqual(["headers in set_headers"]);
  expect(matchReason(stems, ["header", "set_body"], () => "headers")).toEqual(["defines header"]);
});
