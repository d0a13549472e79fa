/**
 * The refinement request that the user's decisions are.
 *
 * Pure. Invariant: the request names just what was decided since the last finished round, and a request that a round
 * would refuse is refused here, in words. Not here: what earlier rounds asked for (a session adds that).
 */
import { Failed, sentence } from "../../failure.ts";
import { readRefinement } from "../../retrieval/model/read-refinement.ts";
import type { RefinementRequest } from "../../retrieval/model/refinement.ts";
import type { Decisions, FileMark, SymbolWish } from "./decisions.ts";
import { requestName } from "./marks.ts";
import type { ReviewState } from "./state.ts";

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
    ...listed("accepted_files", marked(decisions, "accepted")),
    ...listed("rejected_files", marked(decisions, "rejected")),
    ...listed("missing_symbols", wished(decisions, "missing")),
    ...listed("as_body", wished(decisions, "body")),
    ...listed("as_signature", wished(decisions, "signature")),
    ...listed("left_out", wished(decisions, "out")),
  };
}

/** Why a round would refuse the request, as a sentence; null when it would not. */
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

/** Why a round would refuse what is decided; null when it would not. Decisions never change, so each is read once. */
export function decisionsProblem(decisions: Decisions): string | null {
  const known = problems.get(decisions);
  if (known !== undefined) return known;
  const problem = problemOf(requestOf({ decisions, notes: "" }));
  problems.set(decisions, problem);
  return problem;
}

const marked = ({ files }: Decisions, mark: FileMark): string[] =>
  [...files].flatMap(([path, is]) => (is === mark ? [path] : [])).toSorted();

const wished = ({ symbols }: Decisions, wish: SymbolWish): string[] =>
  [...symbols].flatMap(([key, is]) => (is === wish ? [requestName(key)] : [])).toSorted();

const listed = (list: keyof RefinementRequest, names: string[]): RefinementRequest =>
  names.length === 0 ? {} : { [list]: names };
