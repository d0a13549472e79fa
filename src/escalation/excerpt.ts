/**
 * Shortens a long text to the traces with hits and the lines around other hits, or to its beginning if there are none.
 *
 * A marker replaces what is left out. The result never exceeds the given bytes of UTF-8, and no character is split.
 */

import { isErrorLine, isFrameLine, isTraceHead } from "../task/sections/section-patterns.ts";
import { isLowSurrogate } from "../text/tokens/tokens.ts";
import { CODE_GAP_MAX, GAP_MAX } from "./failure-lines.ts";

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
 * cut and contains any of `terms` (lower case) is cut to the lines around them, in at most `share` bytes. Traces with
 * terms come first, and the best of them may take all of `bytesMax`.
 */
export const excerpt = (text: string, terms: readonly string[], bytesMax: number, share = bytesMax): string | null =>
  cuttable(text, terms).cut(bytesMax, share);

/** A text that may have to be cut; its lines are found once. */
type Cuttable = {
  readonly bytes: number;
  /** The bytes of the best trace with terms, with room for markers; 0 without one. */
  traceBytes(): number;
  /** As `excerpt`. Then more lines around are shown while all of it takes at most `filled` bytes. */
  cut(bytesMax: number, share: number, filled?: number): string | null;
};

export function cuttable(text: string, terms: readonly string[]): Cuttable {
  const bytes = Buffer.byteLength(text);
  let known: Windows | null = null;
  const windows = (): Windows => {
    known ??= around(linesOf(text, weighted(terms, text.toLowerCase())));
    return known;
  };
  return {
    bytes,
    traceBytes() {
      const [best] = ranked(windows(), bytes);
      return best?.isTrace === true ? bytesIn(windows().lines, best) + TRUNCATED.length + MARKER_BYTES : 0;
    },
    cut(bytesMax, share, filled = 0) {
      if (bytes <= bytesMax) return text;
      if (bytesMax <= EXCERPT_BYTES_MIN) return null;
      const shared = Math.max(Math.min(share, bytesMax), EXCERPT_BYTES_MIN);
      const chosen = windowsFor(windows(), shared - MARKER_BYTES, bytesMax - MARKER_BYTES);
      if (chosen.length === 0) return headOf(text, bytesMax - MARKER_BYTES) + TRUNCATED;
      return joined(windows().lines, widened(windows().lines, chosen, filled - MARKER_BYTES));
    },
  };
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
type Window = LineRange & { readonly isTrace: boolean };
type Windows = { readonly lines: readonly Line[]; readonly all: readonly Window[] };

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

/** A window, or its densest part if it takes more than `space`; null if no part with a hit fits. */
const fit = (lines: readonly Line[], window: LineRange, space: number): LineRange | null =>
  bytesIn(lines, window) <= space ? window : densest(lines, window, space);

/** Traces first, then the windows with most hits in the part that fits, then the first. */
const ranked = ({ lines, all }: Windows, bytesMax: number): readonly Window[] =>
  all
    .map((window) => ({ window, hits: hitsIn(lines, fit(lines, window, bytesMax - TRUNCATED.length)) }))
    .sort(
      (a, b) => Number(b.window.isTrace) - Number(a.window.isTrace) || b.hits - a.hits || a.window.from - b.window.from,
    )
    .map(({ window }) => window);

/** The windows to show, in order of position. The first trace may take `traceMax` bytes, all others `bytesMax` with it. */
function windowsFor(found: Windows, bytesMax: number, traceMax: number): readonly LineRange[] {
  const { lines } = found;
  const windows = ranked(found, bytesMax);
  const chosen: LineRange[] = [];
  let left = windows[0]?.isTrace === true ? traceMax : bytesMax;
  for (const window of windows) {
    // Each may need a marker in front.
    const fitting = fit(lines, window, left - TRUNCATED.length);
    if (fitting === null) break;
    const taken = bytesIn(lines, fitting) + TRUNCATED.length;
    left = (chosen.length === 0 ? bytesMax : left) - taken;
    chosen.push(fitting);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/** The ranges with more lines around each, a line before and a line behind in turn, while all of them fit. */
function widened(lines: readonly Line[], ranges: readonly LineRange[], bytesMax: number): readonly LineRange[] {
  const wide = ranges.map(({ from, to }) => ({ from, to }));
  let left = wide.reduce((room, range) => room - bytesIn(lines, range) - TRUNCATED.length, bytesMax);
  const fits = (at: number): boolean => {
    const bytes = lines[at]?.bytes ?? Number.POSITIVE_INFINITY;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  for (let isWider = true; isWider; ) {
    isWider = false;
    for (const [at, range] of wide.entries()) {
      const [before, behind] = [range.from - 1, range.to];
      if (before >= (wide[at - 1]?.to ?? 0) && fits(before)) [range.from, isWider] = [before, true];
      if (behind < (wide[at + 1]?.from ?? lines.length) && fits(behind)) [range.to, isWider] = [behind + 1, true];
    }
  }
  return wide;
}

/** The traces with a hit and the lines around them, then the lines around other hits; those that overlap are merged. */
function around(lines: readonly Line[]): Windows {
  const traces = tracesIn(lines);
  const others: { from: number; to: number; isTrace: false }[] = [];
  let next = 0;
  for (const [at, { hits }] of lines.entries()) {
    if (hits === 0) continue;
    while ((traces[next]?.to ?? lines.length) <= at) next += 1;
    const [before, after] = [traces[next - 1], traces[next]];
    if (after !== undefined && after.from <= at) continue;
    const from = Math.max(before?.to ?? 0, at - LINES_AROUND);
    const to = Math.min(after?.from ?? lines.length, at + LINES_AROUND + 1);
    const last = others.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else others.push({ from, to, isTrace: false });
  }
  return { lines, all: [...traces, ...others] };
}

/** The traces with a hit, each with lines around it, in order and without overlaps. */
function tracesIn(lines: readonly Line[]): readonly Window[] {
  const windows: Window[] = [];
  const blocks = traceBlocks(lines.map(({ text }) => text));
  for (const [at, block] of blocks.entries()) {
    if (hitsIn(lines, block) === 0) continue;
    const from = Math.max(windows.at(-1)?.to ?? 0, block.from - LINES_AROUND);
    const to = Math.min(blocks[at + 1]?.from ?? lines.length, block.to + LINES_AROUND);
    windows.push({ from, to, isTrace: true });
  }
  return windows;
}

/** The first part of a window that fits and has the most hits; null if no part with a hit fits. */
function densest(lines: readonly Line[], { from, to }: LineRange, bytesMax: number): LineRange | null {
  let best: (LineRange & { readonly hits: number }) | null = null;
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

const bytesIn = (lines: readonly Line[], { from, to }: LineRange): number =>
  lines.slice(from, to).reduce((sum, { bytes }) => sum + bytes, 0);
const hitsIn = (lines: readonly Line[], window: LineRange | null): number =>
  window === null ? 0 : lines.slice(window.from, window.to).reduce((sum, { hits }) => sum + hits, 0);

function joined(lines: readonly Line[], windows: readonly LineRange[]): string {
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

/** Lines from `from` up to, excluding, `to`. */
type LineRange = { readonly from: number; readonly to: number };

const FRAMES_MIN = 2;

/** The stack traces in order, which an excerpt shows whole: frames with their heads and errors, and the few lines between them. */
function traceBlocks(lines: readonly string[]): readonly LineRange[] {
  const found: LineRange[] = [];
  let open: { from: number; to: number; frames: number; gap: number } | null = null;
  const close = (): void => {
    if (open !== null && open.frames >= FRAMES_MIN) found.push({ from: open.from, to: open.to });
    open = null;
  };
  for (const [at, line] of lines.entries()) {
    const isFrame = isFrameLine(line);
    if (isFrame || isTraceHead(line) || isErrorLine(line)) {
      open ??= { from: at, to: at, frames: 0, gap: 0 };
      [open.to, open.gap] = [at + 1, 0];
      open.frames += isFrame ? 1 : 0;
    } else if (open !== null) {
      open.gap += /^\s/.test(line) ? 0 : 1;
      if (open.gap > GAP_MAX || at - open.to > CODE_GAP_MAX) close();
    }
  }
  close();
  return found;
}
