/** What expected worths are good for: how reliable they are, and what a stop by them finds against a fixed budget. */
import { DEFINITIONS_SHARE, ITEM_TOKENS } from "../../src/retrieval/packing/worth/stop.ts";
import type { WorthCase } from "./worth-cases.ts";

export const FIXED_BUDGETS = [2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 14_000, 16_000, 20_000, 24_000, 32_768];
const BUDGET_MAX = 32_768;
const GROUPS = 10;

/** Estimates: the heading of a file, the package's own lines, the task's part, and the least that is worth trying. */
const FILE_TOKENS = 25;
const PACKAGE_TOKENS = 60;
const TASK_TOKENS_MAX = 512;
const ITEM_TOKENS_MIN = 5;
const LEFT_MIN = 15;

/** Mean worth of an item in a group, as expected and as found. */
export type Group = { readonly items: number; readonly expected: number; readonly found: number };

/** All items, worthiest first, in groups that are expected to hold equally much. */
export function reliability(cases: readonly WorthCase[], worths: readonly Float64Array[]): readonly Group[] {
  const all = cases.flatMap(({ targets }, at) =>
    Array.from(worths[at] ?? [], (expected, item) => ({ expected, found: targets[item] ?? 0 })),
  );
  all.sort((a, b) => b.expected - a.expected);
  const total = all.reduce((sum, { expected }) => sum + expected, 0);
  let before = 0;
  const groups = Map.groupBy(all, ({ expected }) => {
    const group = Math.min(GROUPS - 1, Math.floor((before / total) * GROUPS));
    before += expected;
    return group;
  });
  const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
  return [...groups.values()].map((group) => ({
    items: group.length,
    expected: mean(group.map(({ expected }) => expected)),
    found: mean(group.map(({ found }) => found)),
  }));
}

/** Tokens of a package, and the share of the changed definitions that it shows. */
type Found = { readonly tokens: number; readonly found: number };

type WorthStop = { readonly worths: Float64Array; readonly threshold: number };

/** A model of packing: bodies in order while they fit. A stop leaves out what is not worth its tokens and has no name. */
export function packed(one: WorthCase, stop: WorthStop | null, budget = BUDGET_MAX): Found {
  let left = budget - Math.min(TASK_TOKENS_MAX, one.taskTokens) - PACKAGE_TOKENS;
  const files = new Set<string>();
  const golds = new Set<number>();
  for (const at of one.order) {
    const item = one.items[at];
    if (item === undefined) continue;
    const tokens = Math.max(ITEM_TOKENS_MIN, item.tokens) + ITEM_TOKENS;
    const worth = stop === null ? Number.POSITIVE_INFINITY : (stop.worths[at] ?? 0);
    if (!item.isNamed && stop !== null && (worth / tokens) * 1_000 * DEFINITIONS_SHARE < stop.threshold) continue;
    const cost = tokens + (files.has(item.path) ? 0 : FILE_TOKENS);
    if (cost <= left) {
      left -= cost;
      files.add(item.path);
      for (const gold of item.golds) golds.add(gold);
    } else if (left < LEFT_MIN) break;
  }
  return { tokens: budget - left, found: golds.size / one.golds };
}

/** Means over the chosen cases. */
export function foundAtBudget(of: readonly Found[], chosen: readonly number[]): Found {
  const mean = (value: (one: Found) => number): number =>
    chosen.reduce((sum, at) => sum + (of[at] === undefined ? 0 : value(of[at])), 0) / chosen.length;
  return { tokens: mean(({ tokens }) => tokens), found: mean(({ found }) => found) };
}

type AtBudget = { readonly of: readonly Found[] };

/** Also what a fixed budget of the same mean tokens finds, between two budgets in proportion. */
export function foundAtStop(
  of: readonly Found[],
  budgets: readonly AtBudget[],
  chosen: readonly number[],
): Found & { readonly atSameTokens: number } {
  const mean = foundAtBudget(of, chosen);
  const fixed = budgets.map((one) => foundAtBudget(one.of, chosen));
  const next = fixed.findIndex(({ tokens }) => tokens >= mean.tokens);
  const [low, high] = [fixed[next - 1], fixed[next]];
  if (low === undefined || high === undefined) throw new Error(`no fixed budgets around ${mean.tokens} tokens`);
  const share = (mean.tokens - low.tokens) / (high.tokens - low.tokens);
  return { ...mean, atSameTokens: low.found + share * (high.found - low.found) };
}
