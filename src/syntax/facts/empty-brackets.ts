/**
 * Chains of calls without what is in their brackets, so that long ones can be read to their end: `a.b(c, d).e { f }` becomes `a.b().e {}`.
 *
 * The text has no comments. One with quotes or brackets that nothing closes is read several times, so the caller bounds it.
 */

const OPENING = "([{";
const CLOSING = ")]}";
const NEW = /^\s*new\s/;
const MADE = /^new\s+[\p{L}_$\\][\p{L}\p{N}_$.\\]*(?:\(\))?$/u;

/** A text whose calls and blocks are empty, and which begins with `new` where that stands in brackets. A text that ends in brackets stays. */
export function withEmptyBrackets(text: string): string {
  let [shown, start] = ["", 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuote(text, at)) at = quotedEnd(text, at);
    else if (char === "(" || char === "{") {
      const end = closingAt(text, at);
      if (end === null) return text;
      shown += at === 0 ? made(text.slice(1, end)) : text.slice(start, at + 1) + text.charAt(end);
      start = end + 1;
      at = end;
    }
  }
  return shown + text.slice(start);
}

/** What stands in brackets that begin a text. */
function made(inner: string): string {
  const object = NEW.test(inner) ? withEmptyBrackets(inner.trim()) : "";
  if (!MADE.test(object)) return `(${inner})`;
  return object.endsWith(")") ? object : `${object}()`;
}

/** The position of the bracket that closes the one at `from`, or null. */
export function closingAt(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuote(text, at)) at = quotedEnd(text, at);
    else if (OPENING.includes(char)) depth += 1;
    else if (CLOSING.includes(char) && --depth === 0) return at;
  }
  return null;
}

const QUOTES = "\"'`";
const ESCAPE = "\\";
const isQuote = (text: string, at: number): boolean => QUOTES.includes(text.charAt(at)) && text[at - 1] !== ESCAPE;

/** The position of the quote that ends a text in quotes; `from` if there is none in its line, as of a quote in a name. */
function quotedEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at += text[at] === ESCAPE ? 2 : 1)
    if (text[at] === text[from]) return at;
  return from;
}
