/** Begins a round: which constraints apply to it, and what it keeps of the round before. */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { RoundShown } from "../model/changes.ts";
import type { ScopeOptions } from "../model/stage.ts";
import { isoTime, type RunLog, type RunSession } from "../record/record-run.ts";
import {
  addConstraints,
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  requestOf,
  type StandingChoice,
} from "../requests/refinement.ts";
import { constraintsAfterRenames } from "../requests/renamed-paths.ts";
import {
  newestConstraints,
  type RefinedRound,
  type Refinement,
  refinedRound,
  standingConstraints,
} from "./refine-round.ts";

/** What a run asks of its round. */
export type RoundRequest = {
  readonly constraints: Constraints;
  readonly scope: Pick<ScopeOptions, "only">;
  /** Makes this a further round of the task that it names; null otherwise. */
  readonly refines: Refinement | null;
  /** What to do with the constraints of the task's earlier rounds; by default a further round adds to those of the newest one. */
  readonly standing?: StandingChoice;
  /** What to keep; by default a further round keeps what the one before showed. `from` is the round that `--keep-shown` names. */
  readonly keeps?: (RoundShown & { readonly from?: string }) | null;
};

export type Round = {
  readonly taskId: string;
  readonly round: number;
  /** Those that apply: in a further round, its own and those of the round before. */
  readonly constraints: Constraints;
  /** Those of earlier rounds that a plain run of the task leaves out without dropping them; null when there are none. */
  readonly notApplied: Constraints | null;
  /** The run drops those of earlier rounds. */
  readonly dropped: boolean;
  /** What the package keeps while there is room; null when it begins afresh. */
  readonly kept: RoundShown | null;
  /** Null when the run refines nothing. */
  readonly refined: RefinedRound | null;
};

type RoundDeps = { readonly kb: KnowledgeBase; readonly log: RunLog; readonly session: RunSession };

/** Begins the task's next round in its session. */
export function beginRound(
  { kb, log, session }: RoundDeps,
  { constraints: given, refines, scope, standing: choice, keeps }: RoundRequest,
  taskId: string,
  startedAt: number,
): Round {
  const { round } = session.begin(isoTime(startedAt), log.lastRound(taskId));
  const rounds = { session, log, kb, taskId, only: scope.only, keeps };
  const dropped = choice === "drop";
  const begun = { taskId, round, dropped };
  const standing = (dropped ? null : standingConstraints(rounds, round)) ?? NO_CONSTRAINTS;
  if (refines !== null) {
    const newest = choice === undefined ? (newestConstraints(rounds, round) ?? given) : standing;
    const before = refines.again === true ? given : constraintsAfterRenames(newest, refines.former ?? []);
    const refined = refinedRound(rounds, round, refines, before);
    return { ...begun, constraints: refined.constraints, notApplied: null, kept: refined.since, refined };
  }
  const all = addConstraints(standing, given);
  const constraints = choice === "keep" ? all : given;
  const isApplied = JSON.stringify(all) === JSON.stringify(addConstraints(NO_CONSTRAINTS, constraints));
  return {
    ...begun,
    constraints,
    notApplied: isApplied ? null : without(standing, constraints),
    kept: keeps ?? null,
    refined: null,
  };
}

/** The constraints that are not among others, as a review finds again what was changed. */
const without = (constraints: Constraints, others: Constraints): Constraints =>
  mergeConstraints(
    NO_CONSTRAINTS,
    requestOf(undefined, (list) => constraints[list].filter((name) => !others[list].includes(name))),
  );
