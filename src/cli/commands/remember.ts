/** `cra remember`: stores a memory or an experience, changes a stored one, makes one of a task, or imports many. */

import type { AppMemory, Remembered } from "../../app/memory/remember.ts";
import { Failed } from "../../failure.ts";
import { CONFIDENCES, DOMAINS, MEMORY_CATEGORIES, OUTCOMES, ROOT_CAUSE_CATEGORIES } from "../../memory/vocabulary.ts";
import { taskLine } from "../../present/layout.ts";
import type { TypedEntry } from "../entries/entry-request.ts";
import { readUtf8 } from "../input/input.ts";
import { strategyOption } from "../options/memory-options.ts";
import { locationText } from "../requests/app-request.ts";
import type { Command, Context, Option } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

/** Far larger than a store gets. */
const IMPORT_BYTES_MAX = 256 * 1024 * 1024;

/** The options that replace a new typed entry; they exclude each other. */
const SOURCES = ["--import", "--update", "--from-task"] as const;
const otherSources = (own: string) => SOURCES.filter((flag) => flag !== own);

const EXPERIENCE_OPTIONS: readonly Option[] = [
  { flag: "--goal", value: "text", summary: "goal of an experience" },
  { flag: "--hypothesis", value: "text", summary: "what you believed" },
  { flag: "--action", value: "text", summary: "what you did" },
  { flag: "--prediction", value: "text", summary: "what you expected to happen" },
  { flag: "--domain", value: "name", choices: DOMAINS, summary: `kind of work: ${DOMAINS.join(", ")}` },
  strategyOption("how you approached it"),
  {
    flag: "--outcome",
    value: "name",
    choices: OUTCOMES,
    summary: `what became of the hypothesis: ${OUTCOMES.join(", ")}; omit it while the work goes on`,
  },
  { flag: "--result", value: "text", summary: "what happened" },
  { flag: "--surprise", value: "text", summary: "what you did not expect" },
  {
    flag: "--root-cause",
    value: "name",
    choices: ROOT_CAUSE_CATEGORIES,
    summary: `why it failed: ${ROOT_CAUSE_CATEGORIES.join(", ")}`,
  },
  { flag: "--root-cause-text", value: "text", summary: "the root cause in words" },
  { flag: "--lesson", value: "text", summary: "what worked" },
  { flag: "--takeaway", value: "text", summary: "what to do next time" },
  {
    flag: "--confidence",
    value: "name",
    choices: CONFIDENCES,
    summary: `how reliable it is: ${CONFIDENCES.join(", ")}; by default derived from the outcome`,
  },
];

