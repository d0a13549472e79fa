/** A review shows who still uses what the changes removed or renamed: the places that break. */
import { expect, test } from "bun:test";
import { z } from "zod";
import type { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { type Files, type TempRepo, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

/** What a round says of what still uses something that is gone: `path:definition`, or `path:line` of other lines. */
async function remainingIn(repo: TempRepo, { task_id }: Pick<ContextPackage, "task_id">): Promise<readonly string[]> {
  const { stdout } = await runHere(["explain", task_id, "--json"], { cwd: repo.path });
  const { decisions } = Explained.parse(JSON.parse(stdout));
  const own = decisions.filter(({ stage, included, reason }) => stage === "budget" && included && STILL.test(reason));
  return [
    ...new Set(own.flatMap(({ path, symbol, line }) => (line === null ? [] : [`${path}:${symbol ?? line}`]))),
  ].sort();
}

const STILL = /^still (?:uses|imports) /;
const Explained = z.looseObject({
  decisions: z.array(
    z.looseObject({
      stage: z.string(),
      path: z.string(),
      symbol: z.string().nullable(),
      line: z.number().nullable(),
      included: z.boolean(),
      reason: z.string(),
    }),
  ),
});

async function reviewed(repo: TempRepo, ...args: readonly string[]): Promise<ContextPackage> {
  return packageOf(
    await runHere(["retrieve", ...(args.length === 0 ? ["--diff"] : args), "--json"], { cwd: repo.path }),
  );
}

async function repoOf(files: Files): Promise<TempRepo> {
  const repo = tempRepo(files, { git: true });
  await indexIn(repo);
  return repo;
}

const PYTHON = {
  "shop/__init__.py": "",
  "shop/rates.py":
    "LIMIT = 3\n\n\ndef rate_of(country):\n    return 19\n\n\ndef tax_of(net):\n    return net * 2\n\n\nclass Cart:\n    def add(self, item):\n        return item\n\n    def close(self):\n        return tax_of(1)\n",
  "shop/invoice.py":
    "from shop.rates import rate_of\n\n\ndef invoice_tax(net):\n    return net * rate_of('de')\n\n\ndef other(net):\n    return net\n",
  "shop/offer.py":
    "from . import rates\n\n\ndef offer_tax(net):\n    # Not rate_of, which is slow.\n    return rates.tax_of(net)\n",
  "shop/words.py": 'def words():\n    """Says what rate_of is."""\n    return "rate_of(country)"\n',
  "tests/test_rates.py": "from shop.rates import rate_of\n\n\ndef test_germany():\n    assert rate_of('de') == 19\n",
};

test(
  "of a removed function of Python the imports and the uses are shown, at any budget",
  async () => {
    using repo = await repoOf(PYTHON);
    repo.write({ "shop/rates.py": PYTHON["shop/rates.py"].replace("def rate_of(country):\n    return 19\n\n\n", "") });
    for (const budget of ["1000", "8000"]) {
      const found = await reviewed(repo, "--diff", "--budget", budget);
      expect(await remainingIn(repo, found)).toEqual([
        "shop/invoice.py:1",
        "shop/invoice.py:invoice_tax",
        "tests/test_rates.py:1",
        "tests/test_rates.py:test_germany",
      ]);
      const invoice = found.files.find(({ path }) => path === "shop/invoice.py");
      expect(invoice?.snippets[0]?.reason).toBe("still imports rate_of, which was removed");
    }
  },
  HANG_MS,
);

test(
  "the text says what still uses it also where the package is small, within the budget",
  async () => {
    using repo = await repoOf(PYTHON);
    repo.write({
      "shop/rates.py": PYTHON["shop/rates.py"]
        .replace("def rate_of(", "def rate_for(")
        .replace("def tax_of(", "def tax_for("),
    });
    const reasonsAt = async (budget: string): Promise<readonly (string | null)[]> => {
      const { files, token_count } = await reviewed(repo, "--diff", "--budget", budget);
      expect(token_count).toBeLessThanOrEqual(Number(budget));
      return files.map(({ path, reason }) => `${path}: ${reason}`);
    };
    const all = [
      "shop/rates.py: close still uses tax_of, which was removed",
      "shop/invoice.py: invoice_tax still uses rate_of, which was removed",
      "shop/offer.py: offer_tax still uses tax_of, which was removed",
      "tests/test_rates.py: test_germany still uses rate_of, which was removed",
    ];
    for (const budget of ["32768", "1000", "700"]) expect((await reasonsAt(budget)).toSorted()).toEqual(all.toSorted());
    await reasonsAt("500");
    await reasonsAt("400");
  },
  HANG_MS,
);

test(
  "a renamed function is used in its own file and through its module, also since a commit and in a further round",
  async () => {
    using repo = await repoOf(PYTHON);
    repo.write({ "shop/rates.py": PYTHON["shop/rates.py"].replace("def tax_of(", "def tax_for(") });
    const users = ["shop/offer.py:offer_tax", "shop/rates.py:Cart.close"];
    const first = await reviewed(repo);
    expect(await remainingIn(repo, first)).toEqual(users);
    const further = await runHere(["refine", first.task_id, "--missing-file", "shop/words.py", "--json"], {
      cwd: repo.path,
    });
    expect(await remainingIn(repo, packageOf(further))).toEqual(users);
    repo.commit("Rename tax_of");
    expect(await remainingIn(repo, await reviewed(repo, "--since", "HEAD~1"))).toEqual(users);
  },
  HANG_MS,
);

const TYPESCRIPT = {
  "src/rates.ts": "export function rateOf(country: string) {\n  return country.length;\n}\n\nexport const LIMIT = 3;\n",
  "src/invoice.ts":
    'import { rateOf as rate } from "./rates.ts";\n\nexport function invoiceTax(net: number) {\n  return net * rate("de");\n}\n',
  "src/passed.ts": 'export { rateOf } from "./rates.ts";\n',
  "src/offer.ts":
    'import { rateOf } from "./passed.ts";\n\nexport const offerTax = (net: number) => net * rateOf("fr");\n',
  "src/start.ts": 'import { LIMIT } from "./rates.ts";\n\nconsole.log(LIMIT);\n',
};

test(
  "of TypeScript a function that is removed, moved or passed on, and a file that is deleted or renamed",
  async () => {
    using repo = await repoOf(TYPESCRIPT);
    const { "src/rates.ts": rates } = TYPESCRIPT;
    const [rateOf = "", limit = ""] = rates.split(/(?<=\}\n)\n/);
    repo.write({ "src/rates.ts": limit });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual([
      "src/invoice.ts:1",
      "src/invoice.ts:invoiceTax",
      "src/offer.ts:offerTax",
      "src/passed.ts:1",
    ]);
    // It moved, and nobody imports it from there.
    repo.write({ "src/moved.ts": rateOf });
    expect(await remainingIn(repo, await reviewed(repo))).toContain("src/invoice.ts:invoiceTax");
    repo.write({ "src/rates.ts": `export { rateOf } from "./moved.ts";\n${limit}` });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual([]);
    repo.remove("src/moved.ts");
    repo.write({ "src/prices.ts": rates });
    repo.remove("src/rates.ts");
    const renamed = await reviewed(repo);
    // The definitions are still there: only the imports have to be changed.
    expect(await remainingIn(repo, renamed)).toEqual(["src/invoice.ts:1", "src/passed.ts:1", "src/start.ts:1"]);
    const [lines] = renamed.files.find(({ path }) => path === "src/start.ts")?.snippets ?? [];
    expect(lines?.reason).toBe("still imports src/rates.ts, which was renamed to src/prices.ts");
    expect(lines?.text).toContain('"./rates.ts"');
    repo.remove("src/prices.ts");
    const deleted = await reviewed(repo);
    expect(await remainingIn(repo, deleted)).toContain("src/invoice.ts:invoiceTax");
    const [first] = deleted.files.find(({ path }) => path === "src/start.ts")?.snippets ?? [];
    expect(first?.reason).toBe("still imports src/rates.ts, which was deleted");
  },
  HANG_MS,
);

const GO = {
  "go.mod": "module shop.example/shop\n",
  "rates/rates.go":
    "package rates\n\nfunc Of(country string) int { return tax(19) }\n\nfunc tax(n int) int { return n }\n\ntype Cart struct{}\n\nfunc (c *Cart) Total() int { return 1 }\n",
  "rates/more.go": "package rates\n\nfunc More() int { return tax(1) }\n",
  "invoice/invoice.go":
    'package invoice\n\nimport "shop.example/shop/rates"\n\nfunc Tax(c *rates.Cart) int { return rates.Of("de") + c.Total() }\n',
};

test(
  "of Go functions and methods, and a function that moves within its package breaks nothing",
  async () => {
    using repo = await repoOf(GO);
    const { "rates/rates.go": rates } = GO;
    const tax = "func tax(n int) int { return n }\n";
    repo.write({ "rates/rates.go": rates.replace(tax, "") });
    expect(await remainingIn(repo, await reviewed(repo))).toContain("rates/more.go:More");
    repo.write({ "rates/moved.go": `package rates\n\n${tax}` });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual([]);
    repo.remove("rates/moved.go");
    repo.write({ "rates/rates.go": rates.replace("Total()", "Sum()").replace("func Of(", "func For(") });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual(["invoice/invoice.go:Tax"]);
    repo.write({ "rates/rates.go": "package rates\n" });
    repo.git("mv", "rates/more.go", "rates/less.go");
    const found = await reviewed(repo);
    expect(await remainingIn(repo, found)).toContain("invoice/invoice.go:Tax");
    expect(JSON.stringify(found.files)).not.toContain("which was renamed");
  },
  HANG_MS,
);

test(
  "of a deleted module of Python the imports are shown where its package is still there, and none where the module became a folder",
  async () => {
    using repo = await repoOf(PYTHON);
    repo.remove("shop/rates.py");
    const found = await remainingIn(repo, await reviewed(repo));
    expect(found).toEqual([
      "shop/invoice.py:1",
      "shop/invoice.py:invoice_tax",
      "shop/offer.py:1",
      "shop/offer.py:offer_tax",
      "tests/test_rates.py:1",
      "tests/test_rates.py:test_germany",
    ]);
    repo.write({ "shop/rates/__init__.py": PYTHON["shop/rates.py"] });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual([]);
  },
  HANG_MS,
);

const INHERITING = {
  "app/base.py": "class Base:\n    def stop(self):\n        return 0\n",
  "app/group.py":
    "import click\n\nfrom app.base import Base\n\n\nclass Group(click.Group):\n    def main(self):\n        return 1\n\n\nclass Part(Base):\n    def stop(self):\n        return 2\n\n    def turn(self):\n        return 3\n",
  "app/start.py":
    "from app.group import Group, Part\n\n\ndef start():\n    group = Group()\n    part = Part()\n    return group.main() + part.stop() + part.turn()\n",
};

test(
  "a method that a base still has, or may have, is not missing",
  async () => {
    using repo = await repoOf(INHERITING);
    const { "app/group.py": group } = INHERITING;
    const without = (text: string, method: string): string =>
      text.replace(new RegExp(`    def ${method}.*\\n.*\\n\\n?`), "");
    repo.write({
      "app/group.py": without(without(group, "main"), "stop").replace("click.Group):", "click.Group):\n    x = 1\n"),
    });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual([]);
    repo.write({ "app/group.py": without(group, "turn") });
    expect(await remainingIn(repo, await reviewed(repo))).toEqual(["app/start.py:start"]);
  },
  HANG_MS,
);

test(
  "a method whose name many things have brings nothing, and comments and texts are no uses",
  async () => {
    const users = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `app/part_${at}.py`,
        `def part_${at}(bag):\n    bag.add(${at})\n    return bag\n`,
      ]),
    );
    using repo = await repoOf({ ...PYTHON, ...users });
    const rates = PYTHON["shop/rates.py"].replace("    def add(self, item):\n        return item\n\n", "");
    repo.write({ "shop/rates.py": rates });
    const found = await reviewed(repo);
    expect(await remainingIn(repo, found)).toEqual([]);
    expect(found.files.map(({ path }) => path)).not.toContain("app/part_1.py");
  },
  HANG_MS,
);

