/**
 * The items that recall and premortem return, one shape per source, and the context assembled from them.
 */
import { Failed } from "../../failure.ts";
import type { Axis, Confidence, Domain, Outcome, Strategy } from "../../memory/vocabulary.ts";

/** The kinds of context, in the order of their sections. */
export const CONTEXT_TYPES = ["memories", "code", "experiences", "values", "commits"] as const;
export type ContextType = (typeof CONTEXT_TYPES)[number];

/** The `source` of one item. */
export type SourceName = "memory" | "code" | "experience" | "value" | "commit";

/** The metadata of an item, by source. */
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
    readonly experience_ids: readonly string[];
  };
  readonly commit: {
    readonly sha: string;
    readonly author: string;
    readonly timestamp: string;
    readonly files_changed: readonly string[];
    /** Null when the index does not know. */
    readonly insertions: number | null;
    readonly deletions: number | null;
  };
};

/** One piece of context. `relevance` is 0 to 1. */
export type ContextItem = {
  readonly [Source in SourceName]: {
    readonly source: Source;
    readonly content: string;
    readonly relevance: number;
    readonly metadata: ItemMetadata[Source];
  };
}[SourceName];

/** The result of recall and premortem. */
export type FormattedContext = {
  readonly markdown: string;
  readonly items: readonly ContextItem[];
  /** The exact count of `markdown`. */
  readonly token_count: number;
  /** Items by source; sources without items are missing. */
  readonly sources_used: Readonly<Partial<Record<ContextType, number>>>;
  readonly budget_exceeded: boolean;
};

/** The types that were typed, in section order and without repetitions. Throws a usage failure that lists the valid types. */
export function contextTypes(typed: readonly string[]): readonly ContextType[] {
  const unknown = typed.find((name) => !CONTEXT_TYPES.some((type) => type === name));
  if (unknown === undefined && typed.length > 0) return CONTEXT_TYPES.filter((type) => typed.includes(type));
  throw new Failed({
    code: "usage",
    message: unknown === undefined ? "no types given" : `unknown type ${JSON.stringify(unknown.slice(0, 40))}`,
    next: `valid types: ${CONTEXT_TYPES.join(", ")}`,
  });
}
