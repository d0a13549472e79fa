/**
 * Whether a more exact task gives a package that is no larger, with the target in full and first.
 *
 * The cases of a group ask for the same target; a higher level asks more exactly. The target is shown in full if the
 * package at the configured budget contains every expected definition, and is first if an expected file has rank 1.
 */
import { type Amount, amountOf, type Mean, meanOf } from "./averages.ts";
import type { CaseResult, Exactness, Metrics } from "./model.ts";

/** What is true of a group if it is true of each of its cases. */
const TARGET_SHARES = ["in_full", "first"] as const;
type TargetShare = (typeof TARGET_SHARES)[number];

/** `not_growing`: groups of several levels in which no package has more tokens than one of a lower level. */
export const EXACTNESS_SHARES = ["not_growing", ...TARGET_SHARES] as const;
type ExactnessShare = (typeof EXACTNESS_SHARES)[number];

type ExactnessLevel = {
  readonly level: number;
  readonly cases: number;
  readonly tokens: Amount | null;
  /** Of the cases of this level. */
  readonly shares: Readonly<Partial<Record<TargetShare, Mean>>>;
};

export type ExactnessSummary = {
  readonly groups: number;
  /** Of the groups; absent if no group has what it takes. */
  readonly shares: Readonly<Partial<Record<ExactnessShare, Mean>>>;
  /** Of the most exact case of each group. */
  readonly tokens: Amount | null;
  /** From the least exact. */
  readonly levels: readonly ExactnessLevel[];
};

type MeasuredCase = Pick<CaseResult, "exactness"> & { readonly metrics: Pick<Metrics, "scores" | "amounts"> };
type LeveledCase = Exactness & Pick<Metrics, "scores" | "amounts">;

/** Summarizes the cases that have a level of exactness; null if none has. */
export function exactnessOf(results: readonly MeasuredCase[]): ExactnessSummary | null {
  const cases = results.flatMap(({ exactness, metrics }) => (exactness === null ? [] : [{ ...metrics, ...exactness }]));
  if (cases.length === 0) return null;
  const groups = [...Map.groupBy(cases, ({ group }) => group).values()];
  const levels = [...Map.groupBy(cases, ({ level }) => level)].toSorted(([a], [b]) => a - b);
  return {
    groups: groups.length,
    shares: {
      ...shareOfGroups("not_growing", groups.map(isNotGrowing)),
      ...targetShares(groups),
    },
    tokens: amountOf(groups.flatMap((own) => tokensOf(mostExact(own)))),
    levels: levels.map(([level, own]) => ({
      level,
      cases: own.length,
      tokens: amountOf(tokensOf(own)),
      shares: targetShares(own.map((one) => [one])),
    })),
  };
}

const tokensOf = (cases: readonly LeveledCase[]): readonly number[] =>
  cases.flatMap(({ amounts }) => amounts.tokens ?? []);

function mostExact(cases: readonly LeveledCase[]): readonly LeveledCase[] {
  const most = Math.max(...cases.map(({ level }) => level));
  return cases.filter(({ level }) => level === most);
}

/** Null if there are not two levels to compare. */
function isNotGrowing(cases: readonly LeveledCase[]): boolean | null {
  const levels = [...Map.groupBy(cases, ({ level }) => level)]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, own]) => (tokensOf(own).length === 0 ? [] : [tokensOf(own)]));
  if (levels.length < 2) return null;
  let least = Number.POSITIVE_INFINITY;
  for (const tokens of levels) {
    if (Math.max(...tokens) > least) return false;
    least = Math.min(least, ...tokens);
  }
  return true;
}

const targetShares = (groups: readonly (readonly LeveledCase[])[]): Partial<Record<TargetShare, Mean>> => ({
  ...shareOfGroups(
    "in_full",
    groups.map((own) => everyIsOne(own.map(({ scores }) => scores.symbol_recall))),
  ),
  ...shareOfGroups(
    "first",
    groups.map((own) => everyIsOne(own.map(({ scores }) => scores["any@1"]))),
  ),
});

/** Null if a case has no value. */
const everyIsOne = (values: readonly (number | undefined)[]): boolean | null =>
  values.includes(undefined) ? null : values.every((value) => value === 1);

function shareOfGroups<Name extends ExactnessShare>(
  name: Name,
  held: readonly (boolean | null)[],
): Partial<Record<Name, Mean>> {
  const mean = meanOf(held.flatMap((one) => (one === null ? [] : [Number(one)])));
  const shares: Partial<Record<Name, Mean>> = {};
  if (mean !== null) shares[name] = mean;
  return shares;
}
