/** A review shows what still reads a constant, a field or a function that the changes removed or renamed. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { type Files, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

const Explained = z.looseObject({
  decisions: z.array(
    z.looseObject({ stage: z.string(), path: z.string(), symbol: z.string().nullable(), reason: z.string() }),
  ),
});

/** What still uses something after a text is replaced in a file, as `path:definition reason`, or `path: reason` of other lines. */
async function remaining(files: Files, path: string, before: string, after: string): Promise<readonly string[]> {
  using repo = tempRepo(files, { git: true });
  await indexIn(repo);
  const text = String(files[path]);
  expect(text).toContain(before);
  repo.write({ [path]: text.replace(before, after) });
  const { task_id } = packageOf(await runHere(["retrieve", "--diff", "--json"], { cwd: repo.path }));
  const { stdout } = await runHere(["explain", task_id, "--json"], { cwd: repo.path });
  const { decisions } = Explained.parse(JSON.parse(stdout));
  const own = decisions.filter(({ stage, reason }) => stage === "budget" && /^still (?:uses|imports) /.test(reason));
  return own.map(({ path, symbol, reason }) => `${path}:${symbol ?? ""} ${reason}`).sort();
}

const PYTHON = {
  "shop/__init__.py": "",
  "shop/rates.py":
    "LIMIT = 3\nOTHER = 4\n\n\ndef rate_of(country):\n    return min(LIMIT, country, key=country)\n\n\ndef tax_of(net):\n    LIMIT = net\n    return LIMIT * 2\n",
  "shop/invoice.py":
    'from shop.rates import LIMIT\n\n\ndef invoice_tax(net):\n    return net * LIMIT\n\n\ndef words():\n    """Says what LIMIT is."""\n    # LIMIT is three.\n    return "LIMIT"\n',
  "shop/offer.py":
    "from shop import rates\n\n\ndef offer_tax(net):\n    return min(net, rates.LIMIT, key=net)\n\n\nALL = [rates.rate_of]\n",
  "shop/apart.py": "LIMIT = 7\n\n\ndef apart(net):\n    return net * LIMIT\n",
};

test(
  "a constant of Python, imported, through its module and in its own file",
  async () => {
    expect(await remaining(PYTHON, "shop/rates.py", "LIMIT = 3\n", "LIMITS = 3\n")).toEqual([
      "shop/invoice.py: still imports LIMIT, which was removed",
      "shop/invoice.py:invoice_tax still uses LIMIT, which was removed",
      "shop/offer.py:offer_tax still uses LIMIT, which was removed",
      "shop/rates.py:rate_of still uses LIMIT, which was removed",
    ]);
  },
  HANG_MS,
);

test(
  "a function of Python that is handed on",
  async () => {
    expect(await remaining(PYTHON, "shop/rates.py", "def rate_of", "def rate_for")).toEqual([
      "shop/offer.py:ALL still uses rate_of, which was removed",
    ]);
  },
  HANG_MS,
);

const TYPESCRIPT = {
  "src/rates.ts":
    "export const LIMIT = 3;\nexport function check(net: number) {\n  return net;\n}\nexport class Cart {\n  total = 0;\n  sum() {\n    return this.total;\n  }\n}\n",
  "src/invoice.ts":
    'import { check, LIMIT } from "./rates.ts";\n\nexport function invoiceTax(net: number) {\n  return net * LIMIT;\n}\n\nexport const steps = [1, 2].map(check);\n',
  "src/apart.ts":
    'import { LIMIT } from "./rates.ts";\n\nexport function apart(net: number) {\n  const check = () => net;\n  return [check, { LIMIT: 2 }];\n}\n',
};

test(
  "constants, fields and handed on functions of TypeScript",
  async () => {
    expect(await remaining(TYPESCRIPT, "src/rates.ts", "LIMIT = 3", "LIMITS = 3")).toEqual([
      "src/apart.ts: still imports LIMIT, which was removed",
      "src/invoice.ts: still imports LIMIT, which was removed",
      "src/invoice.ts:invoiceTax still uses LIMIT, which was removed",
    ]);
    expect(await remaining(TYPESCRIPT, "src/rates.ts", "function check", "function checked")).toEqual([
      "src/invoice.ts: still imports check, which was removed",
      "src/invoice.ts:steps still uses check, which was removed",
    ]);
    expect(await remaining(TYPESCRIPT, "src/rates.ts", "total = 0", "all = 0")).toEqual([
      "src/rates.ts:Cart.sum still uses Cart.total, which was removed",
    ]);
  },
  HANG_MS,
);

const JAVASCRIPT = {
  "lib/response.js":
    'var path = require("node:path");\nvar extname = path.extname;\n\nfunction typeOf(name) {\n  return extname(name);\n}\n\nmodule.exports = typeOf;\n',
  "lib/view.js":
    'var path = require("node:path");\nvar extname = path.extname;\n\nfunction View(name) {\n  this.ext = extname(name);\n}\n\nmodule.exports = View;\n',
};

test(
  "a constant whose value has the same name",
  async () => {
    expect(await remaining(JAVASCRIPT, "lib/response.js", "var extname", "var ending")).toEqual([
      "lib/response.js:typeOf still uses extname, which was removed",
    ]);
  },
  HANG_MS,
);

