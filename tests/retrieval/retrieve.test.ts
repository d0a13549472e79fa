/**
 * What a run must put in and leave out, on a small real repository: named things, what they are tied to, nothing else.
 */
import { describe, expect, test } from "bun:test";
import type { SymbolRow } from "../../src/db/curated/knowledge-base.ts";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import type { PlacedSymbol } from "../../src/retrieval/model/selection.ts";
import { pathText } from "../../src/text/markdown.ts";
import { floorOf, type Indexed, indexed, type Run } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { growShop, MANY, SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP, { git: true, grow: growShop }));
const many = shared(await indexed(MANY));

/** Runs a task at its floor, at twice that, and with the default budget. */
async function atEveryBudget(world: Indexed, task: string, check: (run: Run) => void): Promise<void> {
  const floor = await floorOf(world.run(task, { budget: 1 }));
  for (const budget of [floor, 2 * floor, 32_768]) check(await world.run(task, { budget }));
}

const tiersOf = ({ selection }: Run): Record<string, string> =>
  Object.fromEntries(selection.files.map(({ file, tier }) => [file.path, tier]));
const pathsOf = ({ pkg }: Run): readonly string[] => pkg.files.map(({ path }) => path);

describe("what the task names", () => {
  test("a file is a seed and in the package, at every budget", async () => {
    for (const { path } of shop.kb.files())
      await atEveryBudget(shop, `something is wrong in ${path}`, (run) => {
        expect([path, tiersOf(run)[path]]).toEqual([path, "seed"]);
        expect(pathsOf(run)).toContain(path);
        expect(run.markdown).toContain(`### ${pathText(path)} (rank #`);
      });
  });

  test("a symbol is in scope and shown at least by its signature, at every budget", async () => {
    const named = namedSymbols(shop);
    expect(named.length).toBeGreaterThan(8);
    for (const { path, symbol } of named)
      await atEveryBudget(shop, `\`${symbol.name}\` gives the wrong answer`, (run) => {
        expect([symbol.name, tiersOf(run)[path]]).toEqual([symbol.name, "seed"]);
        const shown = run.pkg.files.find((file) => file.path === path)?.symbols ?? [];
        expect(shown.map(({ qualified_name: name }) => name)).toContain(symbol.qualifiedName);
        expect(run.markdown).toContain(symbol.name);
      });
  });

  test("hints are seeds whatever the task says, and unknown hints are reported", async () => {
    const run = await shop.run("the newsletter", { paths: ["web/clock.ts", "no/such.py"], symbols: ["reserve_shelf"] });
    const tiers = tiersOf(run);
    expect([tiers["web/clock.ts"], tiers["shop/stock.py"]]).toEqual(["seed", "seed"]);
    expect(pathsOf(run)).toEqual(expect.arrayContaining(["web/clock.ts", "shop/stock.py"]));
    expect(run.pkg.warnings.join("\n")).toContain("no/such.py");
  });

  test("a name with more than five files makes no seed and is warned about; as a hint it makes them all", async () => {
    const asked = await many.run("fix settings.py");
    expect(asked.selection.seeds).toEqual([]);
    expect(asked.pkg.warnings.join("\n")).toContain('"settings.py" is in 6 files');
    const hinted = await many.run("fix it", { paths: ["settings.py"] });
    expect(hinted.selection.seeds.map(({ given }) => given)).toEqual(Array.from({ length: 6 }, () => true));
  });

  test("at most twenty seeds come from the text; the others are named", async () => {
    const names = Array.from({ length: 25 }, (_, at) => `mod/part${at}.py`);
    const run = await many.run(names.join(" and "));
    expect(run.selection.seeds).toHaveLength(20);
    const warning = run.pkg.warnings.find((line) => line.includes("candidates only")) ?? "";
    const seeds = new Set(run.selection.files.filter(({ tier }) => tier === "seed").map(({ file }) => file.path));
    for (const name of names) expect([name, seeds.has(name) !== warning.includes(name)]).toEqual([name, true]);
  });
});

