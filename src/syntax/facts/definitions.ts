/**
 * Finds definitions in the matches of a language's symbol queries: what is defined, where, and its signature.
 *
 * If two patterns match one place, the earlier pattern wins. A definition starts with its decorators and with the words before its node
 * that belong to it (`export const`). It ends with its body, even if the body follows the node. A name that contains the body (an at-rule)
 * ends where the body starts. A signature is one line: from the first word after the decorators to the body, without comments.
 *
 * Settings of a pattern:
 * - `#set! name "default"`: the name, of a definition without one.
 * - `#set! strip ":"`: a sign that can precede the name and is not part of it.
 * - `#set! prefix "~"`: a sign that precedes the name and is part of it.
 * - `#set! title`: a regular expression; its groups in the text of @title, joined with dots, are the name.
 * - `#set! declared`, `#set! public`: see `Definition`.
 */

import type { Span } from "../../text/lines.ts";
import { SYMBOL_KINDS, type SymbolKind } from "../../text/terms/segments.ts";
import { before, type Match, oneLine, unquoted } from "../query/match.ts";
import { bareSpan, dotted, type SourceText, textOf } from "./source-text.ts";

/**
 * `span` is the whole definition, `nodeStart` the start of its node, `nameStart` the start of its name, `bodyStart` that of the part
 * that the signature omits, null without one. `declared`
 * (`#set! declared`) marks a declaration, which counts only if the file has no definition of that name. `public`
 * (`#set! public`) marks a member that is as visible as the type around it, whatever its words are.
 */
export type Definition = {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly owner: string | null;
  readonly span: Span;
  readonly nodeStart: number;
  readonly nameStart: number;
  readonly bodyStart: number | null;
  readonly signature: string;
  readonly declared: boolean;
  readonly public: boolean;
};

const NAME_MAX = 200;
/** Quoted names are test titles or keys. */
const TITLE_MAX = 80;
const SIGNATURE_MAX = 400;
/** Signatures of values are cut shorter than those with parameters. */
const VALUE_SIGNATURE_MAX = 200;
/** Characters of source searched for a signature, and for the words before a node. */
const SIGNATURE_SOURCE_MAX = 4_000;
const LEAD_IN_MAX = 80;

const VALUES: ReadonlySet<SymbolKind> = new Set(["variable", "property"]);

/** The definitions of a file in order of their start, outer before inner. `bound` holds the names that imports define. */
export function findDefinitions(
  source: SourceText,
  matches: readonly Match[],
  comments: readonly Span[],
  bound: ReadonlySet<number>,
): readonly Definition[] {
  const surroundings = surroundingsOf(matches, comments);
  const byName = new Map<number, { readonly pattern: number; readonly definition: Definition }>();
  for (const match of matches) {
    const found = definitionOf(source, match, surroundings);
    if (found === null || bound.has(found.nameStart)) continue;
    const known = byName.get(found.nameStart);
    if (known === undefined || match.pattern < known.pattern) {
      byName.set(found.nameStart, { pattern: match.pattern, definition: found });
    }
  }
  return [...byName.values()]
    .map(({ definition }) => definition)
    .toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end || a.nameStart - b.nameStart);
}

