/** Effects, performed: what is asked of the working thread, what is sent back, and what becomes of failures. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTaken, writeWhole } from "../../../src/cli/output/write-file.ts";
import { Failed, sentence } from "../../../src/failure.ts";
import { effectRunner } from "../../../src/tui/effects/effect-runner.ts";
import type { Action } from "../../../src/tui/state/actions.ts";
import type { Draft } from "../../../src/tui/state/draft.ts";
import type { Effect } from "../../../src/tui/state/effects.ts";
import type { JobHandlers } from "../../../src/tui/worker/protocol.ts";

const cancelled = new Failed({ code: "cancelled", signal: "SIGINT" });
/** Why indexing fails; null where it goes on until it is stopped. */
let failsToIndex: Failed | null = null;
const unexpected = (): never => {
  throw new Error("not asked for here");
};
const HANDLERS: JobHandlers = {
  home: async () => ({ sessions: [], history: ["a"] }),
  knownIndex: async () => ({ status: "ready", files: 3, headline: "3 symbols" }),
  index: (_input, _onProgress, signal) =>
    new Promise((_, no) => {
      if (failsToIndex !== null) no(failsToIndex);
      else signal.addEventListener("abort", () => no(cancelled));
    }),
  retrieve: (_input, _onProgress, signal) =>
    new Promise((_, no) => signal.addEventListener("abort", () => no(cancelled))),
  refine: async () => {
    throw new Failed({ code: "budget-below-floor", budget: 1, floor: 9, unit: "tokens" });
  },
  resume: async () => ({ taskId: "0123456789ab", task: "t", round: null }),
  preview: async (path) => ({ path, language: "", lines: null }),
  outline: unexpected,
  find: async ({ query }) => ({ rows: [], matches: query.length, of: 9 }),
  dryRun: async ({ rejecting }) => ({
    tokens: 1,
    budget: 2,
    exact: true,
    enters: [],
    leaves: [],
    nextOut: null,
    nextIn: null,
    rejecting: rejecting === null ? null : { path: rejecting, frees: 1, enters: [] },
  }),
  returnTo: async (_input, onProgress) => {
    onProgress({ model: ["Ollama 0.31.2", "m:1b"] });
    onProgress({ events: [{ event: "notice", code: "index-stale", message: "run: cra index" }] });
    throw new Failed({ code: "unknown-task", taskId: "gone" });
  },
  rounds: async () => [],
  deleteSession: async () => null,
  rememberTask: async ({ taskId }) => {
    if (taskId === "gone") throw new Failed({ code: "unknown-task", taskId });
    return { id: `exp-${taskId}`, status: "added" };
  },
  render: async (format) => (format === "bundle" ? null : `the package as ${format}\n`),
};

const DRAFT: Draft = {
  version: 1,
  taskId: null,
  round: 0,
  screen: "entry",
  task: "t",
  taskCursor: 1,
  files: [],
  symbols: [],
  undo: [],
  redo: [],
  current: null,
  filter: "",
  budget: null,
  coverage: null,
  notes: "",
};

