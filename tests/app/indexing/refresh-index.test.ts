/** Refreshing before a retrieval: who writes, who looks, who waits, and what is said of it. */
import { expect, test } from "bun:test";
import type { IndexSummary } from "../../../src/app/indexing/index-repository.ts";
import { refreshIndex } from "../../../src/app/indexing/refresh-index.ts";
import { Failed, type Failure } from "../../../src/failure.ts";
import type { Notice } from "../../../src/notice.ts";

const LOCKED: Failure = { code: "locked", holder: "process 1 on here, since 2024" };
const READ_ONLY: Failure = { code: "io", message: "attempt to write", where: "/r/.cra/x" };

const summary = (notices: readonly Notice[], problems: number): IndexSummary => ({
  changed: false,
  meta: {
    contentHash: "c",
    sourceHash: "",
    head: null,
    remoteUrl: null,
    repoPath: "/r",
    indexedAt: "",
    craVersion: "0",
    extractorVersion: "0",
    historyProblem: null,
    counts: { files: 0, symbols: 0, dependencies: 0, references: 0, commits: 0 },
    languages: [],
    skipped: [],
  },
  files: { added: 0, changed: 0, removed: 0, unchanged: 0 },
  parsed: 0,
  fromCache: 0,
  seededFrom: null,
  skips: [],
  problems: Array.from({ length: problems }, (_, at) => ({ path: `${at}`, why: "unreadable" })),
  notices,
  ms: {},
  msTotal: 0,
  bytes: 0,
});

/** Each list says what the first, second … call gives. */
async function refreshed(indexing: readonly (Failure | IndexSummary)[], surveys: readonly (string | null)[] = []) {
  const said: string[] = [];
  const [results, stale] = [[...indexing], [...surveys]];
  const found = await refreshIndex({
    async index(lockWaitMs) {
      said.push(lockWaitMs === 0 ? "index" : "wait, index");
      const result = results.shift();
      if (result === undefined) throw new Error("indexed too often");
      if ("code" in result) throw new Failed(result);
      return result;
    },
    async staleness() {
      said.push("look");
      const result = stale.shift();
      if (result === undefined) throw new Error("looked too often");
      return result;
    },
  });
  return { said: said.join(", "), ...found };
}

test("refresh reports its notices, except those of every run on the index", async () => {
  const rebuilt: Notice = { code: "index-rebuilt", why: "zeroes", movedTo: "/x" };
  const found = await refreshed([summary([rebuilt, { code: "history-missing", why: "none" }], 2)]);
  expect(found).toEqual({ said: "index", notices: [rebuilt], inputsSkipped: 2 });
});

test("while another process writes, a current index is used without a notice", async () => {
  const found = await refreshed([LOCKED], [null]);
  expect(found).toEqual({ said: "index, look", notices: [], inputsSkipped: null });
});

test("for a stale index, it waits for the other process and uses its result", async () => {
  expect(await refreshed([LOCKED, summary([], 0)], ["1 added"])).toMatchObject({
    said: "index, look, wait, index",
    notices: [],
  });
  expect(await refreshed([LOCKED, LOCKED], ["1 added", null])).toMatchObject({
    said: "index, look, wait, index, look",
    notices: [],
  });
});

test("a stale index that cannot be written is used, with a notice without process or folder", async () => {
  expect((await refreshed([LOCKED, LOCKED], ["1 added", "1 added"])).notices).toEqual([
    { code: "index-stale", why: "1 added (another cra is writing it)" },
  ]);
  expect(await refreshed([READ_ONLY], ["2 changed"])).toMatchObject({
    said: "index, look",
    notices: [{ code: "index-stale", why: "2 changed (it cannot be written)" }],
  });
  expect((await refreshed([READ_ONLY], [null])).notices).toEqual([]);
});

test("every other failure stops the run", async () => {
  const newer: Failure = { code: "index-newer", path: "/x", found: 9, known: 1 };
  await expect(refreshed([newer])).rejects.toThrow("written by a newer cra");
});
