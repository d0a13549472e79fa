/**
 * Prepares a further round: merges its request with the constraints of the task's earlier rounds, and finds what the last
 * round showed.
 *
 * Both are read from the session, which a user may have edited. The log answers when the session was archived or lost, or
 * cannot be read; a log that cannot be read counts as empty.
 */

import { z } from "zod";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { LoggedDecision, LoggedRun, LogReader } from "../../db/raw-log/raw-log.ts";
import type { Session } from "../../db/session/session.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { type RoundShown, ShownItem } from "../model/changes.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import { FinalContext, SESSION_SHAPES } from "../record/selection-json.ts";
import { type StoredOptions, storedOptions } from "../record/stored-options.ts";
import {
  addConstraints,
  type Constraints,
  isConstrained,
  joinRequests,
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
  StoredRequest,
} from "../requests/refinement.ts";
import { changesSince } from "./changes.ts";
import { withFrames } from "./failure-frames.ts";

/**
 * A further round of a task. `taskId` is that of its first round. `again`: an old round is repeated, with the given
 * constraints only.
 */
export type Refinement = {
  readonly taskId: string;
  readonly request: RefinementRequest;
  /** A text with stack frames: the files and symbols that they name are added as missing. */
  readonly trace?: string;
  /** What history says of paths in the trace, and of those that earlier rounds named. */
  readonly former?: readonly NamedFormerly[];
  readonly again?: true;
};

/** `since` is the last finished round before this one, whose content stays; null when there is none to compare with. */
export type RefinedRound = {
  readonly constraints: Constraints;
  readonly since: RoundShown | null;
  readonly notices: readonly Notice[];
};

/** Where the rounds of a task are recorded. */
type RoundHistory = {
  readonly session: Pick<Session, "rounds" | "get" | "alike">;
  readonly log: Pick<LogReader, "runs" | "decisions">;
  readonly taskId: string;
};

/**
 * The constraints of a round that has begun, and the round to compare it with. `standing` are the constraints of earlier
 * rounds. The request is stored in the session, joined with that of an attempt at this round that was killed.
 */
export function refinedRound(
  {
    session,
    log,
    taskId,
    kb,
    only,
    keeps,
  }: RoundHistory & {
    readonly session: Pick<Session, "set">;
    readonly kb: KnowledgeBase;
    readonly only?: readonly string[] | undefined;
    readonly keeps?: RoundShown | null | undefined;
  },
  round: number,
  { request: requested, trace = "", former = [] }: Refinement,
  standing: Constraints,
): RefinedRound {
  const { request, notices } = withFrames(requested, { text: trace, former }, kb, standing, only);
  const interrupted = StoredRequest.safeParse(session.get(round, "refinement_request"));
  const joined = interrupted.success ? joinRequests(interrupted.data, request) : request;
  session.set(round, "refinement_request", joined);
  const since = keeps === undefined ? shownBefore({ session, log, taskId }, round) : keeps;
  return { constraints: mergeConstraints(standing, joined), since, notices };
}

/** What the last finished round before `round` showed; null when there is none or it cannot be read. */
function shownBefore({ session, log, taskId }: RoundHistory, round: number): RoundShown | null {
  const [last] = finishedBefore(session, round);
  const shown = last === undefined ? undefined : storedResult(session, last).shown;
  if (last === undefined || shown === undefined) return shownInLog(log, taskId, round);
  const run = orNull(() => log.runs(taskId).findLast((one) => one.round === last));
  return { round: last, shown, ...coverageOf(run) };
}

/** The coverage that a run was packed for; none where the log does not have the run. */
function coverageOf(run: LoggedRun | null | undefined): Pick<RoundShown, "coverage"> {
  const options = run ? storedOptions(run) : null;
  return options === null ? {} : { coverage: options.settings.coverage };
}

/** The constraints of the newest finished round, which a further round adds to. Null when no round has finished. */
export function newestConstraints({ session, log, taskId }: RoundHistory, round: number): Constraints | null {
  const [last] = finishedBefore(session, round);
  const stored = last === undefined ? undefined : joinedConstraints(session, last, storedResult(session, last));
  return stored ?? constraintsInLog(log, taskId, round, () => true);
}

/**
 * What the task was asked for and nobody dropped: the constraints of the newest finished round that had any, since a plain
 * `cra retrieve` in between removes none. They come from the log when the session was archived or lost. Null when there are none.
 */
