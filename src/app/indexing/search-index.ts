/** Searches the index, or one that is made for the query where there is none. */
import type { SearchHit } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import { leftOutNotices } from "../../retrieval/index-notices.ts";
import { provisionalNotice } from "../../retrieval/model/provisional.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type IndexNeeds, readyIndex, wordsAlone } from "./ready-index.ts";
import { searchHits } from "./search-hits.ts";

/** `refresh`: bring an index up to date first. `quick`: search what can be read at once where there is none, or it is far behind. */
export type SearchRequest = {
  readonly query: string;
  readonly limit: number;
  readonly refresh: boolean;
  readonly quick: NonNullable<IndexNeeds["quick"]>;
  readonly onProgress: OnProgress;
};

export type SearchResult = { readonly hits: readonly SearchHit[]; readonly notices: readonly Notice[] };

/** Runs `cra search`. Throws `not-indexed` unless `quick`. */
export async function searchIndex(
  workspace: Workspace,
  { query, limit, refresh, quick, onProgress }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { index, config } = workspace;
  const repos = config.settings["workspace.repos"];
  // Without a first answer, no index is made that was not there.
  const isRefreshed = refresh && (quick !== false || index.exists());
  const needs = { quick, refresh: isRefreshed, onRefresh: onProgress, repos, ranks: false };
  const { notices } = await readyIndex(workspace, needs, () => wordsAlone(query), signal);
  const kb = index.open();
  const meta = kb.meta();
  const provisional = provisionalNotice(meta);
  const ofIndex = [...leftOutNotices(meta), ...(provisional === null ? [] : [provisional])];
  const ofQuery: readonly Notice[] = REGULAR_EXPRESSION.test(query) ? [{ code: "words-searched" }] : [];
  return { hits: searchHits(kb, query, limit), notices: [...ofQuery, ...ofIndex, ...notices] };
}

/** What hardly any text has but a regular expression: `.*`, `.+`, and `\w` before anything but the rest of a file's name. */
const REGULAR_EXPRESSION = /\.[*+]|\\[bdsw](?![\p{L}\p{N}_])/iu;
