/**
 * Brings the index up to date before a retrieval, or finds out that it need not be.
 *
 * Of several runs at once one writes and the others look: a run that cannot write and finds the index current
 * goes on as if it had refreshed it. Notices are about this run only; what the index says of itself
 * (`retrieval/index-notices.ts`) is left out, as every run on it says that.
 */

import { Failed, type Notice } from "../failure.ts";
import type { IndexSummary } from "./app-types.ts";

/** `inputsSkipped` is null when the index was not read anew, so that only it can tell. */
type Refreshed = { readonly notices: readonly Notice[]; readonly inputsSkipped: number | null };

/** `index` waits so long for another writer; `staleness` says what differs from the work tree, null for nothing. */
type RefreshSteps = {
  index(lockWaitMs: number): Promise<IndexSummary>;
  staleness(): Promise<string | null>;
};

/** Another cra that writes is waited for this long when the index is stale; then the one that stands serves. */
const WAIT_MS = 2_000;

/** Throws what `index` throws, unless the index just cannot be written. */
export async function refreshIndex(steps: RefreshSteps): Promise<Refreshed> {
  const first = await tried(steps, 0);
  if (first.kind === "done") return first.refreshed;
  const behind = await steps.staleness();
  if (behind === null) return UNCHANGED;
  if (first.failure === "io") return stale(behind, "it cannot be written");
  const second = await tried(steps, WAIT_MS);
  if (second.kind === "done") return second.refreshed;
  const still = await steps.staleness();
  return still === null ? UNCHANGED : stale(still, "another cra is writing it");
}

const UNCHANGED: Refreshed = { notices: [], inputsSkipped: null };

const stale = (behind: string, cause: string): Refreshed => ({
  notices: [{ code: "index-stale", why: `${behind} (${cause})` }],
  inputsSkipped: null,
});

type Tried =
  | { readonly kind: "done"; readonly refreshed: Refreshed }
  | { readonly kind: "not-written"; readonly failure: "locked" | "io" };

async function tried({ index }: RefreshSteps, lockWaitMs: number): Promise<Tried> {
  try {
    const { notices, problems } = await index(lockWaitMs);
    const own = notices.filter(({ code }) => code !== "history-missing");
    return { kind: "done", refreshed: { notices: own, inputsSkipped: problems.length } };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { code } = error.failure;
    if (code !== "locked" && code !== "io") throw error;
    return { kind: "not-written", failure: code };
  }
}