export function standingConstraints({ session, log, taskId }: RoundHistory, round: number): Constraints | null {
  const finished = finishedBefore(session, round);
  // A repeated task mostly has the same result, so one round answers for all with an equal one.
  const known = new Set<number>();
  for (const earlier of finished) {
    if (known.has(earlier)) continue;
    const result = storedResult(session, earlier);
    const constraints = joinedConstraints(session, earlier, result);
    // A newer round that cannot be read may have had other constraints.
    if (constraints === undefined) return constraintsInLog(log, taskId, round);
    if (isConstrained(constraints)) return constraints;
    if (result.dropped) return null;
    if (finished.length > 1) for (const alike of session.alike(earlier, "final_context")) known.add(alike);
  }
  // Rounds have consecutive numbers: if the session has all of them, the log has no others.
  return finished.length === round - 1 ? null : constraintsInLog(log, taskId, round);
}

/**
 * The constraints in the result of a finished round, with what rounds asked for that ended after it had begun: it could not see them. What it
 * asked for itself wins. Undefined if they cannot be read.
 */
function joinedConstraints(
  session: RoundHistory["session"],
  round: number,
  { constraints }: ReturnType<typeof storedResult>,
): Constraints | undefined {
  const unseen = SESSION_SHAPES.unfinished_before.safeParse(session.get(round, "unfinished_before")).data ?? [];
  const ended = unseen.length === 0 ? [] : finishedBefore(session, round).filter((earlier) => unseen.includes(earlier));
  if (constraints === undefined || ended.length === 0) return constraints;
  return [...ended.toReversed(), round].reduce<Constraints>(
    (joined, one) => withRequestOf(session, one, joined),
    constraints,
  );
}

/** Adds what a finished round asked for: one that refined nothing asked for its constraints. */
function withRequestOf(session: RoundHistory["session"], round: number, before: Constraints): Constraints {
  const request = StoredRequest.safeParse(session.get(round, "refinement_request"));
  if (request.success) return mergeConstraints(before, request.data);
  return addConstraints(before, storedResult(session, round).constraints ?? NO_CONSTRAINTS);
}

/** The finished rounds before this one, the newest first. */
const finishedBefore = (session: Pick<Session, "rounds">, before: number): readonly number[] =>
  session
    .rounds()
    .filter(({ round, status }) => status === "finished" && round < before)
    .map(({ round }) => round)
    .reverse();

/** What further rounds need of a finished one's result; each is undefined if it is missing or unreadable. */
const StoredResult = z.object({
  constraints: FinalContext.shape.constraints.catch(undefined),
  dropped: FinalContext.shape.dropped.catch(undefined),
  shown: FinalContext.shape.shown.catch(undefined),
});

const storedResult = (session: Pick<Session, "get">, round: number): Partial<z.infer<typeof StoredResult>> =>
  StoredResult.safeParse(session.get(round, "final_context")).data ?? {};

/** Whether the last round began and never finished, so that it can be continued. */
export const isUnfinished = (session: Pick<Session, "rounds">): boolean =>
  session.rounds().at(-1)?.status === "running";

/** Adds the changes since an earlier round to the package's provenance, which is not part of the rendered text. */
export function withChanges(
  pkg: ContextPackage,
  since: RefinedRound["since"],
  shown: readonly ShownItem[],
): ContextPackage {
  const changes = since === null ? null : changesSince(since.round, since.shown, shown);
  return { ...pkg, provenance: { ...pkg.provenance, changes } };
}

/** The last finished round before `round`; null when there is none or its decisions are unreadable. */
export function shownInLog(
  log: Pick<LogReader, "runs" | "decisions">,
  taskId: string,
  round: number,
): RoundShown | null {
  return orNull(() => {
    const last = log.runs(taskId).findLast((run) => run.round < round && run.result?.status === "finished");
    if (last === undefined) return null;
    const rows = log.decisions(taskId, { round: last.round }).filter(({ stage }) => stage === "budget");
    // Lines and whole files have no name; a package shows whole files only when it shows nothing else.
    const unnamed = rows.some(({ symbol, line }) => symbol !== null || line !== null) ? "lines" : "file";
    const shown = ShownItem.array().safeParse(
      rows.filter(isShown).map(({ path, symbol, tier, detail }) => ({ path, item: symbol ?? unnamed, tier, detail })),
    );
    return shown.success ? { round: last.round, shown: shown.data, ...coverageOf(last) } : null;
  });
}

/**
 * The constraints of the newest finished round before `round` whose options `decide`, by default of those that had any or
 * dropped them; null when there is none.
 */
export const constraintsInLog = (
  log: Pick<LogReader, "runs">,
  taskId: string,
  round: number,
  decide: (options: StoredOptions) => boolean = ({ constraints, dropped }) => isConstrained(constraints) || dropped,
): Constraints | null =>
  orNull(() => {
    for (const run of log.runs(taskId).toReversed()) {
      const known = run.round < round && run.result?.status === "finished" ? storedOptions(run) : null;
      if (known !== null && decide(known)) return known.constraints;
    }
    return null;
  });

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** Rationale comments are not compared. */
const isShown = ({ included, kind }: LoggedDecision): boolean => included && kind !== "comment";
