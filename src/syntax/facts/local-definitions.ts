/**
 * Variables of functions, and what they hold.
 *
 * Captures of a pattern:
 * - @local: the name of a variable. It is known in its whole function, unless one of the next two says less.
 * - @local.after: it is known only after this node ends (`run := run()` in Go).
 * - @local.in: it is known only inside of this node (a parameter of a nameless function).
 * - @local.type: the type that it is declared with or made of.
 * - @local.call: the function whose result it holds, or the whole call; then @local.arguments are the arguments in it.
 * - @local.doc: a comment that gives the type of the variable after it (`documented-variables.ts`).
 * - @local.value: the expression that it holds.
 *
 * Settings of a pattern:
 * - `#set! then "?"`: it holds what this step gives of the value.
 * - `#set! qualifier "before"`: the type includes what is before it in the text.
 * - `#set! through "->"`: only members after an arrow are those of what it holds; with `"."`, only members after a dot.
 * - `#set! given`: it is a parameter of the function @local.in, and holds what the call around gives that function, unless it has a type.
 * - `#set! implicit "it"`: the function @local.in has this parameter if no other pattern has one of it.
 * - `#set! shadows`: it is a new variable, which hides those before it with the same name.
 */

import type { Span } from "../../text/lines.ts";
import type { Match } from "../query/match.ts";
import { chainBefore } from "./chain-before.ts";
import { documentedVariable } from "./documented-variables.ts";
import { isFunctionKind } from "./facts.ts";
import { givenTo } from "./given-values.ts";
import { type SourceText, textOf } from "./source-text.ts";
import type { UncountedSymbol } from "./symbols.ts";

/** What a file has: its symbols, the offsets of the names that imports define, and the symbols by place and by name. */
export type ScopesOfFile = {
  readonly symbols: readonly Pick<UncountedSymbol, "name" | "kind" | "parent" | "signature">[];
  readonly bound: ReadonlySet<number>;
  symbolAt(offset: number): number | null;
  symbolNamed(name: string, parent: number | null): number | null;
};

/** One definition of a variable. `value` is an expression that gives what it holds, null if that is unknown. */
export type Definition = { readonly start: number; readonly inside: Span | null; readonly value: Value | null };

export type Value = {
  readonly kind: "type" | "call" | "value";
  readonly span: Span;
  readonly pattern: number;
  readonly through: string | undefined;
  /** A step from the value to what the variable holds, as in qualifiers. */
  readonly then: string;
};

/** All definitions of one name in a symbol. `knownFrom` is the first offset where the name is known. */
export type Variable = {
  readonly knownFrom: number;
  /** By offset, because two patterns can match one definition. */
  readonly definitions: ReadonlyMap<number, Definition>;
  /** Whether definitions hide those before. */
  readonly shadows: boolean;
};

export type Variables = {
  get(symbol: number | null, name: string): Variable | undefined;
  /** Whether something is known of what any variable of this name holds. */
  isHolder(name: string): boolean;
};

type Read = { knownFrom: number; readonly definitions: Map<number, Definition>; shadows: boolean };

export function readVariables(source: SourceText, matches: readonly Match[], scopes: ScopesOfFile): Variables {
  const variables = new Map<string, Read>();
  const holders = new Set<string>();
  const withParameters = new Set(
    matches.map(({ captures }) => (captures.get("local") === undefined ? undefined : captures.get("local.in")?.start)),
  );
  for (const match of matches) {
    const defined = definitionIn(source, match, withParameters);
    if (defined === null || scopes.bound.has(defined.local.start)) continue;
    const { local, name, value: read } = defined;
    const symbol = scopes.symbolAt(local.start);
    const shadows = match.settings.has("shadows");
    if (isOfSymbol(scopes, name, symbol, shadows)) continue;
    const variable = variables.getOrInsertComputed(`${symbol} ${name}`, newVariable);
    variable.knownFrom = Math.min(variable.knownFrom, match.captures.get("local.after")?.end ?? 0);
    variable.shadows ||= shadows;
    const { inside = null, value = null } = variable.definitions.get(local.start) ?? {};
    if (read !== null) holders.add(name);
    const part = match.captures.get("local.in") ?? (shadows ? { start: local.end, end: Infinity } : inside);
    variable.definitions.set(local.start, { start: local.start, inside: part, value: decisive(value, read) });
  }
  return { get: (symbol, name) => variables.get(`${symbol} ${name}`), isHolder: (name) => holders.has(name) };
}

