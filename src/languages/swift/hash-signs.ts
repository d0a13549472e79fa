/**
 * Removes `#` syntax from Swift, because the grammar's scanner parses raw strings, conditional compilation and macros
 * depending on uninitialized memory.
 *
 * Raw strings become empty plain strings, `#available(...)` becomes `true`, and a blank replaces the sign of other words
 * (`#selector`, `#expect`). Comments and plain strings stay. One pass that keeps length and lines; a string that is not
 * closed on its line ends there, which limits errors.
 */
import { blank, lineEnd } from "../../text/lines.ts";

/** Maximum lengths of a raw string, and of a word after `#`, in characters. */
const RAW_MAX = 20_000;
const WORD_MAX = 40;

/** The maximum depth of interpolations within strings within interpolations. */
const DEPTH_MAX = 32;

/** The next token that matters: a comment, quotes, `#`, or a parenthesis. */
const NEXT = /\/\/|\/\*|"""|"|#|[()]/g;

/** Words that are replaced together with their parentheses, and their replacements. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ["available", "true"],
  ["unavailable", "true"],
  ["warning", ""],
  ["error", ""],
  ["sourceLocation", ""],
]);

/** Macros of Swift itself, which are no functions of the same names: with a sign that makes them names, uses of them are written `#expect`. */
const BUILT_IN: ReadonlySet<string> = new Set(["expect", "require", "selector", "keyPath", "externalMacro", "Preview"]);

type Quotes = { readonly sign: string; depth: number };

/** The text without `#` syntax. */
export function withoutSigns(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  const replace = (start: number, end: number, by: string): void => {
    parts.push(text.slice(kept, start), by);
    kept = end;
  };
  const open: Quotes[] = [];
  let at = 0;
  while (at < text.length) {
    NEXT.lastIndex = at;
    const found = NEXT.exec(text);
    if (found === null) break;
    const [sign] = found;
    const start = found.index;
    const around = open.at(-1);
    if (sign === "//") at = lineEnd(text, start);
    else if (sign === "/*") at = commentEnd(text, start);
    else if (sign === "(" || sign === ")") {
      at = start + 1;
      if (around === undefined) continue;
      around.depth += sign === "(" ? 1 : -1;
      if (around.depth > 0) continue;
      open.pop();
      at = stringEnd(text, at, around.sign, open);
    } else if (sign === "#") {
      const { end, by } = afterHash(text, start);
      replace(start, end, by);
      at = end;
    } else at = stringEnd(text, start + sign.length, sign, open);
  }
  parts.push(text.slice(kept));
  return parts.join("");
}

/** The end of a string, or its next interpolation, which then is open. `at` is inside the string. */
function stringEnd(text: string, at: number, sign: string, open: Quotes[]): number {
  const isLong = sign.length === 3;
  for (let index = at; index < text.length; index += 1) {
    const unit = text[index];
    if (unit === "\\") {
      index += 1;
      if (text[index] === "(" && open.length < DEPTH_MAX) {
        open.push({ sign, depth: 1 });
        return index + 1;
      }
    } else if (unit === '"' && text.startsWith(sign, index)) return index + sign.length;
    else if (unit === "\n" && !isLong) return index;
  }
  return text.length;
}

/** The end and the replacement of a `#` and what belongs to it. */
function afterHash(text: string, start: number): { readonly end: number; readonly by: string } {
  let quote = start;
  while (text[quote] === "#") quote += 1;
  if (text[quote] === '"' || (text[quote] === "/" && text[quote + 1] !== "/" && text[quote + 1] !== "*")) {
    const hashes = quote - start;
    const sign = text.startsWith('"""', quote) ? '"""' : (text[quote] ?? "");
    const content = text.slice(quote + sign.length, quote + RAW_MAX);
    const length = content.indexOf(sign + "#".repeat(hashes));
    if (length < 0 || (sign === '"' && content.slice(0, length).includes("\n"))) {
      return { end: quote, by: blank(text.slice(start, quote)) };
    }
    const close = quote + sign.length + length;
    const end = close + sign.length + hashes;
    const inside = blank(text.slice(quote + sign.length, close));
    const marks = sign === '"""' ? sign : '"';
    return { end, by: `${" ".repeat(hashes)}${marks}${inside}${marks}${" ".repeat(hashes)}` };
  }
  const name = /^[A-Za-z]\w*/.exec(text.slice(start + 1, start + 1 + WORD_MAX))?.[0];
  if (name === undefined) return { end: quote, by: blank(text.slice(start, quote)) };
  const by = REPLACED.get(name);
  const end = start + 1 + name.length;
  if (BUILT_IN.has(name)) return { end, by: `_${name}` };
  const close = by === undefined || text[end] !== "(" ? -1 : text.indexOf(")", end);
  if (by === undefined || close < 0) return { end, by: ` ${name}` };
  return { end: close + 1, by: by + blank(text.slice(start + by.length, close + 1)) };
}

/** The end of a comment; comments nest. */
function commentEnd(text: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}
