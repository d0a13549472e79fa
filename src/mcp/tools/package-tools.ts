/**
 * The tools that make packages: `retrieve` begins a task, `refine` makes a further round of one.
 *
 * Both write into cra's own data folder and nowhere else: the index, the log and what the task remembers. A repository
 * without an index is indexed first; another cra that does so is waited for.
 */
import { z } from "zod";
import type { App } from "../../app/app.ts";
import type { RetrieveResult } from "../../app/retrieve.ts";
import type { RetrieveRequest } from "../../app/retrieve-request.ts";
import { failureInLog } from "../../escalation/failure-log.ts";
import { failedAttempt, failureTask } from "../../escalation/failure-task.ts";
import { Failed, noticeSentence } from "../../failure.ts";
import { PackageAnswer } from "../../present/answers.ts";
import { readRefinement } from "../../retrieval/model/read-refinement.ts";
import { RefinementRequest } from "../../retrieval/model/refinement.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import { cleanText, withoutComments } from "../../task/markup.ts";
import { boundsInside } from "../path-sandbox.ts";
import { type Answer, type Call, type Limits, tool } from "./tool.ts";
import { inToolWords } from "./tool-words.ts";

/** Issues are a few KiB; a log that is pasted whole is still below this. */
const TASK_CHARS_MAX = 1_000_000;
const LOG_CHARS_MAX = 4_000_000;
const ENTRIES_MAX = 1_000;

const names = (what: string) => z.array(z.string().min(1).max(1_000)).max(ENTRIES_MAX).optional().describe(what);
const budget = z
  .int()
  .min(1)
  .optional()
  .describe("tokens that the package may take; leave it out unless the package was too small or too large");
const CHANGES = {
  diff: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('the changes in the work tree are what it is about: compared with "HEAD", or with another commit'),
  since: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('the commits of this branch are what it is about: since it left another one, such as "main"'),
};
const trace = z
  .string()
  .max(LOG_CHARS_MAX)
  .optional()
  .describe("output of a failed run or a stack trace, of which the last failure counts");

const RetrieveInput = z.strictObject({
  task: z
    .string()
    .max(TASK_CHARS_MAX)
    .optional()
    .describe("what is to be done, in words: the issue, the question, the error; names of files and symbols help"),
  budget,
  trace,
  ...CHANGES,
  hint_paths: names("files that the task is about"),
  hint_symbols: names("symbols that the task is about"),
  only: names("nothing but these folders or files, from the repository's root"),
  with_memory: z.boolean().optional().describe("add what was learned before, in a section of its own"),
});

export const RETRIEVE = tool({
  name: "retrieve",
  title: "Retrieve code for a task",
  description:
    "Finds the code that is enough for a task and returns it as one package: the files and definitions to read or change, with types, tests and callers, within a token budget. Use it first, before searching or reading files, whenever you are about to fix, change or explain something in this repository. Say the task in words; give trace for a failed run, diff or since to review changes. The first call in a repository indexes it. Writes nothing but cra's own data folder.",
  writes: true,
  isIdempotent: false,
  less: "ask again with a smaller budget",
  input: RetrieveInput,
  output: PackageAnswer,
  async answer(input, call) {
    const request = requestOf(input, call);
    await haveIndex(call);
    return packageText(await packageFor(request, call));
  },
});

/** A package on the index that there is, brought up to date. */
export const retrievedPackage = (input: z.infer<typeof RetrieveInput>, call: Call): Promise<PackageAnswer> =>
  packageFor(requestOf(input, call), call);

const packageFor = async (request: RetrieveRequest, { app, follow, signal }: Call): Promise<PackageAnswer> =>
  packageAnswer(await follow.run(app.retrieve(request, signal)));

/** Throws a usage failure for what is not to be asked, before any work is done. */
function requestOf(
  {
    task: typed = "",
    trace: log,
    hint_paths,
    hint_symbols,
    only,
    with_memory,
    ...input
  }: z.infer<typeof RetrieveInput>,
  { app, limits, follow }: Call,
): RetrieveRequest {
  const { settings } = app.config;
  const changes = changesIn(input);
  return {
    task: taskOf(typed, log, changes !== undefined),
    settings: {
      ...settings,
      budget: budgetOf(input.budget, limits),
      context_window: null,
      reserved_tokens: null,
      format: "markdown",
      with_memory: with_memory ?? settings.with_memory,
    },
    hintPaths: hint_paths ?? [],
    hintSymbols: hint_symbols ?? [],
    only: boundsInside(app.root, only ?? []),
    ...(changes === undefined ? {} : { changes }),
    template: null,
    refresh: true,
    strict: false,
    onRefresh: follow.onProgress,
  };
}

const RefineInput = RefinementRequest.extend({
  task_id: z.string().min(1).max(100).describe("of the package, or the beginning of it"),
  trace,
  ...CHANGES,
  budget,
});