/** Symbols that a task can name without doubt: spelt like code, defined once, in reach from outside. */
function namedSymbols({ kb }: Indexed): readonly { readonly path: string; readonly symbol: SymbolRow }[] {
  const files = kb.files();
  const symbols = kb.symbolsIn(files.map(({ id }) => id));
  return symbols.flatMap((symbol) => {
    const file = files.find(({ id }) => id === symbol.fileId);
    const clear =
      /[a-z]_[a-z]|[a-z][A-Z]/.test(symbol.name) && symbols.filter(({ name }) => name === symbol.name).length === 1;
    return file && clear && symbol.kind !== "property" ? [{ path: file.path, symbol }] : [];
  });
}

describe("what is connected to a seed", () => {
  test("direct imports and importers are in scope, whatever the seed and the scope's size", async () => {
    const files = shop.kb.files();
    const pathOf = new Map(files.map(({ id, path }) => [id, path]));
    for (const { id, path } of files) {
      const tiers = tiersOf(await shop.run(`look at ${path}`, { scopeSize: 1 }));
      for (const { source, target } of shop.kb.dependenciesOf([id])) {
        const other = pathOf.get(source === id ? target : source) ?? "";
        expect([path, other, ["seed", "dependency"].includes(tiers[other] ?? "")]).toEqual([path, other, true]);
      }
    }
  });

  test("files that changed together three times are in scope, twice is not enough", async () => {
    const run = await shop.run("look at shop/cart.py", { scopeSize: 1 });
    const stock = run.selection.files.find(({ file }) => file.path === "shop/stock.py");
    expect([stock?.tier, stock?.relation]).toEqual(["co_change", "changed together with shop/cart.py 3 times"]);
    expect(tiersOf(run)["shop/mail.py"]).toBeUndefined();
  });

  test("depth 2 reaches further", async () => {
    const reach = async (depth: 1 | 2) => tiersOf(await shop.run("look at shop/tax.py", { scopeSize: 1, depth }));
    expect((await reach(1))["shop/price.py"]).toBe("dependency");
    expect((await reach(1))["shop/cart.py"]).toBeUndefined();
    expect((await reach(2))["shop/cart.py"]).toBe("dependency");
  });
});

