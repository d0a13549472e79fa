/**
 * What the app does with what is remembered: the store beside the repository's other data, opened for each thing that is
 * done, and the clock.
 *
 * Invariants: looking makes no file; no secret is stored or handed out, unless the user allows it. Not here: finding what fits a question (`open-searcher.ts`), rows (`db/memory/open-store.ts`).
 */
import type { EntryFilter, MemoryStore } from "../db/memory/store.ts";
import type { RawLog } from "../db/raw-log/raw-log.ts";
import { Failed } from "../failure.ts";
import type { Checked, Entry, ExperienceEntry } from "../memory/entry.ts";
import type { Attempts, Draft, ExperienceDraft } from "../memory/entry-draft.ts";
import type { ReadList } from "../memory/entry-list.ts";
import type { FinishedTask } from "../memory/task-experience.ts";
import type { RefinementList } from "../retrieval/model/refinement.ts";
import type { Redactor } from "../secrets/redactor.ts";

/** `before` is what was stored under its id. */
export type Remembered = {
  readonly entry: Entry;
  readonly before: Entry | null;
  readonly status: "added" | "replaced" | "unchanged";
};
type Imported = ReturnType<MemoryStore["put"]>;

/** What is stored, and what of it could not be read. */
type Listed = { readonly entries: readonly Entry[]; readonly damages: readonly Failed[] };

/** What becomes at the time `now` of what is stored, null for nothing. Refused: nothing is written. */
type Change = (before: Entry | null, now: string) => Checked<Entry>;

/** A task as an experience: one that was stored before, or what a new one begins with. */
type TaskTold = { readonly id: string; readonly task: FinishedTask; readonly before: ExperienceEntry | null };

export type AppMemory = {
  list(filter: EntryFilter): Promise<Listed>;
  /** The entry that an id or its beginning stands for. Throws a usage failure for none and for several. */
  entry(id: string): Promise<Entry>;
  /** Stores an entry; what was not said is filled in. Throws a usage failure for one that is not whole. */
  remember(draft: Draft): Promise<Remembered>;
  /** Changes what is stored under an id in one go. Throws a usage failure where the change is refused. */
  change(id: string, change: Change): Promise<Remembered>;
  /** Stores all that `read` makes of the time, or nothing. Throws a usage failure that says where it is wrong. */
  importAll(read: (now: string) => ReadList): Promise<Imported>;
  /** Throws `unknown-task`, and a usage failure for a task of which no round has finished. */
  task(taskId: string): Promise<TaskTold>;
  /** Makes an experience of a task, or brings the one that was made of it up to date. */
  rememberTask(taskId: string, said: ExperienceDraft, how?: Attempts): Promise<Remembered>;
  /** All of them or none. Returns those that were there. */
  forget(entries: readonly Entry[]): Promise<readonly Entry[]>;
};

/** `makeFolder` makes the data folder where there is none. */
type MemoryWorld = {
  readonly path: string;
  readonly redactor: Redactor;
  makeFolder(): void;
  log(): RawLog | null;
};

