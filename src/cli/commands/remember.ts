/**
 * `cra remember`: stores a memory or an experience, goes on with a stored one, makes one of a task, takes in many.
 */
import { resolve } from "node:path";
import type { AppMemory, Remembered } from "../../app/remember.ts";
import { readBounded } from "../../config/read-files.ts";
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
import { readEntries } from "../../memory/entry-list.ts";
import { newEntry } from "../../memory/new-entry.ts";
import { taskExperience, updatedTaskExperience } from "../../memory/task-experience.ts";
import { DOMAINS, OUTCOMES, ROOT_CAUSE_CATEGORIES, STRATEGIES } from "../../memory/vocabulary.ts";
import { markedKinds } from "../../secrets/redactor.ts";
import { editEntry } from "../entries/edit-entry.ts";
import { flagWords, readSaid, type Said } from "../entries/entry-request.ts";
import { wholeText } from "../input/utf8-text.ts";
import { taskLine } from "../output/task-line.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

/** More than a store should hold. */
const IMPORT_BYTES_MAX = 256 * 1024 * 1024;

export const run: Runner = async (context) => {
  const { values } = context;
  const [file, id, task] = [values.text("--import"), values.text("--update"), values.text("--from-task")];
  return await withApp(context, appRequest(context), async ({ memory }) => {
    const said = await readSaid(context);
    if (file !== undefined) return await importAll(context, memory, said, file);
    const remembered =
      id !== undefined
        ? await goOn(context, memory, said, id)
        : task !== undefined
          ? await learnFrom(context, memory, said, task)
          : await begin(context, memory, said);
    await report(context, remembered);
    return 0;
  });
};

async function importAll(
  { input, environment, output }: Context,
  memory: AppMemory,
  said: Said,
  file: string,
): Promise<number> {
  if (said.type !== null)
    throw new Failed({ code: "usage", message: "an import takes entries as they are, so nothing more can be said" });
  const isPiped = file === "-";
  const text = isPiped
    ? await wholeText(input.bytes(), IMPORT_BYTES_MAX)
    : readBounded(resolve(environment.cwd, file), true, IMPORT_BYTES_MAX);
  if (text === null) throw new Failed({ code: "usage", message: `--import: there is no file ${file}` });
  const done = await memory.importAll((now) => {
    const read = readEntries(text, now);
    return read.ok ? read : { ok: false, why: `${isPiped ? "standard input" : file}: ${read.why}` };
  });
  if (output.look.json) await output.json({ schema_version: 1, ...done });
  else await output.data(`imported: ${done.added} added, ${done.replaced} replaced, ${done.unchanged} as they were\n`);
  return 0;
}

/** A new entry. */
async function begin(context: Context, memory: AppMemory, said: Said): Promise<Remembered> {
  const isEdited = context.values.switch("--edit");
  const type = said.type ?? (isEdited ? "experience" : null);
  if (type === null)
    throw new Failed({
      code: "usage",
      message: "nothing is said that could be remembered",
      next: 'give a text: cra remember "CI runs on Node 20 only"; or write an experience: cra remember --edit',
    });
  const draft: Draft = type === "memory" ? said.memory : said.experience;
  if (isEdited)
    return await editEntry(context, { draft, remarks: REMARKS, command: "cra remember" }, (written) =>
      memory.remember({ ...draft, ...written }),
    );
  demandWhole(draft);
  return await memory.remember(draft);
}

const REMARKS = ["Write what you know, save and close. Delete everything to store nothing."];