describe("what is left out", () => {
  const TASKS = [
    "fix `tax_for` in shop/tax.py",
    "the cart sum is wrong",
    "add_item fails when the cart is full",
    "show money on the page in web/cart-view.tsx",
    "weekly letter",
  ] as const;

  test("everything in the package is named, scores at least a tenth of the best (tests half of that), or is used by something that does", async () => {
    for (const task of TASKS) {
      const { pkg, selection } = await shop.run(task);
      if (selection.isMap) continue;
      const seeds = new Set(selection.files.filter(({ tier }) => tier === "seed").map(({ file }) => file.path));
      const bestFile = Math.max(...selection.files.map(({ score }) => score.total));
      const placed = new Map(selection.symbols.map((entry) => [entry.symbol.id, entry]));
      const texts = shop.kb.textsToMatch(selection.files.map(({ file }) => file.id));
      const sourceOf = ({ fileId, startLine, endLine }: SymbolRow): string =>
        (texts.get(fileId) ?? "")
          .split("\n")
          .slice(startLine - 1, endLine)
          .join("\n");
      for (const { path, symbols, snippets } of pkg.files) {
        const scoped = selection.files.find(({ file }) => file.path === path);
        expect(scoped).toBeDefined();
        for (const { qualified_name: name, start_line: line, relevance } of symbols) {
          const found = [...placed.values()].find(
            ({ symbol }) =>
              symbol.fileId === scoped?.file.id && symbol.qualifiedName === name && symbol.startLine === line,
          );
          expect([path, name, found !== undefined]).toEqual([path, name, true]);
          if (!found) continue;
          const least = scoped?.file.isTest ? 0.05 : 0.1;
          const reads = ({ symbol }: PlacedSymbol): boolean =>
            found.symbol.kind === "variable" && sourceOf(symbol).includes(found.symbol.name);
          if (relevance === "primary") expect(found.floor || found.score >= least).toBe(true);
          else
            expect(
              shop.kb.referencesTo([found.symbol.id]).some(({ caller }) => placed.has(caller)) ||
                [...placed.values()].some(reads),
            ).toBe(true);
        }
        if (symbols.length === 0 && snippets.length > 0)
          expect(seeds.has(path) || (scoped?.score.total ?? 0) >= 0.1 * bestFile).toBe(true);
      }
    }
  });

  test("unrelated code stays out, however large the budget", async () => {
    const run = await shop.run("fix `tax_for`, which rounds the wrong way", { budget: 60_000 });
    const out = ["shop/mail.py", "shop/legacy/report.py", "web/clock.ts", "tests/test_newsletter.py", "shop/stock.py"];
    expect(pathsOf(run).filter((path) => out.includes(path))).toEqual([]);
  });

  test("a test that uses what is relevant is in the package, and one that neither does nor matches is not", async () => {
    const related = await shop.run("look at shop/price.py");
    expect(tiersOf(related)["tests/test_cart.py"]).toBe("dependency");
    expect(pathsOf(related)).toContain("tests/test_cart.py");
    const matching = await shop.run("the cart sum has no tax");
    expect(pathsOf(matching)).toContain("tests/test_cart.py");
    expect(matching.markdown).toContain("## Test Expectations\n### tests/test_cart.py");
    const asking = await shop.run("round the cart sum up, and test it");
    expect(pathsOf(asking)).toContain("tests/test_cart.py");
    expect(pathsOf(asking)).not.toContain("tests/test_newsletter.py");
  });

  test("include, exclude and a language restrict what can be in scope", async () => {
    const scoped = async (wishes: Parameters<Indexed["run"]>[1]) =>
      Object.keys(tiersOf(await shop.run("cart money tax in shop/cart.py and web/format.ts", wishes))).sort();
    const all = await scoped({});
    expect(await scoped({ include: ["web/**"] })).toEqual(all.filter((path) => path.startsWith("web/")));
    expect(await scoped({ exclude: ["**/*.py"] })).not.toContain("shop/cart.py");
    const typed = await scoped({ languages: ["typescript", "tsx"] });
    expect(typed).toContain("web/format.ts");
    expect(typed.filter((path) => !/\.tsx?$/.test(path))).toEqual([]);
  });
});

test("a limit of lines holds for both texts", async () => {
  for (const maxLines of [14, 20, 45]) {
    const run = await shop.run("add_item fails when the cart is full", { maxLines });
    for (const text of [run.markdown, run.prompt]) expect(text.split("\n").length - 1).toBeLessThanOrEqual(maxLines);
    expect(run.pkg.provenance.budget.max_lines).toBe(maxLines);
  }
});

test("the package matches its schema, and edges connect only its files", async () => {
  for (const task of [
    "cart",
    "fix `formatMoney`",
    "words that are nowhere qqq",
    "{task} ``` \u001b[0m <|endoftext|>",
  ]) {
    const { pkg } = await shop.run(task);
    expect(ContextPackage.parse(JSON.parse(JSON.stringify(pkg)))).toEqual(pkg);
    const paths = new Set(pkg.files.map(({ path }) => path));
    for (const [from, to] of pkg.dependency_edges) expect(paths.has(from) && paths.has(to)).toBe(true);
    const ranks = pkg.files.map(({ relevance_rank: rank }) => rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  }
});

test("nothing matches: a map of the most central files, with a warning", async () => {
  const { pkg } = await shop.run("zzz qqq xxx");
  expect(pkg.warnings.join("\n")).toContain("nothing in the index matches the task");
  const paths = pkg.files.map(({ path }) => path);
  expect(paths.slice(0, 2)).toEqual(["shop/cart.py", "shop/price.py"]);
  expect(paths).not.toContain("README.md");
});

test("a definition that is shorter than its signature with its position is shown in full", async () => {
  using small = await indexed({ "src/parse.py": "def parse_header(value):\n    pass\n    return value\n" });
  const { markdown } = await small.run("parse_header does the wrong thing with empty values", { coverage: "auto" });
  expect(markdown).toContain("    return value");
});
