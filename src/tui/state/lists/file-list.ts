/**
 * The file list of a run or review: ranked files, files that only the user named, the filter and the cursor.
 *
 * A path occurs once. What the package shows comes first, in its order. Filtering and folding change what is listed and
 * nothing else.
 */
import type { PipelineEvent } from "../../../retrieval/model/events.ts";
import { earlierFileMark, pathOfKey } from "../marks.ts";
import {
  atOtherFile,
  currentFile,
  isShipped,
  type ListedFile,
  nameOf,
  type ReviewState,
  type Round,
} from "../review-state.ts";
import { type Fuzzy, fuzzyOf } from "./fuzzy.ts";

/** The diff of a review and the files of the package in its order, then the other files in scope by rank. */
export function filesOfRound({
  scores,
  ships,
  diffTokens,
  package: pkg,
}: Pick<Round, "scores" | "ships" | "diffTokens" | "package">): readonly ListedFile[] {
  const { provenance } = pkg;
  const relations = new Map(
    provenance.files.map(({ path, reasons, relation }) => [path, reasons.join("; ") || relation]),
  );
  const byPath = new Map(scores.map((row) => [row.path, row]));
  const listed = (path: string, shipped: ListedFile["shipped"]): ListedFile => {
    const { rank = null, score = 0, tier = "ranked" } = byPath.get(path) ?? {};
    const reason = relations.get(path) ?? "";
    return { kind: "file", path, rank, score, tier, tokens: shipped?.tokens ?? 0, reason, shipped };
  };
  const shippedPaths = new Set(ships.map(({ path }) => path));
  const left = scores.filter(({ path }) => !shippedPaths.has(path)).toSorted((a, b) => a.rank - b.rank);
  return [
    ...(pkg.review === undefined || diffTokens === null ? [] : [diffRow(diffTokens)]),
    ...ships.map((file) => listed(file.path, file)),
    ...left.map(({ path }) => listed(path, null)),
  ];
}

const diffRow = (tokens: number): ListedFile => ({
  kind: "diff",
  path: "",
  rank: null,
  score: 0,
  tier: "review",
  tokens,
  reason: "what this task reviews; packed before everything else",
  shipped: null,
});

type Considered = Extract<PipelineEvent, { event: "file_considered" }>;

/** The list with newly considered files; a later event about a file replaces an earlier one. */
export function withConsidered(files: readonly ListedFile[], considered: readonly Considered[]): readonly ListedFile[] {
  if (considered.length === 0) return files;
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const { path, score, tier, tokens, reason } of considered)
    byPath.set(path, { kind: "file", path, rank: null, score, tier, tokens, reason, shipped: null });
  return [...byPath.values()]
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((file, at) => (file.rank === at + 1 ? file : { ...file, rank: at + 1 }));
}

type Placed = Extract<PipelineEvent, { event: "symbol_placed" }>;

/** The list with what is chosen of its files: the package as it forms. */
export function withChosen(files: readonly ListedFile[], placed: readonly Placed[]): readonly ListedFile[] {
  const chosen = Map.groupBy(
    placed.filter(({ tier }) => tier === "primary"),
    ({ path }) => path,
  );
  if (chosen.size === 0) return files;
  return files.map((file) => {
    const more = chosen.get(file.path) ?? [];
    const { count, line } = file.chosen ?? { count: 0, line: Number.POSITIVE_INFINITY };
    const first = Math.min(line, ...more.map((symbol) => symbol.line));
    return more.length === 0 ? file : { ...file, chosen: { count: count + more.length, line: first } };
  });
}

/** Paths that the decisions or earlier rounds name, some of them twice. */
function* namedPaths({ decisions, constraints }: ReviewState): Iterable<string> {
  yield* decisions.files.keys();
  for (const key of decisions.symbols.keys()) yield pathOfKey(key);
  yield* constraints.accepted_files;
  yield* constraints.rejected_files;
  yield* constraints.missing_files;
}

/** The files that a round ranks or shows, with their paths; the others of a list follow them. */
type OfRound = { readonly files: readonly ListedFile[]; readonly paths: ReadonlySet<string> };

const ofRounds = new WeakMap<readonly ListedFile[], OfRound>();

