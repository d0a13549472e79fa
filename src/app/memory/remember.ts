/**
 * Memories and experiences of a repository: the store is opened for each operation.
 *
 * Reading creates no file. No secret is stored or returned, unless the user allows secrets.
 */
import type { EntryFilter, EntryStore } from "../../db/memory/store.ts";
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import type { Checked, Entry, ExperienceEntry } from "../../memory/entry.ts";
import type { Attempts, Draft, ExperienceDraft } from "../../memory/entry-draft.ts";
import type { ReadList } from "../../memory/entry-list.ts";
import type { FinishedTask } from "../../memory/task-experience.ts";
import type { RefinementList } from "../../retrieval/requests/refinement.ts";
import { markedKinds, type Redactor } from "../../secrets/redactor.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** `before` is the earlier entry with that id. */
export type Remembered = {
  readonly entry: Entry;
  readonly before: Entry | null;
  readonly status: "added" | "replaced" | "unchanged";
};
type Imported = {
  readonly done: ReturnType<EntryStore["put"]>;
  /** The kinds of the secrets that were left out. */
  readonly hidden: readonly string[];
};

/** Entries, and failures for those that could not be read. */
type Listed = { readonly entries: readonly Entry[]; readonly damages: readonly Failed[] };

/** The new entry at the time `now`; `before` is null when the id is free. A refused change writes nothing. */
type Change = (before: Entry | null, now: string) => Checked<Entry>;

/** A task and the experience stored of it, if any. */
type TaskExperience = { readonly id: string; readonly task: FinishedTask; readonly before: ExperienceEntry | null };

export type AppMemory = {
  list(filter: EntryFilter): Promise<Listed>;
  /** The entry with an id or a prefix of one. Throws a usage failure for none and for several. */
  entry(id: string): Promise<Entry>;
  /** Stores an entry and fills in defaults. Throws a usage failure for an incomplete one. */
  remember(draft: Draft): Promise<Remembered>;
  /** Changes an entry in one transaction. Throws a usage failure when the change is refused. */
  change(id: string, change: Change): Promise<Remembered>;
  /** Stores all entries that `read` returns, or none. Throws a usage failure that names the first wrong one. */
  importAll(read: (now: string) => ReadList): Promise<Imported>;
  /** Throws `unknown-task`, and a usage failure for a task without a finished round. */
  task(taskId: string): Promise<TaskExperience>;
  /** Creates the experience of a task, or updates it. */
  rememberTask(taskId: string, draft: ExperienceDraft, how?: Attempts): Promise<Remembered>;
  /** Removes all or none. Returns those that existed. */
  forget(entries: readonly Entry[]): Promise<readonly Entry[]>;
};

/** The part of a workspace that memory takes. */
type MemoryDeps = Pick<Workspace, "redactor" | "createDataFolder"> & {
  readonly paths: Pick<Workspace["paths"], "memory">;
  readonly log: Pick<Workspace["log"], "read">;
};

export function appMemory({ paths, redactor, log, createDataFolder }: MemoryDeps): AppMemory {
  const withStore = async <T>(access: "read" | "write", use: (store: EntryStore) => T): Promise<T> => {
    const { openMemory } = await import("../../db/memory/open-store.ts");
    if (access === "write") createDataFolder();
    const store = openMemory(paths.memory, access);
    try {
      return use(store);
    } finally {
      store.close();
    }
  };
  const memory: AppMemory = {
    list: (filter) =>
      withStore("read", (store) => {
        const damages: Failed[] = [];
        const entries = store.list(filter, (damage) => void damages.push(damage));
        return { entries: redactor.value(entries), damages };
      }),
    entry: (id) => withStore("read", (store) => redactor.value(entryById(store, id))),
    async remember(draft) {
      const { newEntry } = await import("../../memory/new-entry.ts");
      const { valid } = await validation(redactor);
      const value = valid(newEntry(redactor.value(draft), isoNow()));
      return await memory.change(value.id, () => ({ ok: true, value }));
    },
    async change(id, change) {
      const { valid, withoutSecrets } = await validation(redactor);
      return await withStore("write", (store) => {
        let before: Entry | null = null;
        const entry = store.change(id, (stored) => {
          before = redactor.value(stored);
          return withoutSecrets(valid(change(before, isoNow())));
        });
        return { entry, before, status: statusOf(before, entry) };
      });
    },
    async importAll(read) {
      const result = read(isoNow());
      if (!result.ok) throw new Failed({ code: "usage", message: result.why, next: "nothing was imported" });
      const { withoutSecrets } = await validation(redactor);
      const entries = result.entries.map(withoutSecrets);
      const texts = entries.map((entry) => JSON.stringify(entry));
      const hidden = texts.flatMap((text, at) =>
        text === JSON.stringify(result.entries[at]) ? [] : markedKinds(text),
      );
      return { done: await withStore("write", (store) => store.put(entries)), hidden };
    },
    async task(typed) {
      const { taskExperienceId } = await import("../../memory/task-experience.ts");
      const task = await finishedTask(log.read(), typed);
      const id = taskExperienceId(task.taskId);
      const before = await withStore("read", (store) => redactor.value(store.get(id)));
      return { id, task, before: before?.type === "experience" ? before : null };
    },
    async rememberTask(taskId, draft, how = "last") {
      const { mergeExperience, updatedEntry } = await import("../../memory/entry-draft.ts");
      const { newEntry } = await import("../../memory/new-entry.ts");
      const { updatedTaskExperience, taskExperience } = await import("../../memory/task-experience.ts");
      const { id, task } = await memory.task(taskId);
      return await memory.change(id, (before, now) => {
        if (before?.type !== "experience")
          return newEntry({ ...mergeExperience(taskExperience(task), draft, how), id, task_id: task.taskId }, now);
        const updated = updatedEntry(before, updatedTaskExperience(before, task), "all", now);
        return updated.ok ? updatedEntry(updated.value, draft, how, now) : updated;
      });
    },
    forget: (entries) =>
      withStore("write", (store) => {
        const removed = new Set(store.removeAll(entries.map(({ id }) => id)));
        return entries.filter(({ id }) => removed.has(id));
      }),
  };
  return memory;
}

