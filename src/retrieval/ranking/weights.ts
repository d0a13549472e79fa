/** The weights of the signals for one task. */
import type { TaskType } from "../../task/query.ts";
import type { SignalWeights, Weights } from "../model/scores.ts";
import type { Signal } from "./signals/signal.ts";
import {
  SIGNAL_NAMES,
  SIGNALS,
  type SignalName,
  type SignalRow,
  type SignalWeight,
  type WeightProfile,
} from "./signals/table.ts";

/** `setting` is a profile, or changes to the default one. */
export function weightsFrom(setting: WeightProfile | SignalWeights, type: TaskType): Weights {
  const [profile, changes] = typeof setting === "string" ? [setting, {}] : (["default", setting] as const);
  const weighted = SIGNAL_NAMES.flatMap((name) => {
    const { weights }: SignalRow = SIGNALS[name];
    const weight = changes[name] ?? weightFor(weights[profile], type);
    return weight > 0 ? [[name, weight] as const] : [];
  });
  return { profile, bySignal: new Map(weighted) };
}

const weightFor = (weight: SignalWeight = 0, type: TaskType): number =>
  typeof weight === "number" ? weight : (weight[type] ?? weight.other);

/** Signals that read whole texts (`bestFilesMax`) come last, since they read only the best files by the others. */
export type WeightedSignals = {
  readonly profile: WeightProfile;
  readonly signals: readonly {
    readonly name: SignalName;
    readonly weight: number;
    readonly bestFilesMax: number | null;
    readonly signal: Signal;
  }[];
};

/** Loads the signals that have a weight. */
export async function loadSignals({ profile, bySignal }: Weights): Promise<WeightedSignals> {
  const loading = [...bySignal].map(async ([name, weight]) => {
    const row: SignalRow = SIGNALS[name];
    return { name, weight, bestFilesMax: row.bestFilesMax ?? null, signal: await row.load() };
  });
  const signals = await Promise.all(loading);
  const readsTexts = ({ bestFilesMax }: (typeof signals)[number]): boolean => bestFilesMax !== null;
  return { profile, signals: [...signals.filter((one) => !readsTexts(one)), ...signals.filter(readsTexts)] };
}
