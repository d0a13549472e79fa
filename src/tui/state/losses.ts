/** What quitting would lose. */
import { hasNothingToRefine } from "./refinement-request.ts";
import { isEarlier } from "./review-state.ts";
import type { State } from "./state.ts";

/** What quitting now would lose, as a sentence; null when it would lose nothing. */
export function lossOf({ run, index, review }: State): string | null {
  if (run?.status === "running" || run?.status === "cancelling") return "The run has not finished, and would be lost.";
  if (index.status === "indexing") return "The index is being made; what is done of it is kept, the rest is not.";
  return review !== null && isEarlier(review) && !hasNothingToRefine(review)
    ? `Your changes are to round ${review.round?.number ?? 1}, an earlier one, and would be lost.`
    : null;
}
