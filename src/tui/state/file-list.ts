/**
 * Which files of a review are listed, and where the cursor is among them.
 *
 * Pure. Filtering changes nothing but what is listed: decisions stay, and the cursor stays on its file as long as that
 * is listed.
 */
import { type Fuzzy, fuzzyOf } from "./fuzzy.ts";
import { withAdded } from "./ranked-list.ts";
import { currentFile, type ListedFile, type ReviewState } from "./state.ts";

const searches = new WeakMap<readonly ListedFile[], Fuzzy>();

/** Lists never change, so each is prepared for searching once. */
function searchOf(files: readonly ListedFile[]): Fuzzy {
  const known = searches.get(files);
  if (known !== undefined) return known;
  const made = fuzzyOf(files.map(({ path }) => path));
  searches.set(files, made);
  return made;
}

/** A place within a list of this length. */
export const clampIndex = (at: number, length: number): number => Math.max(0, Math.min(at, length - 1));

/** Lists again by the files, the decisions and the filter; the cursor goes to `keep` if that is listed. */
export function applyFilter(review: ReviewState, keep: string | null = currentFile(review)?.path ?? null): ReviewState {
  const files = withAdded(review.files, review);
  const query = review.filter.text;
  const unchanged = files === review.files && query === "" && review.visible.length === files.length;
  const visible = unchanged ? review.visible : [...searchOf(files).matching(query)];
  const kept = keep === null ? -1 : visible.findIndex((at) => files[at]?.path === keep);
  const cursor = kept >= 0 ? kept : clampIndex(review.cursor, visible.length);
  const range = review.rangeFrom === null || visible !== review.visible ? null : review.rangeFrom;
  const previewTop = kept >= 0 ? review.previewTop : 0;
  return { ...review, files, visible, cursor, previewTop, rangeFrom: range };
}

/** The cursor at a place, or as near as there is one. */
export function moveCursor(review: ReviewState, to: number): ReviewState {
  const cursor = clampIndex(to, review.visible.length);
  return cursor === review.cursor ? review : { ...review, cursor, previewTop: 0 };
}

/** The files that a mark goes to: the range, or the one under the cursor. */
export function selectedFiles({ files, visible, cursor, rangeFrom }: ReviewState): readonly ListedFile[] {
  const [from, to] = rangeFrom === null ? [cursor, cursor] : [Math.min(rangeFrom, cursor), Math.max(rangeFrom, cursor)];
  return visible.slice(from, to + 1).flatMap((at) => files[at] ?? []);
}
