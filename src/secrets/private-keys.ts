/**
 * Private keys as they are kept in text: between the lines that say so, in code and comments too, whole or cut off.
 *
 * Only what is between is the secret, line by line, so that the lines around it and their count stay. What is too short
 * to be a key stands for one in documentation; code that looks for the two lines is none, and a key lies within one file
 * of a package.
 */
import type { Finding, Span } from "./finding.ts";

const BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY/;

/** The largest keys in use take some 13,000 characters. */
const KEY_CHARS_MAX = 20_000;
/** The smallest take 64, as the armour of an elliptic curve's key without its public part. */
const KEY_CHARS_MIN = 60;

/** Base64, and what is no part of it though it is made of the same letters: the end of a line in a string. */
const PIECE = /\\[nrt]|(?<key>[A-Za-z0-9+/=]+)/g;
/** What may stand between two lines of a key where its end is not to be seen: marks of comments and strings. */
const BETWEEN = /^(?:[\s#*;>|+"'`,.()!-]|\/\/|\\[nrt]?)*$/;
/** A line of a key, but for its last. */
const LINE_CHARS_MIN = 32;
/** Where a file in a package ends, as Markdown and as XML have it; also in JSON, where a line's end is written out. */
const FILE_END = /(?:^|\\n)(?:`{3,}|~{3,}|(?:\]\]>)?<\/document_content>)/m;

/** Every private key, in order. */
export function privateKeys(text: string): readonly Finding[] {
  const begins = [...text.matchAll(BEGIN)];
  return begins.flatMap((begin, place) => {
    const from = begin.index + begin[0].length;
    // Never beyond where the next one begins: a text of such lines alone would be read again for each.
    const most = text.slice(from, Math.min(from + KEY_CHARS_MAX, begins[place + 1]?.index ?? text.length));
    const fileEnd = FILE_END.exec(most);
    const rest = fileEnd === null ? most : most.slice(0, fileEnd.index);
    const end = END.exec(rest);
    const [first, ...more] = end === null ? cutOff(rest, from) : whole(rest.slice(0, end.index), from);
    if (first === undefined) return [];
    const spans: Finding["spans"] = [first, ...more];
    const chars = spans.reduce((sum, span) => sum + span.end - span.start, 0);
    return chars < KEY_CHARS_MIN ? [] : [{ kind: "private key", spans }];
  });
}

/** What is between both lines; nothing when it is code or prose: no word of it is as long as a line of a key. */
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

/** The lines of a key that go on from the beginning of a text, up to what cannot be one. */
function cutOff(text: string, offset: number): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const span of pieces(text, 0)) {
    if (!BETWEEN.test(text.slice(at, span.start))) break;
    const isCut = /^…?$/.test(text.slice(span.end, span.end + 1));
    if (span.end - span.start < LINE_CHARS_MIN && !(isCut && spans.length > 0)) break;
    spans.push({ start: offset + span.start, end: offset + span.end });
    at = span.end;
  }
  return spans;
}
