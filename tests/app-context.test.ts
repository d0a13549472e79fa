/** Recall, premortem and packages when what is remembered is damaged or has changed: a real index, store and log. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../src/app.ts";
import type { App } from "../src/app-types.ts";
import { flagLayer } from "../src/config.ts";
import { openMemory } from "../src/db/memory.ts";
import { Failed, type Notice, noticeSentence } from "../src/failure.ts";
import { CONTEXT_TYPES, type ContextType } from "../src/recall/context-item.ts";
import { memory } from "./support/entries.ts";
import { type TempRepo, tempRepo } from "./support/repo.ts";

let repo: TempRepo;
let home: string;
const NEVER = new AbortController().signal;
const BROKEN = Buffer.alloc(8_192, "broken ");
const storePath = () => join(repo.path, ".cra", "memory.sqlite");
const damage = () => writeFileSync(storePath(), BROKEN);

beforeAll(async () => {
  repo = tempRepo({ "shop/cart.py": "def cart_sum(items):\n    return sum(items)\n" }, { git: true });
  home = mkdtempSync(join(tmpdir(), "cra-home-"));
  await using((app) => app.index({ failFast: false, rebuild: false, onProgress: () => {} }, NEVER));
}, 30_000);
afterAll(() => {
  repo[Symbol.dispose]();
  rmSync(home, { recursive: true, force: true });
});
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
async function using<T>(use: (app: App) => Promise<T>, cwd = repo.path): Promise<{ result: T; notices: Notice[] }> {
  const notices: Notice[] = [];
  const app = await openApp({
    environment: {
      cwd,
      variables: { HOME: home },
      uid: null,
      processors: 1,
      pid: process.pid,
      host: "here",
      program: [],
    },
    repo: null,
    flags: [flagLayer(new Map([["with_memory", { flag: "--with-memory", typed: "true" }]]))],
    onNotice: (notice) => void notices.push(notice),
  });
  try {
    return { result: await use(app), notices };
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
