/**
 * Syntax highlighting of keywords, strings, comments and numbers by a light scanner per language family.
 *
 * It scans characters instead of parsing, so that an excerpt can start anywhere; an error costs a colour and nothing
 * else. The time is linear in the characters.
 */
import { type Family, familyOf } from "./highlight-languages.ts";
import type { Role } from "./theme.ts";

type Piece = { readonly text: string; readonly role: Role };

/** The multi-line comment or string that a line starts inside; null in code. */
export type OpenBlock = { readonly end: string; readonly role: Role } | null;

/** No pane is wider; the rest of a line stays plain. */
const HIGHLIGHTED_CHARS = 1_000;

/** One line in pieces, and what the next line starts inside. */
export function highlightLine(
  text: string,
  language: string,
  inside: OpenBlock,
): { readonly pieces: readonly Piece[]; readonly inside: OpenBlock } {
  const family = familyOf(language);
  if (family === null) return { pieces: [{ text, role: "plain" }], inside: null };
  const shown = text.slice(0, HIGHLIGHTED_CHARS);
  const pieces: Piece[] = [];
  const end = scan(shown, family, inside, pieces);
  if (text.length > shown.length) pieces.push({ text: text.slice(HIGHLIGHTED_CHARS), role: "plain" });
  return { pieces, inside: end };
}

function scan(text: string, family: Family, start: OpenBlock, pieces: Piece[]): OpenBlock {
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

/** The offset after the end of a block; null when it continues. An escaped end does not count. */
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

/** Appends a piece, merged with the last one if the role is the same. */
function add(pieces: Piece[], text: string, role: Role): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.role === role) pieces[pieces.length - 1] = { text: last.text + text, role };
  else if (text !== "") pieces.push({ text, role });
}
