/** Recall, premortem and packages when the memory store is damaged or has changed: a real index, store and log. */
import { Database } from "bun:sqlite";
import { beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../src/app/app.ts";
import { openApp } from "../../../src/app/app.ts";
import { openMemory } from "../../../src/db/memory/open-store.ts";
import { Failed } from "../../../src/failure.ts";
import type { Notice } from "../../../src/notice.ts";
import { noticeSentence } from "../../../src/notice-sentence.ts";
import { CONTEXT_TYPES, type ContextType } from "../../../src/recall/context/context-types.ts";
import { memory } from "../../support/entries.ts";
import { environmentIn } from "../../support/environment.ts";
import { tempFolder } from "../../support/folder.ts";
import { tempRepo } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";

const NEVER = new AbortController().signal;
/** As no SQLite file begins. */
const BROKEN = Buffer.alloc(8_192, "broken ");
const storePath = () => join(repo.path, ".cra", "memory.sqlite");
const damage = () => writeFileSync(storePath(), BROKEN);

const repo = shared(tempRepo({ "shop/cart.py": "def cart_sum(items):\n    return sum(items)\n" }, { git: true }));
repo.write({ "shop/mail.py": "def send(text):\n    print(text)\n" });
repo.commit("Tell whose cart is empty");
const home = shared(tempFolder()).path;
await using((app) => app.index({ failFast: false, rebuild: false, onProgress: () => {} }, NEVER));
beforeEach(() => {
  rmSync(storePath(), { force: true });
  remember("the cart cache is cold at night");
});

function remember(content: string): void {
  const store = openMemory(storePath(), "write");
  store.put([memory(1, { content })]);
  store.close();
}

/** What came of it, and what was said of it. */
async function using<T>(
  use: (app: App) => Promise<T>,
  cwd = repo.path,
): Promise<{ result: T; notices: readonly Notice[] }> {
  const app = await openApp({
    environment: environmentIn(cwd, { HOME: home }),
    repo: null,
    flags: [],
  });
  try {
    return { result: await use(app), notices: app.notices };
  } finally {
    app.close();
  }
}

const recall = (types: readonly ContextType[], cwd?: string) =>
  using((app) => app.recall({ query: "cart", types, limit: 5, maxTokens: 2_000 }, NEVER), cwd);

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof Failed ? error.failure.code : "unexpected"),
  );

const packed = async (app: App, with_memory = true) => {
  const settings = { ...app.config.settings, with_memory };
  const asked = { hintPaths: [], hintSymbols: [], template: null, refresh: false, strict: false, onRefresh() {} };
  const run = app.retrieve({ task: "the cart sum is wrong", settings, ...asked }, NEVER);
  const said: string[] = [];
  for (let step = await run.next(); ; step = await run.next()) {
    if (step.done) return { ...step.value.package, round: step.value.round, said: said.join("\n") };
    if (step.value.event === "notice") said.push(step.value.message);
  }
};

const STORED = ["memories", "experiences", "values"] as const;

test("with a damaged store, recall answers from the index if it can, and says what to do", async () => {
  damage();
  const { result, notices } = await recall(CONTEXT_TYPES);
  expect(result.items.map(({ source }) => source).toSorted()).toEqual(["code", "commit"]);
  expect(notices).toMatchObject([{ code: "sources-left-out", sources: STORED }]);
  const [said] = notices.map(noticeSentence);
  expect(said).toContain(`${storePath()}: the memory store is damaged (`);
  expect(said).toContain("cra remember --import FILE");
  const some = await recall(["values", "commits"]);
  expect(some.result.items.map(({ source }) => source)).toEqual(["commit"]);
  expect(some.notices).toMatchObject([{ sources: ["values"] }]);
  expect((await recall(["code"])).notices).toEqual([]);
  expect(readFileSync(storePath()).equals(BROKEN)).toBe(true);
});

test("a store of a newer version is left out in the same way", async () => {
  const store = new Database(storePath());
  store.run("pragma user_version = 99");
  store.close();
  const { result, notices } = await recall(CONTEXT_TYPES);
  expect(result.items.map(({ source }) => source).toSorted()).toEqual(["code", "commit"]);
  expect(notices.map(noticeSentence).join()).toContain("written by a newer cra");
  expect(await codeOf(recall(STORED))).toBe("index-newer");
});

