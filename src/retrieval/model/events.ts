/**
 * The events of a run. The terminal, `--events jsonl`, progress and the logs are all fed from them.
 *
 * Field names are those of the JSON lines. A run that fails throws; whoever prints the lines adds the last one, `error`.
 */
import { z } from "zod";
import { FAILURE_FIELDS } from "../../failure-json.ts";
import { JUDGEMENT_EVENTS } from "../../judgement/judge.ts";
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

const EVENTS = [
  RunStarted,
  StageStarted,
  FileConsidered,
  SymbolPlaced,
  ...JUDGEMENT_EVENTS,
  StageFinished,
  Noticed,
  Packaged,
] as const;

const PipelineEvent = z.discriminatedUnion("event", EVENTS);
export type PipelineEvent = z.infer<typeof PipelineEvent>;

/** Why a run stopped: the last line, instead of the package or after it. */
const RunFailed = z.strictObject({ event: z.literal("error"), ...FAILURE_FIELDS });

/** One line of `--events jsonl`. */
export const EventLine = z.discriminatedUnion("event", [...EVENTS, RunFailed]);
export type EventLine = z.infer<typeof EventLine>;
