/**
 * Nests definitions into symbols.
 *
 * The kind of a definition can depend on its place: a function directly in a class is a method, a variable in a class is
 * a property, and a variable in a function is local and therefore not a symbol.
 * Invariants: parents come before their children; the list is sorted by (startLine, -endLine).
 */

import type { Span } from "../../text/lines.ts";
import type { SymbolKind } from "../../text/terms/segments.ts";
import { contains } from "../query/match.ts";
import type { CommentBlock } from "./comments.ts";
import type { Definition } from "./definitions.ts";
import { docOfComment, docOfString, lookAbove } from "./docs.ts";
import type { Exports } from "./exports.ts";
import { CONTAINER_KINDS, isFunctionKind, type SymbolFact } from "./facts.ts";
import { firstOnLine, type SourceText } from "./source-text.ts";
import type { Sections } from "./visibility-sections.ts";

/** A symbol before token counting. */
export type UncountedSymbol = Omit<SymbolFact, "signatureTokens" | "bodyTokens">;

/** `documentation` holds the comment blocks that document a symbol; `below` maps a block to the symbol under it. */
type Symbols = {
  readonly facts: readonly UncountedSymbol[];
  readonly documentation: ReadonlySet<CommentBlock>;
  readonly below: ReadonlyMap<CommentBlock, number>;
  /** The innermost symbol around an offset. */
  innermostAt(offset: number): number | null;
};

/** Surroundings of definitions: standalone comments, docstrings by the node that they describe, exported and hidden names. */
type SymbolContext = {
  readonly blocks: readonly CommentBlock[];
  readonly docStrings: ReadonlyMap<number, Span>;
  readonly exports: Exports;
  readonly sections: Sections;
  readonly symbolsMax: number;
};

type Placed = Readonly<Pick<SymbolFact, "kind" | "qualifiedName" | "startLine" | "endLine" | "exported">> & {
  readonly definition: Definition;
  readonly parent: Placed | null;
};

const QUALIFIED_NAME_MAX = 400;

export function nestSymbols(source: SourceText, definitions: readonly Definition[], context: SymbolContext): Symbols {
  const placed = withoutAnnounced(place(source, definitions, context));
  const ordered = placed
    .toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine || comparePlaces(a, b))
    .slice(0, context.symbolsMax);
  const indexOf = new Map(ordered.map((symbol, index) => [symbol, index]));
  const byEndLine = new Map(context.blocks.filter(({ alone }) => alone).map((block) => [block.endLine, block]));
  const documentation = new Set<CommentBlock>();
  const below = new Map<CommentBlock, number>();

  const facts = ordered.map((symbol, index): UncountedSymbol => {
    const { definition, kind, qualifiedName, parent, startLine, endLine, exported } = symbol;
    const starts = firstOnLine(source, definition.span.start);
    const above = starts ? lookAbove(source, startLine, byEndLine) : { docLine: startLine, blocks: [], doc: null };
    for (const block of above.blocks) if (!below.has(block)) below.set(block, index);
    if (above.doc !== null) documentation.add(above.doc);
    const inside = context.docStrings.get(definition.nodeStart);
    const { name, nameStart, signature } = definition;
    return {
      name,
      qualifiedName,
      kind,
      startLine,
      endLine,
      docLine: above.docLine,
      nameLine: source.lines.lineOf(nameStart),
      signature,
      parent: parent === null ? null : (indexOf.get(parent) ?? null),
      exported,
      doc:
        inside !== undefined
          ? docOfString(source.text.slice(inside.start, inside.end))
          : above.doc === null
            ? null
            : docOfComment(source, above.doc),
    };
  });
  return { facts, documentation, below, innermostAt: finder(placed, indexOf) };
}

/** Drops declarations of what the same file defines. Declarations contain no other symbols. */
function withoutAnnounced(placed: readonly Placed[]): readonly Placed[] {
  if (!placed.some(({ definition }) => definition.declared)) return placed;
  const defined = new Set(placed.flatMap((each) => (each.definition.declared ? [] : each.qualifiedName)));
  return placed.filter(({ definition, qualifiedName }) => !definition.declared || !defined.has(qualifiedName));
}

const comparePlaces = (a: Placed, b: Placed): number =>
  a.definition.span.start - b.definition.span.start ||
  b.definition.span.end - a.definition.span.end ||
  a.definition.nameStart - b.definition.nameStart;

