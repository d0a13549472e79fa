/** A review shows what a change can break: callers and tests of what changed, whatever words the task has. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const numbered = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join("");

const RATES = `"""Rates of countries."""


class Rates(dict):
    """The rates of all countries.

${numbered(60, (at) => `    Paragraph ${at} of what one has to know before the rates of a country are used.\n`)}
    .. versionadded:: 1.0
    """

    fallback = "de"

${numbered(12, (at) => `    def of_${at}(self):\n        """Rate ${at}."""\n        return self[${at}] + self[${at + 1}]\n\n`)}

def rate_of(country):
    return Rates()[country]
`;
const FILES = {
  "shop/rates.py": RATES,
  "shop/invoice.py":
    "from shop.rates import rate_of\n\n\ndef invoice_tax(net, country):\n    return net * rate_of(country)\n",
  "shop/offer.py": "from shop.rates import rate_of\n\n\ndef offer_tax(net):\n    return net * rate_of('fr')\n",
  "shop/shelf.py": "from shop.rates import Rates\n\n\ndef open_shelf():\n    return Rates(fr=20)\n",
  "tests/test_rates.py": "from shop.rates import rate_of\n\n\ndef test_germany():\n    assert rate_of('de') == 19\n",
  // What the words of the task match, and much of it.
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `web/login_${at}.py`,
      `def login_redirect_${at}(session, cookie):\n    """Redirects to the login page when the session cookie is old."""\n${numbered(12, (line) => `    session.login(cookie, ${line}) # the redirect of the login\n`)}    return session\n`,
    ]),
  ),
};

const repo = shared(tempRepo(FILES, { git: true }));
await indexIn(repo);
repo.write({ "shop/rates.py": RATES.replace("return Rates()[country]", "return Rates().get(country)") });

const review = async (...args: readonly string[]): Promise<ContextPackage> => {
  const run = await runHere(["retrieve", ...args, "--diff", "--json"], { cwd: repo.path });
  return packageOf(run);
};
const bodiesOf = ({ files }: ContextPackage): readonly string[] =>
  files.flatMap(({ symbols }) => symbols.flatMap(({ name, body }) => (body === null ? [] : [name])));

test(
  "the direct callers of what changed and its tests are shown, with and without a task",
  async () => {
    for (const task of [[], ["is this safe?"], ["does the login still redirect with the session cookie"]])
      for (const budget of ["1200", "8000", "32768"]) {
        const names = bodiesOf(await review(...task, "--budget", budget));
        expect([task, budget, names]).toEqual([
          task,
          budget,
          expect.arrayContaining(["rate_of", "invoice_tax", "offer_tax", "test_germany"]),
        ]);
      }
  },
  HANG_MS,
);

test(
  "of a class whose own line changed, the documentation is shown by its first and last lines",
  async () => {
    repo.write({ "shop/rates.py": RATES.replace("class Rates(dict):", "class Rates(dict, object):") });
    const { stdout } = await runHere(["retrieve", "are the rates of countries safe?", "--diff"], { cwd: repo.path });
    const code = stdout.slice(stdout.indexOf("### shop/rates.py"));
    expect(code).toContain("(rank #1)\nReason: was changed: shop/rates.py:Rates");
    expect(code).toContain('class Rates(dict, object):\n    """The rates of all countries.\n');
    expect(code).toContain('    """\n\n    fallback = "de"');
    expect(code).not.toContain("Paragraph 30");
    expect(code).toContain("def open_shelf():");
  },
  HANG_MS,
);

test(
  "a partial clone says which content it lacks",
  async () => {
    using origin = tempRepo(FILES, { git: true });
    origin.write({ "shop/rates.py": RATES.replace("country]", "country] or 0") });
    origin.commit("Take unknown countries");
    origin.git("config", "uploadpack.allowFilter", "true");
    using folder = tempRepo({});
    folder.git("clone", "--quiet", "--filter=blob:none", `file://${origin.path}`, "clone");
    const clone = { path: join(folder.path, "clone") };
    await indexIn(clone);
    const run = await runHere(["retrieve", "--since", "HEAD~1"], { cwd: clone.path });
    expect(run.stderr).toContain("this clone lacks the earlier content of shop/rates.py");
    expect(run.stdout).toContain("⋮ this clone lacks the earlier content");
  },
  HANG_MS,
);

test("a file whose name holds a colon is named like any other", async () => {
  const before = "def price(x):\n    return x\n\n\ndef tax(x):\n    return x * 2\n";
  using odd = tempRepo({ "src/a:b.py": before, "src/ab.py": before }, { git: true });
  odd.write({ "src/a:b.py": before.replace("2", "3"), "src/ab.py": before.replace("2", "3") });
  const cra = async (...args: readonly string[]) =>
    packageOf(await runHere(["retrieve", ...args, "--json"], { cwd: odd.path }));
  const changed = await cra("--diff");
  expect(changed.files.map(({ path }) => path).sort()).toEqual(["src/a:b.py", "src/ab.py"]);
  expect(changed.task_query.raw_description).toContain("- `src/a:b.py`: `tax`\n");
  expect(changed.warnings.join()).not.toContain("not in the index");
  const asked = await cra("the tax", "--signature", "src/a:b.py:tax");
  expect(bodiesOf({ ...asked, files: asked.files.filter(({ path }) => path === "src/a:b.py") })).not.toContain("tax");
  expect(asked.warnings.join()).not.toContain("not in the index");
});

test(
  "callers in a package whose files use each other without imports are shown, sources and tests",
  async () => {
    const user = (name: string, at: number): string =>
      `<?php\nnamespace Shop;\n\nclass ${name}\n{\n    public function send${at}($parcel)\n    {\n        return Net\\Line::run($parcel, ${at});\n    }\n}\n`;
    const line =
      "<?php\nnamespace Shop\\Net;\n\nclass Line\n{\n    public static function run($parcel, $times)\n    {\n        return $times;\n    }\n}\n";
    using shop = tempRepo(
      {
        "src/Net/Line.php": line,
        "src/Letter.php": user("Letter", 1),
        "src/Pallet.php": user("Pallet", 2),
        "tests/CrateTest.php": user("CrateTest", 3),
        "src/Other.php": "<?php\nnamespace Shop;\n\nclass Other\n{\n    public function close()\n    {\n    }\n}\n",
      },
      { git: true },
    );
    await indexIn(shop);
    shop.write({ "src/Net/Line.php": line.replace("return $times", "return 2 * $times") });
    const found = packageOf(await runHere(["retrieve", "--diff", "--json"], { cwd: shop.path }));
    expect(found.files.map(({ path }) => path)).toEqual([
      "src/Net/Line.php",
      "src/Letter.php",
      "src/Pallet.php",
      "tests/CrateTest.php",
    ]);
  },
  HANG_MS,
);
