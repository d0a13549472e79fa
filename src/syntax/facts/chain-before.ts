/** The expression before a name (`a.b(c)?.` of `a.b(c)?.d`), read from the text where a grammar has only tokens, as in macros of Rust. */
import type { Span } from "../../text/lines.ts";

/** What is longer is no chain of names. In characters. */
const CHAIN_MAX = 400;
const NAME_SIGN = /[\p{L}\p{N}_$#]/u;
const OPENING: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  [">", "<"],
]);

/** The expression with its last separator, which ends where the name starts; null if no separator is before the name. */
export function chainBefore(text: string, nameStart: number): Span | null {
  const window = text.slice(Math.max(0, nameStart - CHAIN_MAX), nameStart);
  let start: number | null = null;
  for (let at = beforeSeparator(window, window.length); at !== null; ) {
    const operand = beforeOperand(window, at);
    start = operand ?? Math.max(0, at - 1);
    at = operand === null ? null : beforeSeparator(window, operand);
  }
  return start === null ? null : { start: nameStart - window.length + start, end: nameStart };
}

/** The position before the `.` or `::` that ends at a position; null if there is none, or a range (`..`). */
function beforeSeparator(text: string, end: number): number | null {
  const at = beforeSpace(text, end);
  const length = text.slice(0, at).endsWith("::") ? 2 : text[at - 1] === "." && text[at - 2] !== "." ? 1 : 0;
  return length === 0 ? null : beforeSpace(text, at - length);
}

/** The start of the name, call or bracket that ends at a position; null if none does, as after a string. */
function beforeOperand(text: string, end: number): number | null {
  let at = end;
  // `a?.b`, and in Dart `a!.b`
  while (text[at - 1] === "?" || text[at - 1] === "!") at -= 1;
  for (let open = OPENING.get(text.charAt(at - 1)); open !== undefined; open = OPENING.get(text.charAt(at - 1))) {
    const start = openingBefore(text, at, open);
    if (start === null) return null;
    at = open === "<" && text.slice(0, start).endsWith("::") ? start - 2 : start;
  }
  if (at < end && text[at - 1] === "!") at -= 1;
  while (at > 0 && NAME_SIGN.test(text.charAt(at - 1))) at -= 1;
  return at < end ? at : null;
}

/** The position of the bracket that the one before a position closes, or null. */
function openingBefore(text: string, end: number, open: string): number | null {
  const close = text[end - 1];
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const char = text[at];
    if (char === '"') at = text.lastIndexOf('"', at - 1);
    else if (char === close) depth += 1;
    else if (char === open && --depth === 0) return at;
  }
  return null;
}

function beforeSpace(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}
