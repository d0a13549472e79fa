/**
 * Line ranges of a text that match a task: windows around the lines that contain its words.
 *
 * They show code outside of any symbol, and the best part of a body that does not fit as a whole. Windows have
 * `CONTEXT_LINES` lines around each hit and merge if they touch. What shows a part of a merge conflict shows each line that marks it:
 * without its end, one side reads as the code that counts.
 */
import { conflictMarkers } from "../../languages/conflict-sides.ts";
import { type LineRange, mergeRanges, padRanges } from "../../text/ranges.ts";
import type { LineScorer } from "./line-scorer.ts";

/** Lines of context above and below a hit. */
const CONTEXT_LINES = 5;
/** Shorter files are shown as a whole. */
export const SMALL_FILE_LINES = 50;
/** Lines at the top of a file that every snippet includes: imports and header. */
const HEADER_LINES = 5;
/** Lines at the top of a file that say what it is. */
export const HEAD_LINES = 10;
const WINDOWS_MAX = 3;

/**
 * Windows over the lines outside of symbols, and over the `wanted` ones; of a file without either, its first `headLines`. A small
 * file is shown whole.
 */
export function looseSnippets(
  text: string,
  symbols: readonly { readonly startLine: number; readonly endLine: number }[],
  scorer: LineScorer,
  headLines: number,
  wanted: readonly number[] = [],
): readonly LineRange[] {
  const lines = text.split("\n");
  const owned = new Uint8Array(lines.length + 2);
  for (const { startLine, endLine } of symbols) owned.fill(1, startLine, endLine + 1);
  const hits = lines
    .map((line, index) => ({ line: index + 1, score: owned[index + 1] ? 0 : scorer(line) }))
    .map((hit) => (wanted.includes(hit.line) ? { ...hit, score: Number.MAX_VALUE } : hit))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, WINDOWS_MAX);
  if (hits.length === 0 && headLines === 0) return [];
  const endLine = lines.length > 1 && lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (endLine < SMALL_FILE_LINES) return [{ startLine: 1, endLine }];
  const header = { startLine: 1, endLine: HEADER_LINES };
  if (hits.length === 0) return [{ startLine: 1, endLine: Math.min(headLines, endLine) }];
  const windows = padRanges(
    hits.map(({ line }) => rangeOf(line)),
    CONTEXT_LINES,
    endLine,
  );
  return withMarkers([header, ...windows], conflictMarkers(lines, { startLine: 1, endLine }));
}

/** The ranges, merged, with the lines that mark the conflicts of which they have a part. */
function withMarkers(
  ranges: readonly LineRange[],
  markersOf: ReturnType<typeof conflictMarkers>,
): readonly LineRange[] {
  const markers = markersOf.size === 0 ? [] : linesOf(ranges).flatMap((line) => markersOf.get(line) ?? []);
  return mergeRanges([...ranges, ...markers.map(rangeOf)]);
}

const rangeOf = (line: number): LineRange => ({ startLine: line, endLine: line });

const linesOf = (ranges: readonly LineRange[]): readonly number[] =>
  ranges.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
  );

/** A line of which only the first `chars` characters are shown. */
export type LineCut = { readonly line: number; readonly chars: number };

export type Excerpt = { readonly ranges: readonly LineRange[]; readonly cut: LineCut | null };

/** A text with its costs in tokens: of each line, and of a part of one. */
export type PricedText = {
  readonly lines: readonly string[];
  lineTokens(line: number): number;
  tokensOf(text: string): number;
};

/** `tokensMax`: the limit. `unusedMax`: the rest that may stay unused; beyond that, a line that does not fit is cut. */
type ExcerptRoom = { readonly tokensMax: number; readonly unusedMax: number };

/** Lines of a range to show in any case, and the line to begin with. `alone`: with what is around them, and nothing else. */
type WantedLines = { readonly from: number; readonly lines: readonly number[]; readonly alone: boolean };

