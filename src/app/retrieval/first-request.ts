/** What to look for first to answer a request, in a repository whose files are not parsed yet. */
import { Failed } from "../../failure.ts";
import { storedOptions } from "../../retrieval/record/stored-options.ts";
import { REFINEMENT_LISTS, type RefinementList, type RefinementRequest } from "../../retrieval/requests/refinement.ts";
import type { ProvisionalRequest } from "../indexing/provisional.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { hasChanges, type RetrieveRequest } from "./retrieve-request.ts";

export const firstRequest = (
  workspace: Workspace,
  request: RetrieveRequest,
  signal: AbortSignal,
): ProvisionalRequest => ({
  task: request.task,
  given: {
    paths: request.hintPaths,
    symbols: request.hintSymbols,
    languages: request.settings.hint_language,
    purpose: request.settings.for,
  },
  scope: {
    include: request.settings.include,
    exclude: request.settings.exclude,
    ...(request.only === undefined ? {} : { only: request.only }),
  },
  weights: request.settings.weights,
  namesIn: async (paths) => [
    ...namesIn(request.constraints),
    ...namesIn(request.refines?.request),
    ...namesIn(constraintsBefore(workspace, request)),
    ...(await changedIn(workspace, request, paths, signal)),
  ],
});

/** Lists of things that the package is not asked to hold. */
const UNWANTED: ReadonlySet<RefinementList> = new Set(["rejected_files", "error_signatures", "left_out"]);

/** The paths and symbols that a package is asked to hold. */
const namesIn = (asked: Partial<Record<RefinementList, readonly string[]>> | RefinementRequest = {}) =>
  REFINEMENT_LISTS.flatMap((list) => (UNWANTED.has(list) ? [] : (asked[list] ?? [])));

/** What earlier rounds of the task asked for. */
function constraintsBefore({ log }: Workspace, { refines }: RetrieveRequest) {
  const run = refines === undefined ? null : (log.read()?.latestRun(refines.taskId) ?? null);
  return run === null ? undefined : storedOptions(run)?.constraints;
}

/** The changed files. What is wrong with the request is reported when they are read again for the package. */
async function changedIn(
  workspace: Workspace,
  request: RetrieveRequest,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!hasChanges(request)) return [];
  const { changedPaths } = await import("./diff.ts");
  try {
    return await changedPaths(workspace, request, paths, signal);
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "usage") return [];
    throw error;
  }
}
