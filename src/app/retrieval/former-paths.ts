/** The paths that a request names and no file has: few requests have any, and only for those history is read. */
import type { Notice } from "../../notice.ts";
import { conceptsOf } from "../../retrieval/anchors/concepts.ts";
import { unplacedPaths } from "../../retrieval/anchors/unplaced-paths.ts";
import { constraintsInLog } from "../../retrieval/refinement/refine-round.ts";
import { readRefinement } from "../../retrieval/requests/read-refinement.ts";
import {
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
  requestOf,
} from "../../retrieval/requests/refinement.ts";
import { pathsNamed, requestAfterRenames } from "../../retrieval/requests/renamed-paths.ts";
import { analyzeTask } from "../../task/analyze.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { formerNotice, formerPathsNamed, unplacedAmong } from "../indexing/former-names.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/**
 * The request with what became of the paths of its task, and with the files of today for those that it refines by. What earlier rounds asked
 * for counts too: the round, which applies it, is told what became of its paths. Throws a usage failure if the request then asks for a file
 * and rejects it.
 */
export async function withFormerPaths<Request extends RetrieveRequest>(
  workspace: Workspace,
  request: Request,
  signal: AbortSignal,
): Promise<{ readonly request: Request; readonly notices: readonly Notice[] }> {
  const { task, hintPaths, hintSymbols, settings, constraints = NO_CONSTRAINTS, refines } = request;
  if (settings["workspace.repos"].length > 0) return { request: { ...request, former: [] }, notices: [] };
  const kb = workspace.index.open();
  const given = { paths: hintPaths, symbols: hintSymbols, languages: settings.hint_language, purpose: settings.for };
  const errors = [...constraints.error_signatures, ...(refines?.request.error_signatures ?? [])];
  const analyzed = analyzeTask(task, { given, concepts: conceptsOf(kb), errors });
  const ofTask = unplacedPaths(analyzed, kb.files());
  const named = [refines?.request ?? {}, constraints, standingOf(workspace, request)].flatMap(pathsNamed);
  const ofRound = unplacedAmong(named, refines?.trace ?? "", kb.files());
  const found = await formerPathsNamed(workspace, [...new Set([...ofTask, ...ofRound])], signal);
  const former = found.filter(({ named: path }) => ofTask.includes(path));
  const refining = found.filter(({ named: path }) => ofRound.includes(path));
  if (refining.length === 0) return { request: { ...request, former }, notices: [] };
  return {
    request: { ...request, former, ...refinedToday(request, refining) },
    notices: refining.map(formerNotice),
  };
}

/** What earlier rounds of a refined task asked for, where this one applies it. */
function standingOf({ log }: Workspace, { refines, standing }: RetrieveRequest): Constraints {
  const raw = refines === undefined || refines.again === true || standing === "drop" ? null : log.read();
  const asked = raw === null || refines === undefined ? null : constraintsInLog(raw, refines.taskId, ALL_ROUNDS);
  return asked ?? NO_CONSTRAINTS;
}

const ALL_ROUNDS = Number.POSITIVE_INFINITY;

/** Lists name the files of today; a trace keeps the paths of then. */
function refinedToday(
  { constraints, refines }: Pick<RetrieveRequest, "constraints" | "refines">,
  former: readonly NamedFormerly[],
): Pick<RetrieveRequest, "constraints" | "refines"> {
  const placed = (request: RefinementRequest): RefinementRequest =>
    readRefinement(requestAfterRenames(request, former), { typed: true });
  const given = constraints && placed(requestOf(undefined, (list) => constraints[list]));
  return {
    ...(given === undefined ? {} : { constraints: mergeConstraints(NO_CONSTRAINTS, given) }),
    ...(refines === undefined ? {} : { refines: { ...refines, request: placed(refines.request), former } }),
  };
}
