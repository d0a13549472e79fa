/** The options of a run that decide what is selected. A task id is made of them, and the log stores them. */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { Json } from "../../db/raw-log/raw-log.ts";
import type { TaskQuery } from "../../task/query.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { Budget } from "../model/budget.ts";
import type { Judging } from "../model/judging.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import { type Constraints, isConstrained, storedConstraints } from "../model/refinement.ts";
import type { SignalWeights, WeightProfile } from "../model/scores.ts";
import type { ScopeOptions, Stage } from "../model/stage.ts";
import { learnedKey } from "../render/memory-section.ts";
import type { Template } from "../render/prompt.ts";
import { metadataKey } from "./metadata-key.ts";

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
  readonly learned?: ContextPackage["learned"];
  /** What must be in, and what must not. Of a further round: what the log knows of, where the session is lost. */
  readonly constraints: Constraints;
  /** Null without a model. */
  readonly judging: Judging | null;
};

type SelectingDeps = { readonly kb: KnowledgeBase; readonly counter: TokenCounter; readonly craVersion: string };

/** Every option that changes what is selected, as stored. Format, output and verbosity are not among them. */
export function storedSelectingOptions(
  { kb, counter, craVersion }: SelectingDeps,
  request: SelectingOptions,
): Record<string, Json> {
  const metadata = metadataKey(kb);
  return {
    version: craVersion,
    stages: request.stages.map((stage) => stage.name),
    budget: request.budget.tokens,
    max_lines: request.budget.maxLines,
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
    // What is not asked for is not named, so that runs without it keep their ids.
    ...(request.scope.only === undefined || request.scope.only.length === 0 ? {} : { only: [...request.scope.only] }),
    ...(metadata === null ? {} : { metadata }),
    ...(request.learned === undefined ? {} : { memory: learnedKey(request.learned) }),
    ...(isConstrained(request.constraints) ? { constraints: storedConstraints(request.constraints) } : {}),
    ...(request.judging === null ? {} : { model: request.judging.model }),
    ...(request.judging?.windowTokens === undefined ? {} : { llm_context_window: request.judging.windowTokens }),
    ...(request.judging?.assistOnly ? { llm_assist: true } : {}),
  };
}
