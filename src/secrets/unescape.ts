/**
 * Decodes what is written with escapes (JSON, YAML, C, shell, URL, HTML, terminal colours), and maps it back.
 *
 * In a string literal, a notebook or a log a key is glued to escapes: in `\nAKIA…` no word begins before the key, and in
 * `key%3D%3D` its end is written differently. So the rules also run on decoded text. Repeated backslashes, `%25` and `&amp;`
 * are decoded at once; other nesting takes another call.
 */
import { type Edit, edited, type View } from "./view.ts";

const HEX = "[0-9A-Fa-f]";

/** Escapes of what rules' literals consist of. */
const OF_LITERAL = new RegExp(
  [
    String.raw`(?<!\\)\\+(?:x[2-7]${HEX}|u00[2-7]${HEX}|U000000[2-7]${HEX}|[xu]\{0*[2-7]${HEX}\}|[01][0-7]{2}|[-_.:/=@~+ ](?=[\w.:/=@~+\\%&-])|\r?\n[ \t]*[\w.:/=+-])`,
    String.raw`(?<!\\)\\{3}n[ \t]*[\w.:/=+-]`,
    `%(?:25)*[2-7]${HEX}|%u00`,
    "&(?:amp;)*(?:#|lowbar|hyphen|dash|period|colon|sol|equals|plus|commat)",
  ].join("|"),
  "g",
);
const INTRODUCER = /[\\%&\x1b]/g;

/** Whether only the decoded text may show a rule's literal: an escape is a letter, or is between letters. */
export function hidesLiteral(text: string): boolean {
  OF_LITERAL.lastIndex = 0;
  for (let match = OF_LITERAL.exec(text); match !== null; match = OF_LITERAL.exec(text)) {
    const { character, end } = escapeAt(text, match.index);
    if (character === null) continue;
    if (/[A-Za-z0-9]/.test(character)) return true;
    if (/[\w:/=.-]/.test(text.charAt(match.index - 1)) && /[\w.:/=@~+\\%&-]/.test(text.charAt(end))) return true;
  }
  return false;
}

/** The next place where an escape may begin, or the text's end. */
export function introducerFrom(text: string, at: number): number {
  INTRODUCER.lastIndex = at;
  return INTRODUCER.exec(text)?.index ?? text.length;
}

/** The text decoded once, or null if it has no escapes. Takes linear time. */
export function unescaped(text: string): View | null {
  const edits: Edit[] = [];
  for (let at = introducerFrom(text, 0); at < text.length; at = introducerFrom(text, at)) {
    const { character, end } = escapeAt(text, at);
    if (character !== null) edits.push({ start: at, end, instead: character });
    at = end;
  }
  return edited(text, edits);
}

/** What is written up to `end`: a character, nothing at a joint of two lines, or null for what is no escape. */
type Escape = { readonly character: string | null; readonly end: number };

function escapeAt(text: string, at: number): Escape {
  const found = ESCAPES[text.charAt(at)]?.(text, at) ?? { character: null, end: at + 1 };
  if (found.character !== "\u001b") return found;
  // A colour ends in a letter, which would be glued to the key.
  COLOUR.lastIndex = found.end;
  return COLOUR.test(text) ? { character: found.character, end: COLOUR.lastIndex } : found;
}

