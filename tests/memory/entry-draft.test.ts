/** Updating an experience, and turning a task into one. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ExperienceEntry } from "../../src/memory/entry.ts";
import { draftProblem, type ExperienceDraft, updatedEntry } from "../../src/memory/entry-draft.ts";
import { newEntry } from "../../src/memory/new-entry.ts";
import {
  type FinishedTask,
  taskExperience,
  taskExperienceId,
  updatedTaskExperience,
} from "../../src/memory/task-experience.ts";
import { anyCharacter } from "../support/any-character.ts";

const THEN = "2026-01-01T00:00:00.000Z";
const NOW = "2026-02-01T00:00:00.000Z";

function stored(draft: Omit<ExperienceDraft, "type">): ExperienceEntry {
  const read = newEntry({ type: "experience", ...draft }, THEN);
  if (!read.ok || read.value.type !== "experience") throw new Error(JSON.stringify(read));
  return read.value;
}
const FIRST = stored({
  domain: "debugging",
  strategy: "check-assumptions",
  goal: "stop the leak",
  iterations: [{ hypothesis: "h", action: "a", prediction: "p" }],
});
const said = (draft: Omit<ExperienceDraft, "type">): ExperienceDraft => ({ type: "experience", ...draft });
function after(
  before: ExperienceEntry,
  draft: Omit<ExperienceDraft, "type">,
  how: "all" | "new" | "last" = "new",
): ExperienceEntry {
  const read = updatedEntry(before, said(draft), how, NOW);
  if (!read.ok || read.value.type !== "experience") throw new Error(JSON.stringify(read));
  return read.value;
}

describe("an open experience", () => {
  test("ends with the given status, which sets its confidence", () => {
    const ended = after(FIRST, { outcome: { status: "confirmed", result: "r" }, lesson: { what_worked: "w" } });
    expect(ended).toEqual({
      ...FIRST,
      outcome: { status: "confirmed", result: "r" },
      lesson: { what_worked: "w", takeaway: null },
      confidence: "gold",
      updated_at: NOW,
    });
    expect(after(FIRST, { outcome: { status: "falsified", result: "r" }, confidence: "silver" }).confidence).toBe(
      "silver",
    );
  });
  test("is open again after another attempt", () => {
    const ended = after(FIRST, { outcome: { status: "falsified", result: "r" }, surprise: "s" });
    const again = after(ended, { iterations: [{ hypothesis: "h2", action: "a2", prediction: "p2" }] });
    expect([again.iterations.length, again.outcome, again.surprise, again.confidence]).toEqual([
      2,
      null,
      "s",
      "bronze",
    ]);
    const held = after(again, { outcome: { status: "confirmed", result: "r" } });
    expect(held.confidence).toBe("silver");
  });
  test("keeps a given judgement until it ends differently", () => {
    const judged = after(FIRST, { confidence: "silver" });
    expect(after(judged, { surprise: "s" }).confidence).toBe("silver");
    expect(after(judged, { outcome: { status: "abandoned", result: "r" } }).confidence).toBe("abandoned");
  });
  test("an update of one field leaves the others; a takeaway needs a result", () => {
    const learned = after(FIRST, { lesson: { what_worked: "w", takeaway: "t" } });
    expect(after(learned, { lesson: { takeaway: "u" } }).lesson).toEqual({ what_worked: "w", takeaway: "u" });
    expect(after(learned, { lesson: null }).lesson).toBeNull();
    expect(updatedEntry(FIRST, said({ lesson: { takeaway: "t" } }), "new", NOW)).toMatchObject({
      ok: false,
      problem: { field: "lesson.what_worked" },
    });
    expect(updatedEntry(FIRST, said({ iterations: [{ action: "a" }] }), "new", NOW).ok).toBe(false);
  });
  test("keeps its type", () => {
    expect(updatedEntry(FIRST, { type: "memory", content: "c" }, "all", NOW)).toMatchObject({
      ok: false,
      problem: { field: "type" },
    });
  });
  test("keeps id and creation time, and is unchanged without new input", () => {
    expect(after(FIRST, { id: "exp-000000000000", created_at: NOW, goal: FIRST.goal })).toBe(FIRST);
    expect(after(FIRST, {})).toBe(FIRST);
    expect(after(FIRST, { goal: "g" })).toMatchObject({ id: FIRST.id, created_at: THEN, updated_at: NOW });
  });
});

const TASK: FinishedTask = {
  taskId: "0123456789ab",
  task: "  fix the leak\n",
  type: "bug_fix",
  rounds: 1,
  files: ["a.py", "b.py"],
  feedback: [],
};

describe("a task", () => {
  test("becomes a complete experience with the task's id", () => {
    const told = taskExperience(TASK);
    expect(draftProblem(told)).toBeNull();
    expect(told).toMatchObject({
      id: taskExperienceId("0123456789ab"),
      domain: "debugging",
      strategy: "research-first",
      goal: "fix the leak",
      task_id: "0123456789ab",
      iterations: [{ action: "cra found code for task 0123456789ab: 2 files in 1 round: a.py, b.py." }],
    });
  });
  test("an update changes its own attempt, and nothing written by a user", () => {
    const before = stored(taskExperience(TASK));
    const later = { ...TASK, rounds: 2, feedback: [{ what: "Rejected", names: ["b.py"] }], files: ["a.py"] };
    const mine = { hypothesis: "mine", action: "mine", prediction: "mine" };
    const own = after(before, { iterations: [mine], goal: "my words", strategy: "ask-user" });
    const again = after(own, updatedTaskExperience(own, later), "all");
    expect(again).toMatchObject({ id: own.id, goal: "my words", strategy: "ask-user", task_id: own.task_id });
    expect(again.iterations).toMatchObject([
      { action: "cra found code for task 0123456789ab: 1 file in 2 rounds: a.py. Rejected: b.py." },
      mine,
    ]);
    const rewritten = after(before, { iterations: [mine] }, "all");
    expect(after(rewritten, updatedTaskExperience(rewritten, later), "all")).toBe(rewritten);
  });
  test("is valid for any length and content", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 1 }).filter((raw) => raw.trim() !== ""),
        fc.integer({ min: 1, max: 4_000 }),
        fc.array(fc.string({ unit: anyCharacter }), { maxLength: 60 }),
        (raw, times, files) => {
          const task = raw.repeat(times).slice(0, 100_000);
          fc.pre(task.trim() !== "");
          const many = files.flatMap((name) => Array.from({ length: 3 }, (_, at) => name.repeat(at * 50)));
          const told = taskExperience({ ...TASK, task, files: many, feedback: [{ what: "Accepted", names: many }] });
          expect(draftProblem(told)).toBeNull();
          expect(told.goal?.length).toBeLessThanOrEqual(2_000);
        },
      ),
      { numRuns: 30 },
    );
  });
});
