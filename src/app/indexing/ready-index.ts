/**
 * Gets an index to answer a request from: the stored one brought up to date, or one that is made for this answer if there is
 * none or it is far behind.
 */
import { Failed } from "../../failure.ts";
import { isStartFolder, type OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ProvisionalRequest } from "./provisional.ts";
import { DUE_MAX, type Refreshed, refresh } from "./refresh-index.ts";

/** How a request wants its index. */
export type IndexNeeds = {
  /** Updates an index that is older than the work tree first. */
  readonly refresh: boolean;
  /** Answers at once from the words of the files where there is no index, or it is far behind; false by default. */
  readonly quick?: boolean;
  readonly onRefresh: OnProgress;
};

export const NOT_REFRESHED: Refreshed = { notices: [], inputsSkipped: null };

/** Afterwards the workspace's index answers. Throws what indexing throws. */
export async function readyIndex(
  workspace: Workspace,
  { refresh: isRefreshed, quick = false, onRefresh }: IndexNeeds,
  provisional: () => ProvisionalRequest,
  signal: AbortSignal,
): Promise<Refreshed> {
  const { index, root, environment } = workspace;
  // One that was made for another answer is of no use.
  if (index.isProvisional()) index.close();
  if (!quick) return isRefreshed ? await refresh(workspace, onRefresh, signal) : NOT_REFRESHED;
  if (index.exists()) {
    if (!isRefreshed) return NOT_REFRESHED;
    try {
      return await refresh(workspace, onRefresh, signal, DUE_MAX);
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.code !== "index-behind") throw error;
    }
  }
  if (isStartFolder(root, environment.variables)) throw new Failed({ code: "not-indexed", repo: root });
  const { openProvisional } = await import("./provisional.ts");
  index.answerFrom(await openProvisional(workspace, provisional(), onRefresh, signal));
  return NOT_REFRESHED;
}
