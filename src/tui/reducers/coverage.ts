/**
 * Widening and narrowing the package: the next coverage up or down, which a dry run packs at once and the next round applies.
 */
import type { PackageMove } from "../../retrieval/dry-run.ts";
import type { Coverage } from "../../retrieval/model/budget.ts";
import { firstKey } from "../keys/bindings.ts";
import { chooseCoverage } from "../state/decisions.ts";
import { applyFilter } from "../state/lists/file-list.ts";
import { hasNothingToRefine } from "../state/refinement-request.ts";
import { type DryRun, moveName, type ReviewState, type Round } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { grouped } from "../styling/numbers.ts";
import {
  become,
  inReview,
  type Outcome,
  type Reducer,
  type Reducers,
  say,
  withMessage,
  withReview,
} from "./reducer.ts";

export const COVERAGE_REDUCERS = {
  "coverage.widen": step(1, "This is all that the task leads to: there is no wider coverage."),
  "coverage.narrow": step(-1, "There is no narrower coverage."),
} as const satisfies Reducers;

function step(by: 1 | -1, end: string): Reducer {
  return inReview((review, state) => {
    const { round, decisions } = review;
    if (round === null) return become(state);
    const own = coverageOf(round);
    const now = decisions.coverage ?? own;
    const at = round.levels.findIndex(({ coverage }) => coverage === now);
    const next = at < 0 ? undefined : round.levels[at + by];
    if (next === undefined) return say(state, "info", end);
    const chosen = chooseCoverage(decisions, next.coverage === own ? null : next.coverage);
    return withCoverage(state, { ...review, decisions: chosen });
  });
}

/** Tells what a coverage changes as soon as a dry run has found out; that of the round changes nothing. */
export function withCoverage(state: State, review: ReviewState): Outcome {
  const { round } = review;
  const isBack = round !== null && hasNothingToRefine(review);
  const next = applyFilter({ ...review, dryRun: { ...review.dryRun, isAwaited: !isBack } });
  if (!isBack) return withReview(state, next);
  const text = `Coverage ${coverageOf(round)} again: the package of round ${round.number}, ${grouped(round.package.token_count)} tokens.`;
  return withReview(withMessage(state, "info", text), next);
}

export const coverageOf = ({ package: { provenance } }: Round) => provenance.budget.stop?.coverage ?? 1;

/** Names of a kind in the message; all are in the list of changes. */
const NAMED_MAX = 3;

/** What a coverage gives: its tokens, and what comes and goes. Null is that of the round. */
export function coverageText(chosen: Coverage | null, round: Round, result: DryRun): string {
  const level = `Coverage ${chosen ?? coverageOf(round)}`;
  const { enters, leaves, tokens, budget } = result;
  if (enters.length + leaves.length === 0) return `${level}: the same package, ${grouped(tokens)} tokens.`;
  const by = tokens - round.package.token_count;
  const more = by === 0 ? "" : `, ${grouped(Math.abs(by))} ${by > 0 ? "more" : "less"}`;
  return [
    `${level}: ${result.exact ? "" : "about "}${grouped(tokens)} of ${grouped(budget)} tokens${more}.`,
    ...moved("In", enters),
    ...moved("Out", leaves),
    `Press ${firstKey("package.refine", "review")} to apply, ${firstKey("mark.undo", "review")} to undo, ${firstKey("changes.open", "review")} for all changes.`,
  ].join(" ");
}

function moved(title: string, moves: readonly PackageMove[]): readonly string[] {
  if (moves.length === 0) return [];
  const names = moves.slice(0, NAMED_MAX).map((move) => `${moveName(move)}, ${grouped(move.tokens)}`);
  const rest = moves.length - names.length;
  return [`${title}: ${names.join("; ")}${rest > 0 ? `; and ${grouped(rest)} more` : ""}.`];
}
