/**
 * The output of `cra escalate`: the retrieval bundle, or the decision alone, with fields in the order printed.
 *
 * Sizes are bytes of UTF-8, times ISO 8601 in UTC. The fields about the decision come after those that existing readers of
 * bundles expect.
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

const SourceOfTruthFile = z.strictObject({
  path: z.string().describe("relative to the repository's root"),
  content: z.string(),
  size: count,
  relevance_score: count.describe("how often the keywords occur in all of the file"),
});
export type SourceOfTruthFile = z.infer<typeof SourceOfTruthFile>;

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
  sot_files: z.array(SourceOfTruthFile).readonly(),
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

/** The largest time that `Date` supports; the times of files can be anything. */
const MS_MAX = 8.64e15;

/** Milliseconds since 1970 as ISO 8601 in UTC, to the second. */
export function isoTime(ms: number): string {
  const inRange = Math.max(-MS_MAX, Math.min(MS_MAX, Math.floor(ms / 1000) * 1000));
  return new Date(inRange).toISOString().replace(".000Z", "Z");
}
