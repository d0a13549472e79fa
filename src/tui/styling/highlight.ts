/**
 * Syntax highlighting of keywords, strings, comments and numbers by a light scanner per language family.
 *
 * It scans characters instead of parsing, so that an excerpt can start anywhere; an error costs a colour and nothing
 * else. The time is linear in the characters.
 */

import type { Highlighting } from "../../languages/highlighting.ts";
import { LANGUAGES } from "../../languages/languages.ts";
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

/** A text of several lines. */
type Block = { readonly begin: string; readonly end: string; readonly role: "code.comment" | "code.string" };

type Family = {
  readonly blocks: readonly Block[];
  /** Sticky; groups `comment`, `string`, `number` and `word`, else what is none of them. */
  readonly pattern: RegExp;
  readonly keywords: ReadonlySet<string>;
  readonly foldsCase: boolean;
};

const NUMBER = String.raw`\b(?:0[xXbBoO][0-9a-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*`;
const WORD = String.raw`[\p{L}_$@][\p{L}\p{M}\p{N}_$]*`;
/** Spaces and signs, as long as none of them could begin something. */
const OTHER = String.raw`[\s()\[\]{},.:=+&|<>!?^~*%]+`;

function family({ comments, strings, blocks, keywords, foldsCase }: Highlighting): Family {
  const groups = [
    ...(comments.length > 0 ? [`(?<comment>${comments.join("|")})`] : []),
    ...(strings.length > 0 ? [`(?<string>${strings.join("|")})`] : []),
    `(?<number>${NUMBER})`,
    `(?<word>${WORD})`,
    // `*` and `%` could begin a block or a comment here: one at a time.
    blocks.length > 0 || comments.length > 0 ? String.raw`[\s()\[\],.:=+&|>!?^~]` : OTHER,
  ];
  return {
    blocks: blocks.map(({ begin, end, role }) => ({ begin, end, role: `code.${role}` })),
    pattern: new RegExp(groups.join("|"), "uy"),
    keywords: new Set(keywords.split(/\s+/).filter((word) => word !== "")),
    foldsCase: foldsCase ?? false,
  };
}

const FAMILIES: ReadonlyMap<string, Family> = new Map(
  [...LANGUAGES].flatMap(([name, { highlighting }]) =>
    highlighting === undefined ? [] : [[name, family(highlighting)] as const],
  ),
);

/** How a language is scanned; null when it has no colours. */
const familyOf = (language: string): Family | null => FAMILIES.get(language) ?? null;
