/**
 * The stages by name. Adding a stage is adding a module and a row here.
 */
import { Failed } from "../failure.ts";
import { precisionStage } from "./precision-stage.ts";
import { scopeStage } from "./scope-stage.ts";
import type { Stage } from "./stage.ts";

export const STAGES: readonly Stage[] = [scopeStage, precisionStage];

/** The stages that run when none are named. */
export const DEFAULT_STAGES: readonly string[] = STAGES.map((stage) => stage.name);

/** Looks stages up by name, in the order given. An empty list, an unknown name or one given twice is a usage failure. */
export function stagesNamed(names: readonly string[]): readonly Stage[] {
  const next = `known are: ${DEFAULT_STAGES.join(", ")}`;
  if (names.length === 0) throw new Failed({ code: "usage", message: "the list of stages is empty", next });
  return names.map((name, index) => {
    const stage = STAGES.find((known) => known.name === name);
    if (!stage) throw new Failed({ code: "usage", message: `there is no stage "${name}"`, next });
    if (names.indexOf(name) !== index)
      throw new Failed({ code: "usage", message: `stage "${name}" is named twice`, next });
    return stage;
  });
}