/** Puts each definition into the innermost one around it. Expects outer definitions before inner ones. */
function place(source: SourceText, definitions: readonly Definition[], context: SymbolContext): readonly Placed[] {
  const placed: Placed[] = [];
  const open: Placed[] = [];
  for (const definition of definitions) {
    while (open.length > 0 && !encloses(open.at(-1), definition.span)) open.pop();
    const parent = open.findLast((around) => mayHold(around, definition)) ?? null;
    const kind = kindInside(parent, definition);
    if (kind === null) continue;
    const path = definition.owner === null ? definition.name : `${definition.owner}.${definition.name}`;
    const qualifiedName = parent === null ? path : `${parent.qualifiedName}.${path}`;
    const symbol: Placed = {
      definition,
      kind,
      qualifiedName: qualifiedName.slice(-QUALIFIED_NAME_MAX),
      parent,
      startLine: source.lines.lineOf(definition.span.start),
      endLine: source.lines.lineOf(definition.span.end - 1),
      exported: isExported(source, definition, path, parent, context),
    };
    placed.push(symbol);
    open.push(symbol);
  }
  return placed;
}

/** Definitions at one place (`const { a, b } = c`) are siblings. */
function encloses(around: Placed | undefined, { start, end }: Span): boolean {
  if (around === undefined) return false;
  const { span } = around.definition;
  return contains(span, { start, end }) && (span.start !== start || span.end !== end);
}

const VALUES: ReadonlySet<SymbolKind> = new Set(["variable", "property"]);

/**
 * In `a = b = 1` the inner name is not part of the outer one. A constructor parameter that is a property belongs to the class; a property
 * in the body of a method is that of a nameless class in it.
 */
function mayHold({ kind, definition }: Placed, inner: Definition): boolean {
  if (!VALUES.has(inner.kind)) return true;
  if (VALUES.has(kind)) return false;
  return inner.kind !== "property" || kind !== "method" || inner.span.start >= (definition.bodyStart ?? Infinity);
}

/** What a function only declares is local to it, and in C++ mostly a variable: `Lock lock(mutex);`. */
function kindInside(parent: Placed | null, { kind, declared }: Definition): SymbolKind | null {
  if ((kind === "variable" || declared) && parent !== null && isFunctionKind(parent.kind)) return null;
  if (parent?.kind !== "class") return kind;
  if (kind === "function") return "method";
  return kind === "variable" ? "property" : kind;
}

function isExported(
  { style }: SourceText,
  { name, nameStart, signature, public: isPublic }: Definition,
  path: string,
  parent: Placed | null,
  { exports: { places, names }, sections }: SymbolContext,
): boolean {
  if (places.has(nameStart)) return true;
  if (parent !== null) {
    const member = CONTAINER_KINDS.has(parent.kind) || VALUES.has(parent.kind);
    if (isPublic) return parent.exported;
    return (
      member &&
      parent.exported &&
      !style.isPrivate(name, signature, parent.kind) &&
      !/^(?:\w+ )*private\b(?!\()/.test(signature) &&
      !sections.hides(name, nameStart, parent.definition.span)
    );
  }
  const root = path.split(".", 1)[0] ?? path;
  if (!style.public) return names.has(root);
  return names.size > 0 ? names.has(root) : !style.isPrivate(name, signature, null);
}

/** Finds the symbol at an offset: the last one that starts before it, or one that encloses that one. */
function finder(placed: readonly Placed[], indexOf: ReadonlyMap<Placed, number>): (offset: number) => number | null {
  const around = enclosing(placed);
  return (offset) => {
    let low = 0;
    let high = placed.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((placed[middle]?.definition.span.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0; at = around[at] ?? -1) {
      const symbol = placed[at];
      if (symbol === undefined) return null;
      const index = indexOf.get(symbol);
      if (index !== undefined && offset < symbol.definition.span.end) return index;
    }
    return null;
  };
}

/** For each symbol the index of the innermost earlier one that contains its start, or -1. */
function enclosing(placed: readonly Placed[]): Int32Array {
  const around = new Int32Array(placed.length).fill(-1);
  const open: number[] = [];
  placed.forEach(({ definition }, index) => {
    while (open.length > 0 && (placed[open.at(-1) ?? 0]?.definition.span.end ?? 0) <= definition.span.start) open.pop();
    around[index] = open.at(-1) ?? -1;
    open.push(index);
  });
  return around;
}
