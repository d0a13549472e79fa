/**
 * The file list of a run or review: ranked files, files that only the user named, the filter and the cursor.
 *
 * A path occurs once, and ranks count from 1 in list order. Filtering changes what is listed and nothing else.
 */
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { type Fuzzy, fuzzyOf } from "./fuzzy.ts";
import { earlierFileMark, pathOfKey } from "./marks.ts";
import { currentFile, type ListedFile, type ReviewState, type Round } from "./review-state.ts";

/** The files in scope of a round, by rank. */
export function filesOfRound({
  scores,
  shown,
  package: { provenance },
}: Pick<Round, "scores" | "shown" | "package">): readonly ListedFile[] {
  const tokens = new Map<string, number>();
  for (const row of shown) tokens.set(row.path, (tokens.get(row.path) ?? 0) + row.tokens);
  const relations = new Map(
    provenance.files.map(({ path, reasons, relation }) => [path, reasons.join("; ") || relation]),
  );
  return scores
    .map(({ rank, path, tier, score }) => ({
      path,
      rank,
      score,
      tier,
      tokens: tokens.get(path) ?? 0,
      reason: relations.get(path) ?? "",
    }))
    .sort((a, b) => a.rank - b.rank);
}

type Considered = Extract<PipelineEvent, { event: "file_considered" }>;

/** The list with newly considered files; a later event about a file replaces an earlier one. */
export function withConsidered(files: readonly ListedFile[], considered: readonly Considered[]): readonly ListedFile[] {
  if (considered.length === 0) return files;
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const { path, score, tier, tokens, reason } of considered)
    byPath.set(path, { path, rank: null, score, tier, tokens, reason });
  return [...byPath.values()]
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((file, at) => (file.rank === at + 1 ? file : { ...file, rank: at + 1 }));
}

/** The ranked files, then those that only the decisions or earlier rounds name. */
function withAdded({ files, decisions, constraints }: ReviewState): readonly ListedFile[] {
  const ranked = files.filter(({ rank }) => rank !== null);
  const known = new Set(ranked.map(({ path }) => path));
  const named = new Set([
    ...decisions.files.keys(),
    ...[...decisions.symbols.keys()].map(pathOfKey),
    ...constraints.accepted_files,
    ...constraints.rejected_files,
    ...constraints.missing_files,
  ]);
  const added = [...named].filter((path) => !known.has(path)).toSorted();
  const before = files.slice(ranked.length).map(({ path }) => path);
  if (added.length === before.length && added.every((path, at) => path === before[at])) return files;
  return [...ranked, ...added.map((path) => addedFile(path, earlierFileMark(constraints, path) === "rejected"))];
}

const addedFile = (path: string, isRejected: boolean): ListedFile => ({
  path,
  rank: null,
  score: 0,
  tier: isRejected ? "rejected" : "added",
  tokens: 0,
  reason: isRejected ? "rejected in an earlier round" : "added by you",
});

const searches = new WeakMap<readonly ListedFile[], Fuzzy>();

/** Lists are immutable, so each is prepared for searching once. */
function searchOf(files: readonly ListedFile[]): Fuzzy {
  const search = searches.get(files) ?? fuzzyOf(files.map(({ path }) => path));
  searches.set(files, search);
  return search;
}

/** The index, moved into a list of this length. */
export const clampIndex = (at: number, length: number): number => Math.max(0, Math.min(at, length - 1));

/** Updates `files` and `visible`; the cursor stays on the file `keep` if that is still listed. */
export function applyFilter(review: ReviewState, keep: string | null = currentFile(review)?.path ?? null): ReviewState {
  const files = withAdded(review);
  const query = review.filter.text;
  const unchanged = files === review.files && query === "" && review.visible.length === files.length;
  const visible = unchanged ? review.visible : [...searchOf(files).matching(query)];
  const kept = keep === null ? -1 : visible.findIndex((at) => files[at]?.path === keep);
  return {
    ...review,
    files,
    visible,
    cursor: kept >= 0 ? kept : clampIndex(review.cursor, visible.length),
    preview: kept >= 0 ? review.preview : { ...review.preview, top: 0 },
    rangeFrom: unchanged ? review.rangeFrom : null,
  };
}

/** The cursor at an index, or at the nearest one in the list. */
export function moveCursor(review: ReviewState, to: number): ReviewState {
  const cursor = clampIndex(to, review.visible.length);
  return cursor === review.cursor ? review : { ...review, cursor, preview: { ...review.preview, top: 0 } };
}

/** The files that a mark applies to: the range, or the file under the cursor. */
export function selectedFiles({ files, visible, cursor, rangeFrom }: ReviewState): readonly ListedFile[] {
  const [from, to] = rangeFrom === null ? [cursor, cursor] : [Math.min(rangeFrom, cursor), Math.max(rangeFrom, cursor)];
  return visible.slice(from, to + 1).flatMap((at) => files[at] ?? []);
}
