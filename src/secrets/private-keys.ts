/**
 * Rules for private keys between their BEGIN and END lines, in code and comments too, whole or cut off.
 *
 * Only the key text is the secret, line by line, so the lines around it and their count stay. Text too short to be a key is
 * a placeholder in documentation.
 */
import type { Span } from "./redactor.ts";
import type { Rule } from "./rule.ts";

/** What is before the words `PRIVATE KEY`. */
const BEGIN = /-{4,5} ?BEGIN[ A-Z0-9]{0,40}$/;
const BEGIN_CHARS_MAX = 60;

/** Where a key begins and ends; a text of nothing but beginnings must not be read to its end for each. */
type Limits = { readonly begin: RegExp; readonly end: RegExp; readonly next: string };
const ARMOUR: Limits = {
  begin: /PRIVATE KEY(?: BLOCK)? ?-{4,5}/y,
  end: /-{4,5} ?END[ A-Z0-9]{0,40}PRIVATE KEY/,
  next: "-----BEGIN",
};
/** PuTTY's files have the number of lines before, and a checksum after. */
const PUTTY: Limits = { begin: /Private-Lines: \d{1,4}/y, end: /Private-MAC:/, next: "Private-Lines:" };

/** The largest keys in use have about 13,000 characters. */
const KEY_CHARS_MAX = 20_000;
/** The smallest have 48: an elliptic curve key of PuTTY. */
const KEY_CHARS_MIN = 48;

/** Base64, or an escaped line end in a string, which is made of the same letters. */
const PIECE = /\\[nrt]|(?<key>[A-Za-z0-9+/=]+)/g;
/** What may separate the lines of a key that was cut off: comment and string syntax. */
const BETWEEN = /^(?:[\s#*;>|+"'`,.()!-]|\/\/|\\[nrt]?)*$/;
/** The shortest line of a key, except its last. */
const LINE_CHARS_MIN = 32;
/** The end of a file in a rendered package: Markdown, XML, or JSON with escaped line ends. */
const FILE_END = /(?:^|\\n)(?:`{3,}|~{3,}|(?:\]\]>)?<\/document_content>)/m;

export const PRIVATE_KEY_RULES: readonly Rule[] = [
  {
    kind: "private key",
    markers: ["PRIVATE KEY"],
    anyCase: false,
    isWord: false,
    find: (text, at) =>
      BEGIN.test(text.slice(Math.max(0, at - BEGIN_CHARS_MAX), at)) ? keyAfter(text, at, ARMOUR) : null,
  },
  {
    kind: "private key",
    markers: ["Private-Lines: "],
    anyCase: false,
    isWord: false,
    find: (text, at) => keyAfter(text, at, PUTTY),
  },
];

/** The key after what begins at `at`, up to its end, or as far as it goes. */
function keyAfter(text: string, at: number, { begin, end, next }: Limits): readonly [Span, ...Span[]] | null {
  begin.lastIndex = at;
  if (!begin.test(text)) return null;
  const from = begin.lastIndex;
  const [most = ""] = text.slice(from, from + KEY_CHARS_MAX).split(next, 1);
  const rest = most.slice(0, FILE_END.exec(most)?.index);
  const ended = end.exec(rest);
  const [first, ...more] = ended === null ? cutOff(rest, from) : whole(rest.slice(0, ended.index), from);
  if (first === undefined) return null;
  const chars = [first, ...more].reduce((sum, span) => sum + span.end - span.start, 0);
  return chars < KEY_CHARS_MIN ? null : [first, ...more];
}

/** The key between both lines. None for code or prose, which has no word as long as a line of a key. */
function whole(text: string, offset: number): readonly Span[] {
  const spans = pieces(text, offset);
  const isKey =
    spans.some(({ start, end }) => end - start >= LINE_CHARS_MIN) || BETWEEN.test(text.replaceAll(PIECE, ""));
  return isKey ? spans : [];
}

function pieces(text: string, offset: number): readonly Span[] {
  return [...text.matchAll(PIECE)].flatMap(({ index, groups }) =>
    groups?.key === undefined ? [] : [{ start: offset + index, end: offset + index + groups.key.length }],
  );
}

/** The key lines at the start of a text, up to the first that cannot be one. */
function cutOff(text: string, offset: number): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const span of pieces(text, 0)) {
    if (!BETWEEN.test(text.slice(at, span.start))) break;
    const isCut = /^…?$/.test(text.slice(span.end, span.end + 1));
    if (span.end - span.start < LINE_CHARS_MIN && !isCut) break;
    spans.push({ start: offset + span.start, end: offset + span.end });
    at = span.end;
  }
  return spans;
}
