/**
 * Shortens any text to one safe line, for reasons, names and summaries.
 *
 * The result has no control, format or line-separating character and no lone surrogate. Shortening it again changes nothing.
 */
import { display } from "../text/display.ts";

const ELLIPSIS = "…";

/** How far the text is read, as a multiple of `charsMax`: joining blanks makes a text shorter. */
const READ_FACTOR = 4;

/** The text on one line of at most `charsMax` UTF-16 units (at least 1); a cut text ends with an ellipsis. */
export function shorten(raw: string, charsMax: number): string {
  const read = whole(raw.slice(0, charsMax * READ_FACTOR));
  const line = display(read.replace(/\s+/gu, " ").trim());
  if (line.length <= charsMax && read.length === raw.length) return line;
  const kept = whole(line.slice(0, Math.max(0, charsMax - ELLIPSIS.length))).trimEnd();
  return `${kept}${ELLIPSIS}`;
}

/** Drops half of a surrogate pair at the end. */
const whole = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);
