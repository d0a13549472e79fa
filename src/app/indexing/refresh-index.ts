/**
 * Brings the index up to date before a retrieval, or finds that it already is.
 *
 * Of several concurrent runs one writes and the others compare: a run that cannot write but finds the index current
 * continues as if it had refreshed it. Omits notices that every run on the index repeats (`retrieval/index-notices.ts`).
 */
import { Failed } from "../../failure.ts";
import type { Amount } from "../../indexing/model/index-run.ts";
import { isOfHistory, type Notice } from "../../notice.ts";
import type { WalkThread } from "../../source/walk/walk-thread.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { IndexSummary } from "./index-repository.ts";
import { LIGHT_RUN } from "./indexing-deps.ts";

/**
 * `inputsSkipped` is null when the index was not written, so that only the index can tell. `isLocked`: the index is old, because
 * another writer has not finished.
 */
export type Refreshed = {
  readonly notices: readonly Notice[];
  readonly inputsSkipped: number | null;
  readonly isLocked?: true;
};

/** `index` waits this long for another writer; `staleness` says what differs from the work tree, null for nothing. */
type RefreshSteps = {
  index(lockWaitMs: number): Promise<IndexSummary>;
  staleness(): Promise<string | null>;
};

/** When the index is stale, another writer is waited for this long; then the index is used as it is. */
const WAIT_MS = 2_000;

/** More is not waited for: a second or two on two processors. */
export const DUE_MAX: Amount = { files: 1_000, bytes: 4 * 1024 * 1024 };

/**
 * Refreshes the index of a workspace. Throws what indexing throws, unless the index just cannot be written; with `dueMax` also
 * `index-behind`. `walking` is a walk of the work tree that has begun.
 */
export async function refresh(
  workspace: Workspace,
  onProgress: OnProgress,
  signal: AbortSignal,
  dueMax?: Amount,
  walking: WalkThread | null = null,
): Promise<Refreshed> {
  const { findStaleness, updateIndex } = await import("./index-repository.ts");
  const options = {
    ...LIGHT_RUN,
    ...(dueMax === undefined ? {} : { dueMax }),
    ...(walking === null ? {} : { walking }),
  };
  return refreshIndex({
    index: (lockWaitMs) => updateIndex(workspace, { ...options, lockWaitMs }, onProgress, signal),
    staleness: () => findStaleness(workspace, signal),
  });
}

/**
 * Refreshes the index that there is, unless it is far behind, and returns what there is to say. An index that cannot be read is left
 * to whoever opens it.
 */
export async function refreshIfNear(
  workspace: Workspace,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<readonly Notice[]> {
  if (!workspace.index.exists()) return [];
  try {
    return (await refresh(workspace, onProgress, signal, DUE_MAX)).notices;
  } catch (error) {
    if (!(error instanceof Failed) || signal.aborted) throw error;
    const { failure } = error;
    return failure.code === "index-behind"
      ? [{ code: "index-stale", why: `${failure.files} files have changed; run: cra index` }]
      : [];
  }
}

/** The same with the steps handed in. */
export async function refreshIndex(steps: RefreshSteps): Promise<Refreshed> {
  const first = await tryIndexing(steps, 0);
  if (first.kind === "done") return first.refreshed;
  const difference = await steps.staleness();
  if (difference === null) return NOT_REFRESHED;
  if (first.failure === "io") return stale(difference, "it cannot be written");
  const second = await tryIndexing(steps, WAIT_MS);
  if (second.kind === "done") return second.refreshed;
  const remaining = await steps.staleness();
  return remaining === null ? NOT_REFRESHED : { ...stale(remaining, "another cra is writing it"), isLocked: true };
}

/** Of an index that answers as it is. */
export const NOT_REFRESHED: Refreshed = { notices: [], inputsSkipped: null };

const stale = (difference: string, cause: string): Refreshed => ({
  notices: [{ code: "index-stale", why: `${difference} (${cause})` }],
  inputsSkipped: null,
});

type Attempt =
  | { readonly kind: "done"; readonly refreshed: Refreshed }
  | { readonly kind: "not-written"; readonly failure: "locked" | "io" };

async function tryIndexing({ index }: RefreshSteps, lockWaitMs: number): Promise<Attempt> {
  try {
    const { notices, problems } = await index(lockWaitMs);
    const ofThisRun = notices.filter((notice) => !isOfHistory(notice));
    return { kind: "done", refreshed: { notices: ofThisRun, inputsSkipped: problems.length } };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { code } = error.failure;
    if (code !== "locked" && code !== "io") throw error;
    return { kind: "not-written", failure: code };
  }
}