export const REFINE = tool({
  name: "refine",
  title: "Refine a package",
  description:
    "Makes the next round of a package from retrieve: say which files or symbols were missing, which were right or wrong, or which errors came up since, and get the package again with that. Use it when retrieve missed something that you know of, in place of a second retrieve; what was said in earlier rounds holds. Writes nothing but cra's own data folder.",
  writes: true,
  isIdempotent: false,
  less: "ask again with a smaller budget",
  input: RefineInput,
  output: PackageAnswer,
  async answer({ task_id: taskId, trace: log, diff, since, budget: asked, ...lists }, call) {
    const { app, limits } = call;
    const bundle = log === undefined ? null : failureInLog(log);
    const failed = bundle === null ? null : failedAttempt(bundle);
    const reason = lists.reason ?? failed?.reason ?? undefined;
    const errors = [...(lists.error_signatures ?? []), ...(failed?.errors ?? [])];
    const request = readRefinement(
      {
        ...lists,
        ...(reason === undefined ? {} : { reason }),
        ...(errors.length === 0 ? {} : { error_signatures: errors }),
      },
      { typed: false, file: "the request" },
    );
    const changes = changesIn({ diff, since });
    const tokens = asked === undefined ? await budgetBefore(app, taskId, limits) : budgetOf(asked, limits);
    await haveIndex(call);
    const round = app.refine(
      {
        taskId,
        request,
        ...(failed === null ? {} : { trace: failed.trace }),
        ...(changes === undefined ? {} : { changes }),
        budget: tokens,
        refresh: true,
        onRefresh: call.follow.onProgress,
      },
      call.signal,
    );
    return packageText(await packageAnswer(await call.follow.run(round)));
  },
});

/** Throws a usage failure where there is nothing to go by. */
function taskOf(typed: string, log: string | undefined, hasChanges: boolean): string {
  const isTask = cleanText(withoutComments(typed)).trim() !== "";
  const bundle = log === undefined ? null : failureInLog(log);
  const failure = bundle === null ? null : failureTask(bundle, isTask ? typed : "");
  if (failure !== null) return failure;
  if (isTask) return typed;
  if (hasChanges) return "";
  throw new Failed({ code: "usage", message: "the task is empty", next: "say in task what is to be done" });
}

function changesIn(asked: {
  readonly diff?: string | undefined;
  readonly since?: string | undefined;
}): DiffOptions | undefined {
  const { diff = null, since = null } = asked;
  return diff === null && since === null ? undefined : { diff, since };
}

/** Throws a usage failure for more than clients take. */
function budgetOf(asked: number | undefined, { budgetDefault, budgetMax }: Limits): number {
  if (asked === undefined || asked <= budgetMax) return asked ?? budgetDefault;
  throw new Failed({
    code: "usage",
    message: `budget: ${asked} tokens are more than the ${budgetMax} that this server gives`,
    next: `ask for less, or have it started as: cra mcp --budget ${asked}`,
  });
}

const StoredBudget = z.looseObject({ tokens: z.int().positive() });

/** That of the round before, as far as clients take it; null where the log does not know, and the session may. */
async function budgetBefore(app: App, taskId: string, { budgetDefault, budgetMax }: Limits): Promise<number | null> {
  const { rounds } = await app.runRecord(taskId, null);
  const stored = StoredBudget.safeParse(rounds.at(-1)?.budget).data?.tokens ?? budgetDefault;
  return stored > budgetMax ? budgetDefault : null;
}

/** So long another cra is left alone between two looks whether it has made the index. */
const LOOK_EVERY_MS = 500;

/** Indexes where there is no index, or waits for another cra that does. */
async function haveIndex({ app, signal, follow: { say, onProgress } }: Call): Promise<void> {
  while (!app.isIndexed()) {
    try {
      await app.index({ failFast: false, rebuild: false, onProgress }, signal);
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.code !== "locked") throw error;
      say("waiting for another cra that makes the index");
      await new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS));
      signal.throwIfAborted();
    }
  }
}

async function packageAnswer(result: RetrieveResult): Promise<PackageAnswer> {
  const { package: found, round } = result;
  const { task_id, files, token_count, budget: of, warnings, provenance } = found;
  return {
    schema_version: 1,
    task_id,
    round,
    markdown: await result.render("markdown"),
    token_count,
    budget: of,
    files: files.map(({ path, relevance_rank, tier }) => ({ path, rank: relevance_rank, tier })),
    ...(provenance.changes === undefined ? {} : { changes: provenance.changes }),
    warnings: fewer(warnings.filter((warning) => warning !== ORDINARY)).map(inArguments),
  };
}

/** A call can name a thousand things that are not there. */
const WARNINGS_MAX = 20;

const fewer = (warnings: readonly string[]): string[] =>
  warnings.length <= WARNINGS_MAX
    ? [...warnings]
    : [...warnings.slice(0, WARNINGS_MAX), `and ${warnings.length - WARNINGS_MAX} more notes`];

const inArguments = (warning: string): string => inToolWords(warning, Object.keys(RetrieveInput.shape), []);

/** The warning of nearly every run, which is no news to a model. */
const ORDINARY = noticeSentence({ code: "enrichment-missing" });

/** The package as text, with what a model needs to go on. */
function packageText(found: PackageAnswer): Answer {
  const { task_id, round, markdown, token_count, budget: of, warnings } = found;
  const ending = markdown.endsWith("\n") ? "" : "\n";
  const notes = warnings.map((warning) => `Note: ${warning}\n`).join("");
  const foot = `Task ${task_id}, round ${round}: ${token_count} of ${of} tokens. If something is missing or wrong: refine with this task_id.\n`;
  return { text: `${markdown}${ending}\n---\n${notes}${foot}`, structured: found };
}
