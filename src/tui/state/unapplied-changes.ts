/**
 * What was decided and is in no round yet, in words: a package that is taken away lacks it.
 *
 * Pure. Not here: the question before quitting (`views/overlay-view.ts`).
 */
import type { ReviewState } from "./state.ts";

/** One line; null when the round has everything. A note by itself changes no package. */
export function unappliedChanges({ round, decisions, budget }: ReviewState): string | null {
  const marks = decisions.files.size + decisions.symbols.size;
  const parts = [
    ...(marks === 0 ? [] : [marks === 1 ? "1 mark" : `${marks} marks`]),
    ...(budget === null ? [] : ["the new budget"]),
  ];
  if (round === null || parts.length === 0) return null;
  const verb = marks > 1 || parts.length > 1 ? "are" : "is";
  return `round ${round.number}; ${parts.join(" and ")} ${verb} not in it: refine first`;
}
