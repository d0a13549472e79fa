/** Recall and premortem with a real store and index, and what a package takes from them. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ContextJson } from "../../src/recall/context/context-json.ts";
import { blocksOf } from "../support/commonmark.ts";
import { tempFolder } from "../support/folder.ts";
import { HOSTILE } from "../support/hostile-text.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraRun, runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const cra = (args: readonly string[], stdin = ""): Promise<CraRun> => runHere(args, { cwd: repo.path, stdin });
const compiled = (args: readonly string[], stdin = ""): Promise<CraRun> => runCra(args, { cwd: repo.path, stdin });

const failure = (goal: string, more: Readonly<Record<string, unknown>>) => ({
  type: "experience",
  goal,
  iterations: [{ hypothesis: "the key is stale", action: "printed the keys", prediction: "an old one shows" }],
  domain: "debugging",
  strategy: "systematic-elimination",
  outcome: { status: "falsified", result: "the key was right" },
  ...more,
});
const ENTRIES = [
  { type: "memory", content: "The cart cache is keyed by customer, never by session", category: "decision" },
  { type: "memory", content: `Cart ${HOSTILE.join(" ")}\n\`\`\`\n# Values\n---\n<script>`, category: "fact" },
  failure("find out why the cart is empty", {
    surprise: "the cart cache was cold",
    root_cause: { category: "wrong-assumption", description: "the cache was thought to be shared" },
    lesson: { what_worked: "log the cart before and after", takeaway: null },
  }),
  failure("make the cart faster", { domain: "performance", strategy: "trial-and-error" }),
];

const repo = shared(
  tempRepo(
    {
      "shop/cart.py": 'def cart_sum(items):\n    """The sum of a cart."""\n    return sum(items)\n',
      "shop/mail.py": "def send_letter(text):\n    print(text)\n",
    },
    { git: true },
  ),
);
repo.write({ "shop/stock.py": "def reserve(name):\n    return name\n" });
repo.commit("Reserve what is in the cart");
await indexIn(repo);
const lines = ENTRIES.map((entry) => JSON.stringify(entry)).join("\n");
expect(await compiled(["remember", "--import", "-"], lines)).toMatchObject({ exitCode: 0 });

const contextOf = ({ stdout }: CraRun) => ContextJson.parse(JSON.parse(stdout));
test("recall finds entries in the store, the index and the history, and their escape sequences are escaped", async () => {
  const { exitCode, stdout, stderr } = await compiled(["recall", "cart cache"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const titles = blocksOf(stdout).flatMap(({ kind, text }) => (kind.startsWith("heading") ? [text] : []));
  expect(titles).toEqual(["Context", "Memories", "Code", "Experiences", "Commits"]);
  expect(stdout).toContain("**function** `cart_sum` in `shop/cart.py:1`");
  expect(stdout).toContain("by customer, never by session");
  expect(stdout).toContain("Reserve what is in the cart");
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test("JSON matches the schema; types narrow the result; a limit that is too low is exceeded with a note", async () => {
  const found = contextOf(await cra(["recall", "cart cache", "--types", "memories, commits", "--json"]));
  expect(Object.keys(found.sources_used)).toEqual(["memories", "commits"]);
  const schema = JSON.parse((await cra(["schema", "recall"])).stdout);
  expect(schema.required).toEqual([
    "schema_version",
    "markdown",
    "items",
    "token_count",
    "sources_used",
    "budget_exceeded",
  ]);
  const low = await cra(["recall", "cart", "--types", "memories", "--max-tokens", "3", "--json"]);
  expect(contextOf(low)).toMatchObject({ budget_exceeded: true, sources_used: { memories: 1 } });
  expect(low.stderr).toMatch(/^cra: note: the result takes \d+ tokens, more than the requested 3\n$/);
});

test("premortem has a section for each axis, filtered by domain and strategy", async () => {
  const { exitCode, stdout, stderr } = await compiled([
    "premortem",
    "debugging",
    "--strategy",
    "systematic-elimination",
  ]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const titles = blocksOf(stdout).flatMap(({ kind, text }) => (kind.startsWith("heading") ? [text] : []));
  expect(titles).toEqual([
    "Premortem: debugging with systematic-elimination",
    "Common Failures",
    "Strategy Performance",
    "Unexpected Outcomes",
    "Root Causes to Watch",
  ]);
  expect(stdout).toContain("- **Root cause**: wrong-assumption - the cache was thought to be shared");
  expect(stdout).not.toContain("make the cart faster");
  expect(stdout).toEndWith("---\n*Based on 1 past experience*\n");
  expect(contextOf(await cra(["premortem", "performance", "--json"])).sources_used).toEqual({ experiences: 1 });
});

test("an empty result is not an error", async () => {
  const none = await cra(["recall", "zzyzx", "--types", "memories"]);
  expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "cra: nothing was found\n" });
  expect(contextOf(await cra(["premortem", "security", "--json"]))).toEqual({
    schema_version: 1,
    markdown: "",
    items: [],
    token_count: 0,
    sources_used: {},
    budget_exceeded: false,
  });
});

test("an invalid type, domain, strategy or query is refused, and valid ones are named", async () => {
  const wrong = [
    [["recall", "x", "--types", "memories,foo"], "memories, code, experiences, values, commits"],
    [["recall", "x", "--types", ","], "memories, code, experiences, values, commits"],
    [["premortem", "cooking"], "debugging, refactoring, feature, testing, configuration, documentation, performance"],
    [["premortem", "debugging", "--strategy", "luck"], "systematic-elimination, trial-and-error, research-first"],
    [["recall", "  "], "the query is empty"],
    [["recall"], "the query is empty"],
    [["recall", "x", "--limit", "5000"], "--limit is at most 1000"],
  ] as const;
  for (const [args, named] of wrong) {
    const { exitCode, stdout, stderr } = await cra([...args]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(named);
  }
});

test("without an index, other sources are searched; a damaged store is reported and left in place", async () => {
  using folder = tempFolder();
  const at = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  await at("remember", "the cart cache is cold at night");
  const found = await at("recall", "cart cache");
  expect(found.stdout).toContain("cold at night");
  expect(found.stderr).toBe(`cra: note: code and commits left out: ${folder.path} is not indexed; run: cra index\n`);
  const store = join(folder.path, ".cra", "memory.sqlite");
  const broken = Buffer.alloc(8_192, "broken ");
  writeFileSync(store, broken);
  const damaged = await at("recall", "cart");
  expect([damaged.exitCode, damaged.stdout]).toEqual([12, ""]);
  expect(damaged.stderr).toContain("the memory store is damaged");
  expect(Buffer.from(await Bun.file(store).arrayBuffer()).equals(broken)).toBe(true);
});

test("recall finds what was written and committed since the repository was indexed, unless it may not refresh", async () => {
  using edited = tempRepo({ "shop/tea.py": "def brew(leaves):\n    return leaves\n" }, { git: true });
  await indexIn(edited);
  edited.write({ "shop/tea.py": "\n\ndef brew_cold(leaves):\n    return leaves\n", "ice.txt": "cold\n" });
  edited.commit("Serve tea over ice");
  const at = async (...args: readonly string[]) => {
    const run = await runHere(["recall", "brew tea ice", "--types", "code,commits", "--json", ...args], {
      cwd: edited.path,
    });
    expect([run.exitCode, run.stderr]).toEqual([0, ""]);
    return contextOf(run).items.map(({ metadata }) =>
      "file_path" in metadata ? `${metadata.qualified_name}:${metadata.start_line}` : "commit",
    );
  };
  expect(await at("--no-refresh")).toEqual(["brew:1"]);
  expect(await at()).toEqual(["commit", "brew_cold:3"]);
});

test("a package includes memory on request, and so do its later rounds", async () => {
  const task = ["retrieve", "the cart cache is wrong, fix cart_sum", "--budget", "4000", "--no-reasons"];
  const plain = await cra(task);
  expect(plain.stdout).not.toContain("What was learned before");
  const shown = await compiled([...task, "--with-memory"]);
  expect(shown.stdout).toStartWith(plain.stdout.trimEnd());
  expect(shown.stdout).toContain("\n## What was learned before\n");
  expect(shown.stdout).toContain("by customer, never by session");
  const first = packageOf(await cra([...task, "--with-memory", "--json"]));
  expect(first.learned?.map(({ source }) => source)).toContain("memory");
  expect(first.task_id).not.toBe(packageOf(await cra([...task, "--json"])).task_id);
  const refined = await cra(["refine", first.task_id, "--reject", "shop/mail.py", "--json", "-v"]);
  expect(packageOf(refined).learned).toEqual(first.learned);
  expect(refined.stderr).toContain("--with-memory");
  expect((await cra([...task, "--with-memory"])).stdout).toBe(shown.stdout);
});
