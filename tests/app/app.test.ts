/** The program without its command line: real folders, real databases, parsers and locks. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../src/app/app.ts";
import { openApp } from "../../src/app/app.ts";
import type { RetrieveResult } from "../../src/app/retrieval/retrieve.ts";
import { type ConfigKey, isConfigKey } from "../../src/config/keys.ts";
import { flagLayer, type TypedFlag } from "../../src/config/settings.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { takeIndexLock } from "../../src/db/sqlite/lock.ts";
import { Failed } from "../../src/failure.ts";
import type { PipelineEvent } from "../../src/retrieval/model/events.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { environmentIn } from "../support/environment.ts";
import { tempFolder } from "../support/folder.ts";
import { tempRepo } from "../support/repo.ts";
import { shared } from "../support/shared.ts";

const CART = "class Cart:\n    def cart_sum(self):\n        return sum(self.items)\n";
const FILES = {
  "shop/cart.py": CART,
  "shop/mail.py": "def send_letter():\n    return 1\n",
  "web/view.ts": "export const x = 1;\n",
};

const repo = shared(tempRepo(FILES));
const home = shared(tempFolder()).path;

type At = {
  readonly cwd?: string;
  readonly repo?: string;
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
};

async function using<T>({ cwd = repo.path, repo: named, flags = {} }: At, use: (app: App) => Promise<T>): Promise<T> {
  const typed = new Map<ConfigKey, TypedFlag>(
    Object.entries(flags).flatMap(([key, value]) =>
      isConfigKey(key) ? [[key, { flag: `--${key}`, typed: value }] as const] : [],
    ),
  );
  const app = await openApp({
    environment: environmentIn(cwd, { HOME: home }),
    repo: named ?? null,
    flags: [flagLayer(typed)],
  });
  try {
    return await use(app);
  } finally {
    app.close();
  }
}

const NEVER = new AbortController().signal;
const index = (app: App) => app.index({ failFast: false, rebuild: false, onProgress: () => {} }, NEVER);
await using({}, index);

type Ran = RetrieveResult & { readonly events: readonly PipelineEvent[] };

async function retrieve(app: App, refresh: boolean, task = "the cart sum is wrong"): Promise<Ran> {
  const { settings } = app.config;
  const events: PipelineEvent[] = [];
  const run = app.retrieve(
    { task, settings, hintPaths: [], hintSymbols: [], template: null, refresh, strict: false, onRefresh: () => {} },
    NEVER,
  );
  for (;;) {
    const step = await run.next();
    if (step.done) return { ...step.value, events };
    events.push(step.value);
  }
}

const codes = ({ events }: Ran) => events.flatMap((event) => (event.event === "notice" ? [event.code] : []));

test.each(["markdown", "xml", "prompt"])("in %s, the tokens are those of the text", async (format) =>
  using({ flags: { format } }, async (app) => {
    const { rendered, tokens } = await retrieve(app, false);
    expect(tokens).toBe((await openTokenCounter("o200k_base", { margin: 0 })).count(rendered));
  }),
);

test("in JSON, they are those of the package's own text", async () =>
  using({ flags: { format: "json" } }, async (app) => {
    const run = await retrieve(app, false);
    expect(run.tokens).toBe(run.package.token_count);
  }));

test("refreshed or not, a current index gives the same bytes", async () =>
  await using({}, async (app) => {
    const [fresh, asItIs] = [await retrieve(app, true), await retrieve(app, false)];
    expect(asItIs.package).toEqual(fresh.package);
    expect(fresh.package.warnings.filter((line) => line.startsWith("no git history"))).toHaveLength(1);
    expect(codes(fresh)).toEqual(codes(asItIs));
  }));

test("while another process holds the lock, a current index gives the same bytes without a notice", async () =>
  await using({}, async (app) => {
    const alone = await retrieve(app, true);
    const holder = { pid: 4711, host: "elsewhere", startedAt: "2024-01-01T00:00:00.000Z" };
    const lock = await takeIndexLock(dataPaths(join(repo.path, ".cra")).lock, holder, 0);
    try {
      const beside = await retrieve(app, true);
      expect(beside.package).toEqual(alone.package);
      expect(codes(beside)).toEqual(codes(alone));
      repo.write({ "shop/new.py": "def cart_sum_new():\n    return 1\n" });
      const stale = await retrieve(app, true);
      expect(stale.package).toEqual(alone.package);
      expect(stale.events).toContainEqual({
        event: "notice",
        code: "index-stale",
        message: "the index is older than the work tree: 1 added (another cra is writing it)",
      });
    } finally {
      lock.release();
      repo.remove("shop/new.py");
    }
  }));

test("invalid stages and templates are refused before any work", async () => {
  using fresh = tempRepo(FILES);
  await using({ repo: fresh.path, flags: { stages: "precision" } }, async (app) => {
    await expect(retrieve(app, true)).rejects.toThrow('stage "precision" needs "scope" before it');
    expect(app.isIndexed()).toBe(false);
  });
});

test("a budget that is too small is reported with the file that sets it", async () => {
  repo.write({ ".cra.toml": "budget = 5\n" });
  // Not by `rejects`, which runs the event loop within itself.
  const refusal = (app: App): Promise<string> =>
    retrieve(app, false).then(
      () => "",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  await using({}, async (app) => {
    expect(await refusal(app)).toStartWith(`${repo.path}/.cra.toml: a budget of 5 tokens is too small`);
  });
  await using({ flags: { budget: "6" } }, async (app) => {
    expect(await refusal(app)).toStartWith("a budget of 6 tokens");
  });
  repo.remove(".cra.toml");
});

test("a run whose filters exclude every file says so", async () => {
  await using({ flags: { include: ["nope/**"] } }, async (app) => {
    const run = await retrieve(app, false);
    expect(run.package.files).toEqual([]);
    expect(codes(run)).toContain("no-candidates");
    expect(run.package.warnings.join("\n")).toContain("leave none of the 3 files,");
  });
  using empty = tempRepo({});
  await using({ repo: empty.path }, async (app) => {
    await index(app);
    const run = await retrieve(app, false);
    expect(run.package.warnings).toContain("there are no files that cra reads, so the package is empty");
    expect(codes(run)).not.toContain("enrichment-missing");
  });
});

test("scores are listed by rank in the package, with the detail shown of each file", async () =>
  await using({}, async (app) => {
    const run = app.retrieve(
      {
        task: "the cart sum is wrong",
        settings: app.config.settings,
        hintPaths: ["shop/mail.py"],
        hintSymbols: [],
        template: null,
        refresh: false,
        strict: false,
        onRefresh: () => {},
      },
      NEVER,
    );
    let step = await run.next();
    while (!step.done) step = await run.next();
    const { scores, shown, package: found } = step.value;
    expect(scores[0]).toMatchObject({ rank: 1, path: "shop/mail.py" });
    for (const { path, relevance_rank } of found.files)
      expect(scores.find((row) => row.path === path)?.rank).toBe(relevance_rank);
    expect(shown.map(({ path, item }) => `${path} ${item}`)).toEqual(
      expect.arrayContaining(["shop/mail.py send_letter", "shop/cart.py Cart.cart_sum"]),
    );
    expect(shown.every(({ tokens }) => tokens > 0)).toBe(true);
    expect(shown.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(found.token_count);
  }));

test("a task is found by a prefix of its id, and paths are relative to the current folder", async () => {
  const id = await using({}, async (app) => (await retrieve(app, false)).package.task_id);
  await using({ cwd: join(repo.path, "shop"), repo: repo.path }, async (app) => {
    for (const what of ["cart.py", "./cart.py", "shop/cart.py", join(repo.path, "shop/cart.py")])
      expect([what, (await app.explain(id.slice(0, 6), what)).decisions[0]?.path]).toEqual([what, "shop/cart.py"]);
    const here = await app.explain(id, ".");
    expect([here.about, here.files[0]?.path]).toEqual(["folder", "shop/cart.py"]);
    expect((await app.explain(id, "../shop")).decisions).toEqual([...here.decisions]);
    await expect(app.explain("fffe", null)).rejects.toThrow("no run with the task id fffe");
    await expect(app.explain("src/a.ts", null)).rejects.toThrow("src/a.ts is no task id");
  });
});

test("a file is refused as a working folder", async () => {
  mkdirSync(join(home, "sub"));
  writeFileSync(join(home, "a.py"), "");
  const why = async (path: string) => {
    try {
      await using({ repo: path }, async () => {});
    } catch (error) {
      if (error instanceof Failed && error.failure.code === "no-repository") return error.failure.why;
      throw error;
    }
    return null;
  };
  expect(await why(join(home, "a.py"))).toBe("it is a file, not a folder");
  expect(await why(join(home, "b.py"))).toBe("there is no such folder");
});

test("status lists stored data, its size, and the versions of parts", async () =>
  await using({}, async (app) => {
    await retrieve(app, false);
    const before = await app.status(NEVER);
    await retrieve(app, false, "another task");
    const { stored, versions, runs } = await app.status(NEVER);
    const files = new Map(stored.map((row) => [row.name, row.files]));
    expect([...files.keys()]).toEqual(["index", "log", "parse cache", "sessions"]);
    expect(files.get("sessions")).toBe(1 + (before.stored.find(({ name }) => name === "sessions")?.files ?? 0));
    for (const { bytes } of stored) expect(bytes).toBeGreaterThan(1_000);
    expect(runs).toBe(before.runs + 1);
    const byName = new Map(versions);
    expect(byName.get("sqlite")).toMatch(/^3\.\d+\.\d+$/);
    expect(byName.get("tokenizer")).toMatch(/^gpt-tokenizer \d/);
    expect(byName.get("grammars")).toContain("tree-sitter-wasm");
    for (const name of ["index schema", "log schema", "memory schema", "package schema"])
      expect(byName.get(name)).toMatch(/^\d+$/);
  }));

test("a damaged log stops neither indexing nor a retrieval, and both say so", async () =>
  await using({}, async (app) => {
    const { raw } = dataPaths(join(repo.path, ".cra"));
    const damage = () => {
      for (const suffix of ["-wal", "-shm"]) rmSync(raw + suffix, { force: true });
      writeFileSync(raw, "no database ".repeat(1_000));
    };
    damage();
    expect((await index(app)).notices.map(({ code }) => code)).toContain("log-restarted");
    damage();
    const run = await retrieve(app, false);
    expect(codes(run)).toContain("log-restarted");
    expect(run.package.warnings.join("\n")).not.toContain("damaged");
  }));