const ESCAPES: Readonly<Record<string, (text: string, at: number) => Escape>> = {
  "\u001b": (_, at) => ({ character: "\u001b", end: at + 1 }),
  "\\": afterSlashes,
  "%": percent,
  "&": entity,
};
const COLOUR = /\[[0-?]{0,32}[ -/]{0,4}[@-~]/y;

/** After any number of backslashes: a string may be quoted within a quoted string. */
function afterSlashes(text: string, at: number): Escape {
  let from = at;
  while (text.charCodeAt(from) === BACKSLASH) from += 1;
  const kind = text.charAt(from);
  if (kind === "n" && JOINT_SLASHES.has(from - at)) {
    INDENT.lastIndex = from + 1;
    INDENT.test(text);
    return { character: "", end: INDENT.lastIndex };
  }
  const simple = CONTROLS[kind] ?? (ITSELF.test(kind) ? kind : undefined);
  if (simple !== undefined) return { character: simple, end: from + 1 };
  JOINT.lastIndex = from;
  if (JOINT.test(text)) return { character: "", end: JOINT.lastIndex };
  const digits = DIGITS[kind];
  if (digits === undefined) return octal(text, from);
  if (text.charAt(from + 1) === "{") return braced(text, from + 2);
  const code = hexAt(text, from + 1, digits);
  return code < 0 ? { character: null, end: from } : { character: character(code), end: from + 1 + digits };
}
const BACKSLASH = 0x5c;
const CONTROLS: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", e: "\u001b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
};
const ITSELF = /^[ -/:-@[\]-`{-~]$/;
const JOINT = /\r?\n[ \t]*/y;
/** A backslash at the end of a line, in a string once, twice or three times. */
const JOINT_SLASHES: ReadonlySet<number> = new Set([3, 6, 12]);
const INDENT = /[ \t]*/y;
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function octal(text: string, at: number): Escape {
  const [digits] = matchAt(OCTAL, text, at);
  if (digits === undefined) return { character: null, end: at };
  return { character: character(Number.parseInt(digits, 8)), end: at + digits.length };
}
const OCTAL = /[0-3][0-7]{1,2}|0/y;

/** The code point of `\u{…}`. */
function braced(text: string, at: number): Escape {
  const count = text.slice(at, at + BRACED_DIGITS_MAX + 1).indexOf("}");
  const code = hexAt(text, at, count);
  return code < 0 ? { character: null, end: at } : { character: character(code), end: at + count + 1 };
}
const BRACED_DIGITS_MAX = 6;

/** After `%`, and any number of `25`. */
function percent(text: string, at: number): Escape {
  let from = at + 1;
  while (text.startsWith("25", from) && hexAt(text, from + 2, 2) >= 0) from += 2;
  if (text.charAt(from) === "u") {
    const unit = hexAt(text, from + 1, 4);
    return unit < 0 ? { character: null, end: from } : { character: character(unit), end: from + 5 };
  }
  const byte = hexAt(text, from, 2);
  // From 80 on it is a byte of a longer character.
  return byte < 0
    ? { character: null, end: from }
    : { character: byte < 0x80 ? character(byte) : OTHER, end: from + 2 };
}

function entity(text: string, at: number): Escape {
  const [, decimal, hex, name = ""] = matchAt(ENTITY, text, at);
  const end = ENTITY.lastIndex;
  if (decimal !== undefined) return { character: character(Number(decimal)), end };
  if (hex !== undefined) return { character: character(Number.parseInt(hex, 16)), end };
  const named = NAMED[name] ?? null;
  return { character: named, end: named === null ? at + 1 : end };
}
const ENTITY = new RegExp(
  `&(?:amp;)*(?:#(\\d{1,7})(?:;|(?![\\d%]))|#[xX](${HEX}{1,6})(?:;|(?!${HEX}|%))|([A-Za-z]{2,7});)`,
  "y",
);
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", Tab: "\t", NewLine: "\n" },
  ...{ lowbar: "_", hyphen: "-", dash: "-", period: ".", colon: ":", semi: ";", comma: ",", sol: "/", bsol: "\\" },
  ...{ equals: "=", plus: "+", commat: "@", num: "#", percnt: "%", dollar: "$", vert: "|", grave: "`" },
};

/** The groups of a sticky pattern at a place; none if it does not match there. */
function matchAt(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

/** Stands for a character that is in no key. */
const OTHER = "\ufffd";

const character = (code: number): string => (code <= 0xffff ? String.fromCharCode(code) : OTHER);

const HEX_DIGITS = "0123456789abcdef";

/** The number in `count` hexadecimal digits, or -1. */
function hexAt(text: string, at: number, count: number): number {
  let code = count > 0 ? 0 : -1;
  for (let digit = at; digit < at + count && code >= 0; digit += 1) {
    const value = HEX_DIGITS.indexOf(text.charAt(digit).toLowerCase());
    code = value < 0 || digit >= text.length ? -1 : code * 16 + value;
  }
  return code;
}
