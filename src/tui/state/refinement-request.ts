/**
 * Turns the user's decisions since the last finished round into a refinement request, and says what is not applied yet.
 *
 * A request that the next round would refuse is refused here, with the same error message.
 */
import { Failed, sentence } from "../../failure.ts";
import { readRefinement } from "../../retrieval/requests/read-refinement.ts";
import {
  mergeConstraints,
  type RefinementRequest,
  requestOf as withLists,
} from "../../retrieval/requests/refinement.ts";
import { keysOf } from "../keys/bindings.ts";
import { counted } from "../styling/numbers.ts";
import { type Decisions, type FileMark, markCount, type SymbolMark } from "./decisions.ts";
import { requestName } from "./marks.ts";
import type { ReviewState, Round } from "./review-state.ts";

/** A note is one line of at most this many characters. */
const NOTE_CHARS_MAX = 1_000;

/** Lists are sorted; empty ones are left out. */
export function requestOf({ decisions, notes }: Pick<ReviewState, "decisions" | "notes">): RefinementRequest {
  const reason = notes
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, NOTE_CHARS_MAX)
    .toWellFormed();
  return {
    ...(reason === "" ? {} : { reason }),
    ...list("accepted_files", filesMarked(decisions, "accepted")),
    ...list("rejected_files", filesMarked(decisions, "rejected")),
    ...list("missing_symbols", symbolsMarked(decisions, "missing")),
    ...list("as_body", symbolsMarked(decisions, "body")),
    ...list("as_signature", symbolsMarked(decisions, "signature")),
    ...list("left_out", symbolsMarked(decisions, "out")),
  };
}

/** What a run of its own asks for to follow a round that is not recorded: all that the round was asked for, and the decisions. */
export function requestAgain({ constraints, package: { budget, provenance } }: Round, review: ReviewState) {
  const request = requestOf(review);
  const asked = mergeConstraints(constraints, request);
  const { decisions } = review;
  return {
    request: withLists(request.reason, (list) => asked[list]),
    budget: decisions.budget ?? budget,
    coverage: decisions.coverage ?? provenance.budget.stop?.coverage ?? null,
  };
}

/** Why a round would refuse the request; null when it would not. */
export function problemOf(request: RefinementRequest): string | null {
  try {
    readRefinement(request, { typed: false, file: "the marks" });
    return null;
  } catch (error) {
    if (error instanceof Failed) return sentence(error.failure);
    throw error;
  }
}

const problems = new WeakMap<Decisions, string | null>();

/** Why a round would refuse the decisions; null when it would not. Decisions are immutable, so each is checked once. */
export function decisionsProblem(decisions: Decisions): string | null {
  const known = problems.get(decisions);
  if (known !== undefined) return known;
  const problem = problemOf(requestOf({ decisions, notes: "" }));
  problems.set(decisions, problem);
  return problem;
}

/** Whether another round would give the same package. A note alone changes nothing. */
export const hasNothingToRefine = ({ decisions }: Pick<ReviewState, "decisions">): boolean =>
  markCount(decisions) === 0 && decisions.coverage === null && decisions.budget === null;

/** Says which changes the newest round lacks; null when it has them all. */
export function unappliedChanges({ round, decisions }: ReviewState): string | null {
  const marks = markCount(decisions);
  const parts = [
    ...(marks === 0 ? [] : [counted(marks, "mark")]),
    ...(decisions.coverage === null ? [] : ["the new coverage"]),
    ...(decisions.budget === null ? [] : ["the new budget"]),
  ];
  if (round === null || parts.length === 0) return null;
  const verb = marks > 1 || parts.length > 1 ? "are" : "is";
  const key = keysOf("package.refine", "review")[0] ?? "";
  return `${parts.join(" and ")} ${verb} not applied to round ${round.number} yet; press ${key} to refine`;
}

const filesMarked = ({ files }: Decisions, mark: FileMark): string[] => keysOfMark(files, mark).toSorted();

const symbolsMarked = ({ symbols }: Decisions, mark: SymbolMark): string[] =>
  keysOfMark(symbols, mark).map(requestName).toSorted();

function keysOfMark<Mark>(marks: ReadonlyMap<string, Mark>, wanted: Mark): string[] {
  const keys: string[] = [];
  for (const [key, mark] of marks) if (mark === wanted) keys.push(key);
  return keys;
}

const list = (name: keyof RefinementRequest, names: string[]): RefinementRequest =>
  names.length === 0 ? {} : { [name]: names };
