/**
 * The identity of a task: a short hash of the index, the task's text and the options that determine the selection.
 *
 * The same run has the same id on every machine, regardless of the order of its options. Format, output, verbosity and
 * events do not change it.
 */

import { createHash } from "node:crypto";
import type { FileQueries } from "../../db/curated/knowledge-base.ts";
import type { Json } from "../../db/raw-log/raw-log.ts";
import type { TaskQuery } from "../../task/query.ts";
import { patchText } from "../../text/diff/file-patch.ts";
import { inOrder } from "../../text/order.ts";
import type { Budget } from "../model/budget.ts";
import type { Judging } from "../model/judging.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import type { Review } from "../model/review.ts";
import type { SignalWeights } from "../model/scores.ts";
import type { ScopeOptions, Stage } from "../model/stage.ts";
import type { PackDeps } from "../packing/pack-selection.ts";
import type { WeightProfile } from "../ranking/signals/table.ts";
import type { Template } from "../render/prompt.ts";
import { type Constraints, isConstrained, storedConstraints } from "../requests/refinement.ts";

/** Hexadecimal characters of a task id, and of the keys that are part of it. */
const ID_CHARS = 12;

const shortHash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, ID_CHARS);

/** `options` must contain plain values only. The order of keys does not matter at any depth; the order of lists does. */
export function taskId(contentHash: string, task: string, options: Readonly<Record<string, unknown>>): string {
  return shortHash([contentHash, task.toWellFormed(), sorted(options)]);
}

/** The value with the keys of every object sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => inOrder(a, b))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

export type SelectingOptions = {
  readonly given: TaskQuery["given"];
  readonly budget: Budget;
  readonly stages: readonly Stage[];
  readonly scope: Omit<ScopeOptions, "weights">;
  /** A profile, or weights on top of the default one. */
  readonly weights: WeightProfile | SignalWeights;
  /** The margin of estimated counts, 0 to 0.5; null when counts are exact. */
  readonly safetyMargin: number | null;
  readonly template: Template;
  /** The repositories that are asked instead of one, relative to its root. */
  readonly repos?: readonly string[];
  /** Whether the package says why each file is in it; true when left out. */
  readonly reasons?: boolean;
  readonly learned?: ContextPackage["learned"];
  readonly review?: Review;
  /** The constraints of the run; in a further round whose session is lost, those in the log. */
  readonly constraints: Constraints;
  /** What the run is to keep, where the options name it. */
  readonly keeps?: { readonly from?: string } | null;
  /** Null without a model. */
  readonly judging: Judging | null;
};

/** Every option that changes the selection, as stored: not format, output and verbosity. */
export function storedSelectingOptions(
  { kb, counter, craVersion }: PackDeps,
  request: SelectingOptions,
): Record<string, Json> {
  const metadata = metadataKey(kb);
  return {
    version: craVersion,
    stages: request.stages.map((stage) => stage.name),
    budget: request.budget.tokens,
    max_lines: request.budget.maxLines,
    coverage: request.budget.coverage,
    tokenizer: counter.name,
    safety_margin: request.safetyMargin,
    scope_size: request.scope.scopeSize,
    depth: request.scope.depth,
    weights: typeof request.weights === "string" ? request.weights : { ...request.weights },
    include: [...request.scope.include],
    exclude: [...request.scope.exclude],
    hint_paths: [...request.given.paths],
    hint_symbols: [...request.given.symbols],
    hint_languages: [...request.given.languages],
    template: request.template.map((part) => ("text" in part ? part.text : { place: part.place })),
    // Unused options are omitted, so that they change no id.
    ...(request.given.purpose ? { for: request.given.purpose } : {}),
    ...(request.scope.only === undefined || request.scope.only.length === 0 ? {} : { only: [...request.scope.only] }),
    ...(request.repos === undefined || request.repos.length === 0 ? {} : { repos: [...request.repos] }),
    ...(request.given.former === undefined ? {} : { former: request.given.former.map((path) => ({ ...path })) }),
    ...(request.reasons === false ? { reasons: false } : {}),
    ...(metadata === null ? {} : { metadata }),
    ...(request.learned === undefined
      ? {}
      : { memory: shortHash(request.learned.map(({ source, content }) => [source, content])) }),
    ...(request.review === undefined ? {} : { review: reviewKey(request.review) }),
    ...(isConstrained(request.constraints) ? { constraints: storedConstraints(request.constraints) } : {}),
    ...(request.keeps?.from === undefined ? {} : { keep_shown: request.keeps.from }),
    ...(request.judging === null ? {} : { model: request.judging.model }),
    ...(request.judging?.windowTokens === undefined ? {} : { llm_context_window: request.judging.windowTokens }),
    ...(request.judging?.assistOnly ? { llm_assist: true } : {}),
  };
}

/** What a review compares, and a hash of the diff. */
function reviewKey({ base, tip, uncommitted, patches }: Review): Json {
  const hash = createHash("sha256");
  for (const patch of patches) hash.update(`${patchText(patch)}\n`);
  const compared = { base, ...(tip === undefined ? {} : { tip }), uncommitted };
  return { ...compared, diff: hash.digest("hex").slice(0, ID_CHARS) };
}

/** A hash of the metadata promoted into the index, independent of file ids; null if there is none. */
function metadataKey(kb: FileQueries): string | null {
  const rows = kb.fileMetadata();
  if (rows.length === 0) return null;
  const paths = new Map(kb.files().map(({ id, path }) => [id, path]));
  const named = rows.map(({ fileId, purpose, module, domain, concepts }) => [
    paths.get(fileId) ?? "",
    purpose,
    module,
    domain,
    concepts,
  ]);
  return shortHash(named);
}
