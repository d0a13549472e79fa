/**
 * What recall finds and gives: items of five sources, and the context made of them.
 *
 * Not here: finding (`searcher.ts` says what is asked, `open-searcher.ts` who answers), wording (`formats.ts`).
 */
import type { Axis, Confidence, Domain, Outcome, Strategy } from "../../memory/vocabulary.ts";

/** The kinds of context that can be asked for, in the order of their sections. */
export const CONTEXT_TYPES = ["memories", "code", "experiences", "values", "commits"] as const;
export type ContextType = (typeof CONTEXT_TYPES)[number];

/** What one item is called, as `source` of the result. */
export type SourceName = "memory" | "code" | "experience" | "value" | "commit";

/** What is said of an item for a reader that is a program, one shape a source. */
export type ItemMetadata = {
  readonly memory: {
    readonly id: string;
    readonly category: string;
    readonly importance: number;
    readonly created_at: string;
  };
  readonly code: {
    readonly file_path: string;
    readonly start_line: number;
    readonly end_line: number;
    readonly language: string;
    readonly qualified_name: string;
  };
  readonly experience: {
    readonly id: string;
    readonly domain: Domain;
    readonly strategy: Strategy;
    readonly outcome_status: Outcome | "open";
    readonly confidence_tier: Confidence;
    readonly iteration_count: number;
    readonly axis: Axis;
    readonly created_at: string;
  };
  readonly value: {
    readonly id: string;
    readonly axis: Axis;
    readonly cluster_id: string;
    readonly cluster_size: number;
    readonly similarity_to_centroid: number;
    /** The experiences it was made of. */
    readonly experience_ids: readonly string[];
  };
  readonly commit: {
    readonly sha: string;
    readonly author: string;
    readonly timestamp: string;
    readonly files_changed: readonly string[];
    /** Null where the index does not know. */
    readonly insertions: number | null;
    readonly deletions: number | null;
  };
};

/** One piece of context. `relevance` is from 0 to 1. */
export type ContextItem = {
  readonly [Source in SourceName]: {
    readonly source: Source;
    readonly content: string;
    readonly relevance: number;
    readonly metadata: ItemMetadata[Source];
  };
}[SourceName];

/** What recall and premortem give. */
export type FormattedContext = {
  readonly markdown: string;
  readonly items: readonly ContextItem[];
  /** Of `markdown`, counted exactly. */
  readonly token_count: number;
  /** How many items each source gave; sources that gave none are left out. */
  readonly sources_used: Readonly<Partial<Record<ContextType, number>>>;
  readonly budget_exceeded: boolean;
};
