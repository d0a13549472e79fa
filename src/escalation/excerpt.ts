/**
 * A part of a text that is too long: the lines around its hits, or its beginning where there are none.
 *
 * Whatever is left out is shown by the marker. The result is never larger than the room, in bytes of UTF-8, and no
 * character is cut.
 */

/** Stands where text was left out. */
export const TRUNCATED = "\n[... truncated ...]\n";
/** What is kept free of a text's room for the marker at its end. */
const MARKER_BYTES_KEPT = 25;
/** An excerpt for less room says nothing; there is none. */
export const ROOM_BYTES_MIN = 100;

const LINES_AROUND = 5;
/** A line may be a whole file: a longer one counts as several. */
const LINE_CHARS_MAX = 400;

/** What a sign weighs that is in the text once; one that is there more often weighs less each time. */
const ONCE = 1_000_000;

/**
 * A text that takes at most `room` bytes; null when that is too little for one that is larger. Where it has any of
 * `signs` (in small letters), what is shown of it is around them and takes at most `share`.
 */
export function excerpt(text: string, signs: readonly string[], room: number, share = room): string | null {
  if (Buffer.byteLength(text) <= room) return text;
  if (room <= ROOM_BYTES_MIN) return null;
  const lines = linesOf(text, weighted(signs, text.toLowerCase()));
  const chosen = windowsFor(lines, Math.max(Math.min(share, room), ROOM_BYTES_MIN) - MARKER_BYTES_KEPT);
  return chosen.length === 0 ? headOf(text, room - MARKER_BYTES_KEPT) + TRUNCATED : joined(lines, chosen);
}

/** The signs that the text has, with their weights: whole numbers, so that sums do not depend on their order. */
function weighted(signs: readonly string[], lower: string): readonly (readonly [string, number])[] {
  return signs.flatMap((sign) => {
    const count = timesIn(lower, sign);
    return count === 0 ? [] : [[sign, Math.max(1, Math.round(ONCE / count))] as const];
  });
}

/** How often a sign is in a text, none of them overlapping another. */
function timesIn(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) count++;
  return count;
}

/** The longest beginning of at most so many bytes that ends between two characters. */
export function headOf(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytesMax)));
  return text.slice(0, read);
}

/** `hits` is the weight of the signs in it. */
type Line = { readonly text: string; readonly bytes: number; readonly hits: number };
/** Lines from `from` up to before `to`. */
type Window = { readonly from: number; readonly to: number };

/** Lines with their ends; those that are too long in pieces. */
function linesOf(text: string, signs: readonly (readonly [string, number])[]): readonly Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    let next = Math.min(end < 0 ? text.length : end + 1, at + LINE_CHARS_MAX);
    // Between the halves of one character nothing is cut.
    if (next < text.length && isLowHalf(text.charCodeAt(next))) next++;
    const line = text.slice(at, next);
    const lower = line.toLowerCase();
    const hits = signs.reduce((sum, [sign, weight]) => sum + weight * timesIn(lower, sign), 0);
    lines.push({ text: line, bytes: Buffer.byteLength(line), hits });
    at = next;
  }
  return lines;
}

/** Whether it is the second half of a character: nothing is cut before one. */
export const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Windows around hits that fit, by place: first those with the most in as much as fits of them, then the first ones. */
function windowsFor(lines: readonly Line[], room: number): readonly Window[] {
  const fit = (window: Window, space: number): Window | null =>
    bytesIn(lines, window) <= space ? window : densest(lines, window, space);
  const ranked = around(lines)
    .map((window) => ({ window, hits: hitsIn(lines, fit(window, room - TRUNCATED.length)) }))
    .sort((a, b) => b.hits - a.hits || a.window.from - b.window.from);
  const chosen: Window[] = [];
  let left = room;
  for (const { window } of ranked) {
    // Each may need a marker before it.
    const space = left - TRUNCATED.length;
    const fitting = fit(window, space);
    if (fitting === null) break;
    chosen.push(fitting);
    left = space - bytesIn(lines, fitting);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/** The lines near hits, where they overlap or touch as one. */
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

/** The part of a window that fits and has the most hits, the first of several; null when none fits that has any. */
function densest(lines: readonly Line[], { from, to }: Window, room: number): Window | null {
  let best: (Window & { readonly hits: number }) | null = null;
  let [start, bytes, hits] = [from, 0, 0];
  for (let at = from; at < to; at++) {
    bytes += lines[at]?.bytes ?? 0;
    hits += lines[at]?.hits ?? 0;
    for (; bytes > room && start <= at; start++) {
      bytes -= lines[start]?.bytes ?? 0;
      hits -= lines[start]?.hits ?? 0;
    }
    if (hits > (best?.hits ?? 0)) best = { from: start, to: at + 1, hits };
    // Nothing is gained by a longer one, but what follows the last hit.
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
