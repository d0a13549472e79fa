/**
 * A further round of a task: what the log knows of the last one, made into a request of its own.
 *
 * Not here: what a refinement does to a package (`retrieval/`), refreshing the index (`app.ts`).
 */

import { readBounded } from "../config/read-files.ts";
import { budgetTokens, type Config } from "../config/settings.ts";
import type { RawLog } from "../db/raw-log/raw-log.ts";
import { openSession } from "../db/session/session.ts";
import { Failed } from "../failure.ts";
import { readBaseUrl } from "../llm/base-url.ts";
import { asksNothing, type Constraints, NO_CONSTRAINTS } from "../retrieval/model/refinement.ts";
import { type StoredOptions, storedOptions } from "../retrieval/record/stored-options.ts";
import { loggedTaskMeant } from "../retrieval/record/typed-task-id.ts";
import { isUnfinished } from "../retrieval/refinement/refine-round.ts";
import { type FoundSettings, type Reproduction, reproductionOf } from "../retrieval/refinement/reproduction.ts";
import { DEFAULT_TEMPLATE, parseTemplate, templateText } from "../retrieval/render/prompt.ts";
import type { RefineRequest, RetrieveRequest } from "./app-types.ts";

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
  { taskId: typed, request, trace, changes, budget, refresh, strict = false, onRefresh }: RefineRequest,
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
  if (asksNothing(request) && budget === null && trace === undefined && changes === undefined)
    demandUnfinished(sessions, taskId);
  const settings = {
    ...stored.settings,
    ...(budget === null ? {} : { budget }),
    ...typedSettings(config, stored.settings.model),
  };
  return {
    options: { ...stored, settings },
    before: { round: run.round, contentHash: run.contentHash },
    retrieve: {
      task: run.task,
      settings: { ...config.settings, ...settings, base_url: addressOf(log, taskId, config) },
      hintPaths: stored.hintPaths,
      hintSymbols: stored.hintSymbols,
      only: stored.only,
      ...(changes === undefined ? {} : { changes }),
      template: { text: templateText(stored.template), path: "the template of the run before" },
      constraints: NO_CONSTRAINTS,
      refines: { taskId, request, ...(trace === undefined ? {} : { trace }) },
      refresh,
      strict,
      onRefresh,
    },
  };
}

/** Where the model is: as configured, else where the task last asked one. Whether it may be asked there is seen later. */
function addressOf(log: RawLog, taskId: string, { settings, explained }: Config): string {
  const isSet = explained.some(({ key, kind }) => key === "base_url" && kind !== "default");
  const last = isSet ? undefined : log.modelCalls(taskId).at(-1)?.baseUrl;
  return last !== undefined && readBaseUrl(last).ok ? last : settings.base_url;
}

/** A model that is named now holds in place of the run's, with the window that is configured now. */
function typedSettings({ settings, explained }: Config, before: string | null): Partial<StoredOptions["settings"]> {
  const isTyped = (name: string): boolean => explained.some(({ key, kind }) => key === name && kind === "flag");
  return {
    ...(isTyped("model") ? { model: settings.model } : {}),
    ...(isTyped("model") || before === null ? { "llm.context_window": settings["llm.context_window"] } : {}),
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
    next: "say what to change: --request, --accept, --reject, --missing-file, --missing-symbol, --missing-test, --error, --body, --signature, --leave-out, --changed, --diff, --since, --handoff, --trace or --budget",
  });
}

/** The call that gives the package of a refined round at once. */
export function reproduction(
  { retrieve, options }: RefinePlan,
  constraints: Constraints,
  config: Config,
): Reproduction {
  const { task, template, settings } = retrieve;
  const { base_url, allow_remote_llm } = settings;
  const shaped = { ...options, settings: { ...options.settings, base_url, allow_remote_llm } };
  const sameTemplate = template?.text === templateFound(config.settings.template);
  return reproductionOf(task, shaped, constraints, foundBy(config), sameTemplate);
}

/** The same of a request that no earlier round has shaped. */
export function reproductionOfRequest(
  { task, settings, hintPaths, hintSymbols, only = [] }: Omit<RetrieveRequest, "changes">,
  constraints: Constraints,
  config: Config,
): Reproduction {
  const options = { settings: { ...settings, budget: budgetTokens(settings) }, hintPaths, hintSymbols, only };
  // Its template is that of the settings, which the call finds too.
  return reproductionOf(task, options, constraints, foundBy(config), true);
}

/** What a call in the same place finds; what was typed in this one must be typed again. */
const foundBy = ({ settings, explained }: Config): FoundSettings => ({
  settings: { ...settings, budget: budgetTokens(settings) },
  typed: new Set(explained.flatMap(({ key, kind }) => (kind === "flag" ? [key] : []))),
});

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
