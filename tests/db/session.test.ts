/** Sessions: rounds and their values. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { hasSession, isTaskId, listSessions, openSession } from "../../src/db/session.ts";
import { failureOf, folder } from "./folder.ts";

test("an unfinished round is continued, a finished one is followed, and nothing is lost", () => {
  using dir = folder();
  const open = () => openSession(dir.path, "0123abcd");
  const first = open();
  expect(first.begin("t1")).toEqual({ round: 1, continued: false });
  first.set(1, "stage_outputs", { scope: [1, 2] });
  first.set(1, "stage_outputs", { scope: [1, 2, 3] });
  first.close();
  const second = open();
  expect(second.begin("t2")).toEqual({ round: 1, continued: true });
  second.finish(1, "t3");
  expect(second.begin("t4")).toEqual({ round: 2, continued: false });
  second.set(2, "refinement_request", null);
  expect(second.get(1, "stage_outputs")).toEqual({ scope: [1, 2, 3] });
  expect(second.get(2, "stage_outputs")).toBeUndefined();
  expect(second.get(2, "refinement_request")).toBeNull();
  expect(second.rounds()).toEqual([
    { round: 1, status: "finished", startedAt: "t1", finishedAt: "t3" },
    { round: 2, status: "running", startedAt: "t4", finishedAt: null },
  ]);
  expect(() => second.set(3, "final_context", 1)).toThrow();
});

test("only a task id becomes a path", () => {
  using dir = folder();
  for (const id of [
    "",
    "abc",
    "../../etc/passwd",
    "0123abcd/x",
    "0123ABCD",
    "0123abcd\0",
    `${"a".repeat(65)}`,
    "0123abcd\n",
  ]) {
    expect(isTaskId(id)).toBe(false);
    expect(failureOf(() => openSession(dir.path, id))).toEqual({ code: "unknown-task", taskId: id });
  }
});

test("sessions are listed by task id", () => {
  using dir = folder();
  expect(hasSession(dir.path, "bbbbbbbb")).toBe(false);
  for (const id of ["bbbbbbbb", "aaaaaaaa"]) openSession(dir.path, id).close();
  writeFileSync(dir.at("note.sqlite"), "");
  expect(hasSession(dir.path, "bbbbbbbb")).toBe(true);
  expect(listSessions(dir.path)).toEqual(["aaaaaaaa", "bbbbbbbb"]);
  expect(listSessions(dir.at("absent"))).toEqual([]);
});