/**
 * The best lines of a range within a number of tokens: its first lines, then windows around the best hits, then more from
 * the top. No ranges if not even the first line fits. If lines are wanted, they and what is around them come before the hits,
 * and the first lines are those from `from` on.
 */
export function excerpt(
  text: PricedText,
  range: LineRange,
  scorer: LineScorer,
  room: ExcerptRoom,
  { from, lines: wanted, alone }: WantedLines = { from: range.startLine, lines: [], alone: false },
): Excerpt {
  const { lines } = text;
  const taken = new Set<number>();
  let left = room.tokensMax;
  let cut: LineCut | null = null;
  const markersOf = conflictMarkers(lines, range);
  // Each separate window adds a line that marks the gap; a line that closes a gap removes one.
  const gap = (line: number, follows: boolean): number =>
    GAP_TOKENS * ((follows ? 0 : 1) - (taken.has(line + 1) ? 1 : 0));
  const take = (from: number, to: number): boolean => {
    const asked = { startLine: Math.max(from, range.startLine), endLine: Math.min(to, range.endLine) };
    const fresh = linesOf(withMarkers([asked], markersOf)).filter((line) => !taken.has(line));
    let cost = 0;
    for (const [at, line] of fresh.entries())
      cost += text.lineTokens(line) + gap(line, taken.has(line - 1) || fresh[at - 1] === line - 1);
    if (cost > left) return false;
    left -= cost;
    for (const line of fresh) taken.add(line);
    return true;
  };
  const takePart = (line: number): void => {
    const isUnmarked = markersOf.get(line)?.some((each) => each !== line && !taken.has(each)) ?? false;
    if (left <= room.unusedMax || isUnmarked) return;
    const chars = charsWithin(lines[line - 1] ?? "", left - gap(line, taken.has(line - 1)), text.tokensOf);
    if (chars === 0) return;
    left = 0;
    taken.add(line);
    cut = { line, chars };
  };
  const takeAround = (line: number): boolean =>
    take(line - CONTEXT_LINES, line + CONTEXT_LINES) || take(line - 1, line + 1);
  for (const line of wanted) take(line, line);
  if (!take(from, from + 2) && !take(from, from)) takePart(from);
  for (const line of wanted) takeAround(line);
  const hits: { line: number; score: number }[] = [];
  const last = alone ? 0 : range.endLine;
  for (let line = range.startLine; line <= last && left > 0; line += 1) {
    const score = scorer(lines[line - 1] ?? "");
    if (score > 0) hits.push({ line, score });
  }
  hits.sort((a, b) => b.score - a.score || a.line - b.line);
  for (const { line } of hits) takeAround(line);
  // The remaining tokens continue the text from its top.
  for (let line = range.startLine; line <= last && left > 0; line += 1)
    if (!taken.has(line) && !take(line, line)) {
      takePart(line);
      break;
    }
  return { ranges: mergeRanges([...taken].map(rangeOf)), cut };
}

/** The shown part of a cut line. */
export const cutText = (text: string, { chars }: LineCut): string => `${text.slice(0, chars)} …`;

/** How many characters of a line fit into `tokensMax` with the mark of the cut; 0 if too few to be useful. */
export function charsWithin(text: string, tokensMax: number, tokensOf: PricedText["tokensOf"]): number {
  // A token has at most eight characters here, so the rest need not be counted.
  let chars = Math.min(text.length - 1, Math.max(0, tokensMax) * 8);
  while (chars >= CUT_CHARS_MIN) {
    const part = cutText(text, { line: 0, chars });
    const cost = tokensOf(part);
    if (cost <= tokensMax && part.isWellFormed()) return chars;
    chars = cost <= tokensMax ? chars - 1 : Math.min(chars - 1, Math.floor((chars * tokensMax) / cost));
  }
  return 0;
}

const CUT_CHARS_MIN = 8;

/** The approximate tokens of a gap marker. */
export const GAP_TOKENS = 8;
