/**
 * Counts the tokens of a text line by line, each distinct line once.
 *
 * Packing renders nearly the same text several times, so most lines were counted before. The tokenizers first split a
 * text into pieces and never merge across them, so a text can be cut wherever a piece must end: after a line feed, unless
 * the next line is blank or starts with a character that the patterns allow after a line feed (`/`, another line end).
 * Counts are exactly those of the whole text; a property test proves it.
 */

/** Lines in the cache; when full, it is cleared, which only costs time. */
const LINES_MAX = 100_000;
/** Characters of texts whose lines are cached, because a line can keep its whole text in memory. */
const TEXTS_CHARS_MAX = 32_000_000;

/** The same counter with a cache of lines. */
export function rememberingLines(count: (piece: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  let held = 0;
  const forget = (): void => {
    known.clear();
    held = 0;
  };
  const ofStretch = (stretch: string): number => {
    const before = known.get(stretch);
    if (before !== undefined) return before;
    if (known.size >= LINES_MAX) forget();
    const tokens = count(stretch);
    known.set(stretch, tokens);
    return tokens;
  };
  const countLines = (text: string): number => {
    let total = 0;
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) {
      if (!mayCut(text, end + 1)) continue;
      total += ofStretch(text.slice(from, end + 1));
      from = end + 1;
    }
    return from < text.length ? total + ofStretch(text.slice(from)) : total;
  };
  return (text) => {
    const before = known.size;
    const total = countLines(text);
    if (known.size > before) held += text.length;
    if (held > TEXTS_CHARS_MAX) forget();
    return total;
  };
}

/** Whether a line that starts at `at` always starts a piece, whatever precedes it. */
function mayCut(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (Number.isNaN(first) || first === SLASH) return false;
  // Spaces and tabs start a piece only if the line has something else after them.
  for (let next = at; next < text.length; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === SPACE || unit === TAB) continue;
    return unit > SPACE && unit < DELETE;
  }
  return false;
}

const SLASH = 0x2f;
const SPACE = 0x20;
const TAB = 0x09;
/** Beyond ASCII there are more kinds of white space than this needs to distinguish. */
const DELETE = 0x7f;
