/** The JSON of recall and premortem; `cra schema recall` is generated from these types. */
import { z } from "zod";
import { AXES, CONFIDENCES, DOMAINS, OUTCOMES, STRATEGIES } from "../../memory/vocabulary.ts";
import { CONTEXT_TYPES } from "./context-types.ts";

const count = z.int().nonnegative();
const line = z.int().positive();
const share = z.number().min(0).max(1);

const METADATA = {
  memory: z.strictObject({ id: z.string(), category: z.string(), importance: share, created_at: z.string() }),
  code: z.strictObject({
    file_path: z.string(),
    start_line: line,
    end_line: line,
    language: z.string(),
    qualified_name: z.string(),
  }),
  experience: z.strictObject({
    id: z.string(),
    domain: z.enum(DOMAINS),
    strategy: z.enum(STRATEGIES),
    outcome_status: z.enum([...OUTCOMES, "open"]),
    confidence_tier: z.enum(CONFIDENCES),
    iteration_count: count,
    axis: z.enum(AXES),
    created_at: z.string(),
  }),
  value: z.strictObject({
    id: z.string(),
    axis: z.enum(AXES),
    cluster_id: z.string(),
    cluster_size: count,
    similarity_to_centroid: share,
    experience_ids: z.array(z.string()).readonly().describe("the experiences it was made of"),
  }),
  commit: z.strictObject({
    sha: z.string(),
    author: z.string(),
    timestamp: z.string(),
    files_changed: z.array(z.string()).readonly().describe("the first 100 paths, also of files that are gone"),
    insertions: count.nullable().describe("lines; null without a git executable, and for merges"),
    deletions: count.nullable().describe("as insertions"),
  }),
};

const item = <Source extends keyof typeof METADATA>(source: Source) =>
  z.strictObject({
    source: z.literal(source),
    content: z.string().describe("Markdown"),
    relevance: share,
    metadata: METADATA[source],
  });

const ItemJson = z.discriminatedUnion("source", [
  item("memory"),
  item("code"),
  item("experience"),
  item("value"),
  item("commit"),
]);

export const ContextJson = z.strictObject({
  schema_version: z.literal(1),
  markdown: z.string().describe("all items, in sections; empty when nothing was found"),
  items: z.array(ItemJson).readonly().describe("the most relevant first"),
  token_count: count.describe("of the Markdown"),
  sources_used: z.partialRecord(z.enum(CONTEXT_TYPES), count).describe("how many items each source gave"),
  budget_exceeded: z.boolean(),
  note: z.string().optional().describe("of a tool's answer: what was left out or is out of date, and what to do"),
});
export type ContextJson = z.infer<typeof ContextJson>;

/** One piece of context; its relevance is 0 to 1. */
export type ContextItem = z.infer<typeof ItemJson>;

/** The result of recall and premortem. `sources_used` leaves out sources without items; `token_count` is that of `markdown`. */
export type FormattedContext = Omit<ContextJson, "schema_version" | "note">;
