/** Counting a real folder as the app wires it, with a real pool of threads. */
import type { ParseCache } from "../../../src/db/parse-cache/parse-cache.ts";
import type { ReportProgress } from "../../../src/indexing/model/index-run.ts";
import { openCountPool } from "../../../src/indexing/provisional/count-pool.ts";
import { type Corpus, openCounting } from "../../../src/indexing/provisional/count-tree.ts";
import { walkWorkTree } from "../../../src/indexing/update/scan/change-fingerprint.ts";
import { OPTIONS, type World } from "../update/index-repo-world.ts";

export type Counted = {
  readonly corpus: Corpus;
  /** The paths that were read, in batches. */
  readonly batches: readonly (readonly string[])[];
};

type How = {
  readonly known?: Parameters<typeof openCounting>[0]["known"];
  readonly report?: ReportProgress;
  readonly signal?: AbortSignal;
  /** The clock, in milliseconds: files that changed just before it are read again next time. */
  readonly now?: number;
};

/** Counts the files of a world, with its parse cache open. */
export async function counted({ deps, root }: World, cache: ParseCache, how: How = {}): Promise<Counted> {
  const { known = new Map(), report = () => undefined, signal = new AbortController().signal } = how;
  const pool = openCountPool({ root, bytesMax: OPTIONS.bytesMax, workersMax: 2 });
  const stop = (): void => pool.close(signal.reason);
  signal.addEventListener("abort", stop);
  const batches: (readonly string[])[] = [];
  const watched = {
    count: (paths: readonly string[]) => {
      batches.push(paths);
      return pool.count(paths);
    },
  };
  try {
    const now = how.now ?? Date.now() + 60_000;
    const timed = { ...deps, now: () => now };
    const counting = openCounting({ ...timed, cache, pool: watched, known }, OPTIONS);
    const walked = await walkWorkTree(
      timed,
      OPTIONS,
      () => [],
      () => undefined,
      signal,
      counting.ahead,
    );
    const corpus = await counting.finish(walked, report, signal);
    return { corpus, batches };
  } finally {
    signal.removeEventListener("abort", stop);
    pool.close(null);
  }
}
