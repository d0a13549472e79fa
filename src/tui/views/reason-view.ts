/**
 * Why a file has its rank, what the package shows of it and why, and the effect of rejecting it.
 *
 * The most useful lines come first, because a small pane shows only those.
 */

import type { PackageMove } from "../../retrieval/dry-run.ts";
import { NO_DECISIONS } from "../state/decisions.ts";
import { fileMarkOf } from "../state/marks.ts";
import { type DryRun, type ListedFile, moveName, type ReviewState } from "../state/review-state.ts";
import { shippedWords } from "../state/shipped.ts";
import type { Size } from "../state/state.ts";
import { bar, counted, grouped } from "../styling/numbers.ts";
import { columnsOf, cut, fitted, justified, keepEnd, type Line, span, wrapped } from "../styling/styled-text.ts";
import type { Role, Signs } from "../styling/theme.ts";
import { tierWords } from "./file-row.ts";
import { fileMarkWords } from "./mark-words.ts";

/** The lines about a file that fit. */
export function reasonLines(review: ReviewState, file: ListedFile, inside: Size, signs: Signs): readonly Line[] {
  const facts = [...markLines(review, file), factsLine(review, file, signs)];
  const rows = Math.min(WHY_ROWS_MAX, inside.rows - facts.length);
  const why = rows < 1 ? [] : wrapped(whyText(file), inside.columns, rows, signs.ellipsis);
  const above = [
    ...facts,
    ...why.map((text): Line => [span("plain", text)]),
    ...dryRunLines(review, file, inside.columns, signs),
  ];
  const shares = shareLines(review, file, inside, signs);
  return [
    ...above,
    // A heading alone says nothing.
    ...(above.length + 1 < inside.rows ? shares : []),
    ...symbolLines(review, file, inside.columns, signs),
  ].slice(0, inside.rows);
}

const WHY_ROWS_MAX = 3;

/** How the file came into scope, and the reasons of the package. */
const whyText = ({ tier, reason }: ListedFile): string =>
  reason === ""
    ? tierWords(tier)
    : tier === "ranked" || tier === "added" || tier === "rejected"
      ? reason
      : `${tierWords(tier)}: ${reason}`;

/** The mark that the next round applies, apart from the facts of this one. */
function markLines(review: ReviewState, file: ListedFile): readonly Line[] {
  const mark = review.decisions.files.get(file.path);
  if (mark === undefined) return [];
  const frees = rejectionOf(review, file)?.frees ?? 0;
  const which = mark === "rejected" && frees > 0 ? `, which frees ${counted(frees, "token")}` : "";
  return [[span(mark === "rejected" ? "bad" : "good", `${mark} in the next round`), span("plain", which)]];
}

function factsLine(review: ReviewState, file: ListedFile, signs: Signs): Line {
  const { path, tier, rank, tokens, shipped, kind } = file;
  const place = review.files.indexOf(file) + 1;
  const ships = shipped === null ? (kind === "diff" ? "the diff" : "") : shippedWords(shipped, false);
  const facts = [
    ...(ships === ""
      ? review.round === null
        ? []
        : [hasRoom(review, path) ? "left out" : "left out: no room"]
      : [ships]),
    ...(tokens > 0 ? [counted(tokens, "token")] : []),
    ...(ships === "" ? (rank === null ? [] : [`${ordinal(rank)} in rank`]) : [`${ordinal(place)} in the package`]),
  ];
  const { files } = review.decisions;
  const earlier = fileMarkWords(files.has(path) ? { ...review, decisions: NO_DECISIONS } : review, path);
  // Of a file that no round has ranked, the mark says everything.
  const isMarkOnly = rank === null && shipped === null && (earlier !== "" || files.has(path));
  const [first = "", ...others] = isMarkOnly
    ? [earlier.replace(", ", "")]
    : [facts[0] ?? tierWords(tier), ...facts.slice(1)];
  const mark = isMarkOnly ? "" : earlier;
  return [
    span(isMarkOnly ? roleOf(first) : "strong", first),
    span(roleOf(mark), mark),
    span("plain", others.map((fact) => (first === "" ? fact : signs.dot + fact)).join("")),
  ];
}

/** Whether the budget had room for what there is of a file. */
const hasRoom = ({ round }: ReviewState, path: string): boolean =>
  round?.package.provenance.budget.evicted.every((item) => item.path !== path) ?? true;

