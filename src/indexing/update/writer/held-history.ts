/** Holds the commits of a run in memory only until the cache has stored them, because a single commit may name every file. */

import type { StoredMeta } from "../../../db/curated/meta.ts";
import type { CachedCommit } from "../../../db/parse-cache/commit-cache.ts";
import type { ParseCache } from "../../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../../failure.ts";
import type { GenerationHistory } from "./generation-history.ts";

export type HeldHistory = {
  /** Why it could not be read. */
  readonly problem: string | null;
  /** The commits, which come from the cache once they are stored there. */
  commits(): readonly CachedCommit[];
  /** Stores the commits, and lets go of them. */
  store(): void;
};

type Read = { readonly commits: readonly CachedCommit[]; readonly problem: string | null };

export function heldHistory(
  { commits, problem }: Read,
  cache: Pick<ParseCache, "commits" | "setCommits">,
): HeldHistory {
  let held: readonly CachedCommit[] | null = commits;
  let hashes: readonly string[] = [];
  return {
    problem,
    commits() {
      if (held !== null) return held;
      const stored = cache.commits();
      return hashes.map((hash) => stored.get(hash) ?? notReadBack());
    },
    store() {
      if (held === null || problem !== null) return;
      cache.setCommits(held);
      hashes = held.map(({ hash }) => hash);
      held = null;
    },
  };
}

/** Null where there is none, and none is stored either. */
export function historyToWrite(
  history: HeldHistory | null,
  stored: StoredMeta | null,
  filesMax: number,
): GenerationHistory | null {
  const commits = history?.commits() ?? null;
  return commits === null || (commits.length === 0 && stored?.counts.commits === 0) ? null : { commits, filesMax };
}

function notReadBack(): never {
  throw new Failed({
    code: "io",
    message: "cached commits cannot be read back",
    where: "parse cache",
    next: "run: cra clean --cache",
  });
}
