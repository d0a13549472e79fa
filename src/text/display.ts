/**
 * Makes any text safe to show on a terminal.
 *
 * Names and contents of a repository are untrusted: they can contain escape sequences that set the title or the
 * clipboard, carriage returns that overwrite, controls that reverse the reading order, invisible characters, and stacks
 * of combining marks. Each such character is shown as `\xNN` or `\u{…}`. The type `Display` proves that this was done.
 *
 * Invariants: the result has no control, format, surrogate, separator or invisible character (a line feed and a tab only
 * from `displayLines`; the two emoji variation selectors stay, and the joiner between two emoji) and at most `MARKS_MAX` combining marks in a row.
 * Displaying a displayed text changes nothing. Files keep their bytes and are not displayed.
 */

declare const safe: unique symbol;

/** Text that cannot control a terminal. Only this module creates it. */
export type Display = string & { readonly [safe]: true };

/** Combining marks in a row; no living script needs more. */
export const MARKS_MAX = 8;

/** Selectors of an emoji's form, and the joiner that makes one of two. */
const KEPT = String.raw`[\u{FE0E}\u{FE0F}]|(?<=\p{Extended_Pictographic}(?:\u{FE0F}|\p{Emoji_Modifier})?)\u{200D}(?=\p{Extended_Pictographic})`;

/** Controls, format characters (bidirectional, zero-width, tags), lone surrogates, separators, and default ignorable characters. */
const HIDDEN = String.raw`(?!${KEPT})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;
const TOWER = String.raw`(?<=\p{M}{${MARKS_MAX}})\p{M}+`;
const UNSAFE = new RegExp(`${HIDDEN}|${TOWER}`, "gu");
const UNSAFE_IN_LINES = new RegExp(`(?![\\n\\t])${HIDDEN}|${TOWER}`, "gu");
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\x20-\x7e\n\t]*$/;

/** One line: line ends and tabs are escaped too. For names, messages and cells. */
export function display(raw: string): Display {
  return branded(PLAIN.test(raw) ? raw : raw.replace(UNSAFE, escaped));
}

/** Many lines: line feeds and tabs stay, CRLF becomes a line feed. For code and prose. */
export function displayLines(raw: string): Display {
  return branded(PLAIN_LINES.test(raw) ? raw : raw.replaceAll("\r\n", "\n").replace(UNSAFE_IN_LINES, escaped));
}

/** Escapes a stack of marks one by one; every other match is one character. */
const escaped = (found: string): string => Array.from(found, escapedCharacter).join("");

/** One character as `\xNN` or `\u{…}`. */
export function escapedCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/** The only place where text becomes `Display`. */
const branded = (text: string): Display => text as Display;
