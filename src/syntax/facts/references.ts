/**
 * Uses of names, from the matches of a language's reference queries.
 *
 * If two patterns match one place, the earlier pattern wins. Names of definitions are not uses. Repeats inside one symbol are dropped.
 *
 * Captures of a pattern:
 * - @reference.call and the other kinds: the name that is used. With @reference.none no later pattern matches the place.
 * - @qualifier: the expression before the name.
 * - @qualifier.type: the type that this expression is cast to; the qualifier is then `new Type()`.
 * - @owner: the type that a use outside of the type belongs to (`impl Trait for Type`).
 *
 * Settings of a pattern:
 * - `#set! qualifier "before"`: the qualifier is read from the text before the name.
 * - `#set! strip ":"`: a sign that starts a name and is not part of it.
 * - `#set! whole`: dots are part of a type's name.
 * - `#set! of`: which uses count. Of the first two the qualifier, of the others the name must not be a variable (`local-names.ts`).
 *   - `"imports"`: an import of this file binds the qualifier.
 *   - `"owners"`: the qualifier begins with `self`, or with a name that the file imports or defines at its top level.
 *   - `"definitions"`: the file imports the name or defines it at its top level.
 *   - `"functions"`: the name is that of a function or method around the use.
 *   - `"others"`: any name.
 */

import type { Span } from "../../text/lines.ts";
import { before, type Match, oneLine } from "../query/match.ts";
import { awaitedFirst } from "./awaited-first.ts";
import { chainBefore } from "./chain-before.ts";
import { withEmptyBrackets } from "./empty-brackets.ts";
import { type ImportFact, isFunctionKind, type ReferenceFact } from "./facts.ts";
import type { ScopesOfFile } from "./local-definitions.ts";
import { localNames } from "./local-names.ts";
import { bareSpan, codeOf, type SourceText, textOf } from "./source-text.ts";

const KINDS = ["none", "decorate", "inherit", "implement", "call", "type"] as const satisfies readonly (
  | ReferenceFact["kind"]
  | "none"
)[];

const CAPTURES = KINDS.map((kind) => ({ kind, capture: `reference.${kind}` }));

const QUALIFIER_MAX = 100;
/** Of the text that a qualifier is made from, and of a text with brackets that can be emptied. */
const WRITTEN_MAX = 400;
const CHAIN_MAX = 2_000;
const NAME_MAX = 200;

type Use = {
  readonly pattern: number;
  readonly kind: (typeof KINDS)[number];
  readonly name: Span;
  readonly qualifier: Span | undefined;
  /** The type of the expression before the name. */
  readonly type: Span | undefined;
  readonly owner: Span | undefined;
  readonly of: string | undefined;
  readonly sign: string | undefined;
  readonly isWhole: boolean;
};

/**
 * The names of a file: the offsets of names of definitions, the imports, the symbol around an offset, and the symbol of
 * a name that is directly inside another one (or at the top level, for null).
 */
type NamesOfFile = ScopesOfFile & {
  readonly definedAt: ReadonlySet<number>;
  readonly imports: readonly ImportFact[];
};

/** The uses in a file, in order. */
export function findReferences(
  source: SourceText,
  matches: readonly Match[],
  names: NamesOfFile,
): readonly ReferenceFact[] {
  const { definedAt, imports, symbolAt, symbolNamed } = names;
  const aliases = new Set(imports.flatMap(({ names }) => names.flatMap(({ alias }) => alias ?? [])));
  const uses = new Map<number, Use>();
  for (const match of matches) {
    const use = readUse(source, match);
    if (use === null || definedAt.has(use.name.start)) continue;
    const known = uses.get(use.name.start);
    if (known === undefined || use.pattern < known.pattern) uses.set(use.name.start, use);
  }
  const locals = localNames(source, matches, names, (span, kind) =>
    kind === "type" ? typeIn(source, span) : qualifierIn(source, span),
  );
  const facts = new Map<string, ReferenceFact>();
  for (const { kind, name, qualifier, type, owner, of, sign = "", isWhole } of [...uses.values()].toSorted(
    (a, b) => a.name.start - b.name.start,
  )) {
    if (kind === "none") continue;
    const around = symbolAt(name.start);
    const symbol = owner === undefined ? around : (symbolNamed(textOf(source, owner), around) ?? around);
    const line = source.lines.lineOf(name.start);
    const start = name.start + sign.length;
    const written = textOf(source, { start, end: Math.min(name.end, start + NAME_MAX) });
    const cast = type === undefined ? null : `new ${qualifierIn(source, type)}()`;
    const path = cast ?? ((qualifier === undefined ? null : qualifierIn(source, qualifier)) || null);
    if (of === "imports" && !aliases.has(path ?? "")) continue;
    if (of === "functions" && !isFunctionAround(names, written, symbol)) continue;
    if ((of === "others" || of === "definitions" || of === "functions") && locals.has(written, symbol, start)) continue;
    if (of === "imports" && locals.has(path ?? "", symbol, start)) continue;
    if (of === "definitions" && symbolNamed(written, null) === null && !aliases.has(written)) continue;
    const [head = ""] = path?.split(".", 1) ?? [];
    const isKnown = head === "self" || symbolNamed(head, null) !== null || aliases.has(head);
    if (of === "owners" && (!isKnown || locals.has(head, symbol, start))) continue;
    const isHeld = qualifier !== undefined && path !== null && kind === "call";
    const held = isHeld ? locals.held(path, symbol, qualifier.start) : path;
    for (const each of isWhole ? [{ name: written, qualifier: held }] : namesIn(written, held, kind)) {
      const key = `${symbol} ${kind} ${each.name} ${each.qualifier ?? ""}`;
      if (each.name !== "" && !facts.has(key)) facts.set(key, { ...each, kind, line, symbol });
    }
  }
  return [...facts.values()];
}

