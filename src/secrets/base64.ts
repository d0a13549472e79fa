/**
 * Finds and decodes base64 around an encoded literal: a key stays usable in the data of a Kubernetes secret, a data URL or a
 * header.
 */
import type { Span } from "./redactor.ts";
import { type Edit, edited, type View } from "./view.ts";

/** Called with 24 bits, which are four letters, and how many letters of their first group are before them. */
type OnForm = (bits: number, lettersBefore: number) => void;

/**
 * Four base64 letters of a literal, for each of the three places in a group of three bytes where it can begin. A literal of three
 * characters fills four letters at the first place only; at the others, the bits of the byte beside it are unknown, and each value
 * of them makes a form.
 */
export function base64Forms(literal: string, onForm: OnForm): void {
  const three = (literal.charCodeAt(0) << 16) | (literal.charCodeAt(1) << 8) | literal.charCodeAt(2);
  onForm(three, 0);
  if (literal.length > 3) {
    const next = literal.charCodeAt(3);
    onForm(((three << 4) | (next >> 4)) & 0xffffff, 2);
    onForm(((three << 2) | (next >> 6)) & 0xffffff, 3);
    return;
  }
  for (let beside = 0; beside < 4; beside += 1) {
    onForm((beside << 22) | (three >> 2), 1);
    onForm(((three << 2) | beside) & 0xffffff, 3);
  }
}

/** The letter of six bits in the first alphabet, and in the one for URLs. */
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
export const URL_LETTERS = `${LETTERS.slice(0, 62)}-_`;
const LETTER_BITS = 6;

/** The bits of four letters of either alphabet, or -1. */
export function bitsAt(text: string, at: number): number {
  let bits = 0;
  for (let one = at; one < at + 4; one += 1) {
    const six = SIX_BITS[text.charCodeAt(one)] ?? NO_LETTER;
    if (six === NO_LETTER) return -1;
    bits = (bits << LETTER_BITS) | six;
  }
  return bits;
}

const NO_LETTER = 64;
const SIX_BITS = new Uint8Array(128).fill(NO_LETTER);
for (let bits = 0; bits < 64; bits += 1)
  SIX_BITS[LETTERS.charCodeAt(bits)] = SIX_BITS[URL_LETTERS.charCodeAt(bits)] = bits;
const isLetter = (unit: number): boolean => (SIX_BITS[unit] ?? NO_LETTER) < NO_LETTER;

/** Decoded base64, and where it ends in the text. */
type DecodedRun = { readonly view: View; readonly end: number };

/** The letters around the group of four at `at`, decoded. Null if they cannot hold a key. */
export function base64Around(text: string, at: number): DecodedRun | null {
  let start = at;
  while (at - start < LETTERS_BEFORE_MAX && start >= 4 && areLetters(text, start - 4, start)) start -= 4;
  let end = start;
  while (end - start < LETTERS_MAX && isLetter(text.charCodeAt(end))) end += 1;
  if (end - start < LETTERS_MIN) return null;
  const original = (span: Span): Span => ({
    start: start + Math.floor((span.start * 8) / LETTER_BITS),
    end: Math.min(end, start + Math.ceil((span.end * 8) / LETTER_BITS)),
  });
  return { view: { text: Buffer.from(text.slice(start, end), "base64").toString("latin1"), original }, end };
}

/** No key is shorter. */
const LETTERS_MIN = 20;
/** Enough for a private key; what is longer is decoded in parts. */
const LETTERS_MAX = 32_768;
/** Enough for what a rule looks back at. */
const LETTERS_BEFORE_MAX = 256;

/** Whether a text has enough letters in a row for `base64Texts` or `joinedBase64` to find something. Most have not. */
export const hasBase64 = (text: string): boolean => longRun(text, 0, ASCII_LETTERS_MIN).end > 0;

/** Every long run of base64 that is a text when it is decoded. */
export function base64Texts(text: string): readonly View[] {
  const views: View[] = [];
  // Finding runs of this many letters takes less time than the pattern.
  for (let { start, end } = longRun(text, 0, ASCII_LETTERS_MIN); end > 0; ) {
    const letters = text.slice(start, end);
    ASCII_RUN.lastIndex = 0;
    for (let match = ASCII_RUN.exec(letters); match !== null; match = ASCII_RUN.exec(letters)) {
      const run = base64Around(text, start + match.index);
      if (run === null) continue;
      views.push(run.view);
      ASCII_RUN.lastIndex = run.end - start;
    }
    ({ start, end } = longRun(text, end, ASCII_LETTERS_MIN));
  }
  return views;
}

/** Of the pattern below. */
const ASCII_LETTERS_MIN = 28;

/** Seven groups of three bytes below 0x80: hardly any word or path is that by chance. Quick before any code is compiled. */
const ASCII_RUN = /(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){7}/g;

/** The text with the lines of base64 data joined, or null if it has none. */
export function joinedBase64(text: string): View | null {
  if (longRun(text, 0, LINE_LETTERS_MIN).end < 0 || !LONG_LINE.test(text)) return null;
  const edits: Edit[] = [];
  for (let { end } = longRun(text, 0, LINE_LETTERS_MIN); end > 0; { end } = longRun(text, end, LINE_LETTERS_MIN)) {
    LINE_END.lastIndex = end;
    if (LINE_END.test(text)) edits.push({ start: end, end: LINE_END.lastIndex, instead: "" });
  }
  return edited(text, edits);
}

/** The next run of at least `lettersMin` letters; its end is -1 if there is none. */
function longRun(text: string, from: number, lettersMin: number): Span {
  let start = from;
  while (start + lettersMin <= text.length) {
    let at = start + lettersMin - 1;
    while (at >= start && isLetter(text.charCodeAt(at))) at -= 1;
    if (at < start) {
      let end = start + lettersMin;
      while (isLetter(text.charCodeAt(end))) end += 1;
      return { start, end };
    }
    start = at + 1;
  }
  return { start, end: -1 };
}

const LINE_LETTERS_MIN = 56;
const LONG_LINE = /\n[ \t]*[A-Za-z0-9+/]{56}/;
/** Before whole groups of four, as the next line of data is. */
const LINE_END =
  /\r?\n[ \t]*(?=(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)(?![A-Za-z0-9+/=]))/y;

function areLetters(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isLetter(text.charCodeAt(at))) return false;
  return true;
}