/** `1st`, `22nd`. */
function ordinal(count: number): string {
  const last = count % 100 >= 11 && count % 100 <= 13 ? 0 : count % 10;
  return `${grouped(count)}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

const roleOf = (mark: string): Role => (mark.includes("rejected") ? "bad" : "good");

/** What rejecting the file frees and adds; null when that is not known, or it frees nothing. */
function rejectionOf({ dryRun: { result } }: ReviewState, file: ListedFile): DryRun["rejecting"] {
  const about = result?.rejecting ?? null;
  return about?.path === file.path && about.frees > 0 && file.tokens > 0 ? about : null;
}

/** The same of a file that is not rejected yet. */
export const wouldFree = (review: ReviewState, file: ListedFile): DryRun["rejecting"] =>
  fileMarkOf(review, file.path) === "rejected" ? null : rejectionOf(review, file);

/** What rejecting the file would free, and the items at the margin of the budget. */
function dryRunLines(review: ReviewState, file: ListedFile, columns: number, signs: Signs): readonly Line[] {
  const { nextOut, nextIn } = edgeOf(review);
  const about = wouldFree(review, file);
  const then = about?.enters[0];
  const frees = `frees ${grouped(about?.frees ?? 0)} tokens${then === undefined ? "" : `, adds ${moveName(then)}`}`;
  return [
    ...(about === null ? [] : [[span("dim", "rejecting it "), span("plain", frees)]]),
    ...(nextOut === null ? [] : [movedLine("a smaller budget drops first", nextOut, columns, signs)]),
    ...(nextIn === null ? [] : [movedLine("a larger budget adds first", nextIn, columns, signs)]),
  ];
}

/** What a smaller budget would drop and a larger one add; nothing if all fits into far less. */
export function edgeOf({ dryRun: { result }, round }: ReviewState): Pick<DryRun, "nextOut" | "nextIn"> {
  const isRoomy =
    result !== null &&
    result.tokens < result.budget * EDGE_SHARE &&
    result.leaves.length === 0 &&
    round !== null &&
    round.package.provenance.budget.evicted.length + round.package.provenance.budget.demoted.length === 0;
  return result === null || isRoomy ? { nextOut: null, nextIn: null } : result;
}

/** From this share on, the budget is nearly used up. */
const EDGE_SHARE = 0.9;

const movedLine = (title: string, moved: PackageMove, columns: number, signs: Signs): Line =>
  justified(
    [span("dim", `${title} `), span("plain", moveName(moved))],
    [span("plain", counted(moved.tokens, "token"))],
    columns,
    signs.ellipsis,
  );

/** Each signal's share of the score, the largest first. */
function shareLines({ round }: ReviewState, file: ListedFile, inside: Size, signs: Signs): readonly Line[] {
  const row = round?.scores.find(({ path }) => path === file.path);
  const terms = (row?.terms ?? [])
    .filter(({ share }) => Math.abs(share) >= SHARE_MIN)
    .toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const most = Math.max(SHARE_MIN, ...terms.map(({ share }) => Math.abs(share)));
  const columns = Math.max(6, Math.min(20, inside.columns - SIGNAL_COLUMNS - 8));
  const head: Line = [span("dim", `score ${file.score.toFixed(2)}, the sum of`)];
  const rows = terms.map(
    ({ signal, share }): Line => [
      span("dim", `${cut(signal.replaceAll("_", " "), SIGNAL_COLUMNS - 1, signs.ellipsis)}`.padEnd(SIGNAL_COLUMNS)),
      span(share < 0 ? "warn" : "accent", bar(Math.abs(share) / most, columns, signs)),
      span("plain", `${share < 0 ? "-" : "+"}${Math.abs(share).toFixed(2)}`.padStart(7)),
    ],
  );
  return rows.length === 0 ? [] : [head, ...rows];
}

/** A smaller share would be displayed as 0. */
const SHARE_MIN = 0.005;
const SIGNAL_COLUMNS = 19;

const DETAIL_WORDS = { body: "in full", excerpt: "in part", signature: "signature" } as const;

/** What the package shows of the file, and why. */
function symbolLines({ round }: ReviewState, file: ListedFile, columns: number, signs: Signs): readonly Line[] {
  const symbols = round?.package.provenance.symbols.filter(({ path }) => path === file.path) ?? [];
  const longest = Math.max(0, ...symbols.map(({ qualified_name }) => columnsOf(qualified_name)));
  const names = Math.min(longest, Math.floor(columns * 0.4));
  return symbols.map(({ qualified_name, detail, tier, why }) => {
    const name = fitted(keepEnd([span("strong", qualified_name)], names, signs.ellipsis), names, signs.ellipsis);
    const facts = `  ${DETAIL_WORDS[detail]}${signs.dot}${tier.replaceAll("_", " ")}${why === "" ? "" : `${signs.dot}${why}`}`;
    return [...name, span("dim", facts)];
  });
}
