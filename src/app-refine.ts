/**
 * A further round of a task: what the log knows of the last one, made into a request of its own.
 *
 * Not here: what a refinement does to a package (`retrieval/`), refreshing the index (`app.ts`).
 */
import type { RefineRequest, RetrieveRequest } from "./app-types.ts";
import { budgetTokens, type Config } from "./config.ts";
import { readBounded } from "./config-read.ts";
import type { RawLog } from "./db/raw-log.ts";
import { openSession } from "./db/session.ts";
import { Failed } from "./failure.ts";
import { isUnfinished } from "./retrieval/refine-round.ts";
import { asksNothing, type Constraints } from "./retrieval/refinement.ts";
import { DEFAULT_TEMPLATE, parseTemplate, templateText } from "./retrieval/render-prompt.ts";
import { type Reproduction, reproductionOf } from "./retrieval/reproduction.ts";
import { type StoredOptions, storedOptions } from "./retrieval/stored-options.ts";
import { loggedTaskMeant } from "./retrieval/typed-task-id.ts";

/** What a further round is made of. `before` is the run that it follows. */
export type RefinePlan = {
  readonly retrieve: RetrieveRequest;
  readonly options: StoredOptions;
  readonly before: { readonly round: number; readonly contentHash: string };
};

/**
 * Finds the task and the options of its newest run. Throws `unknown-task`, a usage failure when nothing is asked for
 * and no round was left unfinished, and an `io` failure when the log's row cannot be read.
 */
export function planRefinement(
  log: RawLog | null,
  sessions: string,
  config: Config,
  { taskId: typed, request, budget, refresh, onRefresh }: RefineRequest,
): RefinePlan {
  if (log === null) throw new Failed({ code: "unknown-task", taskId: typed });
  const taskId = loggedTaskMeant(log, typed);
  const run = log.latestRun(taskId);
  if (run === null) throw new Failed({ code: "unknown-task", taskId: typed });
  const stored = storedOptions(run);
  if (stored === null) {
    throw new Failed({
      code: "io",
      message: `the options of task ${taskId} cannot be read from the log`,
      where: "raw.sqlite",
      next: "retrieve the task again",
    });
  }
  if (asksNothing(request)) demandUnfinished(sessions, taskId);
  const settings = {
    ...stored.settings,
    ...(budget === null ? {} : { budget }),
    ...typedSettings(config),
  };
  return {
    options: { ...stored, settings },
    before: { round: run.round, contentHash: run.contentHash },
    retrieve: {
      task: run.task,
      settings: { ...config.settings, ...settings },
      hintPaths: stored.hintPaths,
      hintSymbols: stored.hintSymbols,
      template: { text: templateText(stored.template), path: "the template of the run before" },
      constraints: stored.constraints,
      refines: { taskId, request },
      refresh,
      strict: false,
      onRefresh,
    },
  };
}

/** A model that is named now holds in place of the run's. */
function typedSettings({ settings, explained }: Config): Partial<StoredOptions["settings"]> {
  const isTyped = (name: string): boolean => explained.some(({ key, kind }) => key === name && kind === "flag");
  return {
    ...(isTyped("model") ? { model: settings.model } : {}),
    ...(isTyped("llm_assist") ? { llm_assist: settings.llm_assist } : {}),
  };
}

function demandUnfinished(sessions: string, taskId: string): void {
  const session = openSession(sessions, taskId);
  try {
    if (isUnfinished(session)) return;
  } finally {
    session.close();
  }
  throw new Failed({
    code: "usage",
    message: "nothing is asked for, and no round of this task was left unfinished",
    next: "say what to change: --request, --accept, --reject, --missing-file, --missing-symbol, --missing-test or --error",
  });
}

/** The call that gives the package of a refined round at once. */
export function reproduction(
  { retrieve: { task, template }, options }: RefinePlan,
  constraints: Constraints,
  { settings }: Config,
): Reproduction {
  const found = { ...settings, budget: budgetTokens(settings) };
  return reproductionOf(task, options, constraints, found, template?.text === templateFound(settings.template));
}

/** What the template is without a `--template`, in the form that the log's is read in; null where there is none to use. */
function templateFound(path: string | null): string | null {
  try {
    const text = path === null ? DEFAULT_TEMPLATE : readBounded(path, true, TEMPLATE_BYTES_MAX);
    return text === null ? null : templateText(parseTemplate(text, "the template"));
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

const TEMPLATE_BYTES_MAX = 256 * 1024;
