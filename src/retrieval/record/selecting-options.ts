/**
 * The options of a run that its task id is made of, as they are recorded.
 */
import type { Json } from "../../db/raw-log/raw-log.ts";
import { isConstrained, keptConstraints } from "../model/refinement.ts";
import { learnedKey } from "../render/memory-section.ts";
import type { RetrieveRequest, RetrieveWorld } from "../retrieve.ts";
import { metadataKey } from "./metadata-key.ts";

/** Every option that changes what is selected. Format, output and verbosity are not among them. */
export function selectingOptions(
  world: Pick<RetrieveWorld, "counter" | "craVersion" | "kb">,
  request: RetrieveRequest,
): Record<string, Json> {
  const metadata = metadataKey(world.kb);
  return {
    version: world.craVersion,
    stages: request.stages.map((stage) => stage.name),
    budget: request.budget.tokens,
    max_lines: request.budget.maxLines,
    tokenizer: world.counter.name,
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
    ...(isConstrained(request.constraints) ? { constraints: keptConstraints(request.constraints) } : {}),
    ...(request.judging === null ? {} : { model: request.judging.model }),
    ...(request.judging?.windowTokens === undefined ? {} : { llm_context_window: request.judging.windowTokens }),
    ...(request.judging?.assistOnly ? { llm_assist: true } : {}),
  };
}
