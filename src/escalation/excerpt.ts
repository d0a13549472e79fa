/**
 * Shortens a long text to the lines around its hits, or to its beginning if there are none.
 *
 * A marker replaces what is left out. The result never exceeds the given bytes of UTF-8, and no character is split.
 */
import { isLowSurrogate } from "../text/tokens/tokens.ts";

/** Replaces omitted text. */
export const TRUNCATED = "\n[... truncated ...]\n";
/** Bytes reserved for the marker at the end. */
const MARKER_BYTES = 25;
/** A shorter excerpt is useless. */
export const EXCERPT_BYTES_MIN = 100;

const LINES_AROUND = 5;
/** Longer lines are split: a line may be a whole file. */
const LINE_CHARS_MAX = 400;

/** Weight of a term that occurs once; more frequent terms weigh less each time. */
const WEIGHT_ONCE = 1_000_000;

/**
 * The text in at most `bytesMax` bytes; null if it would have to be cut to less than `EXCERPT_BYTES_MIN`. A text that is
 * cut and contains any of `terms` (lower case) is cut to the lines around them, in at most `share` bytes.
 */
export function excerpt(text: string, terms: readonly string[], bytesMax: number, share = bytesMax): string | null {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  if (bytesMax <= EXCERPT_BYTES_MIN) return null;
  const lines = linesOf(text, weighted(terms, text.toLowerCase()));
  const chosen = windowsFor(lines, Math.max(Math.min(share, bytesMax), EXCERPT_BYTES_MIN) - MARKER_BYTES);
  return chosen.length === 0 ? headOf(text, bytesMax - MARKER_BYTES) + TRUNCATED : joined(lines, chosen);
}

/** The terms in the text, with their weights: whole numbers, so that sums do not depend on their order. */
function weighted(terms: readonly string[], lower: string): readonly (readonly [string, number])[] {
  return terms.flatMap((term) => {
    const count = timesIn(lower, term);
    return count === 0 ? [] : [[term, Math.max(1, Math.round(WEIGHT_ONCE / count))] as const];
  });
}

/** The number of non-overlapping occurrences of a term. */
function timesIn(text: string, term: string): number {
  let count = 0;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) count++;
  return count;
}

/** The longest beginning of at most this many bytes that does not split a character. */
export function headOf(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytesMax)));
  return text.slice(0, read);
}

/** `hits` is the weight of its terms. */
type Line = { readonly text: string; readonly bytes: number; readonly hits: number };
/** Lines from `from` up to, excluding, `to`. */
type Window = { readonly from: number; readonly to: number };

/** Lines with their line ends; long ones are split. */
function linesOf(text: string, terms: readonly (readonly [string, number])[]): readonly Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    let next = Math.min(end < 0 ? text.length : end + 1, at + LINE_CHARS_MAX);
    // Never split a surrogate pair.
    if (next < text.length && isLowSurrogate(text.charCodeAt(next))) next++;
    const line = text.slice(at, next);
    const lower = line.toLowerCase();
    const hits = terms.reduce((sum, [term, weight]) => sum + weight * timesIn(lower, term), 0);
    lines.push({ text: line, bytes: Buffer.byteLength(line), hits });
    at = next;
  }
  return lines;
}

/** The windows to show, in order of position. Chosen are those with most hits in the part that fits, then the first. */
function windowsFor(lines: readonly Line[], bytesMax: number): readonly Window[] {
  const fit = (window: Window, space: number): Window | null =>
    bytesIn(lines, window) <= space ? window : densest(lines, window, space);
  const ranked = around(lines)
    .map((window) => ({ window, hits: hitsIn(lines, fit(window, bytesMax - TRUNCATED.length)) }))
    .sort((a, b) => b.hits - a.hits || a.window.from - b.window.from);
  const chosen: Window[] = [];
  let left = bytesMax;
  for (const { window } of ranked) {
    // Each may need a marker in front.
    const space = left - TRUNCATED.length;
    const fitting = fit(window, space);
    if (fitting === null) break;
    chosen.push(fitting);
    left = space - bytesIn(lines, fitting);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/** The lines around hits; windows that overlap or touch are merged. */
function around(lines: readonly Line[]): readonly Window[] {
  const windows: { from: number; to: number }[] = [];
  for (const [at, { hits }] of lines.entries()) {
    if (hits === 0) continue;
    const [from, to] = [Math.max(0, at - LINES_AROUND), Math.min(lines.length, at + LINES_AROUND + 1)];
    const last = windows.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else windows.push({ from, to });
  }
  return windows;
}

/** The first part of a window that fits and has the most hits; null if no part with a hit fits. */
function densest(lines: readonly Line[], { from, to }: Window, bytesMax: number): Window | null {
  let best: (Window & { readonly hits: number }) | null = null;
  let [start, bytes, hits] = [from, 0, 0];
  for (let at = from; at < to; at++) {
    bytes += lines[at]?.bytes ?? 0;
    hits += lines[at]?.hits ?? 0;
    for (; bytes > bytesMax && start <= at; start++) {
      bytes -= lines[start]?.bytes ?? 0;
      hits -= lines[start]?.hits ?? 0;
    }
    if (hits > (best?.hits ?? 0)) best = { from: start, to: at + 1, hits };
    // A longer part with the same hits adds the lines after the last hit.
    else if (best !== null && hits === best.hits && start === best.from) best = { from: start, to: at + 1, hits };
  }
  return best;
}

const bytesIn = (lines: readonly Line[], { from, to }: Window): number =>
  lines.slice(from, to).reduce((sum, { bytes }) => sum + bytes, 0);
const hitsIn = (lines: readonly Line[], window: Window | null): number =>
  window === null ? 0 : lines.slice(window.from, window.to).reduce((sum, { hits }) => sum + hits, 0);

function joined(lines: readonly Line[], windows: readonly Window[]): string {
  let text = "";
  let at = 0;
  for (const { from, to } of windows) {
    const before = text === "" ? TRUNCATED.slice(1) : TRUNCATED;
    text += from > at ? before : "";
    text += lines
      .slice(from, to)
      .map((line) => line.text)
      .join("");
    at = to;
  }
  return at < lines.length ? text + TRUNCATED : text;
}
