/**
 * Answers recall from the store of what is remembered and from the index.
 *
 * Everything is found by words and, where there is a model for it, by meaning. A query with a filter finds what fits the
 * filter even where no word does, as what was asked for is the filter. Invariant: nothing is written. Not here: how
 * relevant a find is (`relevance.ts`), making one list of both (`hybrid-rank.ts`, `find-in-index.ts`), opening what is handed in.
 */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { MemoryStore } from "../../db/memory/store.ts";
import type { Experience, Value } from "../../memory/experience.ts";
import { axisText } from "../../memory/experience-text.ts";
import { foundCode, foundCommits } from "./find-in-index.ts";
import { fuse } from "./hybrid-rank.ts";
import type { IndexMeaning } from "./index-vector-search.ts";
import { queryWordsOf } from "./query-words.ts";
import type { ExperienceFilter, Searcher } from "./searcher.ts";
import type { Semantic } from "./vector-search.ts";

export type SearcherEdges = {
  readonly store: MemoryStore;
  /** The index. Throws `not-indexed` where there is none. */
  readonly knowledge: () => Pick<KnowledgeBase, "findDefinitions" | "findCommits" | "definitionsById" | "commitsById">;
  /** Null: by words alone. */
  readonly semantic: Semantic | null;
  /** The same of the index. */
  readonly indexMeaning: IndexMeaning | null;
};

/** More are looked at than are wanted, as the order by relevance is another than that by rank. */
const poolOf = (limit: number): number => Math.max(50, limit * 3);

/** Nothing is asked until a method is called. */
export function storeSearcher({ store, knowledge, semantic, indexMeaning }: SearcherEdges): Searcher {
  return {
    async memories(query, limit, signal) {
      const nearness = await nearnessOf(semantic, query, { type: "memory", axis: null }, signal);
      const words = queryWordsOf(query);
      return fuse({
        words,
        hits: words.text === "" ? [] : store.searchMemories([words.text], poolOf(limit)),
        fitting: [],
        nearness,
        textOf: ({ content }) => content,
        byId: (ids) => store.memoriesById(ids),
        fits: () => true,
        limit,
      });
    },
    async experiences(query, filter, limit, signal) {
      const nearness = await nearnessOf(semantic, query, { type: "experience", ...filter }, signal);
      const words = queryWordsOf(query);
      return fuse({
        words,
        hits: words.text === "" ? [] : store.searchExperiences([words.text], filter, poolOf(limit)),
        fitting: isFilter(filter) ? store.searchExperiences([], filter, poolOf(limit)) : [],
        nearness,
        textOf: (experience) => axisText(experience, filter.axis) ?? "",
        byId: (ids) => store.experiencesById(ids),
        fits: fitsExperience(filter),
        limit,
      });
    },
    async values(query, filter, limit, signal) {
      const nearness = await nearnessOf(semantic, query, { type: "value", axis: null }, signal);
      const words = queryWordsOf(query);
      return fuse({
        words,
        hits: words.text === "" ? [] : store.searchValues([words.text], filter, poolOf(limit)),
        fitting: isFilter(filter) ? store.searchValues([], filter, poolOf(limit)) : [],
        nearness,
        textOf: ({ text }) => text,
        byId: (ids) => store.valuesById(ids),
        fits: ({ domains, strategies }: Value) =>
          (filter.domain === undefined || domains.includes(filter.domain)) &&
          (filter.strategy === undefined || strategies.includes(filter.strategy)),
        limit,
      });
    },
    async code(query, limit, signal) {
      signal.throwIfAborted();
      const index = knowledge();
      const nearness = (await indexMeaning?.nearness(query, "definitions", signal)) ?? null;
      signal.throwIfAborted();
      const words = queryWordsOf(query);
      return foundCode({
        words,
        hits: index.findDefinitions(words.text, poolOf(limit)),
        nearness,
        byId: (ids) => index.definitionsById(ids),
        limit,
      });
    },
    async commits(query, limit, signal) {
      signal.throwIfAborted();
      const index = knowledge();
      const nearness = (await indexMeaning?.nearness(query, "commits", signal)) ?? null;
      signal.throwIfAborted();
      const words = queryWordsOf(query);
      return foundCommits({
        words,
        hits: index.findCommits(words.text, poolOf(limit)),
        nearness,
        byId: (ids) => index.commitsById(ids),
        limit,
      });
    },
  };
}

async function nearnessOf(semantic: Semantic | null, ...asked: Parameters<Semantic["nearness"]>) {
  const [, , signal] = asked;
  signal.throwIfAborted();
  const nearness = semantic === null ? null : await semantic.nearness(...asked);
  signal.throwIfAborted();
  return nearness;
}

const isFilter = ({ domain, strategy, outcome }: Partial<ExperienceFilter>): boolean =>
  domain !== undefined || strategy !== undefined || outcome !== undefined;

const fitsExperience =
  ({ axis, domain, strategy, outcome }: ExperienceFilter) =>
  (experience: Experience): boolean =>
    (domain === undefined || experience.domain === domain) &&
    (strategy === undefined || experience.strategy === strategy) &&
    (outcome === undefined || experience.outcome?.status === outcome) &&
    axisText(experience, axis) !== null;
