/**
 * Makes one short, safe line of any text: for reasons, names and summaries.
 *
 * Invariants: no control, format or line-separating character, no lone surrogate, at most so many characters (UTF-16
 * units), and nothing done twice when it is done again.
 */
import { display } from "../text/display.ts";

const ELLIPSIS = "…";

/** A text is read this many times as far as it may be shown: blanks are joined, escapes make it longer. */
const READ_FACTOR = 4;

/** The text on one line, cut at its end with an ellipsis. `charsMax` counts from 1. */
export function shorten(raw: string, charsMax: number): string {
  const read = whole(raw.slice(0, charsMax * READ_FACTOR));
  const line = display(read.replace(/\s+/gu, " ").trim());
  if (line.length <= charsMax && read.length === raw.length) return line;
  const kept = whole(line.slice(0, Math.max(0, charsMax - ELLIPSIS.length))).trimEnd();
  return `${kept}${ELLIPSIS}`;
}

/** Drops the first half of a pair that the cut left alone. */
const whole = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);
