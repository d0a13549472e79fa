/**
 * Adds to recalled commits what the index does not hold: paths of files that are gone, from the history that indexing cached, and
 * lines, which git counts for these few commits. Counting all commits while indexing would take seconds.
 */
import { readCachedCommits } from "../../db/parse-cache/commit-cache.ts";
import type { CommitDetails } from "../../recall/search/store-searcher.ts";
import { openHistory } from "../../source/history/open-history.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The most paths of one commit, as in the index. */
const PATHS_MAX = 100;
/** Counting takes some milliseconds; commits of very large files are left uncounted. */
const COUNT_MS_MAX = 2_000;

export const commitDetails =
  ({ root, paths, environment }: Workspace): CommitDetails =>
  async (hashes, signal) => {
    const cached = readCachedCommits(paths.parseCache, hashes);
    const history = openHistory(environment.variables);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(COUNT_MS_MAX)]);
    const lines = await history.countLines(root, hashes, bounded);
    return new Map(
      hashes.map((hash) => {
        const { insertions, deletions } = lines.get(hash) ?? { insertions: null, deletions: null };
        return [hash, { paths: cached.get(hash)?.files.slice(0, PATHS_MAX) ?? null, insertions, deletions }];
      }),
    );
  };
