/**
 * The rows of the review's list: the listed files, and between them lines of facts, where no cursor goes.
 *
 * After the package comes a line that says where packing stopped; at the end, while files are folded, one that counts them.
 */
import { currentFile, isShipped, type ReviewState } from "../review-state.ts";

/** `stopAt` and `foldedAt` are rows; null when there is no such line. `folded` counts files that are not listed. */
type ListRows = {
  readonly count: number;
  /** How many listed files the package shows. */
  readonly shipped: number;
  readonly stopAt: number | null;
  readonly foldedAt: number | null;
  readonly folded: number;
};

/** Without a package or with a filter there are only files. */
export function listRows({ round, filter, files, visible }: ReviewState): ListRows {
  if (round === null || filter.text !== "")
    return { count: visible.length, shipped: 0, stopAt: null, foldedAt: null, folded: 0 };
  let shipped = 0;
  for (const at of visible) {
    const file = files[at];
    if (file === undefined || !isShipped(file)) break;
    shipped += 1;
  }
  const folded = files.length - visible.length;
  const count = visible.length + 1 + (folded > 0 ? 1 : 0);
  return { count, shipped, stopAt: shipped, foldedAt: folded > 0 ? count - 1 : null, folded };
}

/** The row of a listed file. */
export const rowOf = ({ stopAt }: ListRows, at: number): number => (stopAt !== null && at >= stopAt ? at + 1 : at);

/** The listed file of a row, an index into `visible`; null for a line of facts. */
export function listedAt({ stopAt, foldedAt, count }: ListRows, row: number): number | null {
  if (row < 0 || row >= count || row === stopAt || row === foldedAt) return null;
  return stopAt !== null && row > stopAt ? row - 1 : row;
}

/** Whether the file under the cursor is not a part of the package. */
export function isLeftOut(review: ReviewState): boolean {
  const file = currentFile(review);
  return review.round !== null && file !== null && !isShipped(file);
}