/** Whether a name is that of a function or method of the file, as seen from a symbol. */
function isFunctionAround({ symbols, symbolNamed }: NamesOfFile, name: string, symbol: number | null): boolean {
  for (let at = symbol; ; at = symbols[at]?.parent ?? null) {
    const found = symbolNamed(name, at);
    if (found !== null) return isFunctionKind(symbols[found]?.kind ?? "");
    if (at === null) return false;
  }
}

/** A prefix of names that names nothing itself. */
const ROOT = "::";

function readUse(source: SourceText, { pattern, captures, settings }: Match): Use | null {
  for (const { kind, capture } of CAPTURES) {
    const written = captures.get(capture);
    if (written === undefined) continue;
    const name = bareSpan(source, written);
    if (name === null) return null;
    const isRead = settings.get("qualifier") === "before";
    const read = isRead ? chainBefore(source.code, name.start) : null;
    if (isRead && read === null) return null;
    return {
      pattern,
      kind,
      name,
      qualifier:
        read ??
        before(captures.get("qualifier") ?? (written.start + ROOT.length < name.start ? written : undefined), name),
      type: captures.get("qualifier.type"),
      owner: captures.get("owner"),
      of: settings.get("of"),
      sign: settings.get("strip"),
      isWhole: settings.has("whole"),
    };
  }
  return null;
}

/** Normalizes a qualifier (`a?.b!` becomes `a.b`). What is long, or begins with a bracket, is read without what is in its brackets. */
function qualifierIn(source: SourceText, span: Span): string {
  const length = span.end - span.start;
  const isEmptied = (length > QUALIFIER_MAX || source.code[span.start] === "(") && length <= CHAIN_MAX;
  const written = isEmptied ? oneLine(withEmptyBrackets(codeOf(source, span)), WRITTEN_MAX) : startOf(source, span);
  // Most are plain, and nothing below changes those.
  if (written.length <= QUALIFIER_MAX && PLAIN_PATH.test(written)) return written;
  return oneLine(pathIn(source, written).replace(TYPE_ARGUMENTS, ""), QUALIFIER_MAX);
}

/** A type with its arguments, which tell what it holds; without them if it is long. */
function typeIn(source: SourceText, span: Span): string {
  // It may stand in a comment.
  const written = textOf(source, { start: span.start, end: Math.min(span.end, span.start + WRITTEN_MAX) });
  const type = oneLine(pathIn(source, written), QUALIFIER_MAX);
  return type.endsWith("…") ? qualifierIn(source, span) : type;
}

/** Cuts an expression, because chains of calls can be as long as a file, and each call is read with what is before it. */
const startOf = (source: SourceText, { start, end }: Span): string =>
  codeOf(source, { start, end: Math.min(end, start + WRITTEN_MAX) });

function pathIn(source: SourceText, written: string): string {
  const { dots } = source.style;
  const withDots = dots === null ? written : written.replace(dots, ".");
  return awaitedFirst(withDots)
    .replace(
      TYPE_IN_BRACKETS,
      (all, type: string, trait = "") => (TYPE_PARAMETER.test(type) ? trait || type : type || trait) || all,
    )
    .replace(source.style.tries ? NOT_NULL : NOT_NULL_OR_OPTIONAL, "")
    .replace(/(.)\.$/, "$1");
}

const PLAIN_PATH = /^[\w$]+(?:\.[\w$]+)*$/;
const TYPE_ARGUMENTS = /(?<=\w)<[^<>()]*>(?=\.|$)/g;

/** `a!.b`, and `a?.b` where that only says that nothing may be there. */
const NOT_NULL = /(?<!!)!+(?=\.|$)/g;
const NOT_NULL_OR_OPTIONAL = /\?(?=\.)|(?<!!)!+(?=\.|$)/g;

/** `<A<B> as C>` and `<A>`, as in Rust. */
const TYPE_IN_BRACKETS = /^<&?\s*(?:(?:dyn|mut)\s+)?([\w.]*).*?(?:\sas\s+([\w.]+).*?)?>(?=\.|$)/;
/** It has no members of its own but those of its trait. */
const TYPE_PARAMETER = /^(?:[A-Z]\d?)?$/;

const PLAIN_NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** A name of any signs, as in Scala and Kotlin. */
const IN_BACKQUOTES = /^`([^`]+)`$/;
const DOTTED_NAMES = /[\p{ID_Start}_][\p{ID_Continue}]*(?:\.[\p{ID_Start}_][\p{ID_Continue}]*)*/gu;

/** A quoted type (`"list[pkg.Foo]"`) can contain several names, each with its own qualifier. */
function namesIn(
  written: string,
  qualifier: string | null,
  kind: ReferenceFact["kind"],
): readonly { readonly name: string; readonly qualifier: string | null }[] {
  const quoted = IN_BACKQUOTES.exec(written)?.[1];
  if (quoted !== undefined) return [{ name: quoted, qualifier }];
  if (kind !== "type" || PLAIN_NAME.test(written)) return [{ name: written, qualifier }];
  return (written.match(DOTTED_NAMES) ?? []).map((dotted) => {
    const dot = dotted.lastIndexOf(".");
    return { name: dotted.slice(dot + 1), qualifier: dot === -1 ? null : dotted.slice(0, dot) };
  });
}
