/**
 * Recall and premortem: opens a searcher for each question and always closes it.
 *
 * Secrets are removed from the results before their tokens are counted.
 */
import type { IndexTexts } from "../../db/curated/knowledge-base.ts";
import { Failed, sentence } from "../../failure.ts";
import { assembleContext, type RecallDeps, type RecallRequest } from "../../recall/context/assemble.ts";
import type { FormattedContext } from "../../recall/context/context-json.ts";
import type { ContextType } from "../../recall/context/context-types.ts";
import { type PremortemRequest, premortemContext } from "../../recall/context/premortem.ts";
import type { Searcher } from "../../recall/search/searcher.ts";
import { SAFETY_MARGIN_DEFAULT } from "../../retrieval/model/budget.ts";
import type { LearnedJson } from "../../retrieval/model/package-schema.ts";
import { LEARNED_SHARE } from "../../retrieval/packing/memory-section.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import { refreshIfNear } from "../indexing/refresh-index.ts";
import { withAskedIndex } from "../indexing/several-indexes.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openSearcher, readableIndex, type SearchRequest } from "./open-searcher.ts";

/** With `onRefresh`, an index that is asked is first brought up to date, unless it is far behind. */
export type RecallQuestion = RecallRequest & { readonly onRefresh?: OnProgress };

/** A damaged store is left out with a notice where the index can answer; elsewhere its failure is thrown. */
export async function recallContext(
  opened: Workspace,
  { onRefresh, ...request }: RecallQuestion,
  signal: AbortSignal,
): Promise<FormattedContext> {
  const workspace = request.types.some((type) => INDEXED.has(type))
    ? await withIndexes(opened, onRefresh, signal)
    : opened;
  const { memory } = workspace.paths;
  const stored = request.types.filter((type) => !INDEXED.has(type));
  const others = request.types.filter((type) => INDEXED.has(type));
  if (stored.length === 0) return await recallFrom(workspace, null, request, signal);
  try {
    return await recallFrom(workspace, memory, request, signal);
  } catch (error) {
    const why = storeDamage(workspace, error);
    if (why === null || others.length === 0 || readableIndex(workspace) === null) throw error;
    workspace.onNotice({ code: "sources-left-out", sources: stored, why });
    return await recallFrom(workspace, null, { ...request, types: others }, signal);
  }
}

async function withIndexes(
  workspace: Workspace,
  onRefresh: OnProgress | undefined,
  signal: AbortSignal,
): Promise<Workspace> {
  const repos = workspace.config.settings["workspace.repos"];
  if (repos.length > 0) return await withAskedIndex(workspace, repos, signal, onRefresh);
  if (onRefresh !== undefined) (await refreshIfNear(workspace, onRefresh, signal)).forEach(workspace.onNotice);
  return workspace;
}

function recallFrom(
  workspace: Workspace,
  path: string | null,
  request: RecallRequest,
  signal: AbortSignal,
): Promise<FormattedContext> {
  const kinds = IN_INDEX.flatMap(([type, kind]) => (request.types.includes(type) ? [kind] : []));
  const search = { path, storesVectors: true, inIndex: { query: request.query, kinds } };
  return withRecall(workspace, search, (deps) => assembleContext(deps, request, signal), signal);
}

/** What is wrong with the store as a whole, and what to do; null for any other failure. */
const storeDamage = ({ paths }: Workspace, error: unknown): string | null =>
  error instanceof Failed &&
  (error.failure.code === "memory-damaged" || error.failure.code === "index-newer") &&
  error.failure.path === paths.memory
    ? sentence(error.failure)
    : null;

/** Which kinds of context are made of which texts of the index. */
const IN_INDEX: readonly (readonly [ContextType, IndexTexts])[] = [
  ["code", "definitions"],
  ["commits", "commits"],
];
const INDEXED: ReadonlySet<ContextType> = new Set(IN_INDEX.map(([type]) => type));

export const premortem = (
  workspace: Workspace,
  request: PremortemRequest,
  signal: AbortSignal,
): Promise<FormattedContext> => {
  const search = { path: workspace.paths.memory, storesVectors: true };
  return withRecall(workspace, search, (deps) => premortemContext(deps, request, signal), signal);
};

/** What a package shows of memory; it has code and history already. */
const LEARNED_TYPES = ["memories", "experiences", "values"] as const;
const LEARNED_MAX = 10;
/** A task is a long query: sharing a word or two with it means little. */
const LEARNED_RELEVANCE_MIN = 0.35;

/**
 * What was learned that fits a task, most relevant first, for a package with this token budget. A damaged store gives
 * nothing, with a notice.
 */
export async function learnedFor(
  workspace: Workspace,
  task: string,
  budget: number,
  signal: AbortSignal,
): Promise<LearnedJson[]> {
  const quiet: Workspace = {
    ...workspace,
    // A package never shows more than it has room for.
    onNotice: (notice) => (notice.code === "recall-over-limit" ? undefined : workspace.onNotice(notice)),
  };
  const request: RecallRequest = {
    query: task,
    types: LEARNED_TYPES,
    limit: LEARNED_MAX,
    maxTokens: Math.floor(budget * LEARNED_SHARE),
    relevanceMin: LEARNED_RELEVANCE_MIN,
  };
  try {
    const { items } = await recallContext(quiet, request, signal);
    return items.flatMap(({ source, content, relevance, metadata }) =>
      source === "memory" || source === "experience" || source === "value"
        ? [{ source, content, relevance, metadata: { ...metadata } }]
        : [],
    );
  } catch (error) {
    const why = storeDamage(workspace, error);
    if (why === null) throw error;
    workspace.onNotice({ code: "sources-left-out", sources: LEARNED_TYPES, why });
    return [];
  }
}

async function withRecall<T>(
  workspace: Workspace,
  search: SearchRequest,
  use: (deps: RecallDeps) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { config, redactor, onNotice } = workspace;
  const { searcher, close } = await openSearcher(workspace, search, signal);
  try {
    const { settings } = config;
    const margin = settings.safety_margin ?? SAFETY_MARGIN_DEFAULT;
    return await use({
      searcher: withoutSecrets(searcher, redactor),
      counter: await openTokenCounter(settings.tokenizer, { margin }),
      onNotice,
    });
  } finally {
    close();
  }
}

const withoutSecrets = (searcher: Searcher, { value }: Redactor): Searcher => ({
  memories: async (...asked) => value(await searcher.memories(...asked)),
  code: async (...asked) => value(await searcher.code(...asked)),
  experiences: async (...asked) => value(await searcher.experiences(...asked)),
  values: async (...asked) => value(await searcher.values(...asked)),
  commits: async (...asked) => value(await searcher.commits(...asked)),
});
