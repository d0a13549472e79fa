/**
 * Which names are variables of functions, which hide what the file defines or imports under the same name, and what they hold.
 *
 * Functions inside see a variable, methods of a class inside do not see those of the class. A variable that is defined twice,
 * differently, holds nothing known (`local-definitions.ts`).
 */

import type { Span } from "../../text/lines.ts";
import type { Match } from "../query/match.ts";
import { isFunctionKind } from "./facts.ts";
import { type Definition, readVariables, type ScopesOfFile, type Value, type Variable } from "./local-definitions.ts";
import type { SourceText } from "./source-text.ts";

type LocalNames = {
  /** Whether a name is such a variable, at an offset inside a symbol or at the top level (null). */
  has(name: string, symbol: number | null, offset: number): boolean;
  /**
   * The qualifier that starts at an offset, with what its first name holds in place of that name: `new Cart()` or, if it is the
   * result of a call, `= open()`.
   */
  held(qualifier: string, symbol: number | null, offset: number): string;
};

/** How many definitions of a variable a use of it looks at: all if there are no more, of those that hide each other the last before it. */
const DEFINITIONS_MAX = 16;

/** How many variables are followed that hold results of each other's members. */
const STEPS_MAX = 3;

/** `readQualifier` gives an expression as references have it, and a type with its arguments. */
export function localNames(
  source: SourceText,
  matches: readonly Match[],
  scopes: ScopesOfFile,
  readQualifier: (span: Span, kind: Value["kind"]) => string,
): LocalNames {
  const { symbols } = scopes;
  const variables = readVariables(source, matches, scopes);
  const ordered = new WeakMap<Variable, readonly Definition[]>();

  /** Those of a variable that a use at an offset looks at, null if there are too many. */
  const near = (variable: Variable, offset: number): readonly Definition[] | null => {
    const { definitions, shadows } = variable;
    if (definitions.size <= DEFINITIONS_MAX) return [...definitions.values()];
    if (!shadows) return null;
    const sorted = ordered.get(variable) ?? [...definitions.values()].toSorted((a, b) => a.start - b.start);
    ordered.set(variable, sorted);
    const end = countBefore(sorted, offset);
    return sorted.slice(Math.max(0, end - DEFINITIONS_MAX), end);
  };

  /** Those of the scope nearest to an offset that defines the name. */
  const definitionsOf = (name: string, symbol: number | null, offset: number): readonly Definition[] => {
    for (let at = symbol; at !== null; at = symbols[at]?.parent ?? null) {
      if (at !== symbol && !isFunctionKind(symbols[at]?.kind ?? "")) continue;
      const variable = variables.get(at, name);
      const known = variable === undefined ? [] : near(variable, offset);
      if (known === null) return [];
      const around = known.filter(({ inside }) => inside !== null && isInside(inside, offset));
      if (around.length > 0) return around.slice(-1);
      if (hasWord(symbols[at]?.signature ?? "", name)) return [];
      const everywhere = known.filter(({ inside }) => inside === null);
      if (everywhere.length > 0) return everywhere;
    }
    return [];
  };

  const held = (qualifier: string, symbol: number | null, offset: number, steps: number): string => {
    const name = HEAD.exec(qualifier)?.[0];
    if (name === undefined || !variables.isHolder(name) || steps >= STEPS_MAX) return qualifier;
    const values = new Set<string | null>();
    for (const { value } of definitionsOf(name, symbol, offset)) {
      const text: string | null =
        value !== null && isThrough(source, value, offset + name.length) ? readQualifier(value.span, value.kind) : null;
      const isOwn = text !== null && (HEAD.exec(text)?.[0] === name || text.endsWith("…"));
      if (value === null || text === null || isOwn) values.add(null);
      else values.add(value.kind === "type" ? `new ${text}()` : given(value, text, symbol, steps));
    }
    const [only = null, ...others] = values;
    return only === null || others.length > 0 ? qualifier : only + qualifier.slice(name.length);
  };

  /** What a call or another expression gives. */
  const given = ({ kind, span, then }: Value, text: string, symbol: number | null, steps: number): string =>
    `${held(text, symbol, span.start, steps + 1)}${kind === "call" ? "()" : ""}${then}`;

  return {
    has: (name, symbol, offset) => {
      for (let at = symbol; ; ) {
        const isFunction = at === symbol || isFunctionKind(symbols[at ?? -1]?.kind ?? "");
        if (isFunction && offset >= (variables.get(at, name)?.knownFrom ?? Infinity)) return true;
        const around = at === null ? null : (symbols[at]?.parent ?? null);
        if (around === null) return false;
        at = around;
      }
    },
    held: (qualifier, symbol, offset) => {
      const expression = held(qualifier, symbol, offset, 0);
      return expression === qualifier || expression.startsWith("new ") ? expression : `= ${expression}`;
    },
  };
}

/** The first name of a path. */
const HEAD = /^[\p{L}_$][\p{L}\p{N}_$]*(?=\.|$)/u;

/** Whether the member of a variable that ends at an offset is one of what the variable holds. */
const isThrough = ({ text }: SourceText, { through }: Value, end: number): boolean =>
  through === undefined ||
  text
    .slice(end, end + SIGN_DISTANCE_MAX)
    .trimStart()
    .startsWith(through);

/** How far the arrow or dot is looked for, as it can be on a line of its own. */
const SIGN_DISTANCE_MAX = 100;

const isInside = ({ start, end }: Span, offset: number): boolean => start <= offset && offset < end;

/** The number of sorted definitions that start before an offset. */
function countBefore(sorted: readonly Definition[], offset: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.start ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a signature has a name as a whole word: as a parameter it hides the variables around. */
function hasWord(signature: string, name: string): boolean {
  for (let at = signature.indexOf(name); at >= 0; at = signature.indexOf(name, at + 1))
    if (!WORD_SIGN.test(signature[at - 1] ?? " ") && !WORD_SIGN.test(signature[at + name.length] ?? " ")) return true;
  return false;
}
const WORD_SIGN = /[\p{L}\p{N}_$]/u;
