/**
 * Recall and premortem for the app: the searcher is opened for each, asked, and closed whatever happens.
 *
 * What is found is shown without secrets, and counted so. Not here: opening the searcher (`open-searcher.ts`), what is asked
 * and how it reads (`recall/`).
 */

import type { IndexTexts } from "../db/curated/knowledge-base.ts";
import { Failed, sentence } from "../failure.ts";
import { assembleContext, type RecallDeps, type RecallRequest } from "../recall/context/assemble.ts";
import type { FormattedContext } from "../recall/context/context-json.ts";
import type { ContextType } from "../recall/context/context-types.ts";
import { type PremortemRequest, premortemContext } from "../recall/context/premortem.ts";
import type { Searcher } from "../recall/search/searcher.ts";
import { SAFETY_MARGIN_DEFAULT } from "../retrieval/model/budget.ts";
import type { LearnedJson } from "../retrieval/model/package-schema.ts";
import { LEARNED_SHARE } from "../retrieval/packing/memory-section.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { openTokenCounter } from "../text/tokens/tokens.ts";
import { type InIndexAsked, indexIn, type OpeningWorld, openSearcher, type SearchingWorld } from "./open-searcher.ts";

/** A source that takes longer is left out; all of them take well below a second, but a model may be asked. */
const SOURCE_MS_MAX = 10_000;

type ContextWorld = Omit<SearchingWorld, "keepsVectors">;
type Opening = Omit<OpeningWorld, "keepsVectors">;

/** A store that is damaged is done without, with a notice, where the index can answer; where it cannot, that is thrown. */
export async function recallContext(
  world: ContextWorld,
  request: RecallRequest,
  signal: AbortSignal,
): Promise<FormattedContext> {
  const stored = request.types.filter((type) => !INDEXED.has(type));
  const others = request.types.filter((type) => INDEXED.has(type));
  if (stored.length === 0) return await recalled({ ...world, path: null }, request, signal);
  try {
    return await recalled(world, request, signal);
  } catch (error) {
    const why = damageOf(world, error);
    if (why === null || others.length === 0 || indexIn(world.knowledge) === null) throw error;
    world.onNotice({ code: "sources-left-out", sources: stored, why });
    return await recalled({ ...world, path: null }, { ...request, types: others }, signal);
  }
}

function recalled(world: Opening, request: RecallRequest, signal: AbortSignal): Promise<FormattedContext> {
  const kinds = IN_INDEX.flatMap(([type, kind]) => (request.types.includes(type) ? [kind] : []));
  const use = (opened: RecallDeps) => assembleContext(opened, request, signal);
  return withRecall(world, signal, use, { query: request.query, kinds });
}

/** What is wrong with the store as a whole, and what to do; null for any other failure. */
const damageOf = ({ path }: ContextWorld, error: unknown): string | null =>
  error instanceof Failed &&
  (error.failure.code === "memory-damaged" || error.failure.code === "index-newer") &&
  error.failure.path === path
    ? sentence(error.failure)
    : null;

/** Which kinds of context are made of which texts of the index. */
const IN_INDEX: readonly (readonly [ContextType, IndexTexts])[] = [
  ["code", "definitions"],
  ["commits", "commits"],
];
const INDEXED: ReadonlySet<ContextType> = new Set(IN_INDEX.map(([type]) => type));

export const premortem = (
  world: ContextWorld,
  request: PremortemRequest,
  signal: AbortSignal,
): Promise<FormattedContext> => withRecall(world, signal, (opened) => premortemContext(opened, request, signal));

/** Of what was learned, for a package: code and history have their own place there. */
const LEARNED_TYPES = ["memories", "experiences", "values"] as const;
const LEARNED_MAX = 10;
/** A task is a long query: what shares a word or two with it says nothing about it. */
const LEARNED_RELEVANCE_MIN = 0.35;

/**
 * What was learned that fits a task, the most relevant first, for a package of so many tokens. A store that is damaged
 * gives none, with a notice.
 */
export async function learnedFor(
  world: ContextWorld,
  task: string,
  budget: number,
  signal: AbortSignal,
): Promise<LearnedJson[]> {
  const quiet: ContextWorld = {
    ...world,
    // A package never shows more than there is room for.
    onNotice: (notice) => (notice.code === "recall-over-limit" ? undefined : world.onNotice(notice)),
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
    const why = damageOf(world, error);
    if (why === null) throw error;
    world.onNotice({ code: "sources-left-out", sources: LEARNED_TYPES, why });
    return [];
  }
}

async function withRecall<T>(
  world: Opening,
  signal: AbortSignal,
  use: (opened: RecallDeps) => Promise<T>,
  inIndex: InIndexAsked | null = null,
): Promise<T> {
  const { settings, redactor, onNotice } = world;
  const { searcher, close } = await openSearcher({ ...world, keepsVectors: true }, signal, inIndex);
  try {
    const margin = settings.safety_margin ?? SAFETY_MARGIN_DEFAULT;
    return await use({
      searcher: withoutSecrets(searcher, redactor),
      counter: await openTokenCounter(settings.tokenizer, { margin }),
      deadline: () => AbortSignal.timeout(SOURCE_MS_MAX),
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
