/**
 * A file as one line of a list: mark, path, score, tier and tokens. Wider lists have more columns.
 *
 * The signs of marks: `[+]` accepted, `[-]` rejected, `( )` the same from an earlier round, `[s]` only symbols of it,
 * `[ ]` none.
 */

import type { ShownMark } from "../state/marks.ts";
import type { ListedFile } from "../state/review-state.ts";
import { bar, shortened } from "../styling/numbers.ts";
import { columnsOf, cutPath, fitted, type Line, span, withRole } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";

type FileRow = {
  readonly file: ListedFile;
  /** Null in lists without marks. */
  readonly mark: ShownMark | null;
  /** "resting": the cursor of a list without the focus. */
  readonly under: "cursor" | "resting" | "range" | null;
  /** The best score in the list, for the bar. */
  readonly best: number;
};

const MARKS: Readonly<Record<ShownMark, readonly [sign: string, role: Role]>> = {
  accepted: ["[+]", "good"],
  rejected: ["[-]", "bad"],
  "earlier-accepted": ["(+)", "good"],
  "earlier-rejected": ["(-)", "bad"],
  symbols: ["[s]", "good"],
  "earlier-symbols": ["(s)", "good"],
  auto: ["[ ]", "dim"],
};

/** Tiers, short and in full. */
const TIERS: Readonly<Record<string, readonly [short: string, whole: string]>> = {
  seed: ["seed", "seed"],
  dependency: ["deps", "dependency"],
  co_change: ["hist", "co-change"],
  metadata: ["meta", "metadata"],
  ranked: ["rank", "ranked"],
  added: ["mine", "added"],
  rejected: ["out", "rejected"],
};

/** The name of a tier for people. */
export const tierName = (tier: string): string => TIERS[tier]?.[1] ?? tier.replaceAll("_", " ");

/** The inner widths from which a list has more columns. */
const WITH_TIER_COLUMNS = 44;
const WITH_RANK_COLUMNS = 48;
const WITH_WHOLE_TIER_COLUMNS = 76;
const WHOLE_TIER_COLUMNS = 10;

/** The line, exactly `columns` wide. */
export function fileRow({ file, mark, under, best }: FileRow, columns: number, signs: Signs): Line {
  const [sign, signRole] = mark === null ? ["", "dim" as const] : MARKS[mark];
  const rejected = mark === "rejected" || mark === "earlier-rejected";
  const left: Line = [
    span("accent", under === null ? " " : under === "range" ? signs.range : signs.pointer),
    ...(mark === null ? [] : [span(signRole, sign), span("plain", " ")]),
    ...(columns < WITH_RANK_COLUMNS
      ? []
      : [span("dim", `${file.rank === null ? "" : String(file.rank)} `.padStart(4).slice(-5))]),
  ];
  const right = facts(file, best, columns, signs);
  const room = columns - columnsOf(left.map(({ text }) => text).join("")) - 1 - right.columns;
  const name = pathSpans(cutPath(file.path, Math.max(1, room), signs.ellipsis), rejected);
  const row = [...left, ...fitted(name, Math.max(1, room), signs.ellipsis), span("plain", " "), ...right.line];
  const role = under === null ? null : ROLES[under];
  return fitted(role === null ? row : withRole(row, role), columns, signs.ellipsis, role ?? "plain");
}

const ROLES = { cursor: "cursor", resting: "strong", range: "range" } as const satisfies Record<string, Role>;

/** A path with dimmed folders. */
function pathSpans(path: string, quiet: boolean): Line {
  const slash = path.lastIndexOf("/") + 1;
  return [span("dim", path.slice(0, slash)), span(quiet ? "dim" : "plain", path.slice(slash))];
}

function facts(
  { score, tier, tokens }: ListedFile,
  best: number,
  columns: number,
  signs: Signs,
): { readonly line: Line; readonly columns: number } {
  const wide = columns >= WITH_WHOLE_TIER_COLUMNS;
  const barColumns = wide ? 8 : columns >= WITH_TIER_COLUMNS ? 5 : 3;
  const short = TIERS[tier]?.[0] ?? tier;
  const shownTier = wide
    ? tierName(tier).slice(0, WHOLE_TIER_COLUMNS).padEnd(WHOLE_TIER_COLUMNS)
    : columns >= WITH_TIER_COLUMNS
      ? short.slice(0, 4).padEnd(4)
      : short.slice(0, 1).toUpperCase();
  const amount = tokens === 0 ? "-" : shortened(tokens);
  const line: Line = [
    span("accent", bar(best <= 0 ? 0 : score / best, barColumns, signs)),
    span("plain", " "),
    span("dim", shownTier),
    span("plain", " "),
    span("plain", amount.padStart(5)),
  ];
  return { line, columns: barColumns + shownTier.length + 7 };
}
