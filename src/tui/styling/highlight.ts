/**
 * Code in colours: keywords, strings, comments and numbers, found by a light scanner for each family of languages.
 *
 * It is told by looking at characters, not by parsing, so that an excerpt that begins anywhere can be highlightLine; where
 * it is wrong, a colour is wrong and nothing else. Invariants: the pieces of a line are the line; time is linear in the
 * characters; a line is highlightLine up to `COLOURED_CHARS`, the rest of it is plain.
 * Not here: which language a file is (`text/language.ts`), styles (`theme.ts`).
 */
import { type Family, familyOf } from "./highlight-languages.ts";
import type { Role } from "./theme.ts";

export type Piece = { readonly text: string; readonly role: Role };

/** What a line begins inside of: a comment or string of several lines, until `end`; null is code. */
export type Inside = { readonly end: string; readonly role: Role } | null;

/** No pane is wider. */
const COLOURED_CHARS = 1_000;

/** One line in pieces, and what the next one begins inside of. */
export function highlightLine(
  text: string,
  language: string,
  inside: Inside,
): { readonly pieces: readonly Piece[]; readonly inside: Inside } {
  const family = familyOf(language);
  if (family === null) return { pieces: [{ text, role: "plain" }], inside: null };
  const shown = text.slice(0, COLOURED_CHARS);
  const pieces: Piece[] = [];
  const end = scan(shown, family, inside, pieces);
  if (text.length > shown.length) pieces.push({ text: text.slice(COLOURED_CHARS), role: "plain" });
  return { pieces, inside: end };
}

function scan(text: string, family: Family, start: Inside, pieces: Piece[]): Inside {
  let inside = start;
  let at = 0;
  while (at < text.length) {
    if (inside !== null) {
      const close = endOf(text, at, inside.end);
      add(pieces, text.slice(at, close ?? text.length), inside.role);
      if (close === null) return inside;
      at = close;
      inside = null;
      continue;
    }
    const block = family.blocks.find(({ begin }) => text.startsWith(begin, at));
    if (block !== undefined) {
      add(pieces, block.begin, block.role);
      at += block.begin.length;
      inside = block;
      continue;
    }
    family.pattern.lastIndex = at;
    const found = family.pattern.exec(text);
    const token = found?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    add(pieces, token, roleOf(token, found?.groups, family));
    at += token.length;
  }
  return inside;
}

/** Where a text of several lines has ended; null when it goes on. What a backslash precedes does not end it. */
function endOf(text: string, from: number, end: string): number | null {
  let at = from;
  for (;;) {
    const found = text.indexOf(end, at);
    if (found < 0) return null;
    if (found === 0 || text.charAt(found - 1) !== "\\" || end === "*/") return found + end.length;
    at = found + 1;
  }
}

function roleOf(token: string, groups: Readonly<Record<string, string | undefined>> | undefined, family: Family): Role {
  if (groups?.comment !== undefined) return "code.comment";
  if (groups?.string !== undefined) return "code.string";
  if (groups?.number !== undefined) return "code.number";
  if (groups?.word === undefined) return "plain";
  return family.keywords.has(family.foldsCase ? token.toLowerCase() : token) ? "code.keyword" : "plain";
}

/** Neighbours of one role become one piece. */
function add(pieces: Piece[], text: string, role: Role): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.role === role) pieces[pieces.length - 1] = { text: last.text + text, role };
  else if (text !== "") pieces.push({ text, role });
}