export const REMEMBER: Command = {
  name: "remember",
  summary: "store a memory or an experience, for recall and premortem",
  arguments: [
    {
      name: "text",
      summary: 'a memory in words, or "-" to read it from standard input',
      required: false,
      isText: true,
    },
  ],
  options: [
    {
      flag: "--category",
      value: "name",
      choices: MEMORY_CATEGORIES,
      summary: `category of a memory: ${MEMORY_CATEGORIES.join(", ")} (default fact)`,
    },
    { flag: "--importance", value: "number", summary: "importance of a memory, 0 to 1 (default 0.5)" },
    ...EXPERIENCE_OPTIONS,
    { flag: "--edit", summary: "write or complete the entry in $VISUAL or $EDITOR", conflicts: ["--import"] },
    {
      flag: "--entry",
      value: "file",
      summary: 'the entry as JSON (cra schema entry) or as the TOML that the editor shows; "-" is standard input',
      conflicts: ["--import"],
      completes: "file",
    },
    {
      flag: "--import",
      value: "file",
      summary: 'the output of cra recall --list --json, or JSON Lines; stores all or nothing; "-" is standard input',
      conflicts: otherSources("--import"),
      completes: "file",
    },
    {
      flag: "--update",
      value: "id",
      summary: "change a stored entry; --hypothesis, --action and --prediction together add an iteration",
      conflicts: otherSources("--update"),
    },
    {
      flag: "--from-task",
      value: "task-id",
      summary: "make an experience of a task; run it again to bring that experience up to date",
      conflicts: otherSources("--from-task"),
    },
  ],
  examples: [
    { line: 'cra remember "CI runs on Node 20 only" --category fact', does: "a memory" },
    { line: 'cra remember --edit --domain debugging --goal "find the leak"', does: "an experience, in an editor" },
    {
      line: 'cra remember --update exp-1f3a --outcome confirmed --result "it was the cache" --lesson "log"',
      does: "how that experience ended",
    },
    { line: "cra remember --from-task 1f3a --edit", does: "a task as an experience" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values } = context;
  const { readTypedEntry } = await import("../entries/entry-request.ts");
  const { storeNew, storeTask, update } = await import("../entries/store-entry.ts");
  const [file, id, task] = [values.text("--import"), values.text("--update"), values.text("--from-task")];
  return await withApp(context, async ({ memory }) => {
    const typed = await readTypedEntry(context);
    if (file !== undefined) return await importAll(context, memory, typed, file);
    const remembered =
      id !== undefined
        ? await update(context, memory, typed, id)
        : task !== undefined
          ? await storeTask(context, memory, typed, task)
          : await storeNew(context, memory, typed);
    await report(context, remembered);
    return 0;
  });
}

async function importAll(
  { input, environment, output }: Context,
  memory: AppMemory,
  { type }: TypedEntry,
  file: string,
): Promise<number> {
  const { readNamedFile } = await import("../input/named-file.ts");
  const { readEntries } = await import("../../memory/entry-list.ts");
  if (type !== null)
    throw new Failed({ code: "usage", message: "--import takes entries as they are, without other options" });
  const isPiped = file === "-";
  const text = isPiped
    ? await readUtf8(input.bytes(), IMPORT_BYTES_MAX)
    : readNamedFile("--import", file, environment.cwd, IMPORT_BYTES_MAX);
  const { done, hidden } = await memory.importAll((now) => {
    const read = readEntries(text, now);
    return read.ok ? read : { ok: false, why: `${isPiped ? "standard input" : file}: ${read.why}` };
  });
  await output.result({
    json: () => ({ schema_version: 1, ...done }),
    text: () => `imported: ${done.added} added, ${done.replaced} replaced, ${done.unchanged} unchanged\n`,
  });
  await sayHidden(output, hidden);
  return 0;
}

/** Says which kinds of secrets were not stored. */
async function sayHidden(output: Context["output"], kinds: readonly string[]): Promise<void> {
  const hidden = [...new Set(kinds)].sort();
  if (hidden.length > 0)
    await output.say(`cra: note: possible secrets were left out (${hidden.join(", ")}); to keep them: --allow-secrets`);
}

const STATUS_WORDS = { added: "remembered", replaced: "updated", unchanged: "nothing changed in" } as const;

async function report({ output, values }: Context, { entry, before, status }: Remembered): Promise<void> {
  await output.result({
    json: () => ({ schema_version: 1, status, entry }),
    text: () => `${STATUS_WORDS[status]} ${entry.id}\n`,
  });
  if (status === "unchanged") return;
  const { markedKinds } = await import("../../secrets/redactor.ts");
  await sayHidden(output, markedKinds(JSON.stringify(entry)));
  if (entry.type === "memory") return;
  const ended = before?.type === "experience" ? before.outcome : null;
  if (ended !== null && JSON.stringify(ended) !== JSON.stringify(entry.outcome))
    await output.say(
      `cra: note: ${entry.id} was ${ended.status} (${taskLine(ended.result)}), ${entry.outcome === null ? "and is open again" : `and is now ${entry.outcome.status}`}`,
    );
  if (status === "added" && entry.outcome === null)
    await output.say(
      `cra: when it is finished: cra remember --update ${entry.id}${locationText(values)} --outcome confirmed --result "…"`,
    );
}