test("if only the store could answer, its damage ends recall and premortem", async () => {
  damage();
  expect(await codeOf(recall(STORED))).toBe("memory-damaged");
  expect(await codeOf(recall(["memories"]))).toBe("memory-damaged");
  const asked = { domain: "debugging", strategy: null, limit: 5, maxTokens: 2_000 } as const;
  expect(await codeOf(using((app) => app.premortem(asked, NEVER)))).toBe("memory-damaged");
  using bare = tempRepo({ ".cra/memory.sqlite": BROKEN.toString() });
  expect(await codeOf(recall(CONTEXT_TYPES, bare.path))).toBe("memory-damaged");
});

test("a package with memory is made without it if the store is damaged, with a notice", async () => {
  const { result: whole } = await using((app) => packed(app));
  expect(whole.learned?.map(({ content }) => content)).toEqual([expect.stringContaining("cold at night")]);
  damage();
  const { result } = await using((app) => packed(app));
  expect(result.learned).toEqual([]);
  expect(result.said).toContain("memories, experiences and values left out");
  expect(result.said).toContain("cra remember --import FILE");
  expect(result.files).toEqual(whole.files);
});

test("a reopened task reports that the memories have changed", async () => {
  const { result: made } = await using((app) => packed(app));
  const reopened = () => using((app) => app.reopen(made.task_id, NEVER));
  const same = await reopened();
  expect(same.result.round?.package.learned).toEqual(made.learned);
  expect(same.notices).toEqual([]);
  remember("the cart cache is cold by day");
  const changed = await reopened();
  expect(changed.result.round?.package.learned).not.toEqual(made.learned);
  expect(changed.notices).toEqual([{ code: "memory-changed", round: made.round }]);
  const { result: bare } = await using((app) => packed(app, false));
  expect((await using((app) => app.reopen(bare.task_id, NEVER))).notices).toEqual([]);
});

test("recall answers from an index that is far behind as it is, and says so", async () => {
  using far = tempRepo({ "a.py": "def cart():\n    return 1\n" });
  const recalled = (types: readonly ContextType[]) =>
    using((app) => {
      const question = { query: "cart", types, limit: 5, maxTokens: 2_000, onRefresh: () => {} };
      return app.recall(question, NEVER);
    }, far.path);
  await using((app) => app.index({ failFast: false, rebuild: false, onProgress: () => {} }, NEVER), far.path);
  far.write(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`b${at}.py`, `x${at} = 1\n`])));
  const { result, notices } = await recalled(["code"]);
  expect(result.items).toHaveLength(1);
  expect(notices.map(noticeSentence)).toEqual([
    "the index is older than the work tree: 1001 files have changed; run: cra index",
  ]);
  expect((await recalled(["memories"])).notices).toEqual([]);
});

test("commits have all their paths, also gone ones, and the lines that git counts; without git these are null", async () => {
  using gone = tempRepo({ "a.py": "def cart():\n    return 1\n", "old/b.py": "x = 1\ny = 2\n" }, { git: true });
  rmSync(join(gone.path, "old"), { recursive: true });
  gone.write({ "a.py": "def cart():\n    return 2\n" });
  gone.commit("Empty the cart");
  const commitsWith = async (variables: Readonly<Record<string, string | undefined>>) => {
    const app = await openApp({ environment: environmentIn(gone.path, variables), repo: null, flags: [] });
    try {
      await app.index({ failFast: false, rebuild: false, onProgress: () => {} }, NEVER);
      const { items } = await app.recall(
        { query: "empty cart", types: ["commits"], limit: 5, maxTokens: 2_000 },
        NEVER,
      );
      return items.map(({ metadata }) => metadata);
    } finally {
      app.close();
    }
  };
  const files_changed = ["a.py", "old/b.py"];
  expect(await commitsWith({ HOME: home, PATH: Bun.env.PATH })).toMatchObject([
    { files_changed, insertions: 1, deletions: 3 },
  ]);
  expect(await commitsWith({ HOME: home, PATH: home })).toMatchObject([
    { files_changed, insertions: null, deletions: null },
  ]);
  rmSync(join(gone.path, ".git", "cra", "parse-cache.sqlite"));
  expect(await commitsWith({ HOME: home, PATH: home })).toMatchObject([{ files_changed: ["a.py"] }]);
});
