/**
 * Splits a C or C++ text into lines with what is visible without a grammar: directives, braces, parentheses.
 *
 * Only code counts, not comments, strings and directives. Linear. An unclosed string ends with its line, so that a stray
 * quote does not affect later lines.
 */

/**
 * One line. `directive` is set on all lines of a preprocessor directive, and `word` on its first line (`if`, `define`).
 * `braces` and `parens` count opened minus closed ones; braces of an initialiser, and everything inside parentheses,
 * count as parentheses. `dip` is the lowest depth of braces relative to the start of the line (`} else {` has -1).
 * `first` and `last` are the first and last character of its code, "" without code.
 */
export type CLine = {
  readonly text: string;
  readonly directive: boolean;
  readonly word: string | null;
  readonly braces: number;
  readonly dip: number;
  readonly parens: number;
  readonly first: string;
  readonly last: string;
};

/** The state after a line: an open comment, raw string (by its end), directive or parentheses; and the last code character. */
type Open = {
  readonly comment: boolean;
  readonly raw: string | null;
  readonly directive: boolean;
  readonly depth: number;
  readonly sign: string;
};

export function readLines(text: string): readonly CLine[] {
  let open: Open = { comment: false, raw: null, directive: false, depth: 0, sign: "" };
  return text.split("\n").map((line) => {
    const read = readLine(line, open);
    open = read.open;
    return read.line;
  });
}

const DIRECTIVE = /^[ \t]*#[ \t]*([a-z_]*)/;
const RAW_STRING = /^"([^\s()\\"]{0,16})\(/;

function readLine(text: string, before: Open): { readonly line: CLine; readonly open: Open } {
  const word = before.comment || before.raw !== null ? undefined : DIRECTIVE.exec(text)?.[1];
  const directive = before.directive || word !== undefined;
  let { comment, raw } = before;
  let [braces, dip, parens, first, last] = [0, 0, 0, "", ""];
  // A brace in the first column closes a definition or an initialiser, which ends any miscount.
  let depth =
    directive || !text.startsWith("}") ? before.depth : /^\}[ \t]*[;,)]/.test(text) ? Math.min(before.depth, 1) : 0;
  let sign = before.sign;
  for (let at = 0; at < text.length; at++) {
    if (comment || raw !== null) {
      const closing: string = raw ?? "*/";
      const end = text.indexOf(closing, at);
      if (end < 0) break;
      at = end + closing.length - 1;
      comment = false;
      raw = null;
      continue;
    }
    const char = text.charAt(at);
    if (char === " " || char === "\t" || char === "\r") continue;
    if (char === "/" && text[at + 1] === "/") break;
    if (char === "/" && text[at + 1] === "*") {
      comment = true;
      at += 1;
      continue;
    }
    if (first === "") first = char;
    last = char;
    const opener = sign;
    sign = char;
    if (char === '"' && text[at - 1] === "R") {
      const delimiter = RAW_STRING.exec(text.slice(at, at + 20))?.[1];
      if (delimiter !== undefined) raw = `)${delimiter}"`;
      else at = endOfString(text, at);
    } else if (char === '"' || (char === "'" && !/[\dA-Fa-f]/.test(text[at - 1] ?? ""))) at = endOfString(text, at);
    else if (char === "(" || (char === "{" && (depth > 0 || opener === "="))) {
      parens += 1;
      depth += 1;
    } else if (char === ")" || (char === "}" && depth > 0)) {
      parens -= 1;
      depth = Math.max(0, depth - 1);
    } else if (char === "{") braces += 1;
    else if (char === "}") {
      braces -= 1;
      dip = Math.min(dip, braces);
    }
  }
  if (directive) [braces, dip, parens, first, last, depth, sign] = [0, 0, 0, "#", "#", before.depth, before.sign];
  return {
    line: { text, directive, word: before.directive ? null : (word ?? null), braces, dip, parens, first, last },
    open: { comment, raw, directive: directive && /\\\r?$/.test(text), depth, sign },
  };
}

/** The end of the string or character literal that starts at an offset: its closing quote, or the end of the line. */
function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** A text of the same length with blanks for all characters. */
export const blank = (text: string): string => text.replace(/[^\s]/g, " ");
