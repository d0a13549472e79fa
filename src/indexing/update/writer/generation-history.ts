/** Writes what git's history says about the files of a generation. */
import type { HistoryWriter } from "../../../db/curated/write/write-history.ts";
import type { CachedCommit } from "../../../db/parse-cache/commit-cache.ts";
import { coChanges, lastTouched } from "../../history/co-change.ts";

/** `filesMax`: commits that touch more files say nothing about pairs. */
export type GenerationHistory = { readonly commits: readonly CachedCommit[]; readonly filesMax: number };

/** Stores the history, if there is a new one. `rowOf`: the id of a file of the generation. */
export function writeHistory(
  writer: HistoryWriter,
  history: GenerationHistory | null,
  rowOf: (path: string) => number | undefined,
): void {
  if (history === null) return;
  const { commits, filesMax } = history;
  writer.setCommits(
    commits.map(({ hash, author, message, timestamp, files }) => ({
      hash,
      author,
      message,
      timestamp,
      filesChanged: files.length,
      insertions: null,
      deletions: null,
    })),
  );
  const idOf = (path: string): readonly number[] => {
    const id = rowOf(path);
    return id === undefined ? [] : [id];
  };
  writer.setFileCommits(commits.flatMap(({ hash, files }) => files.flatMap(idOf).map((fileId) => ({ fileId, hash }))));
  writer.setModified([...lastTouched(commits)].flatMap(([path, at]) => idOf(path).map((fileId) => ({ fileId, at }))));
  const pairs = coChanges(commits, { filesMax, indexed: { has: (path) => rowOf(path) !== undefined } });
  writer.setCoChanges(
    pairs.flatMap(({ a, b, count, lastCommit }) =>
      idOf(a).flatMap((first) => idOf(b).map((second) => ({ a: first, b: second, count, lastCommit }))),
    ),
  );
}
