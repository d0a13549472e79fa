/**
 * Gets an index to answer a request from: the stored one brought up to date, or one that is made for this answer if there is
 * none or it is far behind.
 */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { whyUnwritable } from "../../db/data-folder/unwritable.ts";
import { Failed } from "../../failure.ts";
import { isOfHistory } from "../../notice.ts";
import { stopIfAborted } from "../../retrieval/model/steps.ts";
import { rankAhead } from "../../retrieval/scope/rank-ahead.ts";
import type { WalkThread } from "../../source/walk/walk-thread.ts";
import { isStartFolder, type OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { LIGHT_RUN } from "./indexing-deps.ts";
import type { ProvisionalRequest } from "./provisional.ts";
import { DUE_MAX, NOT_REFRESHED, type Refreshed, refresh } from "./refresh-index.ts";
import { isWalkedAhead, walkAhead } from "./walk-ahead.ts";

/** How a request wants its index. */
export type IndexNeeds = {
  /** Updates an index that is older than the work tree first. */
  readonly refresh: boolean;
  /**
   * Answers at once from the words of the files where there is no index, or it is far behind; false by default. With "if-large" a
   * small repository without an index is indexed first, which takes a second or two, unless nothing may be written.
   */
  readonly quick?: boolean | "if-large";
  readonly onRefresh: OnProgress;
};

/** `repos` are the repositories that are asked instead of this one, relative to its root. `ranks`: files are ranked next. */
type ReadyNeeds = IndexNeeds & { readonly repos?: readonly string[]; readonly ranks?: boolean };

/** A request of words alone, without hints or filters. */
export const wordsAlone = (task: string): ProvisionalRequest => ({
  task,
  given: { paths: [], symbols: [], languages: [] },
  scope: { include: [], exclude: [] },
  weights: "default",
});

/** Afterwards the workspace's index answers. Throws what indexing throws. */
export async function readyIndex(
  workspace: Workspace,
  { refresh: isRefreshed, quick = false, onRefresh, repos = [], ranks = true }: ReadyNeeds,
  provisional: () => ProvisionalRequest,
  signal: AbortSignal,
): Promise<Refreshed> {
  const { index, root, environment } = workspace;
  // An index that was made for another answer may lack what this one needs.
  if (index.isProvisional()) index.close();
  if (repos.length > 0) {
    const { readySeveral } = await import("./several-indexes.ts");
    // Where an index would be made behind a first answer, these are made before it.
    const needs = { refresh: isRefreshed, quick: quick === true, ranks };
    const ready = (inside: Workspace, report: OnProgress) =>
      readyIndex(inside, { ...needs, onRefresh: report }, provisional, signal);
    return await readySeveral(workspace, repos, onRefresh, ready, signal);
  }
  if (!quick) return isRefreshed ? await refresh(workspace, onRefresh, signal) : NOT_REFRESHED;
  if (isRefreshed && !index.exists()) (await import("./seed-index.ts")).seedIndexIfFree(workspace);
  const refreshed = index.exists()
    ? isRefreshed
      ? await refreshAhead(workspace, ranks ? provisional : null, onRefresh, signal)
      : NOT_REFRESHED
    : quick === "if-large" && whyUnwritable(workspace.paths) === null
      ? await makeUnlessLarge(workspace, onRefresh, signal)
      : null;
  if (refreshed !== null) return refreshed;
  if (quick === true && !index.exists() && isStartFolder(root, environment.variables))
    throw new Failed({ code: "not-indexed", repo: root });
  const { openProvisional } = await import("./provisional.ts");
  index.answerFrom(await openProvisional(workspace, provisional(), onRefresh, signal));
  return NOT_REFRESHED;
}

/** Null if more is due than an answer should wait for. While a thread walks a large work tree, this one looks up the words of the task, if any. */
async function refreshAhead(
  workspace: Workspace,
  request: (() => ProvisionalRequest) | null,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Refreshed | null> {
  if (!isWalkedAhead(workspace)) return refreshUnlessFar(workspace, null, onProgress, signal);
  const walking = walkAhead(workspace);
  try {
    if (request !== null) await answerAhead(workspace.index.open(), request(), signal);
    return await refreshUnlessFar(workspace, walking, onProgress, signal);
  } finally {
    walking.close();
  }
}

/** Ranks for the request while the tree is walked. The run uses the result unless the index changes, or it asks for something else. */
async function answerAhead(
  kb: KnowledgeBase,
  { task, given, scope, weights }: ProvisionalRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (task.trim() !== "") await rankAhead(kb, { task, given, scope, weights }, () => stopIfAborted(signal));
  } catch (error) {
    // The index run or the retrieval will report the same damage.
    if (!(error instanceof Failed) || signal.aborted) throw error;
  }
}

async function refreshUnlessFar(
  workspace: Workspace,
  walking: WalkThread | null,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Refreshed | null> {
  try {
    const refreshed = await refresh(workspace, onProgress, signal, DUE_MAX, walking);
    if (refreshed.isLocked !== true) return refreshed;
    const { isDueBeyond } = await import("./index-repository.ts");
    return (await isDueBeyond(workspace, DUE_MAX, onProgress, signal)) ? null : refreshed;
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "index-behind") return null;
    throw error;
  }
}

/** Makes the first index of a small repository, or waits for another cra that does; null for a large one. */
async function makeUnlessLarge(
  workspace: Workspace,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Refreshed | null> {
  const { isDueBeyond, updateIndex } = await import("./index-repository.ts");
  if (await isDueBeyond(workspace, DUE_MAX, onProgress, signal)) return null;
  const options = { ...LIGHT_RUN, lockWaitMs: Number.POSITIVE_INFINITY };
  const { notices, problems } = await updateIndex(workspace, options, onProgress, signal);
  return { notices: notices.filter((notice) => !isOfHistory(notice)), inputsSkipped: problems.length };
}
