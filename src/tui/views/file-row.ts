/**
 * A file as one line of a list, under headings: its mark, its path, how much of it ships, its tokens, and in wide lists why.
 *
 * The signs of marks: `[+]` accepted, `[-]` rejected, `( )` the same from an earlier round, `[s]` only symbols of it,
 * `[ ]` none.
 */
import type { ShownMark } from "../state/marks.ts";
import { type ListedFile, nameOf } from "../state/review-state.ts";
import { shippedWords } from "../state/shipped.ts";
import { bar, counted, grouped, shortened } from "../styling/numbers.ts";
import {
  columnsOf,
  cut,
  cutPath,
  cutToldPath,
  fitted,
  type Line,
  line,
  span,
  withRole,
} from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";
import { highlighted } from "./matched-letters.ts";

type FileRow = {
  readonly file: ListedFile;
  /** Null in lists without marks. */
  readonly mark: ShownMark | null;
  /** "resting": the cursor of a list without the focus. */
  readonly under: "cursor" | "resting" | "range" | null;
  /** The offsets in the name that a filter matched. */
  readonly matched: readonly number[];
  /** The part of its path that tells it from files of the same name in the list, if there are any. */
  readonly telling: number | undefined;
};

const MARKS: Readonly<Record<ShownMark, readonly [sign: string, role: Role, meaning: string]>> = {
  accepted: ["[+]", "good", "accepted"],
  rejected: ["[-]", "bad", "rejected"],
  "earlier-accepted": ["(+)", "good", "accepted"],
  "earlier-rejected": ["(-)", "bad", "rejected"],
  symbols: ["[s]", "good", "symbols"],
  "earlier-symbols": ["(s)", "good", "symbols"],
  auto: ["[ ]", "dim", ""],
};

/** What the signs of these marks mean: `+ accepted  - rejected  ( ) earlier`, which a list of half a screen has room for. */
export function marksLegend(marks: Iterable<ShownMark>): string {
  const signs = [...marks].filter((mark) => mark !== "auto").map((mark) => MARKS[mark]);
  const meanings = new Set(signs.map(([sign, , meaning]) => `${sign[1]} ${meaning}`).sort());
  return [...meanings, ...(signs.some(([sign]) => sign.startsWith("(")) ? ["( ) earlier"] : [])].join("  ");
}

/** Why a file is in scope, by its tier. */
const TIERS: Readonly<Record<string, string>> = {
  seed: "named by the task",
  dependency: "imports a match, or is imported by one",
  co_change: "changes together with a match",
  metadata: "about a topic of the task",
  ranked: "matches words of the task",
  added: "added by you",
  rejected: "rejected by you",
  review: "under review",
};

/** A tier in words. */
export const tierWords = (tier: string): string => TIERS[tier] ?? tier.replaceAll("_", " ");

/** The columns of the lists of this width; a column of 0 is not shown. */
type Columns = { readonly path: number; readonly ships: number; readonly tokens: number; readonly why: number };

const TOKENS_COLUMNS = 6;
const SHIPS_COLUMNS = { long: 19, short: 14 } as const;
/** The inner widths from which a list has more columns. */
const WITH_SHIPS_COLUMNS = 44;
const WITH_LONG_SHIPS_COLUMNS = 62;
const WITH_WHY_COLUMNS = 84;
/** The pointer, the mark and the blanks around them. */
const MARK_COLUMNS = { with: 5, without: 2 } as const;

function columnsIn(columns: number, isMarked: boolean): Columns {
  const ships =
    columns < WITH_SHIPS_COLUMNS ? 0 : columns < WITH_LONG_SHIPS_COLUMNS ? SHIPS_COLUMNS.short : SHIPS_COLUMNS.long;
  const fixed =
    (isMarked ? MARK_COLUMNS.with : MARK_COLUMNS.without) + TOKENS_COLUMNS + 1 + (ships === 0 ? 0 : ships + 1);
  const free = Math.max(1, columns - fixed);
  const why = columns < WITH_WHY_COLUMNS ? 0 : Math.floor(free * WHY_SHARE);
  return { path: Math.max(1, free - (why === 0 ? 0 : why + 2)), ships, tokens: TOKENS_COLUMNS, why };
}

