/** Pushing to a team's store and indexing from it, on a real PostgreSQL. */
import { beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import { assembleIndex } from "../../../src/app/team/assemble-index.ts";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { tempFolder } from "../../support/folder.ts";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { startCra } from "../../support/run-cra.ts";
import { runHere, runQuickest } from "../../support/run-here.ts";
import { withoutPauses } from "../../support/team-store.ts";

const onPostgres = test.skipIf(postgresProblem !== null);
const NEVER = new AbortController().signal;
const NAME = ["--name", "example.com/shop"] as const;

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

const FILES = {
  "shop/cart.py":
    'from shop.price import total_price\n\n\nclass Cart:\n    """Holds items."""\n\n    def __init__(self):\n        self.items = []\n\n    def total(self):\n        # because taxes are included\n        return total_price(self.items)\n',
  "shop/price.py":
    'def total_price(items):\n    """Adds up prices of items."""\n    return sum(item.price for item in items)\n',
  "shop/__init__.py": "",
  "web/view.ts":
    'import { render } from "./render";\n\nexport function showCart(cart: { items: string[] }) {\n  return render(cart.items.join(", "));\n}\n',
  "web/render.ts": "export const render = (text: string): string => `<p>${text}</p>`;\n",
  "README.md": "# Shop\n\nSells things.\n\n## Login\n\nThe login redirect goes to the cart.\n",
  "latin.txt": new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
};
const TASKS = [
  "total price of the cart is wrong",
  "fix the login redirect",
  "render escapes text in showCart",
  "Cart.total",
];

/** Runs a command and returns what it printed as JSON. */
async function json<T extends z.ZodType>(form: T, args: readonly string[], cwd: string): Promise<z.infer<T>> {
  const run = await runHere([...args, "--json"], { cwd });
  if (run.exitCode !== 0) throw new Error(run.stderr);
  return form.parse(JSON.parse(run.stdout));
}

const Pushed = z.looseObject({
  is_new: z.boolean(),
  contents_sent: z.number(),
  contents: z.number(),
  bytes: z.number(),
});
const Indexed = z.looseObject({
  parsed: z.number(),
  from_cache: z.number(),
  changes: z.looseObject({ added: z.number(), changed: z.number() }),
  notices: z.array(z.looseObject({ code: z.string() })),
  from_store: z.looseObject({
    commit: z.string().nullable(),
    contents: z.number(),
    refused: z.number(),
    unknown: z.number(),
  }),
});

const push = (repo: string, address: string, ...more: readonly string[]) =>
  json(Pushed, ["push", "--to", address, ...NAME, ...more], repo);
const indexFrom = (repo: string, address: string) => json(Indexed, ["index", "--from", address, ...NAME], repo);

async function newStore(): Promise<string> {
  const address = await postgres.createDatabase();
  const run = await runHere(["store", "init", "--at", address], { cwd: "/" });
  if (run.exitCode !== 0) throw new Error(run.stderr);
  return address;
}

/** Packages of tasks, as the JSON of each. */
async function packages(repo: string, tasks = TASKS): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const task of tasks) texts.push((await runHere(["retrieve", task, "--format", "json"], { cwd: repo })).stdout);
  return texts;
}

/** Another clone, without an index. */
function cloneOf(repo: TempRepo): TempRepo {
  const clone = tempRepo({});
  rmSync(clone.path, { recursive: true });
  repo.git("clone", "--quiet", repo.path, clone.path);
  return clone;
}

