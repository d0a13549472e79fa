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

test("a reason says which words match where, who calls or imports the file, which commits changed it, and what it tests", async () => {
  const { pkg, markdown, prompt } = await shop.run("the voucher discount is wrong");
  const reasons = Object.fromEntries(pkg.provenance.files.map(({ path, reasons: all }) => [path, all.join("; ")]));
  expect(reasons["shop/price.py"]).toBe(
    'discount, voucher in voucher_discount; voucher_discount is called by test_discount in tests/test_price.py; changed by "Round the voucher discount down"',
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
    "path in its path",
    "name in by_name",
    "text in its text",
  ]);
  expect(matchReason([{ stem: stem("name"), weight: 1, inPath: false }], ["name"], wordOf)).toEqual(["defines name"]);
  expect(matchReason([], ["name"], wordOf)).toEqual([]);
});
