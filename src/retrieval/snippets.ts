/**
 * Line ranges of a text that match a task: windows around the lines that hold its words.
 *
 * Serves two needs: code that lies outside any symbol, and the best part of a body that does not fit
 * whole. Windows have `CONTEXT_LINES` lines around each hit and are merged where they touch.
 */
import type { TaskQuery } from "../task/query.ts";
import { termsIn } from "../text/identifiers.ts";
import { type LineRange, mergeRanges, padRanges } from "../text/ranges.ts";

/** Lines of context above and below a hit. */
export const CONTEXT_LINES = 5;
/** A file of fewer lines goes in whole. */
export const SMALL_FILE_LINES = 50;
/** Lines at the top of a file that a snippet brings along: its imports and header. */
const HEADER_LINES = 5;
const WINDOWS_MAX = 3;

/** How well a line matches a task, 0 for not at all. */
export type LineScorer = (line: string) => number;

/** Scores a line by the distinct keywords of the task in it; earlier keywords weigh up to twice as much. */
export function lineScorer(task: TaskQuery): LineScorer {
  const weights = new Map(task.keywords.map((word, index) => [word, 1 + 1 / (1 + index / 4)]));
  return (line) => {
    let score = 0;
    for (const term of new Set(termsIn(line.slice(0, 2000)))) score += weights.get(term) ?? 0;
    return score;
  };
}

/** Windows over the lines that no symbol owns. A small file is taken whole; `always` falls back to the head of the file. */
export function looseSnippets(
  text: string,
  symbols: readonly { readonly startLine: number; readonly endLine: number }[],
  scorer: LineScorer,
  always: boolean,
): readonly LineRange[] {
  const lines = text.split("\n");
  const owned = new Uint8Array(lines.length + 2);
  for (const { startLine, endLine } of symbols) owned.fill(1, startLine, endLine + 1);
  const hits = lines
    .map((line, index) => ({ line: index + 1, score: owned[index + 1] ? 0 : scorer(line) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.line - b.line)
    .slice(0, WINDOWS_MAX);
  if (hits.length === 0 && !always) return [];
  if (lines.length < SMALL_FILE_LINES) return [{ startLine: 1, endLine: lines.length }];
  const header = { startLine: 1, endLine: HEADER_LINES };
  if (hits.length === 0) return [{ startLine: 1, endLine: 2 * CONTEXT_LINES }];
  const windows = padRanges(
    hits.map(({ line }) => ({ startLine: line, endLine: line })),
    CONTEXT_LINES,
    lines.length,
  );
  return mergeRanges([header, ...windows]);
}

/**
 * The best lines of a range that together cost at most `tokensMax`: its first lines, then windows
 * around the best hits, growing while they fit. `tokensOf(line)` is the cost of one line.
 */
export function excerpt(
  lines: readonly string[],
  range: LineRange,
  scorer: LineScorer,
  tokensOf: (line: number) => number,
  tokensMax: number,
): readonly LineRange[] {
  const taken = new Set<number>();
  let left = tokensMax;
  const take = (from: number, to: number): boolean => {
    const fresh: number[] = [];
    let cost = 0;
    for (let line = Math.max(from, range.startLine); line <= Math.min(to, range.endLine); line += 1)
      if (!taken.has(line)) {
        fresh.push(line);
        cost += tokensOf(line);
      }
    // Each separate window costs a marker line as well.
    if (fresh[0] !== undefined && !taken.has(fresh[0] - 1)) cost += GAP_TOKENS;
    if (cost > left) return false;
    left -= cost;
    for (const line of fresh) taken.add(line);
    return true;
  };
  if (!take(range.startLine, range.startLine + 2) && !take(range.startLine, range.startLine)) return [];
  const hits: { line: number; score: number }[] = [];
  for (let line = range.startLine; line <= range.endLine; line += 1) {
    const score = scorer(lines[line - 1] ?? "");
    if (score > 0) hits.push({ line, score });
  }
  hits.sort((a, b) => b.score - a.score || a.line - b.line);
  for (const { line } of hits) if (!take(line - CONTEXT_LINES, line + CONTEXT_LINES)) take(line - 1, line + 1);
  // What is still free continues the text from its top.
  for (let line = range.startLine; line <= range.endLine && left > 0; line += 1)
    if (!taken.has(line) && !take(line, line)) break;
  return mergeRanges([...taken].sort((a, b) => a - b).map((line) => ({ startLine: line, endLine: line })));
}

/** What the marker of a gap costs, about. */
export const GAP_TOKENS = 8;
