/**
 * Splits the text of a section into words, at blanks, quotes, brackets and commas.
 *
 * A word may be a path, a glob (`src/*.{ts,tsx}`), a dotted name or plain English: dots, slashes, colons and stars stay
 * inside. Scripts written without blanks separate words, except inside a path. Linear in the text.
 */
import { UNSPACED } from "../../text/terms/scripts.ts";

/** A word and where it starts. */
export type Word = { readonly text: string; readonly at: number };

const PIECE = new RegExp(
  [
    String.raw`[^\s"'\x60“”‘’«»()<>|,;={}…\u3000-\u303f\uff00-\uff65${UNSPACED}]+`,
    String.raw`\{[^\s{}]{0,80}\}`,
    // In the middle of a path, and at the beginning of a file name, these scripts separate nothing.
    String.raw`(?<=[/\\])[${UNSPACED}]{1,80}(?=[/\\.\w\-])`,
    String.raw`(?<=^|[\s"'(])[${UNSPACED}]{1,80}(?=\.[A-Za-z]{1,5}(?!\w))`,
  ].join("|"),
  "gu",
);

/** The words of a text, in order. Pieces that touch (`*.` and `{ts,tsx}`) are one word. */
export function wordsIn(text: string): readonly Word[] {
  const found: Word[] = [];
  let start = -1;
  let end = -1;
  const flush = () => {
    if (start >= 0) found.push({ text: text.slice(start, end), at: start });
  };
  for (const piece of text.matchAll(PIECE)) {
    if (piece.index !== end) {
      flush();
      start = piece.index;
    }
    end = piece.index + piece[0].length;
  }
  flush();
  return found;
}
