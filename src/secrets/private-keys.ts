/**
 * Finds private keys between their BEGIN and END lines, in code and comments too, whole or cut off.
 *
 * Only the key text is the secret, line by line, so the lines around it and their count stay. Text too short to be a key is
 * a placeholder in documentation.
 */
import type { SecretMatch, Span } from "./redactor.ts";

const BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY/;

/** The largest keys in use have about 13,000 characters. */
const KEY_CHARS_MAX = 20_000;
/** The smallest have 64: an armoured elliptic curve key without its public part. */
const KEY_CHARS_MIN = 60;

/** Base64, or an escaped line end in a string, which is made of the same letters. */
const PIECE = /\\[nrt]|(?<key>[A-Za-z0-9+/=]+)/g;
/** What may separate the lines of a key that was cut off: comment and string syntax. */
const BETWEEN = /^(?:[\s#*;>|+"'`,.()!-]|\/\/|\\[nrt]?)*$/;
/** The shortest line of a key, except its last. */
const LINE_CHARS_MIN = 32;
/** The end of a file in a rendered package: Markdown, XML, or JSON with escaped line ends. */
const FILE_END = /(?:^|\\n)(?:`{3,}|~{3,}|(?:\]\]>)?<\/document_content>)/m;

/** Every private key, in order. */
export function privateKeys(text: string): readonly SecretMatch[] {
  const begins = [...text.matchAll(BEGIN)];
  return begins.flatMap((begin, index) => {
    const from = begin.index + begin[0].length;
    // Stop at the next BEGIN line: a text of nothing but such lines would otherwise be read again for each.
    const most = text.slice(from, Math.min(from + KEY_CHARS_MAX, begins[index + 1]?.index ?? text.length));
    const fileEnd = FILE_END.exec(most);
    const rest = fileEnd === null ? most : most.slice(0, fileEnd.index);
    const end = END.exec(rest);
    const [first, ...more] = end === null ? cutOff(rest, from) : whole(rest.slice(0, end.index), from);
    if (first === undefined) return [];
    const spans: SecretMatch["spans"] = [first, ...more];
    const chars = spans.reduce((sum, span) => sum + span.end - span.start, 0);
    return chars < KEY_CHARS_MIN ? [] : [{ kind: "private key", spans }];
  });
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
    if (span.end - span.start < LINE_CHARS_MIN && !(isCut && spans.length > 0)) break;
    spans.push({ start: offset + span.start, end: offset + span.end });
    at = span.end;
  }
  return spans;
}