/** Lists are immutable, and every letter of a filter asks for the same. */
function ofRound(files: readonly ListedFile[]): OfRound {
  const before = ofRounds.get(files);
  if (before !== undefined) return before;
  const own = files.filter((file) => file.rank !== null || isShipped(file));
  const found = { files: own, paths: new Set(own.map(({ path }) => path)) };
  ofRounds.set(files, found);
  return found;
}

/** The files of a round, then those that only the decisions or earlier rounds name. */
function withAdded(review: ReviewState): readonly ListedFile[] {
  const { files, constraints } = review;
  const ranked = ofRound(files);
  const unranked = new Set<string>();
  for (const path of namedPaths(review)) if (!ranked.paths.has(path)) unranked.add(path);
  const added = [...unranked].toSorted();
  const before = files.slice(ranked.files.length).map(({ path }) => path);
  if (added.length === before.length && added.every((path, at) => path === before[at])) return files;
  return [...ranked.files, ...added.map((path) => addedFile(path, earlierFileMark(constraints, path) === "rejected"))];
}

const addedFile = (path: string, isRejected: boolean): ListedFile => ({
  kind: "file",
  path,
  rank: null,
  score: 0,
  tier: isRejected ? "rejected" : "added",
  tokens: 0,
  reason: isRejected ? "rejected in an earlier round" : "added by you",
  shipped: null,
});

const searches = new WeakMap<readonly ListedFile[], Fuzzy>();

/** Lists are immutable, so each is prepared for searching once. */
function searchOf(files: readonly ListedFile[]): Fuzzy {
  const search = searches.get(files) ?? fuzzyOf(files.map(nameOf));
  searches.set(files, search);
  return search;
}

/** The index, moved into a list of this length. */
export const clampIndex = (at: number, length: number): number => Math.max(0, Math.min(at, length - 1));

/** The offsets of the matched letters in the name of a file, by its index, as far as they are known. */
export function matchedLetters({ files, filter }: ReviewState): ReadonlyMap<number, readonly number[]> {
  if (filter.text === "") return NO_MATCHES;
  return new Map(
    searchOf(files)
      .ordered(filter.text)
      .best.map(({ index, at }) => [index, at]),
  );
}

const NO_MATCHES: ReadonlyMap<number, readonly number[]> = new Map();

/** With a filter, all files that match; else the package, and what was left out if that is asked for, or has a mark. */
function listedIndexes(review: ReviewState, files: readonly ListedFile[]): readonly number[] {
  const { filter, round, shows } = review;
  if (filter.text !== "") return searchOf(files).ordered(filter.text).indexes;
  const indexes = files.map((_, at) => at);
  if (round === null || shows.leftOut) return indexes;
  const named = new Set(namedPaths(review));
  return indexes.filter((at) => {
    const file = files[at];
    return file !== undefined && (isShipped(file) || named.has(file.path));
  });
}

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((index, at) => index === b[at]);

/** Updates `files` and `visible`; the cursor stays on the file `keep` if that is still listed. */
export function applyFilter(review: ReviewState, keep: string | null = currentFile(review)?.path ?? null): ReviewState {
  const files = withAdded(review);
  const listed = listedIndexes(review, files);
  const unchanged = files === review.files && isSameList(listed, review.visible);
  const visible = unchanged ? review.visible : listed;
  const kept = keep === null ? -1 : visible.findIndex((at) => files[at]?.path === keep);
  return {
    ...review,
    files,
    visible,
    cursor: kept >= 0 ? kept : clampIndex(review.cursor, visible.length),
    preview: kept >= 0 ? review.preview : atOtherFile(review.preview),
    rangeFrom: unchanged ? review.rangeFrom : null,
  };
}

/** The cursor at an index, or at the nearest one in the list. */
export function moveCursor(review: ReviewState, to: number): ReviewState {
  const cursor = clampIndex(to, review.visible.length);
  return cursor === review.cursor ? review : { ...review, cursor, preview: atOtherFile(review.preview) };
}

/** The files that a mark applies to: the range, or the file under the cursor. */
export function selectedFiles({ files, visible, cursor, rangeFrom }: ReviewState): readonly ListedFile[] {
  const [from, to] = rangeFrom === null ? [cursor, cursor] : [Math.min(rangeFrom, cursor), Math.max(rangeFrom, cursor)];
  return visible
    .slice(from, to + 1)
    .flatMap((at) => files[at] ?? [])
    .filter(({ kind }) => kind === "file");
}
