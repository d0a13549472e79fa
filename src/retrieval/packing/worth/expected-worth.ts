/**
 * The expected worth of an item: the share of what matters to the task that it is expected to hold, by the task, the ranking and the
 * item alone.
 *
 * A Poisson regression (log-linear in the features below) of the share of a fix's changed definitions that an item holds,
 * fitted on real tasks by `scripts/bench/fit-worth.ts`; docs/experiments.md shows how reliable it is on repositories that were
 * left out. Scores of two tasks are not comparable, while positions and proportions are. So the only feature that is a bare score is
 * that of the best file: it says how many of the task's words the repository knows at all.
 */
import type { TaskQuery } from "../../../task/query.ts";
import type { ScopedFile } from "../../model/selection.ts";
import type { Item } from "../items/items.ts";

/** What the regression knows about the task as a whole. */
export type TaskShape = {
  /** Natural logarithm of the task's length in characters, about 0 for a usual issue. */
  readonly length: number;
  /** How far the best file is ahead of the second, 0 to 1. */
  readonly lead: number;
  /** The score of the best file. */
  readonly best: number;
};

const USUAL_LOG_CHARS = 6.5;

export function taskShape({ raw }: Pick<TaskQuery, "raw">, files: readonly ScopedFile[]): TaskShape {
  const [best = 0, second = 0] = files.map(({ score }) => score.total).sort((a, b) => b - a);
  return {
    length: Math.log(raw.length + 20) - USUAL_LOG_CHARS,
    lead: best > 0 ? (best - second) / best : 0,
    best,
  };
}

type Weighed = Pick<Item, "floor" | "score" | "rank" | "bodyTokens" | "symbol" | "companionOf" | "evidence">;

/** `position` counts from 0 in the order of scores; `fileLines` is the length of the item's file. */
type ItemInTask = {
  readonly item: Weighed;
  readonly position: number;
  readonly fileLines: number;
  readonly task: TaskShape;
};

/** A shorter definition costs this much with its heading. */
const TOKENS_MIN = 30;
/** Keeps the logarithm of a score finite. */
const SCORE_OFFSET = 0.05;

const position = ({ position: at }: ItemInTask): number => Math.log(at + 2);
const rank = ({ item }: ItemInTask): number => Math.log(item.rank + 1);

/** The features by name. */
export const WORTH_FEATURES = {
  position,
  rank,
  fileLines: ({ fileLines }) => Math.log(fileLines + 1),
  tokens: ({ item }) => Math.log(Math.max(TOKENS_MIN, item.bodyTokens)),
  score: ({ item }) => Math.log(item.score + SCORE_OFFSET),
  named: ({ item }) => Number(item.floor),
  namedPosition: (one) => Number(one.item.floor) * position(one),
  lines: ({ item }) => Number(item.symbol === null),
  companion: ({ item }) => Number(item.companionOf !== undefined),
  lead: ({ task }) => task.lead,
  leadPosition: (one) => one.task.lead * position(one),
  leadRank: (one) => one.task.lead * rank(one),
  length: ({ task }) => task.length,
  lengthPosition: (one) => one.task.length * position(one),
  best: ({ task }) => task.best,
} as const satisfies Record<string, (one: ItemInTask) => number>;

type WorthFeature = keyof typeof WORTH_FEATURES;

const isFeature = (name: string): name is WorthFeature => Object.hasOwn(WORTH_FEATURES, name);
export const WORTH_FEATURE_NAMES: readonly WorthFeature[] = Object.keys(WORTH_FEATURES).filter(isFeature);

/** No item is worth more than all that matters. */
export const WORTH_MAX = 1;

/** The coefficients, and the constant that they are added to. */
export type WorthModel = { readonly constant: number; readonly of: Readonly<Record<WorthFeature, number>> };

export function expectedWorth({ constant, of }: WorthModel, one: ItemInTask): number {
  let sum = constant;
  for (const name of WORTH_FEATURE_NAMES) sum += of[name] * WORTH_FEATURES[name](one);
  return Math.min(WORTH_MAX, Math.exp(sum) * (one.item.evidence ?? 1));
}