const isoNow = (): string => new Date(Date.now()).toISOString();

function statusOf(before: Entry | null, after: Entry): Remembered["status"] {
  if (before === null) return "added";
  return JSON.stringify(after) === JSON.stringify(before) ? "unchanged" : "replaced";
}

/** Checks entries against their schema, which loads when something is stored. Both throw a usage failure. */
async function validation(redactor: Redactor) {
  const { checked, EntrySchema, problemWords } = await import("../../memory/entry.ts");
  const valid = <T>(read: Checked<T>): T => {
    if (read.ok) return read.value;
    throw new Failed({ code: "usage", message: problemWords(read.problem), next: "nothing was stored" });
  };
  /** A placeholder may be longer than the secret it replaces, so the entry is checked again. */
  const withoutSecrets = (entry: Entry): Entry => valid(checked(EntrySchema, redactor.value(entry)));
  return { valid, withoutSecrets };
}

function entryById(store: EntryStore, typed: string): Entry {
  const id = typed.toLowerCase();
  const entry = /^(?:mem|exp)-[0-9a-f]{1,12}$/.test(id) ? store.get(id) : null;
  if (entry !== null) return entry;
  throw new Failed({
    code: "usage",
    message: `no memory or experience has the id ${JSON.stringify(typed.slice(0, 40))}`,
    next: "see: cra recall --list",
  });
}

/** Feedback on packages, with its heading in an experience. */
const FEEDBACK: readonly (readonly [RefinementList, string])[] = [
  ["accepted_files", "Accepted"],
  ["rejected_files", "Rejected"],
  ["missing_files", "Missed"],
  ["missing_symbols", "Missed symbols"],
  ["missing_tests", "Missed tests"],
];

async function finishedTask(read: LogReader | null, typed: string): Promise<FinishedTask> {
  const { loggedTask } = await import("../workspace/logged-task.ts");
  const { constraintsInLog, shownInLog } = await import("../../retrieval/refinement/refine-round.ts");
  const { NO_CONSTRAINTS } = await import("../../retrieval/requests/refinement.ts");
  const { analyzeTask } = await import("../../task/analyze.ts");
  const { log, taskId, runs, newest } = loggedTask(read, typed);
  const finished = runs.filter(({ result }) => result?.status === "finished");
  if (finished.length === 0)
    throw new Failed({
      code: "usage",
      message: `no round of task ${taskId} has finished, so there is nothing to learn from it yet`,
      next: `run: cra refine ${taskId}`,
    });
  const constraints = constraintsInLog(log, taskId, Number.MAX_SAFE_INTEGER) ?? NO_CONSTRAINTS;
  const shown = shownInLog(log, taskId, Number.MAX_SAFE_INTEGER)?.shown ?? [];
  const nothingGiven = { paths: [], symbols: [], languages: [] };
  return {
    taskId,
    task: newest.task,
    type: analyzeTask(newest.task, { given: nothingGiven, concepts: new Set() }).taskType,
    rounds: new Set(finished.map(({ round }) => round)).size,
    files: [...new Set(shown.map(({ path }) => path))],
    feedback: FEEDBACK.flatMap(([list, what]) =>
      constraints[list].length > 0 ? [{ what, names: constraints[list] }] : [],
    ),
  };
}
