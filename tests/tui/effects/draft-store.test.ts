/** Which draft is kept where, and when the one of a task that never ran goes. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDrafts } from "../../../src/db/session/drafts.ts";
import { type DraftStore, draftStore } from "../../../src/tui/effects/draft-store.ts";
import type { Draft } from "../../../src/tui/state/draft.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cra-drafts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A store as a new process opens it. */
const opened = (): DraftStore => draftStore(openDrafts(folder, () => void mkdirSync(folder, { recursive: true })));

const draft = (taskId: string | null, task: string): Draft => ({
  version: 1,
  taskId,
  round: 0,
  screen: "entry",
  task,
  taskCursor: 0,
  files: [["a\n.ts", "rejected"]],
  symbols: [],
  undo: [],
  redo: [],
  current: null,
  filter: "",
  budget: null,
  coverage: null,
  notes: "",
});

const TASK = "0123456789ab";

test("the next process loads a draft completely", () => {
  opened().keep(draft(null, "half a task"));
  opened().keep(draft(TASK, "a whole one"));
  expect(opened().load(null)).toEqual(draft(null, "half a task"));
  expect(opened().load(TASK)).toEqual(draft(TASK, "a whole one"));
});

test("a draft without a task is removed once its task has begun or its text is cleared", () => {
  const store = opened();
  store.keep(draft(null, "half"));
  store.keep(draft(TASK, "half"));
  expect(readdirSync(folder)).toEqual([`${TASK}.draft.json`]);
  store.keep(draft(null, "another"));
  store.keep(draft(null, ""));
  expect(readdirSync(folder)).toEqual([`${TASK}.draft.json`]);
});

test("a process that works on another task does not change it", () => {
  opened().keep(draft(null, "half"));
  const other = opened();
  other.keep(draft(TASK, "another"));
  other.keep(draft(null, ""));
  expect(opened().load(null)?.task).toBe("half");
});

test("a process that loaded it removes it when it stores its own", () => {
  opened().keep(draft(null, "half"));
  const next = opened();
  expect(next.load(null)?.task).toBe("half");
  next.keep(draft(TASK, "half"));
  expect(opened().load(null)).toBeNull();
});

test("a run of the task that has no round yet replaces no decisions about one", () => {
  const decided = { ...draft(TASK, "t"), round: 2, screen: "review" as const };
  opened().keep(decided);
  const begun = { ...draft(TASK, "t"), files: [] };
  opened().keep(begun);
  expect(opened().load(TASK)).toEqual(decided);
  opened().keep({ ...begun, round: 3 });
  expect(opened().load(TASK)?.files).toEqual([]);
  // Before the first round, marks are taken back one by one.
  opened().keep(draft(TASK, "t"));
  opened().keep(begun);
  expect(opened().load(TASK)?.files).toEqual([]);
});

test("a draft of another version is ignored", () => {
  openDrafts(folder, () => {}).write(TASK, { ...draft(TASK, "x"), version: 2 });
  expect(opened().load(TASK)).toBeNull();
});

test("a session keeps its name whatever is decided, until it is taken away", () => {
  const store = opened();
  store.keep(draft(TASK, "a task"));
  store.rename({ taskId: TASK, task: "a task", title: "carts" });
  store.keep(draft(TASK, "a task"));
  expect(opened().load(TASK)?.title).toBe("carts");
  const next = opened();
  next.keep({ ...draft(TASK, "a task"), files: [] });
  expect(opened().load(TASK)).toEqual({ ...draft(TASK, "a task"), files: [], title: "carts" });
  next.rename({ taskId: TASK, task: "a task", title: null });
  expect(opened().load(TASK)?.title).toBeUndefined();
  // A session without a draft gets one that decides nothing.
  next.rename({ taskId: "ffffffffffff", task: "other", title: "x" });
  expect(opened().load("ffffffffffff")).toMatchObject({ title: "x", task: "other", files: [], symbols: [] });
});
