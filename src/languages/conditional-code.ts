/**
 * Removes conditional compilation (`#if`, `#else`, `#endif`) that cuts a statement or a definition in half, which no
 * grammar can parse: such a group keeps its first branch; blanks replace its directives and other branches.
 *
 * Groups with complete branches are treated separately, because the definitions in all of their branches count. The
 * result has the length and the lines of the text. Linear in the text: the depth of nesting is bounded.
 */

import type { Span } from "../text/lines.ts";
import { lineEnd } from "../text/lines.ts";

/**
 * `isWhole`: whether a branch with balanced brackets is complete; `before` is the end of the code before its group.
 * `keepWhole`: whether groups of complete branches stay unchanged; otherwise blanks replace their directives.
 */
type Conditions = { isWhole(code: string, before: string): boolean; readonly keepWhole: boolean };

type Group = { readonly directives: Span[]; readonly before: string; whole: boolean };

/** Deeper groups stay unchanged. */
const DEPTH_MAX = 12;
/** Characters at the start of a line that are searched for a directive. */
const DIRECTIVE_MAX = 200;

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|elseif|else|endif)\b/;

/** The text without incomplete branches. */
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

/** The text with blanks for spans in any order; line feeds stay. */
export function blanked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\r\n]+/g, blanksFor));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

const blanksFor = (line: string): string => " ".repeat(line.length);

const BEFORE_MAX = 200;

function signsBefore(text: string, at: number): string {
  return text
    .slice(Math.max(0, at - BEFORE_MAX), at)
    .trimEnd()
    .slice(-2);
}

/** Quoted text, comments and directives, each up to the end of its line. */
const NO_CODE = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)'|\/\/.*|^[ \t]*#.*/gm;

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
