/**
 * Conditional compilation (`#if`, `#else`, `#endif`) that cuts a statement or a definition in half, which no grammar
 * reads: of such a group the first branch stays, and its directives and other branches become blanks.
 *
 * Groups whose branches are whole are told apart, since what is defined in any of those branches counts. The result
 * has the length and the lines of the text. Linear in it: nesting is looked at to a fixed depth.
 */

import type { Span } from "../text/lines.ts";
import { lineEnd } from "../text/lines.ts";

/**
 * `isWhole` answers for a branch whose brackets are even; `before` are the last signs before its group. `keepWhole`:
 * groups of whole branches stay as they are, else their directives become blanks.
 */
type Conditions = { isWhole(code: string, before: string): boolean; readonly keepWhole: boolean };

type Group = { readonly directives: Span[]; readonly before: string; whole: boolean };

/** What is nested deeper stays as it is. */
const DEPTH_MAX = 12;
/** A directive is looked for at the beginning of a line. In characters. */
const DIRECTIVE_MAX = 200;

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|elseif|else|endif)\b/;

/** The text without the halves. */
export function withoutHalves(text: string, conditions: Conditions): string {
  const blanks: Span[] = [];
  const open: Group[] = [];
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const word = DIRECTIVE.exec(text.slice(start, Math.min(end, start + DIRECTIVE_MAX)))?.[1];
    if (word === "if") open.push({ directives: [], before: signsBefore(text, start), whole: true });
    const group = open.at(-1);
    if (word !== undefined && group !== undefined) {
      const before = group.directives.at(-1);
      if (before !== undefined && group.whole && open.length <= DEPTH_MAX) {
        group.whole = isWhole(text.slice(before.end, start), group.before, conditions);
      }
      group.directives.push({ start, end });
      if (word === "endif") {
        open.pop();
        if (open.length < DEPTH_MAX) blanks.push(...blanksOf(group, conditions));
      }
    }
    start = end + 1;
  }
  return blanked(text, blanks);
}

function blanksOf({ directives, whole }: Group, { keepWhole }: Conditions): readonly Span[] {
  if (whole) return keepWhole ? [] : directives;
  const [first, second] = directives;
  const last = directives.at(-1);
  return first === undefined || second === undefined || last === undefined
    ? []
    : [first, { start: second.start, end: last.end }];
}

/** The text with blanks for spans, whatever their order; line feeds stay. */
export function blanked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\r\n]/g, " "));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

const BEFORE_MAX = 200;

function signsBefore(text: string, at: number): string {
  return text
    .slice(Math.max(0, at - BEFORE_MAX), at)
    .trimEnd()
    .slice(-2);
}

/** Text in quotes, comments and directives, as far as they stand on one line. */
const NO_CODE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|\/\/.*|^[ \t]*#.*/gm;

function isWhole(branch: string, before: string, conditions: Conditions): boolean {
  const code = branch.replace(NO_CODE, '""').trim();
  let depth = 0;
  for (const sign of code) {
    if (sign === "(" || sign === "[" || sign === "{") depth += 1;
    else if (sign === ")" || sign === "]" || sign === "}") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && conditions.isWhole(code, before);
}
