/** The weights of the signals for one task. */
import type { TaskType } from "../../task/query.ts";
import type { SignalWeights, WeightProfile, Weights } from "../model/scores.ts";
import type { SignalWeight } from "./signals/signal.ts";
import { SIGNALS } from "./signals/table.ts";

/** `setting` is a profile, or changes on top of the default one. */
export function weightsFrom(setting: WeightProfile | SignalWeights, type: TaskType): Weights {
  const [profile, changes] = typeof setting === "string" ? [setting, {}] : (["default", setting] as const);
  const weighted = SIGNALS.flatMap(({ name, weights }) => {
    const weight = changes[name] ?? weightFor(weights[profile], type);
    return weight > 0 ? [[name, weight] as const] : [];
  });
  return { profile, bySignal: new Map(weighted) };
}

const weightFor = (weight: SignalWeight = 0, type: TaskType): number =>
  typeof weight === "number" ? weight : (weight[type] ?? weight.other);
