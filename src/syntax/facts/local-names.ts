/**
 * Variables of functions, which hide what the file defines or imports under the same name, and what they hold.
 *
 * @local is the name of a variable. With @local.after it is known only where that node ends (`run := run()` in Go), with
 * @local.in only inside of that node (a parameter of a nameless function), else in its whole function. Functions inside see it,
 * methods of a class inside do not see those of the class. @local.type is the type that it is declared with or made of,
 * @local.call the function whose result it holds, with the call if @local.arguments are those of the call. A variable that is defined twice, differently, holds nothing known.
 */

import type { Span } from "../../text/lines.ts";
import type { Match } from "../query/match.ts";
import { type SourceText, textOf } from "./source-text.ts";
import type { UncountedSymbol } from "./symbols.ts";

/** What a file has: its symbols, the offsets of the names that imports define, and the symbols by place and by name. */
export type ScopesOfFile = {
  readonly symbols: readonly Pick<UncountedSymbol, "name" | "kind" | "parent" | "signature">[];
  readonly bound: ReadonlySet<number>;
  symbolAt(offset: number): number | null;
  symbolNamed(name: string, parent: number | null): number | null;
};

export type LocalNames = {
  /** Whether a name is such a variable, at an offset inside a symbol or at the top level (null). */
  has(name: string, symbol: number | null, offset: number): boolean;
  /** The qualifier with what its first name holds in place of that name: `new Cart()` or, if it is the result of a call, `= open()`. */
  held(qualifier: string, symbol: number | null, offset: number): string;
};

/** One definition of a variable. `value` is an expression that gives what it holds, null if that is unknown. */
type Definition = { readonly inside: Span | null; readonly value: Value | null };
type Value = { readonly kind: "type" | "call"; readonly span: Span };

/** A variable that is defined more often holds nothing known: every use of it looks at all its definitions. */
const DEFINITIONS_MAX = 16;

/** How many variables are followed that hold results of each other's members. */
const STEPS_MAX = 3;

/** `readQualifier` gives an expression as references have it. */
export function localNames(
  source: SourceText,
  matches: readonly Match[],
  { symbols, bound, symbolAt, symbolNamed }: ScopesOfFile,
  readQualifier: (span: Span) => string,
): LocalNames {
  const knownFrom = new Map<string, number>();
  // By variable, then by offset, because two patterns can match one definition.
  const definitions = new Map<string, Map<number, Definition>>();
  const knownNames = new Set<string>();
  for (const { captures } of matches) {
    const local = captures.get("local");
    if (local === undefined || bound.has(local.start)) continue;
    const name = textOf(source, local);
    const symbol = symbolAt(local.start);
    // A symbol is found by its name where it is visible.
    if (symbolNamed(name, symbol) !== null || (symbol !== null && symbols[symbol]?.name === name)) continue;
    const key = `${symbol} ${name}`;
    const from = captures.get("local.after")?.end ?? 0;
    knownFrom.set(key, Math.min(from, knownFrom.get(key) ?? from));
    const known = definitions.getOrInsertComputed(key, () => new Map<number, Definition>());
    if (captures.get("local.type") !== undefined || captures.get("local.call") !== undefined) knownNames.add(name);
    const { inside = null, value = null } = known.get(local.start) ?? {};
    const call = captures.get("local.call");
    const { start: end = call?.end ?? 0 } = captures.get("local.arguments") ?? {};
    const read = valueIn(source, captures.get("local.type"), call && { start: call.start, end });
    known.set(local.start, {
      inside: captures.get("local.in") ?? inside,
      value: value?.kind === "type" ? value : (read ?? value),
    });
  }

  /** Those of the scope nearest to an offset that defines the name. */
  const definitionsOf = (name: string, symbol: number | null, offset: number): readonly Definition[] => {
    for (let at = symbol; at !== null; at = symbols[at]?.parent ?? null) {
      if (at !== symbol && !FUNCTIONS.has(symbols[at]?.kind ?? "")) continue;
      const all = definitions.get(`${at} ${name}`);
      if (all !== undefined && all.size > DEFINITIONS_MAX) return [];
      const known = [...(all?.values() ?? [])];
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
    if (name === undefined || !knownNames.has(name) || steps >= STEPS_MAX) return qualifier;
    const values = new Set<string | null>();
    for (const { value } of definitionsOf(name, symbol, offset)) {
      const text = value === null ? null : readQualifier(value.span);
      const isOwn = value !== null && (HEAD.exec(text ?? "")?.[0] === name || text?.endsWith("…"));
      if (value === null || text === null || isOwn) values.add(null);
      else values.add(value.kind === "type" ? `new ${text}()` : `${held(text, symbol, value.span.start, steps + 1)}()`);
    }
    const [only = null, ...others] = values;
    return only === null || others.length > 0 ? qualifier : only + qualifier.slice(name.length);
  };

  return {
    has: (name, symbol, offset) => {
      for (let at = symbol; ; ) {
        const isFunction = at === symbol || FUNCTIONS.has(symbols[at ?? -1]?.kind ?? "");
        if (isFunction && offset >= (knownFrom.get(`${at} ${name}`) ?? Infinity)) return true;
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

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method"]);

/** The first name of a path. */
const HEAD = /^[\p{L}_$][\p{L}\p{N}_$]*(?=\.|$)/u;

/** A name with its type arguments; lists, functions and tuples have members of their own. */
const PLAIN_TYPE = /^[\w$.:\\]+(?:<.*>)?$/s;
/** In place of a type, that of the value counts. */
const INFERRED = "var";

function valueIn(source: SourceText, type: Span | undefined, call: Span | undefined): Value | null {
  if (type !== undefined) {
    const start = type.start + (/^[*&?\s]*/.exec(source.text.slice(type.start, type.end))?.[0].length ?? 0);
    const span = { start, end: type.end };
    const text = textOf(source, span);
    if (text !== INFERRED) return PLAIN_TYPE.test(text) ? { kind: "type", span } : null;
  }
  return call === undefined ? null : { kind: "call", span: call };
}

const isInside = ({ start, end }: Span, offset: number): boolean => start <= offset && offset < end;

/** Whether a signature has a name as a whole word: as a parameter it hides the variables around. */
function hasWord(signature: string, name: string): boolean {
  for (let at = signature.indexOf(name); at >= 0; at = signature.indexOf(name, at + 1))
    if (!WORD_SIGN.test(signature[at - 1] ?? " ") && !WORD_SIGN.test(signature[at + name.length] ?? " ")) return true;
  return false;
}
const WORD_SIGN = /[\p{L}\p{N}_$]/u;
