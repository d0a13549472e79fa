/** The sections of a report on how much a package takes: by budget, by tier, and as tasks become more exact. */
import { ITEM_TIERS } from "../../retrieval/model/tiers.ts";
import { counted } from "../../text/counted.ts";
import { type CurveLabel, isOfCurve } from "../curve-points.ts";
import { EXACTNESS_SHARES } from "../exactness.ts";
import { AMOUNT_NAMES, type AmountName, TIER_SHARE_NAMES } from "../metric-names.ts";
import type { Summary } from "../summary.ts";
import { cells, change, count, NONE, percent, type ReportSection, shown, tokenCells } from "./report-section.ts";

export function packageTokens({ amounts }: Summary): ReportSection {
  return {
    title: "Tokens of the package",
    heading: ["budget", "n", "mean", "median"],
    rows: AMOUNT_NAMES.filter((name) => !isOfCurve(name)).flatMap((name) => {
      const amount = amounts[name];
      return amount === undefined ? [] : [[budgetOf(name), count(amount.n), ...tokenCells(amount)]];
    }),
    notes: ["the whole text, with the section of the task"],
  };
}

/** The budget of an amount, as tables name it. */
export const budgetOf = (name: AmountName): string => name.split("@")[1] ?? "configured";

export function recallByTokens({ curve }: Summary): ReportSection {
  return {
    title: "Recall against tokens",
    heading: ["", "tokens", "symbols", "files", "tests", "efficiency", "over fixed"],
    rows: curve.map(({ label, tokens, over_fixed, ...shares }) => [
      pointName(label),
      tokens.toFixed(0),
      ...[shares.symbol_recall, shares.file_recall, shares.test_recall, shares.token_efficiency].map(shareCell),
      gainCell(over_fixed),
    ]),
    notes: [
      "fixed: budgets that are filled (--coverage 1); coverage: within the configured budget",
      "over fixed: symbols beyond those of a fixed budget of as many tokens, in points",
    ],
  };
}

/** What a point of the curve is called in tables. */
export const pointName = (label: CurveLabel): string => label.replace("-", " ").replace(/(?<=coverage )\d+$/, "$& %");

export const shareCell = (share: number | null): string => (share === null ? NONE : shown("", share));
export const gainCell = (gain: number | null): string => (gain === null ? "" : change("", gain));

export function tokensByTier({ means }: Summary): ReportSection {
  return {
    title: "Tokens by tier, at the configured budget",
    heading: ["n", ...ITEM_TIERS, "rest"],
    rows: means.rest_share === undefined ? [] : [[count(means.rest_share.n), ...cells(means, TIER_SHARE_NAMES)]],
    notes: ["mean share of a package's tokens; rest: headings, markers, lists and the task"],
  };
}

/** What the shares of groups are called in tables. */
export const SHARE_NAMES = {
  not_growing: "packages do not grow",
  in_full: "target in full",
  first: "target's file first",
} as const satisfies Record<(typeof EXACTNESS_SHARES)[number], string>;

export const MOST_EXACT_TOKENS = "tokens of the most exact form, median";

/** What holds for the groups, then what holds at each level. */
export function exactTasks({ exactness }: Summary): readonly ReportSection[] {
  if (exactness === null) return [];
  const { groups, shares, tokens, levels } = exactness;
  return [
    {
      title: `More exact tasks, ${counted(groups, "group")}`,
      heading: ["", "n", "value"],
      rows: [
        ...EXACTNESS_SHARES.map((name) => [SHARE_NAMES[name], count(shares[name]?.n), percent(shares[name])]),
        [MOST_EXACT_TOKENS, count(tokens?.n), tokenCells(tokens)[1] ?? ""],
      ],
      notes: ["share of groups for which it holds in every form of the task"],
    },
    {
      title: "By level of exactness",
      heading: ["level", "cases", "tokens", "median", "in full", "first"],
      rows: levels.map((one) => [
        String(one.level),
        count(one.cases),
        ...tokenCells(one.tokens),
        percent(one.shares.in_full),
        percent(one.shares.first),
      ]),
    },
  ];
}