const WHY_SHARE = 0.48;

/** The headings of the columns, exactly `columns` wide. `isRun`: what files of a run show instead of what ships. */
export function fileHeadings(columns: number, isMarked: boolean, isRun: boolean, signs: Signs): Line {
  const { path, ships, tokens, why } = columnsIn(columns, isMarked);
  const margin = " ".repeat(isMarked ? MARK_COLUMNS.with : MARK_COLUMNS.without);
  const text = [
    `${margin}${"file".padEnd(path)}`,
    ...(ships === 0 ? [] : [(isRun ? "match, chosen" : "shows").padEnd(ships)]),
    "tokens".padStart(tokens),
    ...(why === 0 ? [] : [" why"]),
  ].join(" ");
  return fitted(line("heading", text), columns, signs.ellipsis, "heading");
}

/** The line, exactly `columns` wide. `best`: the best score of a run, for the bar. */
export function fileRow(listed: FileRow, columns: number, signs: Signs, best?: number): Line {
  const { file, mark, under } = listed;
  const isMarked = mark !== null;
  const { path, ships, tokens, why } = columnsIn(columns, isMarked);
  const [sign, signRole] = mark === null ? ["", "dim" as const] : MARKS[mark];
  const isQuiet = mark === "rejected" || mark === "earlier-rejected" || (best === undefined && file.tokens === 0);
  const [how, howRole] =
    best === undefined ? shipsText(file, ships) : [chosenText(file, best, ships, signs), "accent" as const];
  const row: Line = [
    span("accent", under === null ? " " : under === "range" ? signs.range : signs.pointer),
    ...(mark === null ? [] : [span(signRole, sign)]),
    span("plain", " "),
    ...fitted(nameSpans(listed, isQuiet, path, signs), path, signs.ellipsis),
    ...(ships === 0 ? [] : [span("plain", " "), ...fitted([span(howRole, how)], ships, signs.ellipsis)]),
    span("plain", ` ${(file.tokens === 0 ? "" : shortened(file.tokens)).padStart(tokens)}`),
    ...(why === 0
      ? []
      : [span("dim", `  ${cut(file.reason === "" ? tierWords(file.tier) : file.reason, why, signs.ellipsis)}`)]),
  ];
  const role = under === null ? null : ROLES[under];
  return fitted(role === null ? row : withRole(row, role), columns, signs.ellipsis, role ?? "plain");
}

/** How well a file of a run matches, and how many of its definitions are chosen. */
function chosenText({ score, chosen }: ListedFile, best: number, columns: number, signs: Signs): string {
  const size = columns < SHIPS_COLUMNS.long ? BAR.short : BAR.long;
  const share = bar(best <= 0 ? 0 : score / best, size, signs);
  if (chosen === undefined) return share;
  const words = `${share} ${counted(chosen.count, "symbol")}`;
  return columnsOf(words) <= columns ? words : `${share} ${grouped(chosen.count)}`;
}

const BAR = { long: 8, short: 3 } as const;

const ROLES = { cursor: "cursor", resting: "strong", range: "range" } as const satisfies Record<string, Role>;

function shipsText({ kind, shipped, tier }: ListedFile, columns: number): readonly [text: string, role: Role] {
  if (kind === "diff") return ["the diff", "good"];
  if (shipped === null) return [tier === "added" ? "next round" : "left out", "dim"];
  return [shippedWords(shipped, columns < SHIPS_COLUMNS.long), "good"];
}

/** A path with dimmed folders, or with the letters that a filter matched. */
function nameSpans({ file, matched, telling }: FileRow, isQuiet: boolean, room: number, { ellipsis }: Signs): Line {
  const name = nameOf(file);
  if (matched.length > 0 && columnsOf(name) <= room) return highlighted(name, matched, "plain");
  const shown = telling === undefined ? cutPath(name, room, ellipsis) : cutToldPath(name, telling, room, ellipsis);
  const slash = file.kind === "diff" ? 0 : shown.lastIndexOf("/") + 1;
  return [span("dim", shown.slice(0, slash)), span(isQuiet ? "dim" : "plain", shown.slice(slash))];
}
