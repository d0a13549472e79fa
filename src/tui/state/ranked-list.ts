/**
 * The files of a finished round, and of a run that is going on, as one ranked list.
 *
 * Pure. Invariants: a path is in a list once; ranks count from 1 in the list's order.
 */
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { Decisions } from "./decisions.ts";
import { earlierFileMark, pathOfKey } from "./marks.ts";
import type { ListedFile, ReviewState, Round } from "./state.ts";

/** The files in scope, by rank. What the package shows of each is in its tokens. */
export function filesOfRound({
  scores,
  shown,
  package: pkg,
}: Pick<Round, "scores" | "shown" | "package">): readonly ListedFile[] {
  const tokens = new Map<string, number>();
  for (const row of shown) tokens.set(row.path, (tokens.get(row.path) ?? 0) + row.tokens);
  const relations = new Map(pkg.provenance.files.map(({ path, relation }) => [path, relation]));
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

/** The list with what was considered since; a later word on a file replaces an earlier one. */
export function withConsidered(files: readonly ListedFile[], considered: readonly Considered[]): readonly ListedFile[] {
  if (considered.length === 0) return files;
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const { path, score, tier, tokens, reason } of considered)
    byPath.set(path, { path, rank: null, score, tier, tokens, reason });
  return [...byPath.values()]
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((file, at) => (file.rank === at + 1 ? file : { ...file, rank: at + 1 }));
}

/** The ranked files with those that only the user, or an earlier round, has named. */
export function withAdded(
  files: readonly ListedFile[],
  { decisions, held }: Pick<ReviewState, "decisions" | "held">,
): readonly ListedFile[] {
  const ranked = files.filter(({ rank }) => rank !== null);
  const known = new Set(ranked.map(({ path }) => path));
  const named = new Set([
    ...namedPaths(decisions),
    ...held.accepted_files,
    ...held.rejected_files,
    ...held.missing_files,
  ]);
  const added = [...named].filter((path) => !known.has(path)).toSorted();
  const before = files.slice(ranked.length).map(({ path }) => path);
  if (added.length === before.length && added.every((path, at) => path === before[at])) return files;
  return [...ranked, ...added.map((path) => addedFile(path, earlierFileMark(held, path) === "rejected"))];
}

function* namedPaths({ files, symbols }: Decisions): Generator<string> {
  yield* files.keys();
  for (const key of symbols.keys()) yield pathOfKey(key);
}

const addedFile = (path: string, isRejected: boolean): ListedFile => ({
  path,
  rank: null,
  score: 0,
  tier: isRejected ? "rejected" : "added",
  tokens: 0,
  reason: isRejected ? "rejected in an earlier round" : "added by you",
});