onPostgres(
  "an index from the store gives the packages of a plain index, at the commit and after changes",
  async () => {
    const address = await newStore();
    using repo = tempRepo(FILES, { git: true });
    const first = await push(repo.path, address);
    expect(first).toMatchObject({ is_new: true, contents_sent: 7, contents: 7 });
    expect(await push(repo.path, address)).toMatchObject({ is_new: false, bytes: 0 });

    using laptop = cloneOf(repo);
    const taken = await indexFrom(laptop.path, address);
    expect(taken).toMatchObject({
      parsed: 0,
      changes: { added: 0, changed: 0 },
      notices: [],
      from_store: { contents: 7, refused: 0, unknown: 0 },
    });
    expect(taken.from_store.commit).toBe(repo.git("rev-parse", "HEAD").trim());
    using plain = cloneOf(repo);
    await runHere(["index"], { cwd: plain.path });
    expect(await packages(laptop.path)).toEqual(await packages(plain.path));
    expect((await runQuickest(["doctor"], { cwd: laptop.path })).exitCode).toBe(0);

    const change = {
      "shop/price.py":
        'def total_price(items, discount=0):\n    """Adds up."""\n    return sum(i.price for i in items) - discount\n',
      "shop/order.py": "from shop.cart import Cart\n\n\ndef order(cart: Cart):\n    return cart.total()\n",
    };
    repo.write(change);
    repo.git("rm", "--quiet", "web/render.ts");
    repo.commit("Discounts");
    for (const each of [laptop, plain]) each.git("pull", "--quiet");
    // A clone of the newer commit begins with the index of the one that was pushed.
    using newer = cloneOf(repo);
    const ahead = await indexFrom(newer.path, address);
    expect(ahead.from_store.commit).toBe(taken.from_store.commit);
    expect(ahead).toMatchObject({
      changes: { added: 1, changed: 1, removed: 1, unchanged: 5 },
      from_store: { unknown: 0 },
    });
    const wanted = await packages(plain.path, TASKS.slice(0, 2));
    for (const { path } of [newer, laptop]) expect(await packages(path, TASKS.slice(0, 2))).toEqual(wanted);
    const second = await push(newer.path, address);
    expect(second).toMatchObject({ is_new: true, contents_sent: 2 });
  },
  300_000,
);

onPostgres("a work tree that differs from its commit is not pushed", async () => {
  const address = await newStore();
  using repo = tempRepo(FILES, { git: true });
  repo.write({ "new.py": "x = 1\n", "shop/cart.py": "changed = True\n" });
  const run = await runHere(["push", "--to", address, ...NAME], { cwd: repo.path });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain("the work tree differs from its commit in new.py, shop/cart.py");
});

onPostgres("a server's index is assembled from the store alone, and answers like a checkout's", async () => {
  const address = await newStore();
  using repo = tempRepo(FILES, { git: true });
  await push(repo.path, address);
  using folder = tempFolder();
  const path = join(folder.path, "curated.sqlite");
  const store = await openStore({ address, flag: "--from", variables: {} }, EXTRACTOR, NEVER);
  try {
    const [bare] = await store.snapshots.list("example.com/shop");
    if (bare === undefined) throw new Error("nothing was pushed");
    expect(assembleIndex(store, bare, path, "/r", NEVER)).rejects.toThrow("its texts are not stored");
    expect(await push(repo.path, address, "--with-text")).toMatchObject({ is_new: true, contents_sent: 0 });
    const [snapshot] = await store.snapshots.list("example.com/shop", { withTexts: true });
    if (snapshot === undefined) throw new Error("no texts were pushed");
    // A server answers others meanwhile: between two contents, whatever waits has its turn.
    let [checked, checkedAtOnce, isDone] = [0, 0, false];
    const facts: typeof store.facts = {
      ...store.facts,
      get: async (keys) =>
        (await store.facts.get(keys)).map((row) => ({
          ...row,
          get facts() {
            checked += 1;
            return row.facts;
          },
        })),
    };
    const watched = (async () => {
      for (let before = 0; !isDone; before = checked) {
        await new Promise((resolve) => setImmediate(resolve));
        checkedAtOnce = Math.max(checkedAtOnce, checked - before);
      }
    })();
    await assembleIndex({ ...store, facts }, snapshot, path, "/r", NEVER);
    isDone = true;
    await watched;
    expect(checkedAtOnce * Object.keys(FILES).length).toBeLessThanOrEqual(checked);
    const [served, own] = [
      openKnowledgeBase(path, "/r"),
      openKnowledgeBase(join(repo.path, ".cra/curated.sqlite"), repo.path),
    ];
    const contents = (kb: typeof own) => {
      const files = kb.storedFiles();
      const ids = files.map(({ id }) => id);
      return [
        files.map(({ path: at, contentHash }) => [at, contentHash, [...kb.texts(ids)].length]),
        [...kb.texts(ids).values()],
        kb.meta().contentHash,
        kb.symbolsIn(ids).map(({ signature }) => signature),
      ];
    };
    expect(contents(served)).toEqual(contents(own));
    served.close();
    own.close();
    const check = (): ReturnType<typeof runHere> => runHere(["store", "check", "--at", address], { cwd: "/" });
    expect((await check()).exitCode).toBe(0);
    await postgres.query(address, `delete from cra.chunks where hash = '${snapshot.tree.hash}' or bytes < 100`);
    expect(await check()).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("missing") });
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  } finally {
    await store.close();
  }
});