function definitionOf(source: SourceText, match: Match, surroundings: Surroundings): Definition | null {
  const defined = definedBy(match);
  if (defined === null) return null;
  const { kind, node } = defined;
  const writtenSpan = match.captures.get("name");
  const bare = writtenSpan === undefined ? undefined : bareSpan(source, writtenSpan);
  if (bare === null) return null;
  const body = match.captures.get("body");
  const nameSpan = bare !== undefined && body !== undefined ? upTo(bare, body.start) : bare;
  const written = match.settings.get("name") ?? (nameSpan === undefined ? null : nameIn(source, nameSpan));
  const sign = match.settings.get("strip");
  const plain = sign !== undefined && written?.startsWith(sign) ? written.slice(sign.length) : written;
  const name = titleIn(source, match) ?? plain;
  if (name === null || name === "") return null;

  const worded = startOfWords(source, node.start);
  const signatureStart = afterDecorators(source, worded, surroundings);
  const signatureEnd = body?.start ?? node.end;
  const qualified = writtenSpan !== undefined && nameSpan !== undefined && writtenSpan.start < nameSpan.start;
  const ownerSpan = before(match.captures.get("owner") ?? (qualified ? writtenSpan : undefined), nameSpan);
  const signature = signatureOf(source, { start: signatureStart, end: signatureEnd }, kind, surroundings);
  return {
    kind: qualified && kind === "function" ? "method" : kind,
    name: (match.settings.get("prefix") ?? "") + name,
    owner:
      ownerSpan === undefined
        ? null
        : source.style.ownerPath(oneLine(dotted(source.style, textOf(source, ownerSpan)), NAME_MAX).replace(/\.$/, "")),
    span: {
      start: beforeDecorators(source, worded, surroundings),
      end: endOfCode(source, node.start, Math.max(node.end, body?.end ?? 0), surroundings),
    },
    nodeStart: node.start,
    nameStart: nameSpan?.start ?? node.start,
    bodyStart: body?.start ?? null,
    // A name after the body is appended: `typedef struct { } Name;`.
    signature: nameSpan !== undefined && nameSpan.start > signatureEnd ? `${signature} ${name}` : signature,
    declared: match.settings.has("declared"),
    public: match.settings.has("public"),
  };
}

/** A name that contains the body is cut where the body starts. */
const upTo = (name: Span, body: number): Span =>
  name.start < body && body < name.end ? { start: name.start, end: body } : name;

/** The kind is the last part of the capture name: `@symbol.class`. */
function definedBy({ captures }: Match): { readonly kind: SymbolKind; readonly node: Span } | null {
  for (const { kind, capture } of KINDS) {
    const node = captures.get(capture);
    if (node !== undefined) return { kind, node };
  }
  return null;
}

const KINDS = SYMBOL_KINDS.map((kind) => ({ kind, capture: `symbol.${kind}` }));

function nameIn(source: SourceText, span: Span): string {
  const written = textOf(source, { start: span.start, end: Math.min(span.end, span.start + SIGNATURE_SOURCE_MAX) });
  const bare = unquoted(written);
  return oneLine(bare, bare === written ? NAME_MAX : TITLE_MAX);
}

/** The name that a macro gives to what it defines, or null. */
function titleIn(source: SourceText, { captures, settings }: Match): string | null {
  const span = captures.get("title");
  if (span === undefined) return null;
  const text = textOf(source, { start: span.start, end: Math.min(span.end, span.start + SIGNATURE_SOURCE_MAX) });
  const parts = new RegExp(settings.get("title") ?? "").exec(text)?.slice(1);
  return parts === undefined ? null : oneLine(parts.filter((part) => part !== undefined).join("."), TITLE_MAX);
}

/** Decorators and comments around definitions, by start and end offset; none of a file without decorators. */
type Surroundings = {
  readonly decoratorAt: ReadonlyMap<number, Span>;
  readonly decoratorTo: ReadonlyMap<number, Span>;
  readonly commentAt: ReadonlyMap<number, Span>;
  readonly commentTo: ReadonlyMap<number, Span>;
  readonly comments: readonly Span[];
  /** Long signatures by place and kind, because thousands of names can share a statement. */
  readonly signatures: Map<string, string>;
};

function surroundingsOf(matches: readonly Match[], comments: readonly Span[]): Surroundings {
  const decorators: Span[] = [];
  for (const { captures } of matches) {
    const decorator = captures.get("decorator");
    if (decorator !== undefined) decorators.push(decorator);
  }
  const around = decorators.length === 0 ? [] : comments;
  return {
    decoratorAt: new Map(decorators.map((span) => [span.start, span])),
    decoratorTo: new Map(decorators.map((span) => [span.end, span])),
    commentAt: new Map(around.map((span) => [span.start, span])),
    commentTo: new Map(around.map((span) => [span.end, span])),
    comments,
    signatures: new Map(),
  };
}

