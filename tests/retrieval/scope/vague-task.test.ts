/** A vague task gets a small map of the repository instead of guesses, and says what could be asked. */
import { expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { indexed, type Run } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const FILES = {
  ...SHOP,
  "main.py":
    "from shop.cart import Cart\n\n\ndef main() -> None:\n    # It could be faster, and the code cleaner.\n    Cart('a').cart_sum()\n",
  "shop/clean.py": "def clean(text: str) -> str:\n    return text.strip()\n",
  "shop/rates.py": "def fast_rate() -> int:\n    return 1\n\n\ndef make(code: int) -> int:\n    return code\n",
};
const shop = shared(await indexed(FILES));
const pathsOf = ({ pkg }: Run): readonly string[] => pkg.files.map(({ path }) => path);
const warningOf = ({ pkg }: Run): string => pkg.warnings.find((text) => text.includes("a map of the repository")) ?? "";

test.each([
  ["make it faster", "has no word that is specific here"],
  ["Make the code faster!", "has no word that is specific here"],
  ["clean up", "nothing in the index matches the task"],
  ["improve the code", "nothing in the index matches the task"],
  ["fix the bug", "nothing in the index matches the task"],
  ["add tests", "nothing in the index matches the task"],
  ["zzz qqq xxx", "nothing in the index matches the task"],
  ["fix https://tracker.example.com/acme/issues/7", "nothing in the index matches the task"],
  ["```", "nothing in the index matches the task"],
])("%s: a map", async (task, why) => {
  const run = await shop.run(task);
  expect(warningOf(run)).toContain(
    `${why}, so this is a map of the repository; ask about a part of it, such as shop, `,
  );
  expect(pathsOf(run)).toEqual(expect.arrayContaining(["main.py", "shop/cart.py", "shop/price.py"]));
  expect(run.pkg.token_count).toBeLessThan(1_000);
  for (const text of [run.markdown, run.prompt]) expect(text).toContain("a map of the repository");
  const shown = run.pkg.files.flatMap(({ symbols, snippets }) => [...symbols.map(({ body }) => body), ...snippets]);
  expect(shown.filter((body) => body !== null)).toEqual([]);
  expect(run.pkg.files.find(({ path }) => path === "shop/cart.py")?.symbols.map(({ name }) => name)).toContain("Cart");
});

const EXPLAINED = {
  ...FILES,
  "shop/explain.py": "def explain(start: int) -> str:\n    structure = overview(start)\n    return structure\n",
  "shop/project.py":
    "def start(architecture: str) -> int:\n    return 1\n\n\ndef describe(project: str) -> None:\n    pass\n",
  "shop/onboarding.py": "def onboard(level: int) -> int:\n    return level\n",
};
const explained = shared(await indexed(EXPLAINED));

test.each([
  "explain the architecture",
  "Where do I start?",
  "How does this project work?",
  "what is this?",
  "Give me an overview of the codebase.",
  "please describe the structure of this repository",
  "walk me through the code",
  "How do I get started with this project?",
  "Could you give me an overview?",
  "what does this project do",
  "high-level design",
  "explain the high level architecture of the project",
  "summarize this repository",
  "onboarding to this codebase",
  "Help me understand the codebase",
])("%s: a map, whatever words the code has", async (task) => {
  const run = await explained.run(task);
  expect(warningOf(run)).toContain("the task asks about the whole repository, so this is a map of the repository");
  expect(pathsOf(run)).toEqual(expect.arrayContaining(["main.py", "shop/cart.py"]));
});

const dead = shared(
  await indexed({ ...FILES, "shop/dead.py": "def unused(code: int) -> bool:\n    dead = code\n    return dead\n" }),
);

test.each([
  "find dead code",
  "what is unused?",
  "Which functions are never called?",
  "list unused functions and classes",
  "remove unreachable code",
  "are there exports that nobody uses or methods that are not used in this repository?",
])("%s: a map that says that references do not tell", async (task) => {
  const run = await dead.run(task);
  expect(warningOf(run)).toContain("references cannot prove that code is unused");
  expect(pathsOf(run)).toEqual(expect.arrayContaining(["main.py", "shop/cart.py"]));
});

test("a task about something that is unused is about it", async () => {
  for (const task of ["the unused price is shown", "find dead code in shop/cart.py"])
    expect(warningOf(await dead.run(task))).toBe("");
});

const linter = shared(
  await indexed({
    ...FILES,
    "rules/unused_import.py": "def unused_import(tree):\n    return tree\n",
    "rules/unused_variable.py": "def unused_variable(tree):\n    return tree\n",
  }),
);

test("in a linter, a task about unused code is about its rules", async () => {
  const run = await linter.run("detect unused imports");
  expect([warningOf(run), pathsOf(run)[0]]).toEqual(["", "rules/unused_import.py"]);
});

test.each([
  ["how does the cart work?", "shop/cart.py"],
  ["explain the price", "shop/explain.py"],
  ["fix the start", "shop/project.py"],
  ["how does `explain` work", "shop/explain.py"],
  ["walk me through the cart", "shop/cart.py"],
  ["how do I get started with the price?", "shop/price.py"],
  ["give me an overview of the tax", "shop/tax.py"],
  ["what does this price do", "shop/price.py"],
  ["high-level design of the cart", "shop/cart.py"],
  ["summarize the tax", "shop/tax.py"],
  ["onboarding", "shop/onboarding.py"],
  ["what is the level?", "shop/onboarding.py"],
])("%s: no map", async (task, first) => {
  const run = await explained.run(task);
  expect([warningOf(run), pathsOf(run)[0]]).toEqual(["", first]);
});

test.each([
  ["a definition's name as code", "`clean` is wrong"],
  ["a file", "clean up shop/tax.py"],
  ["a plain word of the code", "make the cart faster"],
  ["another form of a word that several files have", "taxes"],
  ["a rare word of comments in a sentence", "letters are sent twice"],
])("not vague: %s", async (_, task) => {
  const run = await shop.run(task);
  expect([warningOf(run), run.selection.isMap]).toEqual(["", undefined]);
});

test("a hint or a request makes a vague task precise", async () => {
  const hinted = await shop.run("make it faster", { paths: ["shop/tax.py"] });
  expect([warningOf(hinted), pathsOf(hinted)[0]]).toEqual(["", "shop/tax.py"]);
  const asked = await shop.run("make it faster", {
    constraints: { ...NO_CONSTRAINTS, missing_symbols: ["tax_for"] },
  });
  expect([warningOf(asked), pathsOf(asked)]).toEqual(["", expect.arrayContaining(["shop/tax.py"])]);
  const without = await shop.run("make it faster", {
    constraints: { ...NO_CONSTRAINTS, rejected_files: ["shop/cart.py"] },
  });
  expect([warningOf(without) === "", pathsOf(without).includes("shop/cart.py")]).toEqual([false, false]);
});

test("what could be asked about is source, also if the words lead elsewhere", async () => {
  using repo = await indexed({
    ...FILES,
    "benchmark/speed.py": "class SpeedPage:\n    # It should be faster.\n    pass\n",
  });
  const run = await repo.run("make it faster");
  expect(pathsOf(run)).toContain("benchmark/speed.py");
  const [, asked = ""] = warningOf(run).split("such as ");
  expect(asked.split(", ")).toEqual(expect.arrayContaining(["shop", "main.py", "shop/rates.py", "main"]));
  expect(asked).not.toMatch(/speed/i);
});

test("a map of a small budget holds what fits", async () => {
  const run = await shop.run("clean up", { budget: 160 });
  expect(run.pkg.token_count).toBeLessThanOrEqual(160);
  expect(run.pkg.files.length).toBeGreaterThan(0);
});

test("of a module whose functions are members of an object that it exports, the map shows these", async () => {
  const files = {
    "lib/response.js":
      "var res = Object.create(null);\n\nmodule.exports = res;\n\nres.send = function send(body) {\n  return stringify(body);\n};\n\nres.json = function json(body) {\n  return this.send(body);\n};\n\nfunction stringify(value) {\n  return String(value);\n}\n",
    "lib/index.js": "var res = require('./response');\n\nres.send(1);\n",
  };
  using library = await indexed(files);
  const { pkg } = await library.run("clean up");
  const shown = pkg.files.find(({ path }) => path === "lib/response.js")?.symbols.map(({ name }) => name);
  expect(shown).toEqual(["send", "json"]);
});

test("the map shows what namespaces hold, not their names alone", async () => {
  using library = await indexed({
    "lib/base.rb":
      "class Shop\n  module Base\n    module Helpers\n      def price(item)\n        item\n      end\n    end\n  end\nend\n",
    "lib/cart.rb":
      'require_relative "base"\n\nclass Shop\n  module Carts\n    class Cart\n      def add(item)\n        item\n      end\n    end\n  end\nend\n',
    "src/Voucher.cs":
      "namespace Shop.Vouchers\n{\n    public class Voucher\n    {\n        public int Cents;\n    }\n\n    public class Refund\n    {\n    }\n}\n",
  });
  const { pkg } = await library.run("clean up");
  const shown = new Map(pkg.files.map(({ path, symbols }) => [path, symbols.map(({ name }) => name)]));
  expect(Object.fromEntries(shown)).toMatchObject({ "lib/base.rb": ["price"] });
  const { pkg: all } = await library.run("clean up", { only: ["src"] });
  expect(all.files.flatMap(({ symbols }) => symbols.map(({ name }) => name))).toEqual(["Voucher", "Refund"]);
});

test("a task about prose is not vague where there is hardly anything else", async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`docs/page_${at}.md`, `# Page ${at}\n\nHow tea number ${at} is brewed.\n`]),
  );
  const docs = { ...pages, "docs/keys.md": "# Keys\n\nThe session cookie is signed with the key of the shop.\n" };
  using manual = await indexed({ ...docs, Makefile: "html:\n\tbuild docs\n" });
  const run = await manual.run("document how the session cookie is signed");
  expect([warningOf(run), pathsOf(run)[0]]).toEqual(["", "docs/keys.md"]);
  expect(warningOf(await manual.run("improve the wording"))).toContain("nothing in the index matches the task");
  using whole = await indexed({ ...docs, ...FILES });
  const only = await whole.run("the session cookie", { include: ["docs"] });
  expect([warningOf(only), pathsOf(only)[0]]).toEqual(["", "docs/keys.md"]);
});
