/** Drafts in a real folder: atomic, per task, known to the data folder listing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFiles } from "../../../src/db/data-folder/data-files.ts";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { type Drafts, openDrafts } from "../../../src/db/session/drafts.ts";
import { Failed } from "../../../src/failure.ts";

const TASK = "0123456789ab";
let folder: string;
let sessions: string;
let drafts: Drafts;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cra-drafts-"));
  sessions = join(folder, "sessions");
  drafts = openDrafts(sessions, () => void mkdirSync(sessions, { recursive: true }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("reading before the first draft finds and creates nothing", () => {
  expect(drafts.read(TASK)).toBeUndefined();
  expect(drafts.has(TASK)).toBe(false);
  drafts.remove(TASK);
  expect(readdirSync(folder)).toEqual([]);
});

test("a draft is read back, each task has its own, and one that never ran has one too", () => {
  drafts.write(TASK, { task: "é\n\u2028" });
  drafts.write(null, { task: "new" });
  expect(drafts.read(TASK)).toEqual({ task: "é\n\u2028" });
  expect(drafts.read(null)).toEqual({ task: "new" });
  drafts.write(TASK, { task: "other" });
  expect(openDrafts(sessions, () => {}).read(TASK)).toEqual({ task: "other" });
  drafts.remove(null);
  expect(drafts.read(null)).toBeUndefined();
  expect(readdirSync(sessions)).toEqual([`${TASK}.draft.json`]);
});

for (const id of ["../x", "", "0123456789ab/..", "ABCDEF0123", "0123456", "__proto__", "0".repeat(65)])
  test(`${JSON.stringify(id)} becomes no path`, () => {
    expect(() => drafts.write(id, {})).toThrow(Failed);
    expect(drafts.has(id)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

test("invalid JSON, a non-file and a huge file are no draft", () => {
  mkdirSync(sessions);
  const path = join(sessions, `${TASK}.draft.json`);
  writeFileSync(path, '{"task":');
  expect(drafts.read(TASK)).toBeUndefined();
  writeFileSync(path, `"${"x".repeat(16 * 1024 * 1024)}"`);
  expect(drafts.read(TASK)).toBeUndefined();
  rmSync(path);
  writeFileSync(join(folder, "elsewhere"), '{"task":"x"}');
  symlinkSync(join(folder, "elsewhere"), path);
  expect(drafts.read(TASK)).toBeUndefined();
});

test("a failed write keeps the previous draft and leaves no temporary file", () => {
  drafts.write(TASK, { task: "before" });
  rmSync(sessions, { recursive: true });
  writeFileSync(sessions, "no folder");
  expect(() => drafts.write(TASK, { task: "after" })).toThrow(/cannot be saved/);
  expect(readdirSync(folder)).toEqual(["sessions"]);
});

test("the data folder lists drafts and given code as session files, and temporary ones as leftovers", () => {
  drafts.write(TASK, {});
  drafts.write(null, {});
  writeFileSync(join(sessions, `.${TASK}.draft.json.0123456789ab.tmp`), "{");
  writeFileSync(join(sessions, "notes.draft.json"), "{}");
  writeFileSync(join(sessions, "0123456789ab.given.json"), "[]");
  const kinds = dataFiles(dataPaths(folder)).map(({ path, kind, task }) => [
    path.slice(sessions.length + 1),
    kind,
    task,
  ]);
  expect(kinds).toEqual([
    [`.${TASK}.draft.json.0123456789ab.tmp`, "leftover", null],
    ["00000000.draft.json", "session", "00000000"],
    [`${TASK}.draft.json`, "session", TASK],
    ["0123456789ab.given.json", "session", "0123456789ab"],
    ["notes.draft.json", "foreign", null],
  ]);
});