onPostgres("a store that cannot be reached, or that is none, leaves a plain index", async () => {
  const address = await postgres.createDatabase();
  using repo = tempRepo(FILES, { git: true });
  const run = await indexFrom(repo.path, address);
  expect(run).toMatchObject({
    changes: { added: 7 },
    notices: [{ code: "store-left-out" }],
    from_store: { commit: null, contents: 0 },
  });
  const gone = await indexFrom(repo.path, "postgres://me@127.0.0.1:9/db");
  expect(gone.notices).toMatchObject([{ code: "store-left-out" }]);
  expect(existsSync(join(repo.path, ".cra/curated.sqlite"))).toBe(true);
});

onPostgres("a commit that changes few files costs little of what all of them cost", async () => {
  const address = await newStore();
  const COUNT = 240;
  const one = (at: number, more = "") =>
    `"""Module ${at}."""\nfrom pkg.m${(at + 1) % COUNT} import other_${at}\n\n\nclass Thing${at}:\n    """Holds ${at}."""\n\n    def run_${at}(self, value):\n        # because ${at} is ${at % 7}\n        return other_${at}(value) + ${at}\n${more}`;
  const path = (at: number): string => `pkg/m${at}.py`;
  using repo = tempRepo(Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [path(at), one(at)])), {
    git: true,
  });
  const first = await push(repo.path, address);
  const changed = [3, 90, 170];
  repo.write(Object.fromEntries(changed.map((at) => [path(at), one(at, `\n\ndef added_${at}(x):\n    return x\n`)])));
  repo.commit("Adds functions");
  using job = cloneOf(repo);
  expect((await indexFrom(job.path, address)).changes).toMatchObject({ changed: changed.length });
  const second = await push(job.path, address);
  expect(second.contents_sent).toBe(changed.length);
  expect(second.bytes).toBeLessThan(first.bytes / 5);
  expect((await runQuickest(["doctor"], { cwd: job.path })).exitCode).toBe(0);
});

onPostgres("machines that work for a team parse what the store lacks, and the index is the same", async () => {
  const address = await newStore();
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`m${at}.py`, `def f${at}():\n    return ${at}\n`]),
  );
  using repo = tempRepo({ ...FILES, ...many }, { git: true });
  using other = cloneOf(repo);
  await runHere(["index"], { cwd: other.path });
  await using worker = await startCra(["work", "--from", address], { cwd: "/" });
  const shared = await json(Indexed, ["index", "--from", address, ...NAME, "--share"], repo.path);
  expect(shared).toMatchObject({ parsed: 0, from_cache: 107, notices: [], from_store: { contents: 107, refused: 0 } });
  expect(await packages(repo.path)).toEqual(await packages(other.path));
  const [jobs] = await postgres.query(
    address,
    "select count(*) as all, count(*) filter (where state = 'done') as done from cra.jobs",
  );
  expect([Number(jobs?.all), Number(jobs?.done)]).toEqual([2, 2]);
  worker.kill("SIGTERM");
  expect(await worker.ended).toMatchObject({ exitCode: 143 });
});