/** The start of the words before a node that belong to it. */
function startOfWords({ text, style }: SourceText, start: number): number {
  if (style.leadIn === null) return start;
  let at = start - 1;
  while (at >= 0 && isSpace(text.charCodeAt(at))) at -= 1;
  if (at < 0 || NO_WORDS.includes(text.charAt(at))) return start;
  const words = style.leadIn.exec(text.slice(Math.max(0, start - LEAD_IN_MAX), start))?.[0] ?? "";
  return start - words.length;
}

/** What precedes most definitions that no words precede. */
const NO_WORDS = "{};,)]=:/*";

/** The start of the decorators above a definition, ignoring comments and macros between them. */
function beforeDecorators({ parsed }: SourceText, start: number, { decoratorTo, commentTo }: Surroundings): number {
  let first = start;
  let at = start;
  for (;;) {
    while (at > 0 && isSpace(parsed.charCodeAt(at - 1))) at -= 1;
    const decorator = decoratorTo.get(at);
    const passed = decorator ?? commentTo.get(at);
    if (passed === undefined) return first;
    at = passed.start;
    if (decorator !== undefined) first = at;
  }
}

/** The start of a definition's words after the decorators inside its node. */
function afterDecorators({ text }: SourceText, start: number, { decoratorAt, commentAt }: Surroundings): number {
  let at = start;
  for (let passed = decoratorAt.get(at); passed !== undefined; passed = decoratorAt.get(at) ?? commentAt.get(at)) {
    at = passed.end;
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  }
  return at;
}

/** Where a definition ends whose node goes on to the next one, as it does where the indentation ends it. */
function endOfCode({ text }: SourceText, start: number, end: number, { comments }: Surroundings): number {
  let at = end;
  for (;;) {
    while (at > start && isSpace(text.charCodeAt(at - 1))) at -= 1;
    const comment = at < end ? comments[firstAfter(comments, at) - 1] : undefined;
    if (comment === undefined || comment.start <= start || comment.end !== at) return at;
    // A comment beside code is about it.
    const line = text.lastIndexOf("\n", comment.start) + 1;
    if (/\S/.test(text.slice(line, comment.start))) return at;
    at = comment.start;
  }
}

const isSpace = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);

/** What is shorter takes no longer to read than to remember. */
const SHORT_SIGNATURE_MAX = 200;

function signatureOf(source: SourceText, span: Span, kind: SymbolKind, surroundings: Surroundings): string {
  if (span.end - span.start <= SHORT_SIGNATURE_MAX) return readSignature(source, span, kind, surroundings);
  const key = `${span.start} ${span.end} ${kind}`;
  const signature = surroundings.signatures.get(key) ?? readSignature(source, span, kind, surroundings);
  surroundings.signatures.set(key, signature);
  return signature;
}

function readSignature({ text }: SourceText, span: Span, kind: SymbolKind, { comments }: Surroundings): string {
  const end = Math.min(span.end, span.start + SIGNATURE_SOURCE_MAX);
  let words = "";
  let at = span.start;
  for (let index = firstAfter(comments, at); at < end; index += 1) {
    const comment = comments[index];
    const next = Math.min(comment?.start ?? end, end);
    words += text.slice(at, next);
    at = Math.max(next, comment?.end ?? end);
  }
  const folded = withoutEnd(joined(oneLine(words, SIGNATURE_SOURCE_MAX)));
  return oneLine(folded, VALUES.has(kind) ? VALUE_SIGNATURE_MAX : SIGNATURE_MAX);
}

/** Without the spaces and commas that breaking lines leaves at brackets. */
const joined = (words: string): string =>
  LOOSE.test(words)
    ? words
        .replace(/([([]) /g, "$1")
        .replace(/,? ([)\]])/g, "$1")
        .replace(/(\w)< (?=\w)/g, "$1<")
        .replace(/, ?>/g, ">")
    : words;

/** What all of these need. */
const LOOSE = /[([<] | [)\]]|, ?>/;

/** Without the signs at the end that introduce a body or a value. */
function withoutEnd(words: string): string {
  let end = words.length;
  while (end > 0 && ENDING.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(0, words.startsWith(" =", end - 2) ? end - 2 : end);
}

const ENDING = " :;,\\";

/** The index of the first sorted span that starts at or after an offset. */
function firstAfter(spans: readonly Span[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
