/** Stores what was typed or edited as a new entry, into a stored one, or as the experience of a task. */

import type { AppMemory, Remembered } from "../../app/memory/remember.ts";
import { Failed } from "../../failure.ts";
import type { Checked, Entry } from "../../memory/entry.ts";
import {
  type Attempts,
  type Draft,
  type ExperienceDraft,
  type MemoryDraft,
  mergeExperience,
  mergeMemory,
  updatedEntry,
} from "../../memory/entry-draft.ts";

import { newEntry } from "../../memory/new-entry.ts";
import { taskExperience, updatedTaskExperience } from "../../memory/task-experience.ts";
import { DOMAINS, OUTCOMES, ROOT_CAUSE_CATEGORIES, STRATEGIES } from "../../memory/vocabulary.ts";
import type { Context } from "../syntax/command.ts";
import { editEntry } from "./edit-entry.ts";
import { flagWords, type TypedEntry } from "./entry-request.ts";

/** A new entry. */
export async function storeNew(context: Context, memory: AppMemory, typed: TypedEntry): Promise<Remembered> {
  const isEdited = context.values.switch("--edit");
  const type = typed.type ?? (isEdited ? "experience" : null);
  if (type === null)
    throw new Failed({
      code: "usage",
      message: "there is nothing to remember",
      next: 'give a text: cra remember "CI runs on Node 20 only"; or write an experience: cra remember --edit',
    });
  const draft: Draft = type === "memory" ? typed.memory : typed.experience;
  if (isEdited)
    return await editEntry(context, { draft, remarks: REMARKS, command: "cra remember" }, (written) =>
      memory.remember({ ...draft, ...written }),
    );
  checkComplete(draft);
  return await memory.remember(draft);
}

const REMARKS = ["Write what you know, save and close. To store nothing, delete everything."];

/** Throws a usage failure that names every missing option. */
function checkComplete(draft: Draft): void {
  const needs = draft.type === "memory" ? memoryNeeds(draft) : experienceNeeds(draft);
  const missing = needs.flatMap(([isThere, flag]) => (isThere ? [] : [flag]));
  if (missing.length === 0) return;
  const what = draft.type === "memory" ? "a memory" : "an experience";
  throw new Failed({
    code: "usage",
    message: `${what} also needs ${missing.join(", ")}`,
    next: "add it, or use an editor with --edit",
  });
}

const memoryNeeds = ({ content }: MemoryDraft) => [[content !== undefined, "a text"]] as const;

function experienceNeeds({ goal, domain, strategy, iterations, outcome, root_cause, lesson }: ExperienceDraft) {
  const attempt = iterations?.at(-1);
  return [
    [goal !== undefined, "--goal"],
    [attempt?.hypothesis !== undefined, "--hypothesis"],
    [attempt?.action !== undefined, "--action"],
    [attempt?.prediction !== undefined, "--prediction"],
    [domain !== undefined, `--domain (${DOMAINS.join(", ")})`],
    [strategy !== undefined, `--strategy (${STRATEGIES.join(", ")})`],
    [!outcome || outcome.status !== undefined, `--outcome (${OUTCOMES.join(", ")})`],
    [!outcome || outcome.result !== undefined, "--result"],
    [!root_cause || root_cause.category !== undefined, `--root-cause (${ROOT_CAUSE_CATEGORIES.join(", ")})`],
    [!root_cause || root_cause.description !== undefined, "--root-cause-text"],
    [!lesson || lesson.what_worked !== undefined, "--lesson"],
  ] as const;
}

/** Adds to a stored entry. */
export async function update(context: Context, memory: AppMemory, typed: TypedEntry, id: string): Promise<Remembered> {
  const before = await memory.entry(id);
  const isEdited = context.values.switch("--edit");
  if (typed.type !== null && typed.type !== before.type)
    throw new Failed({
      code: "usage",
      message: `${before.id} is ${before.type === "memory" ? "a memory" : "an experience"}, and these options are for the other kind`,
    });
  if (typed.type === null && !isEdited)
    throw new Failed({
      code: "usage",
      message: `there is nothing to change in ${before.id}`,
      next: "see: cra remember --help",
    });
  const attempts: Attempts = typed.allAttempts ? "all" : "new";
  if (!isEdited) {
    const more = before.type === "memory" ? typed.memory : typed.experience;
    return await memory.change(before.id, (stored, now) =>
      inFlags(updatedEntry(stillStored(stored, before), more, attempts, now)),
    );
  }
  const draft =
    before.type === "memory"
      ? mergeMemory(before, typed.memory)
      : forEditor(mergeExperience(before, typed.experience, attempts), typed);
  const remarks = [`${before.id}, stored at ${before.created_at}`];
  const command = `cra remember --update ${before.id}`;
  return await editEntry(context, { draft, remarks, command }, (written) =>
    memory.change(before.id, (stored, now) =>
      updatedEntry(unchanged(stillStored(stored, before), before), written, "all", now),
    ),
  );
}

/** A finished task as an experience. */
export async function storeTask(
  context: Context,
  memory: AppMemory,
  typed: TypedEntry,
  taskId: string,
): Promise<Remembered> {
  if (typed.type === "memory")
    throw new Failed({ code: "usage", message: "a task becomes an experience, and these options are for memories" });
  const attempts: Attempts = typed.allAttempts ? "all" : "last";
  if (!context.values.switch("--edit")) return await memory.rememberTask(taskId, typed.experience, attempts);
  const { id, task, before } = await memory.task(taskId);
  const base =
    before === null ? taskExperience(task) : mergeExperience(before, updatedTaskExperience(before, task), "all");
  const draft = forEditor(mergeExperience(base, typed.experience, attempts), typed);
  const editing = { draft, remarks: [`task ${task.taskId}`], command: `cra remember --from-task ${task.taskId}` };
  return await editEntry(context, editing, (written) =>
    memory.change(id, (stored, now) =>
      stored === null && before === null
        ? newEntry({ ...written, id, task_id: task.taskId }, now)
        : updatedEntry(unchanged(stillStored(stored, { id }), before), written, "all", now),
    ),
  );
}

/** Leaves out the confidence, which follows from the rest, unless it was typed. */
const forEditor = ({ confidence: _, ...draft }: ExperienceDraft, typed: TypedEntry): Draft => ({
  ...draft,
  ...(typed.experience.confidence === undefined ? {} : { confidence: typed.experience.confidence }),
});

/** Throws if the entry is no longer stored. */
function stillStored(stored: Entry | null, { id }: Pick<Entry, "id">): Entry {
  if (stored !== null) return stored;
  throw new Failed({ code: "usage", message: `${id} was deleted by another process in the meantime` });
}

/** Throws if the stored entry is not what the editor showed. */
function unchanged(stored: Entry, shown: Entry | null): Entry {
  if (JSON.stringify(stored) === JSON.stringify(shown)) return stored;
  throw new Failed({ code: "usage", message: `${stored.id} was changed by another process in the meantime` });
}

/** Throws a problem as a usage failure that names the option. */
function inFlags<T>(read: Checked<T>): Checked<T> {
  if (read.ok) return read;
  throw new Failed({ code: "usage", message: flagWords(read.problem), next: "nothing was stored" });
}