let folder: string;
let sent: Action[];
let written: string[];
let bugs: unknown[];
let did: string[];
let kept: (draft: Draft) => void;
let perform: (effect: Effect) => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cra-perform-"));
  [sent, written, bugs, did] = [[], [], [], []];
  failsToIndex = null;
  kept = () => {};
  perform = effectRunner({
    worker: {
      run: (job, input, onProgress = () => {}, signal = new AbortController().signal) =>
        HANDLERS[job](input, onProgress, signal),
      close: async () => {},
    },
    isUntracked: () => false,
    drafts: { rename: () => {}, load: () => DRAFT, keep: (draft) => kept(draft) },
    terminal: {
      write: (text) => void written.push(text),
      reportMouse: (on) => void did.push(`mouse ${on}`),
    },
    sourcePath: (path) => (path.startsWith("..") ? null : join(folder, path)),
    cwd: folder,
    variables: { PATH: process.env.PATH ?? "", EDITOR: "printf ' more' >>" },
    wording: { failed: (failure) => `${sentence(failure)} --repo a`, noticed: (told) => `${told} --repo a` },
    send: (action) => void sent.push(action),
    lend: async (use) => {
      did.push("lent");
      await use();
      did.push("back");
    },
    suspend: async () => void did.push("stood still"),
    redraw: () => void did.push("redrawn"),
    isTaken,
    writeFile: writeWhole,
    quit: () => void did.push("quit"),
    fail: (bug) => void bugs.push(bug),
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Waits for what was sent to be as many as that. */
async function answers(count: number): Promise<readonly Action[]> {
  while (sent.length < count) await Bun.sleep(5);
  return sent;
}

const RUN = { do: "retrieve", run: 1, task: "t", request: {}, budget: null, coverage: null } as const;

test("a stopped run reports its own number; an unknown number stops nothing", async () => {
  perform(RUN);
  perform({ do: "cancel", run: 2 });
  await Bun.sleep(20);
  expect(sent).toEqual([]);
  perform({ do: "cancel", run: 1 });
  expect(await answers(1)).toEqual([{ is: "cancelled", run: 1 }]);
});

test("what a run learned of the model's server is sent at once", async () => {
  perform({ do: "return", run: 3, taskId: "gone", round: 1, request: {}, budget: null, coverage: null });
  expect(await answers(3)).toMatchObject([
    { is: "model-known", model: ["Ollama 0.31.2", "m:1b"] },
    { is: "events", run: 3, events: [{ event: "notice", message: "run: cra index --repo a" }] },
    { is: "failed", run: 3, message: expect.stringMatching(/gone is no task id.* --repo a$/) },
  ]);
});

test("whatever fails is worded for the repository of the interface", async () => {
  failsToIndex = new Failed({ code: "locked", holder: "pid 1" });
  perform({ do: "index" });
  expect(await answers(1)).toMatchObject([
    { is: "index-known", index: { headline: expect.stringMatching(/try again --repo a$/) } },
  ]);
  perform({ do: "copy-package", format: "bundle", what: "the package" });
  expect((await answers(2))[1]).toMatchObject({ is: "message", text: "no round has finished yet --repo a" });
});

test("a new run stops the previous one", async () => {
  perform(RUN);
  perform({ do: "refine", run: 2, taskId: "0123456789ab", request: {}, budget: null, coverage: null });
  expect(await answers(2)).toContainEqual({ is: "cancelled", run: 1 });
  expect(sent).toContainEqual({ is: "failed", run: 2, message: expect.stringContaining("smallest that works is 9") });
});

test("sessions and index state arrive separately, and a session comes with its draft", async () => {
  perform({ do: "load-home" });
  perform({ do: "resume", taskId: "0123" });
  expect(await answers(3)).toContainEqual({ is: "home-loaded", sessions: [], history: ["a"] });
  expect(sent).toContainEqual({ is: "index-known", index: { status: "ready", files: 3, headline: "3 symbols" } });
  expect(sent).toContainEqual({ is: "resumed", taskId: "0123456789ab", task: "t", round: null, draft: DRAFT });
});

test("the index state is not reported during an update", async () => {
  perform({ do: "index" });
  perform({ do: "load-home" });
  expect(await answers(1)).toEqual([{ is: "home-loaded", sessions: [], history: ["a"] }]);
  await Bun.sleep(20);
  expect(sent).toHaveLength(1);
  perform({ do: "cancel-index" });
  expect((await answers(2))[1]).toMatchObject({ is: "index-known" });
  perform({ do: "load-home" });
  expect((await answers(4)).slice(2).map(({ is }) => is)).toContain("index-known");
});

test("of several requests in a row, only the newest is answered", async () => {
  for (const id of [1, 2, 3])
    perform({ do: "dry-run", id, request: {}, budget: null, coverage: null, rejecting: `${id}.ts` });
  for (const query of ["a", "ab", "abc"]) perform({ do: "find", query, limit: 5 });
  await answers(2);
  expect(sent.filter(({ is }) => is === "dry-run-finished")).toMatchObject([
    { id: 3, result: { rejecting: { path: "3.ts" } } },
  ]);
  expect(sent.filter(({ is }) => is === "found")).toEqual([{ is: "found", query: "abc", rows: [], matches: 3, of: 9 }]);
});

test("a file is written completely; overwriting asks first", async () => {
  const path = join(folder, "out.md");
  perform({ do: "save", format: "markdown", path: "out.md", overwrite: false });
  expect(await answers(1)).toEqual([{ is: "saved", path, bytes: 24, untracked: false }]);
  expect(readFileSync(path, "utf8")).toBe("the package as markdown\n");
  writeFileSync(path, "mine");
  perform({ do: "save", format: "json", path: "out.md", overwrite: false });
  expect((await answers(2))[1]).toEqual({ is: "save-exists", path });
  expect(readFileSync(path, "utf8")).toBe("mine");
  perform({ do: "save", format: "json", path: "out.md", overwrite: true });
  expect((await answers(3))[2]).toEqual({ is: "saved", path, bytes: 20, untracked: false });
  perform({ do: "save", format: "json", path: "no/such/out.md", overwrite: false });
  expect((await answers(4))[3]).toMatchObject({
    is: "save-failed",
    message: expect.stringContaining("no such folder"),
  });
  perform({ do: "save", format: "bundle", path: "b.json", overwrite: false });
  expect((await answers(5))[4]).toMatchObject({ is: "save-failed", message: "no round has finished yet --repo a" });
});

test("nothing is written through an unexpected link or to something other than a file", async () => {
  writeFileSync(join(folder, "real.md"), "mine");
  symlinkSync("real.md", join(folder, "link.md"));
  Bun.spawnSync(["mkfifo", join(folder, "pipe")]);
  const save = (path: string, overwrite: boolean) => perform({ do: "save", format: "markdown", path, overwrite });
  save("link.md", false);
  expect(await answers(1)).toEqual([{ is: "save-exists", path: join(folder, "link.md") }]);
  expect(readFileSync(join(folder, "real.md"), "utf8")).toBe("mine");
  save("real.md/a.md", false);
  expect((await answers(2))[1]).toMatchObject({ is: "save-failed", message: expect.stringContaining("not a folder") });
  save("pipe", false);
  expect((await answers(3))[2]).toMatchObject({
    is: "save-failed",
    message: expect.stringContaining("is a pipe, not a file"),
  });
});

test("remembering a task reports its id and unapplied changes, or the error", async () => {
  perform({ do: "remember-task", taskId: "a", hypothesis: "h", unapplied: null });
  expect(await answers(1)).toEqual([{ is: "message", kind: "done", text: "Remembered as exp-a" }]);
  perform({ do: "remember-task", taskId: "b", hypothesis: "h", unapplied: "1 mark is not in it" });
  expect((await answers(2))[1]).toMatchObject({ text: "Remembered as exp-b (1 mark is not in it)" });
  perform({ do: "remember-task", taskId: "gone", hypothesis: "h", unapplied: null });
  expect((await answers(3))[2]).toMatchObject({ is: "message", kind: "error", text: expect.stringContaining("gone") });
});

test("copying reports what was sent, or that it is too long", async () => {
  perform({ do: "copy", text: "x", what: "the path" });
  expect(written).toEqual(["\x1b]52;c;eA==\x07"]);
  perform({ do: "copy", text: "x".repeat(100_000), what: "the path" });
  expect(written).toHaveLength(1);
  perform({ do: "copy-package", format: "prompt", what: "the package" });
  expect((await answers(3)).map((action) => (action.is === "message" ? action.kind : action.is))).toEqual([
    "done",
    "copy-too-long",
    "done",
  ]);
});

test("the editor owns the terminal while it runs", async () => {
  perform({ do: "edit-text", text: "some" });
  expect(await answers(1)).toEqual([{ is: "edited", text: "some more" }]);
  expect(did).toEqual(["lent", "back"]);
  perform({ do: "edit-file", path: "../elsewhere", line: 1 });
  expect((await answers(2))[1]).toMatchObject({ is: "message", kind: "error" });
  perform({ do: "edit-file", path: "gone.ts", line: 1 });
  expect((await answers(3))[2]).toMatchObject({ kind: "error", text: expect.stringContaining("gone.ts is gone") });
  perform({ do: "suspend" });
  while (did.length < 5) await Bun.sleep(5);
  expect(did.slice(2)).toEqual(["lent", "stood still", "back"]);
});

test("a draft that cannot be saved is reported once until saving works again", () => {
  kept = () => {
    throw new Failed({ code: "io", message: "no space", where: "/x" });
  };
  perform({ do: "persist", draft: DRAFT });
  perform({ do: "persist", draft: DRAFT });
  expect(sent).toEqual([{ is: "message", kind: "error", text: "/x: no space --repo a" }]);
  kept = () => {};
  perform({ do: "persist", draft: DRAFT });
  kept = () => {
    throw new Failed({ code: "io", message: "no space", where: "/x" });
  };
  perform({ do: "persist", draft: DRAFT });
  expect(sent).toHaveLength(2);
});

test("an error that is not a failure is a bug and ends the interface", async () => {
  perform({ do: "load-outline", path: "a.ts" });
  while (bugs.length === 0) await Bun.sleep(5);
  expect(bugs).toMatchObject([{ message: "not asked for here" }]);
  expect(sent).toEqual([]);
});

test("other effects are passed on", () => {
  for (const effect of [{ do: "mouse", on: true }, { do: "redraw" }, { do: "quit" }] as const) perform(effect);
  expect(did).toEqual(["mouse true", "redrawn", "quit"]);
});
