/**
 * What happens during a run, as it happens.
 *
 * Events are the only thing the pipeline says: the terminal, `--events jsonl`, progress and the logs
 * are all fed from them. Field names are those of the JSON lines.
 */
import { z } from "zod";
import { ContextPackage } from "./package-schema.ts";

const count = z.int().nonnegative();

const RunStarted = z.strictObject({
  event: z.literal("run_started"),
  schema_version: z.literal(1),
  task_id: z.string(),
  round: z.int().positive(),
  task_type: z.string(),
  keywords: z.array(z.string()),
  stages: z.array(z.string()),
  budget: count,
});
const StageStarted = z.strictObject({ event: z.literal("stage_started"), stage: z.string() });
const FileConsidered = z.strictObject({
  event: z.literal("file_considered"),
  stage: z.string(),
  path: z.string(),
  tier: z.string(),
  score: z.number(),
  tokens: count,
  reason: z.string(),
});
const SymbolPlaced = z.strictObject({
  event: z.literal("symbol_placed"),
  stage: z.string(),
  path: z.string(),
  name: z.string(),
  kind: z.string(),
  line: z.int().positive(),
  tier: z.string(),
  score: z.number(),
  reason: z.string(),
});
const StageFinished = z.strictObject({
  event: z.literal("stage_finished"),
  stage: z.string(),
  counts: z.record(z.string(), count),
});
const Noticed = z.strictObject({ event: z.literal("notice"), code: z.string(), message: z.string() });
const Packaged = z.strictObject({ event: z.literal("package"), package: ContextPackage });

/** One line of `--events jsonl`. */
export const PipelineEvent = z.discriminatedUnion("event", [
  RunStarted,
  StageStarted,
  FileConsidered,
  SymbolPlaced,
  StageFinished,
  Noticed,
  Packaged,
]);
export type PipelineEvent = z.infer<typeof PipelineEvent>;
