/** The preview: scrolling sideways, wrapping, the whole file, and searching in it. */

import { firstKey } from "../keys/bindings.ts";
import { previewRows } from "../state/layout/layout.ts";
import { previewOf, shippedPreview } from "../state/preview/preview.ts";
import { LEFT_MAX, leftOfMatch, linesInSight, topBefore } from "../state/preview/preview-scroll.ts";
import { lookedAtLine, nextMatch, previewTop } from "../state/preview/preview-search.ts";
import { currentFile, type PreviewState, type ReviewState } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { become, inReview, type Outcome, type Reducer, type Reducers, say, withReview } from "./reducer.ts";

/** Columns of a step to the side. */
const STEP_COLUMNS = 8;

const inPreview = (
  change: (preview: PreviewState, review: ReviewState, state: State) => Partial<PreviewState>,
): Reducer =>
  inReview((review, state) =>
    withReview(state, { ...review, preview: { ...review.preview, ...change(review.preview, review, state) } }),
  );

/** Lines above the match that a search goes to. */
const CONTEXT_LINES = 4;

const find = (by: 1 | -1): Reducer => inReview((review, state) => goToMatch(state, review, by));

/** Goes to the next match after the line that a search went to, or after the top. */
function goToMatch(state: State, review: ReviewState, by: 1 | -1): Outcome {
  const rows = previewRows(state.size, review);
  const { hit } = review.preview;
  const at = nextMatch(review, hit ?? previewTop(review, rows) - (by === 1 ? 1 : 0), by);
  if (at === null) {
    return say(state, "info", noMatchText(review));
  }
  return withReview(state, withHit(state, review, at));
}

function noMatchText({ preview: { query }, round }: ReviewState): string {
  if (query.text !== "") return `There is no "${query.text}" in this preview.`;
  return round === null
    ? `There is no package yet, so there are no matches: ${firstKey("preview.search", "preview")} searches for a text.`
    : "There is no word of the task in this preview.";
}

/** The review with a line of the preview in sight, and the match in it. */
export function withHit({ size }: State, review: ReviewState, at: number): ReviewState {
  const length = previewOf(review)?.lines.length ?? 0;
  const end = topBefore(size, review, length - 1);
  const from = Math.min(previewTop(review, previewRows(size, review)), end);
  const isInSight = at >= from && at < from + linesInSight(size, review, from);
  const above = Math.max(0, Math.min(at - CONTEXT_LINES, end));
  // Long lines above it, if wrapped, can take all rows.
  const isBelow = at >= above + linesInSight(size, review, above);
  const top = isInSight ? from : isBelow ? at : above;
  return { ...review, preview: { ...review.preview, hit: at, top, left: leftOfMatch(size, review, at) } };
}

/** Shows the whole file or what ships of it, at the same line. */
function toggleWhole(review: ReviewState, state: State): Outcome {
  const file = currentFile(review);
  if (file === null || file.kind === "diff") return become(state);
  if (shippedPreview(review, file) === null)
    return say(state, "info", "The package shows nothing of this file: its preview is the whole file.");
  const line = lookedAtLine(review, previewRows(state.size, review));
  const whole = { ...review, preview: { ...review.preview, whole: !review.preview.whole, hit: null, top: null } };
  return withReview(state, atLine(whole, line));
}

/** The review with the preview at a line of the file. Lines that are not read yet begin at the first match. */
function atLine(review: ReviewState, line: number | null): ReviewState {
  const lines = previewOf(review)?.lines ?? [];
  const at = line === null ? -1 : lines.findIndex(({ number }) => number !== null && number >= line);
  return at < 0 ? review : { ...review, preview: { ...review.preview, top: Math.max(0, at - CONTEXT_LINES) } };
}

export const PREVIEW_REDUCERS = {
  "preview.right": inPreview(({ left, wrap }) => ({ left: wrap ? 0 : Math.min(LEFT_MAX, left + STEP_COLUMNS) })),
  "preview.left": inReview((review, state) => {
    const { preview } = review;
    // At the first column, left is where the list is.
    if (preview.left === 0) return withReview(state, { ...review, pane: "list" });
    return withReview(state, { ...review, preview: { ...preview, left: Math.max(0, preview.left - STEP_COLUMNS) } });
  }),
  "preview.wrap": inPreview(({ wrap }) => ({ wrap: !wrap, left: 0 })),
  "preview.whole": inReview(toggleWhole),
  "preview.search": inReview((review, state) =>
    become({
      ...state,
      overlay: { is: "filter", of: "preview" },
      review: { ...review, pane: "preview", preview: { ...review.preview, hit: null } },
    }),
  ),
  "match.next": find(1),
  "match.previous": find(-1),
} as const satisfies Reducers;
