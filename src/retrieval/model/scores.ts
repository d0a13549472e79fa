/** Scores of files and definitions with the terms they are the sum of, and the weights of the terms. */
import type { SignalName, WeightProfile } from "../ranking/signals/table.ts";

/**
 * One share of a score. Terms of value 0 are left out; one of weight 0 is provenance only. A loss has a value in -1..0, and the sum of the
 * terms before it as its weight.
 */
export type ScoreTerm = { readonly signal: string; readonly value: number; readonly weight: number };

/** The losses: for the kind of file (`path-penalty.ts`), and for the repository, of several (`repository-weights.ts`). */
export const PATH_PENALTY = "path_penalty";
export const REPOSITORY_WEIGHT = "repository_weight";

export type FileScore = {
  readonly fileId: number;
  readonly path: string;
  readonly total: number;
  readonly terms: readonly ScoreTerm[];
};

/** A file's match without its path penalty, which is for the ranking of source files. */
export const unpenalized = ({ terms }: Pick<FileScore, "terms">): number =>
  terms.reduce((sum, { value, weight }) => sum + Math.max(0, value * weight), 0);

/** A definition's place in the list of definitions. Higher is better; the scale is that of one task. */
export type DefinitionScore = { readonly symbolId: number; readonly fileId: number; readonly score: number };

export type SignalWeights = Readonly<Partial<Record<SignalName, number>>>;

/** The weights of one task: by signal, in the order of the signals, those of 0 left out. */
export type Weights = { readonly profile: WeightProfile; readonly bySignal: ReadonlyMap<SignalName, number> };