onPostgres("after an update of cra, workers without a checkout parse what was pushed with its texts", async () => {
  const address = await newStore();
  using repo = tempRepo(FILES, { git: true });
  await push(repo.path, address, "--with-text");
  const here = (...args: readonly string[]) => runHere(args, { cwd: "/" });
  const queue = async () => (await here("store", "queue", "--at", address)).stdout;
  expect(await queue()).toBe("queued 0 contents in 0 jobs for cra work\n");
  await postgres.query(address, "update cra.facts set extractor = 'of another cra'");
  expect(await queue()).toBe("queued 7 contents in 1 job for cra work\n");
  expect(await queue()).toBe("queued 7 contents in 1 job for cra work\n");
  expect((await here("work", "--from", address, "--until-done")).stdout).toBe("1 job done, 0 given back, 7 contents\n");
  expect(await queue()).toBe("queued 0 contents in 0 jobs for cra work\n");
  using laptop = cloneOf(repo);
  expect(await indexFrom(laptop.path, address)).toMatchObject({ parsed: 0, from_store: { refused: 0 } });
  expect(await packages(laptop.path)).toEqual(await packages(repo.path));
});

test("cra work reads its number of threads from the variable that its help names", async () => {
  const work = (value: string) =>
    runHere(["work", "--from", "postgres://me@127.0.0.1:9/db"], { cwd: "/", env: { CRA_INDEX_WORKERS: value } });
  expect(await work("2")).toMatchObject({ exitCode: 74, stderr: expect.stringContaining("cannot be reached") });
  expect(await work("0")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("CRA_INDEX_WORKERS") });
});

onPostgres(
  "a queued commit is indexed by a worker with a clone as a push would, and what cannot be is set aside",
  async () => {
    const address = await newStore();
    using repo = tempRepo(FILES, { git: true });
    using folder = tempFolder();
    const mirror = join(folder.path, "example.com/shop");
    repo.git("clone", "--quiet", "--bare", repo.path, mirror);
    const queue = () => runHere(["push", "--to", address, ...NAME, "--with-text", "--queue"], { cwd: repo.path });
    const work = (...more: readonly string[]) =>
      runHere(["work", "--from", address, "--until-done", ...more], { cwd: folder.path });
    expect(await queue()).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringContaining("queued example.com"),
    });
    // Without a clone there is nothing to do.
    expect(await work()).toMatchObject({ exitCode: 0, stdout: "0 jobs done, 0 given back, 0 contents\n" });
    expect((await work("--clone", "-*")).exitCode).toBe(2);
    expect(await work("--clone", join(folder.path, "*"))).toMatchObject({
      exitCode: 0,
      stdout: "1 job done, 0 given back, 7 contents\n",
    });
    expect(await push(repo.path, address, "--with-text")).toMatchObject({ is_new: false });
    expect((await runHere(["store", "check", "--at", address], { cwd: "/" })).exitCode).toBe(0);
    using laptop = cloneOf(repo);
    expect((await indexFrom(laptop.path, address)).from_store.commit).toBe(repo.git("rev-parse", "HEAD").trim());
    expect(await packages(laptop.path)).toEqual(await packages(repo.path));
    repo.write({ "shop/order.py": "def order():\n    return 1\n" });
    repo.commit("Order, which the mirror lacks");
    await queue();
    await withoutPauses(postgres, address);
    const failed = await work("--clone", join(folder.path, "*"));
    expect([failed.exitCode, failed.stdout]).toEqual([1, "0 jobs done, 3 given back, 0 contents\n"]);
    const [aside] = await postgres.query(address, "select problem from cra.jobs where state = 'aside'");
    expect(String(aside?.problem)).toMatch(/^example.com\/shop at [0-9a-f]{12}: /);
  },
);
