/** Searches the index, or one that is made for the query where there is none. */
import type { SearchHit } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import { provisionalNotice } from "../../retrieval/model/provisional.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type IndexNeeds, readyIndex } from "./ready-index.ts";

/** `quick`: search what can be read at once where there is no index. */
export type SearchRequest = {
  readonly query: string;
  readonly limit: number;
  readonly quick: NonNullable<IndexNeeds["quick"]>;
  readonly onProgress: OnProgress;
};

export type SearchResult = { readonly hits: readonly SearchHit[]; readonly notices: readonly Notice[] };

/** Runs `cra search`. Throws `not-indexed` unless `quick`. */
export async function searchIndex(
  workspace: Workspace,
  { query, limit, quick, onProgress }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResult> {
  const first = () => ({
    task: query,
    given: { paths: [], symbols: [], languages: [] },
    scope: { include: [], exclude: [] },
    weights: "default" as const,
  });
  const repos = workspace.config.settings["workspace.repos"];
  await readyIndex(workspace, { quick, refresh: false, onRefresh: onProgress, repos }, first, signal);
  const kb = workspace.index.open();
  const notice = provisionalNotice(kb.meta());
  return { hits: kb.search(query, limit), notices: notice === null ? [] : [notice] };
}
