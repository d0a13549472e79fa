/**
 * What recall asks of its sources. Results come best first; relevances are 0 to 1 and comparable between sources.
 *
 * A source that cannot answer rejects, and recall continues without it.
 */
import type { FoundDefinition } from "../../db/curated/knowledge-base.ts";
import type { ExperienceFilter } from "../../db/memory/store.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Domain, Strategy } from "../../memory/vocabulary.ts";

export type Found<T> = { readonly relevance: number; readonly found: T };

/** `kind`: function, class, method, … */
export type FoundCode = Omit<FoundDefinition, "id" | "isTest" | "rank">;

export type FoundCommit = {
  readonly sha: string;
  readonly author: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly message: string;
  readonly filesChanged: readonly string[];
  readonly insertions: number | null;
  readonly deletions: number | null;
};

/** Each method returns at most `limit` results and rejects with the reason when `signal` fires. */
export type Searcher = {
  memories(query: string, limit: number, signal: AbortSignal): Promise<readonly Found<Memory>[]>;
  code(query: string, limit: number, signal: AbortSignal): Promise<readonly Found<FoundCode>[]>;
  experiences(
    query: string,
    filter: ExperienceFilter,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Found<Experience>[]>;
  values(
    query: string,
    filter: { readonly domain?: Domain; readonly strategy?: Strategy },
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Found<Value>[]>;
  commits(query: string, limit: number, signal: AbortSignal): Promise<readonly Found<FoundCommit>[]>;
};