test(
  "a deleted file and the old path of a renamed one are explained",
  async () => {
    using repo = await repoOf({ ...PYTHON, "shop/old.py": "def old():\n    return [1, 2, 3]\n" });
    repo.remove("shop/words.py");
    repo.git("mv", "shop/old.py", "shop/new.py");
    const { task_id } = await reviewed(repo);
    for (const path of ["shop/words.py", "shop/old.py"]) {
      const { stdout } = await runHere(["explain", task_id, path], { cwd: repo.path });
      expect(stdout).toContain("why     the changes under review delete or rename it\n");
    }
    const other = await runHere(["explain", task_id, "shop/none.py"], { cwd: repo.path });
    expect(other.stderr).toContain('neither the run nor the index knows "shop/none.py"');
  },
  HANG_MS,
);

test(
  "of the old path of a renamed file it is not said that it is missing, in no round; of a deleted one it is",
  async () => {
    const old = { "shop/old.py": "def old():\n    return [1, 2, 3]\n" };
    using repo = await repoOf({ ...PYTHON, ...old });
    repo.git("mv", "shop/old.py", "shop/new.py");
    repo.write({ "shop/new.py": old["shop/old.py"].replace("3]", "4]") });
    const missing = ({ warnings }: ContextPackage) =>
      warnings.filter((warning) => warning.includes("not in the index"));
    const first = await reviewed(repo);
    expect([missing(first), first.files.map(({ path }) => path)]).toEqual([[], ["shop/new.py"]]);
    const refine = ["refine", first.task_id, "--missing-file", "shop/words.py", "--json"];
    expect(missing(packageOf(await runHere(refine, { cwd: repo.path })))).toEqual([]);
    repo.remove("shop/words.py");
    repo.git("add", ".");
    repo.git("commit", "-q", "-m", "c");
    expect(missing(await reviewed(repo, "--since", "HEAD~1"))).toEqual([
      "changed, and not in the index (deleted, renamed, or of a kind that is not read): shop/words.py",
    ]);
  },
  HANG_MS,
);

