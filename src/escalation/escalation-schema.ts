/**
 * What `cra escalate` gives: the retrieval bundle, or the decision alone, in the order in which it is printed.
 *
 * Sizes are bytes of UTF-8, times are ISO 8601 in UTC. What a bundle says of the decision follows the fields that every
 * reader of bundles knows.
 */
import { z } from "zod";
import { PRIORITIES } from "./triggers.ts";

const count = z.int().nonnegative();
const phase_id = z.string();
const attempt = z.int().positive();
const priority = z.enum(PRIORITIES);
const triggers = z.array(z.strictObject({ name: z.string(), fired: z.boolean(), reason: z.string() })).readonly();
const schema_version = z.literal(1);

const RunArtifact = z.strictObject({
  path: z.string().describe("relative to the run's folder"),
  content: z.string(),
  size: count,
  modified: z.string(),
  within_24h: z.boolean(),
});
export type RunArtifact = z.infer<typeof RunArtifact>;

const SotFile = z.strictObject({
  path: z.string().describe("relative to the repository's root"),
  content: z.string(),
  size: count,
  relevance_score: count.describe("how often the keywords occur in all of the file"),
});
export type SotFile = z.infer<typeof SotFile>;

const MemoryEntry = z.strictObject({
  phase_id: z.string(),
  error_pattern: z.string(),
  resolution: z.string(),
  similarity_score: z.number(),
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const RetrievalBundle = z.strictObject({
  phase_id,
  timestamp: z.string(),
  priority,
  run_artifacts: z.array(RunArtifact).readonly(),
  sot_files: z.array(SotFile).readonly(),
  memory_entries: z.array(MemoryEntry).readonly(),
  stats: z.strictObject({
    run_artifacts_count: count,
    run_artifacts_size: count,
    sot_files_count: count,
    sot_files_size: count,
    memory_entries_count: count,
    memory_entries_size: count,
  }),
  escalate: z.literal(true),
  forced: z.boolean().describe("whether it was retrieved although no trigger fired"),
  attempt,
  triggers,
  warnings: z.array(z.string()).readonly(),
  schema_version,
});
export type RetrievalBundle = z.infer<typeof RetrievalBundle>;

export const EscalationDecision = z.strictObject({
  escalate: z.boolean(),
  phase_id,
  attempt,
  priority,
  triggers,
  warnings: z.array(z.string()).readonly(),
  schema_version,
});
export type EscalationDecision = z.infer<typeof EscalationDecision>;