export function appMemory({ path, redactor, makeFolder, log }: MemoryWorld): AppMemory {
  const withStore = async <T>(access: "read" | "write", use: (store: MemoryStore) => T): Promise<T> => {
    const { openMemory } = await import("../db/memory/open-store.ts");
    if (access === "write") makeFolder();
    const store = openMemory(path, access);
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
    entry: (id) => withStore("read", (store) => redactor.value(entryMeant(store, id))),
    async remember(draft) {
      const { newEntry } = await import("../memory/new-entry.ts");
      const { sound } = await soundness(redactor);
      const value = sound(newEntry(redactor.value(draft), present()));
      return await memory.change(value.id, () => ({ ok: true, value }));
    },
    async change(id, change) {
      const { sound, withoutSecrets } = await soundness(redactor);
      return await withStore("write", (store) => {
        let before: Entry | null = null;
        const entry = store.change(id, (stored) => {
          before = redactor.value(stored);
          return withoutSecrets(sound(change(before, present())));
        });
        return { entry, before, status: statusOf(before, entry) };
      });
    },
    async importAll(read) {
      const result = read(present());
      if (!result.ok) throw new Failed({ code: "usage", message: result.why, next: "nothing was imported" });
      const { withoutSecrets } = await soundness(redactor);
      const entries = result.entries.map(withoutSecrets);
      return await withStore("write", (store) => store.put(entries));
    },
    async task(typed) {
      const { taskExperienceId } = await import("../memory/task-experience.ts");
      const task = await finishedTask(log(), typed);
      const id = taskExperienceId(task.taskId);
      const before = await withStore("read", (store) => redactor.value(store.get(id)));
      return { id, task, before: before?.type === "experience" ? before : null };
    },
    async rememberTask(taskId, said, how = "last") {
      const { mergeExperience, updatedEntry } = await import("../memory/entry-draft.ts");
      const { newEntry } = await import("../memory/new-entry.ts");
      const { updatedTaskExperience, taskExperience } = await import("../memory/task-experience.ts");
      const { id, task } = await memory.task(taskId);
      return await memory.change(id, (before, now) => {
        if (before?.type !== "experience")
          return newEntry({ ...mergeExperience(taskExperience(task), said, how), id, task_id: task.taskId }, now);
        const told = updatedEntry(before, updatedTaskExperience(before, task), "all", now);
        return told.ok ? updatedEntry(told.value, said, how, now) : told;
      });
    },
    forget: (entries) =>
      withStore("write", (store) => {
        const gone = new Set(store.removeAll(entries.map(({ id }) => id)));
        return entries.filter(({ id }) => gone.has(id));
      }),
  };
  return memory;
}

const present = (): string => new Date(Date.now()).toISOString();

function statusOf(before: Entry | null, after: Entry): Remembered["status"] {
  if (before === null) return "added";
  return JSON.stringify(after) === JSON.stringify(before) ? "unchanged" : "replaced";
}

/** What holds entries against their schema, which is made where something is stored. Both throw a usage failure. */
async function soundness(redactor: Redactor) {
  const { checked, EntrySchema, problemWords } = await import("../memory/entry.ts");
  const sound = <T>(read: Checked<T>): T => {
    if (read.ok) return read.value;
    throw new Failed({ code: "usage", message: problemWords(read.problem), next: "nothing was stored" });
  };
  /** What stands in place of a secret may be longer than it, so the entry is looked at again. */
  const withoutSecrets = (entry: Entry): Entry => sound(checked(EntrySchema, redactor.value(entry)));
  return { sound, withoutSecrets };
}

function entryMeant(store: MemoryStore, typed: string): Entry {
  const id = typed.toLowerCase();
  const entry = /^(?:mem|exp)-[0-9a-f]{1,12}$/.test(id) ? store.get(id) : null;
  if (entry !== null) return entry;
  throw new Failed({
    code: "usage",
    message: `no memory or experience has the id ${JSON.stringify(typed.slice(0, 40))}`,
    next: "see: cra recall --list",
  });
}

/** What the user said of packages, as an experience tells it. */
const SAID: readonly (readonly [RefinementList, string])[] = [
  ["accepted_files", "Accepted"],
  ["rejected_files", "Rejected"],
  ["missing_files", "Missed"],
  ["missing_symbols", "Missed symbols"],
  ["missing_tests", "Missed tests"],
];

/** What the log knows of a task. */
async function finishedTask(log: RawLog | null, typed: string): Promise<FinishedTask> {
  const { loggedTaskMeant } = await import("../retrieval/record/typed-task-id.ts");
  const { constraintsInLog, shownInLog } = await import("../retrieval/refinement/rounds-in-log.ts");
  const { NO_CONSTRAINTS } = await import("../retrieval/model/refinement.ts");
  const { analyzeTask } = await import("../task/analyze.ts");
  if (log === null) throw new Failed({ code: "unknown-task", taskId: typed });
  const taskId = loggedTaskMeant(log, typed);
  const runs = log.runs(taskId);
  const newest = runs.at(-1);
  if (newest === undefined) throw new Failed({ code: "unknown-task", taskId: typed });
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
    feedback: SAID.flatMap(([list, what]) =>
      constraints[list].length > 0 ? [{ what, names: constraints[list] }] : [],
    ),
  };
}