/** The variable that a match defines. `withParameters` has the starts of the functions that name their parameters. */
function definitionIn(
  source: SourceText,
  match: Match,
  withParameters: ReadonlySet<number | undefined>,
): { readonly local: Span; readonly name: string; readonly value: Value | null } | null {
  const { captures, settings, pattern } = match;
  const local = captures.get("local");
  if (local !== undefined) return { local, name: textOf(source, local), value: valueIn(source, match) };
  const doc = captures.get("local.doc");
  const documented = doc === undefined ? null : documentedVariable(source, doc);
  if (documented !== null) {
    const { local, type: span } = documented;
    const then = "";
    return { local, name: textOf(source, local), value: { kind: "type", span, pattern, through: undefined, then } };
  }
  const around = captures.get("local.in");
  const name = settings.get("implicit");
  if (name === undefined || around === undefined || withParameters.has(around.start)) return null;
  return { local: beginOf(around), name, value: givenValue(source, match, beginOf(around)) };
}

/** Where a parameter without a name stands: after the bracket of its function. */
const beginOf = ({ start }: Span): Span => ({ start: start + 1, end: start + 1 });

const newVariable = (): Read => ({ knownFrom: Infinity, definitions: new Map(), shadows: false });

/** A symbol is found by its name where it is visible, unless a variable of the function that it is hides it. */
function isOfSymbol(
  { symbols, symbolNamed }: ScopesOfFile,
  name: string,
  symbol: number | null,
  shadows: boolean,
): boolean {
  if (symbolNamed(name, symbol) !== null) return true;
  const around = symbols[symbol ?? -1];
  return around?.name === name && !(shadows && isFunctionKind(around.kind));
}

/** A name with its type arguments; lists, functions and tuples have members of their own. */
const PLAIN_TYPE = /^[\w$.:\\]+(?:<.*>)?$/s;
/** In place of a type, that of the value counts. */
const INFERRED = "var";

function valueIn(source: SourceText, match: Match): Value | null {
  const { pattern, captures, settings } = match;
  const through = settings.get("through");
  const then = settings.get("then") ?? "";
  const type = captures.get("local.type");
  if (type !== undefined) {
    const before = settings.get("qualifier") === "before" ? chainBefore(source.code, type.start) : null;
    const written = before?.start ?? type.start;
    const start = written + (/^[*&?\s]*/.exec(source.text.slice(written, type.end))?.[0].length ?? 0);
    const span = { start, end: type.end };
    const text = textOf(source, span);
    if (text !== INFERRED) return PLAIN_TYPE.test(text) ? { kind: "type", span, pattern, through, then } : null;
  }
  if (settings.has("given")) return givenValue(source, match, captures.get("local"));
  const whole = captures.get("local.value");
  if (whole !== undefined) return { kind: "value", span: whole, pattern, through, then };
  const call = captures.get("local.call");
  if (call === undefined) return null;
  const { start: end } = captures.get("local.arguments") ?? { start: call.end };
  return { kind: "call", span: { start: call.start, end }, pattern, through, then };
}

function givenValue({ code }: SourceText, { pattern, captures }: Match, name: Span | undefined): Value | null {
  const around = captures.get("local.in");
  const given = name === undefined || around === undefined ? null : givenTo(code, name, around);
  if (given === null) return null;
  const { span, step: then } = given;
  return { kind: "value", span, pattern, through: undefined, then };
}

/** What two matches say of one definition: a type counts before a call, then the earlier pattern. */
function decisive(a: Value | null, b: Value | null): Value | null {
  if (a === null || b === null) return a ?? b;
  if (a.kind !== b.kind) return a.kind === "type" ? a : b;
  return b.pattern < a.pattern ? b : a;
}