test(
  "that no test reaches a change is said, and not of a change that one reaches, nor where there is none",
  async () => {
    const NONE = "no test uses, imports or is named after the changed source, as far as the index knows";
    const files = { ...PYTHON, "shop/alone.py": "def alone():\n    return 1\n" };
    using repo = await repoOf(files);
    repo.write({ "shop/alone.py": "def alone():\n    return 2\n" });
    expect((await reviewed(repo)).warnings).toContain(NONE);
    repo.write({ "shop/alone.py": files["shop/alone.py"] });
    for (const path of ["shop/rates.py", "tests/test_rates.py"] as const) {
      repo.write({ [path]: PYTHON[path].replace("19", "20") });
      expect(JSON.stringify((await reviewed(repo)).warnings)).not.toContain("no test uses");
      repo.write({ [path]: PYTHON[path] });
    }
    repo.remove("shop/rates.py");
    repo.write({ "shop/prices.py": PYTHON["shop/rates.py"].replace("19", "20") });
    const renamed = await reviewed(repo);
    repo.remove("shop/prices.py");
    repo.write({ "shop/rates.py": PYTHON["shop/rates.py"] });
    expect(JSON.stringify(renamed.warnings)).not.toContain("no test uses");
    const { "tests/test_rates.py": _, ...untested } = files;
    using bare = await repoOf(untested);
    bare.write({ "shop/alone.py": "def alone():\n    return 2\n" });
    expect(JSON.stringify((await reviewed(bare)).warnings)).not.toContain("no test uses");
  },
  HANG_MS,
);