/** Names all that is missing at once, in the words of the command line. */
function demandWhole(draft: Draft): void {
  const needs = draft.type === "memory" ? memoryNeeds(draft) : experienceNeeds(draft);
  const missing = needs.flatMap(([isThere, flag]) => (isThere ? [] : [flag]));
  if (missing.length === 0) return;
  const what = draft.type === "memory" ? "a memory" : "an experience";
  throw new Failed({
    code: "usage",
    message: `${what} needs ${missing.join(", ")} too`,
    next: "give that, or write it in an editor with --edit",
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

/** A stored entry with more said of it. */
async function goOn(context: Context, memory: AppMemory, said: Said, id: string): Promise<Remembered> {
  const before = await memory.entry(id);
  const isEdited = context.values.switch("--edit");
  if (said.type !== null && said.type !== before.type)
    throw new Failed({
      code: "usage",
      message: `${before.id} is ${before.type === "memory" ? "a memory" : "an experience"}, and this is said of the other kind`,
    });
  if (said.type === null && !isEdited)
    throw new Failed({
      code: "usage",
      message: `nothing new is said of ${before.id}`,
      next: "see: cra remember --help",
    });
  const attempts: Attempts = said.allAttempts ? "all" : "new";
  if (!isEdited) {
    const more = before.type === "memory" ? said.memory : said.experience;
    return await memory.change(before.id, (stored, now) =>
      inFlags(updatedEntry(there(stored, before), more, attempts, now)),
    );
  }
  const draft =
    before.type === "memory"
      ? mergeMemory(before, said.memory)
      : forEditor(mergeExperience(before, said.experience, attempts), said);
  const remarks = [`${before.id}, stored at ${before.created_at}`];
  const command = `cra remember --update ${before.id}`;
  return await editEntry(context, { draft, remarks, command }, (written) =>
    memory.change(before.id, (stored, now) =>
      updatedEntry(unchanged(there(stored, before), before), written, "all", now),
    ),
  );
}

/** A finished task as an experience. */
async function learnFrom(context: Context, memory: AppMemory, said: Said, taskId: string): Promise<Remembered> {
  if (said.type === "memory")
    throw new Failed({ code: "usage", message: "a task becomes an experience, and this is said of a memory" });
  const attempts: Attempts = said.allAttempts ? "all" : "last";
  if (!context.values.switch("--edit")) return await memory.rememberTask(taskId, said.experience, attempts);
  const { id, task, before } = await memory.task(taskId);
  const told =
    before === null ? taskExperience(task) : mergeExperience(before, updatedTaskExperience(before, task), "all");
  const draft = forEditor(mergeExperience(told, said.experience, attempts), said);
  const editing = { draft, remarks: [`task ${task.taskId}`], command: `cra remember --from-task ${task.taskId}` };
  return await editEntry(context, editing, (written) =>
    memory.change(id, (stored, now) =>
      stored === null && before === null
        ? newEntry({ ...written, id, task_id: task.taskId }, now)
        : updatedEntry(unchanged(there(stored, { id }), before), written, "all", now),
    ),
  );
}

/** As an editor shows it: how far it can be relied on follows from the rest, unless that was said. */
const forEditor = ({ confidence: _, ...draft }: ExperienceDraft, said: Said): Draft => ({
  ...draft,
  ...(said.experience.confidence === undefined ? {} : { confidence: said.experience.confidence }),
});

/** What is stored, if anything still is. */
function there(stored: Entry | null, { id }: Pick<Entry, "id">): Entry {
  if (stored !== null) return stored;
  throw new Failed({ code: "usage", message: `${id} was forgotten by another process meanwhile` });
}

/** What is stored, if it is what was shown. */
function unchanged(stored: Entry, shown: Entry | null): Entry {
  if (JSON.stringify(stored) === JSON.stringify(shown)) return stored;
  throw new Failed({ code: "usage", message: `${stored.id} was changed by another process meanwhile` });
}

/** The same with a problem told in the words of the command line. */
function inFlags<T>(read: Checked<T>): Checked<T> {
  if (read.ok) return read;
  throw new Failed({ code: "usage", message: flagWords(read.problem), next: "nothing was stored" });
}

const STATUS_WORDS = { added: "remembered", replaced: "updated", unchanged: "nothing is new of" } as const;

async function report({ output }: Context, { entry, before, status }: Remembered): Promise<void> {
  if (output.look.json) await output.json({ schema_version: 1, status, entry });
  else await output.data(`${STATUS_WORDS[status]} ${entry.id}\n`);
  if (status === "unchanged") return;
  const hidden = [...new Set(markedKinds(JSON.stringify(entry)))].sort();
  if (hidden.length > 0)
    await output.say(
      `cra: note: what looks like a secret was left out (${hidden.join(", ")}); --allow-secrets keeps it`,
    );
  if (entry.type === "memory") return;
  const ended = before?.type === "experience" ? before.outcome : null;
  if (ended !== null && JSON.stringify(ended) !== JSON.stringify(entry.outcome))
    await output.say(
      `cra: note: ${entry.id} was ${ended.status} (${taskLine(ended.result)}), ${entry.outcome === null ? "and goes on now" : `and is ${entry.outcome.status} now`}`,
    );
  if (status === "added" && entry.outcome === null)
    await output.say(`cra: when it has ended: cra remember --update ${entry.id} --outcome confirmed --result "…"`);
}