const GO = {
  "go.mod": "module shop.example/shop\n",
  "rates/rates.go":
    "package rates\n\nconst Limit = 3\n\ntype Cart struct {\n\tTotal int\n}\n\nfunc (c *Cart) Sum() int { return c.Total }\n",
  "rates/more.go": "package rates\n\nfunc More(n int) bool {\n\treturn n > Limit\n}\n",
  "invoice/invoice.go":
    'package invoice\n\nimport "shop.example/shop/rates"\n\nfunc Tax(c *rates.Cart) int {\n\tswitch c.Total {\n\tcase rates.Limit:\n\t\treturn 1\n\t}\n\treturn 0\n}\n',
};

test(
  "constants and fields of Go",
  async () => {
    expect(await remaining(GO, "rates/rates.go", "Limit = 3", "Most = 3")).toEqual([
      "invoice/invoice.go:Tax still uses Limit, which was removed",
      "rates/more.go:More still uses Limit, which was removed",
    ]);
    expect(await remaining(GO, "rates/rates.go", "\tTotal int", "\tAll int")).toEqual([
      "invoice/invoice.go:Tax still uses Cart.Total, which was removed",
      "rates/rates.go:Cart.Sum still uses Cart.Total, which was removed",
    ]);
  },
  HANG_MS,
);

const JAVA = {
  "src/shop/Rates.java": "package shop;\n\npublic class Rates {\n  public static final int LIMIT = 3;\n}\n",
  "src/shop/Invoice.java":
    "package shop;\n\npublic class Invoice {\n  int tax(int net) {\n    return net * Rates.LIMIT;\n  }\n}\n",
};
const C = {
  "rates.h": "#define RATE_LIMIT 3\nextern int rate_count;\n",
  "invoice.c": '#include "rates.h"\n\nint invoice_tax(int net) {\n  return net * RATE_LIMIT;\n}\n',
};
const RUST = {
  "Cargo.toml": '[package]\nname = "shop"\n',
  "src/lib.rs": "mod invoice;\nmod rates;\n",
  "src/rates.rs": "pub const RATE_LIMIT: u32 = 3;\n",
  "src/invoice.rs": "use crate::rates::RATE_LIMIT;\n\npub fn tax(net: u32) -> u32 {\n    net * RATE_LIMIT\n}\n",
};
const PHP = {
  "src/Rates.php": "<?php\nnamespace Shop;\n\nclass Rates\n{\n    const LIMIT = 3;\n}\n",
  "src/Invoice.php":
    "<?php\nnamespace Shop;\n\nclass Invoice\n{\n    function tax($net)\n    {\n        return $net > 1 ? Rates::LIMIT : 0;\n    }\n}\n",
};

const PHP_FIELDS = {
  "src/Rates.php":
    "<?php\nnamespace Shop;\n\nclass Rates\n{\n    public static $limit = 3;\n\n    static function most($limit)\n    {\n        return min($limit, self::$limit);\n    }\n\n    static function apart($limit)\n    {\n        return $limit;\n    }\n}\n",
  "src/Special.php":
    "<?php\nnamespace Shop;\n\nclass Special extends Rates\n{\n    function all()\n    {\n        return static::$limit;\n    }\n}\n",
  "src/Invoice.php":
    "<?php\nnamespace Shop;\n\nclass Invoice\n{\n    function tax($net)\n    {\n        return $net * Rates::$limit;\n    }\n}\n",
};

test(
  "a static field of PHP",
  async () => {
    expect(await remaining(PHP_FIELDS, "src/Rates.php", "static $limit", "static $least")).toEqual([
      "src/Invoice.php:Invoice.tax still uses Rates.limit, which was removed",
      "src/Rates.php:Rates.most still uses Rates.limit, which was removed",
      "src/Special.php:Special.all still uses Rates.limit, which was removed",
    ]);
  },
  HANG_MS,
);

test.each([
  ["Java", JAVA, "src/shop/Rates.java", "LIMIT", "src/shop/Invoice.java:Invoice.tax"],
  ["C", C, "rates.h", "RATE_LIMIT", "invoice.c:invoice_tax"],
  ["Rust", RUST, "src/rates.rs", "RATE_LIMIT", "src/invoice.rs:tax"],
  ["PHP", PHP, "src/Rates.php", "LIMIT", "src/Invoice.php:Invoice.tax"],
] as const)(
  "a constant of %s",
  async (_language, files, path, name, user) => {
    const found = await remaining(files, path, name, `${name}_NOW`);
    expect(found.filter((line) => line.startsWith(user))).toEqual([
      expect.stringMatching(/ still uses (?:Rates\.)?(?:RATE_)?LIMIT, which was removed$/),
    ]);
  },
  HANG_MS,
);

test(
  "a constant of a long file that is not in the cache as it was",
  async () => {
    const methods = Array.from(
      { length: 1800 },
      (_, at) => `    int M${at}(int a) { return a > ${at} ? a + 1 : M${at}(a - 1); }`,
    );
    const text = `class Rates\n{\n    const int LIMIT = 3;\n    int Tax(int net) { return net * LIMIT; }\n${methods.join("\n")}\n}\n`;
    // The cache knows contents without their byte order mark.
    const found = await remaining({ "Rates.cs": `\ufeff${text}` }, "Rates.cs", "LIMIT = 3", "MOST = 3");
    expect(found).toEqual(["Rates.cs:Rates.Tax still uses Rates.LIMIT, which was removed"]);
  },
  HANG_MS,
);
