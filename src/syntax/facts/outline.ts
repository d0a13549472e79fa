/** Outlines: headings, keys and selectors as symbols. A heading's section ends at the next one of the same or a higher level. */
import type { Heading } from "../../languages/syntax.ts";
import type { Span } from "../../text/lines.ts";
import type { SourceText } from "./source-text.ts";
import type { UncountedSymbol } from "./symbols.ts";

/** Headings as symbols, each inside the last preceding heading of a higher level. */
export function outlineSymbols(source: SourceText, outline: readonly Heading[]): readonly UncountedSymbol[] {
  const around: { readonly depth: number; readonly index: number; readonly path: string }[] = [];
  return outline.map(({ name, depth, span, nameStart }, index) => {
    while ((around.at(-1)?.depth ?? 0) >= depth) around.pop();
    const parent = around.at(-1) ?? null;
    const path = parent === null ? name : `${parent.path}.${name}`;
    around.push({ depth, index, path });
    const startLine = source.lines.lineOf(span.start);
    return {
      name,
      qualifiedName: path.slice(-QUALIFIED_NAME_MAX),
      kind: "namespace",
      startLine,
      endLine: source.lines.lineOf(Math.max(span.start, span.end - 1)),
      docLine: startLine,
      nameLine: source.lines.lineOf(nameStart),
      signature: name,
      parent: parent?.index ?? null,
      exported: false,
      doc: null,
    };
  });
}

const QUALIFIED_NAME_MAX = 400;

/** Limits of an outline: parts in all, and children of one part. Wide maps are data. */
const PARTS_MAX = 300;
const PARTS_INSIDE_MAX = 100;

/** The first parts of an outline, outer before inner. A part that is dropped drops everything inside it. */
export function firstParts<Part extends { readonly span: Span }>(parts: readonly Part[]): readonly Part[] {
  const kept: Part[] = [];
  const open: { readonly span: Span; readonly isKept: boolean; inside: number }[] = [];
  for (const part of parts) {
    while (open.length > 0 && (open.at(-1)?.span.end ?? 0) < part.span.end) open.pop();
    const around = open.at(-1);
    if (around !== undefined) around.inside += 1;
    const isKept = around === undefined || (around.isKept && around.inside <= PARTS_INSIDE_MAX);
    open.push({ span: part.span, isKept, inside: 0 });
    if (isKept) kept.push(part);
    if (kept.length >= PARTS_MAX) break;
  }
  return kept;
}
