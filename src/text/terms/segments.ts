/**
 * Cuts a file into segments for term statistics: one for each definition that is a separate document, and segment 0 for
 * the rest.
 *
 * Every line belongs to the innermost such definition, from the comment above it to its end. Functions, methods,
 * classes, interfaces, type aliases, enums and namespaces are documents; variables and properties are if they take more
 * than one line.
 */

/** The kinds of symbols, in the order that breaks ties. */
export const SYMBOL_KINDS = [
  "function",
  "method",
  "class",
  "interface",
  "type_alias",
  "enum",
  "namespace",
  "variable",
  "property",
] as const;

export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** The kinds of segments, by number; the first is the rest of a file. */
export const SEGMENT_KINDS = ["rest", ...SYMBOL_KINDS] as const;

/** Kinds whose segments exclude the definitions inside them. */
export const CONTAINERS: ReadonlySet<string> = new Set(["rest", "class", "interface", "enum", "namespace"]);

const MULTILINE_ONLY: ReadonlySet<string> = new Set(["variable", "property"]);
/** Deeper definitions belong to the one around them; bounds the walk from a segment to the top. */
const NESTING_MAX = 32;
/** The number of segments that a posting can address. */
const SEGMENTS_MAX = 1 << 18;
/** Characters that count in a line; longer lines are generated or data. */
export const LINE_MAX = 2_000;

/** The fields of a symbol that segments need. Parents come before their children. */
export type SegmentSymbol = {
  readonly name: string;
  readonly signature: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly docLine: number;
  readonly parent: number | null;
};

/** `ordinal` is the symbol's index, null for the rest; `parent` is an earlier segment, null for the rest. */
export type Segment = {
  readonly ordinal: number | null;
  readonly kind: number;
  readonly container: boolean;
  readonly parent: number | null;
  readonly name: string;
  readonly signature: string;
  /** 0-based numbers of its own lines, in order. */
  readonly lines: number[];
};

/** The lines of a text, cut to a bounded length. */
export function splitLines(text: string): readonly string[] {
  return text.split("\n").map((line) => (line.length > LINE_MAX ? line.slice(0, LINE_MAX) : line));
}

/** The segment outside of every definition, without lines. */
export const restSegment = (): Segment => ({
  ordinal: null,
  kind: 0,
  container: true,
  parent: null,
  name: "",
  signature: "",
  lines: [],
});

/** The segments of a file with `lineCount` lines, in the order of its symbols. */
export function layOutSegments(symbols: readonly SegmentSymbol[], lineCount: number): readonly Segment[] {
  const segments: Segment[] = [restSegment()];
  const depths: number[] = [0];
  /** For each symbol the segment that it forms, or that contains it. */
  const segmentOf: number[] = [];
  const spans: { readonly from: number; readonly to: number }[] = [{ from: 0, to: lineCount }];
  symbols.forEach((symbol, ordinal) => {
    const parent = symbol.parent === null ? 0 : (segmentOf[symbol.parent] ?? 0);
    const depth = (depths[parent] ?? 0) + 1;
    const kind = (SEGMENT_KINDS as readonly string[]).indexOf(symbol.kind);
    const single = symbol.startLine === symbol.endLine && MULTILINE_ONLY.has(symbol.kind);
    if (kind < 1 || single || depth > NESTING_MAX || segments.length >= SEGMENTS_MAX) {
      segmentOf.push(parent);
      return;
    }
    segmentOf.push(segments.length);
    const { name, signature } = symbol;
    segments.push({ ordinal, kind, container: CONTAINERS.has(symbol.kind), parent, name, signature, lines: [] });
    depths.push(depth);
    spans.push({ from: symbol.docLine - 1, to: Math.min(symbol.endLine, lineCount) });
  });
  const owners = innermost(spans, lineCount);
  for (let line = 0; line < lineCount; line += 1) segments[owners[line] ?? 0]?.lines.push(line);
  return segments;
}

/** For each line the last span that contains it. Paints spans from last to first, and each line once: linear time. */
function innermost(spans: readonly { readonly from: number; readonly to: number }[], lineCount: number): Int32Array {
  const owners = new Int32Array(lineCount);
  const skip = new Int32Array(lineCount + 1);
  for (let line = 0; line <= lineCount; line += 1) skip[line] = line;
  const free = (line: number): number => {
    let at = line;
    while ((skip[at] ?? at) !== at) {
      const ahead = skip[at] ?? at;
      skip[at] = skip[ahead] ?? ahead;
      at = ahead;
    }
    return at;
  };
  for (let span = spans.length - 1; span > 0; span -= 1) {
    const { from, to } = spans[span] ?? { from: 0, to: 0 };
    for (let line = free(Math.max(0, from)); line < to; line = free(line)) {
      owners[line] = span;
      skip[line] = line + 1;
    }
  }
  return owners;
}

const COMMENT_START = /^\s*(?:#|\/\/|\/\*|\*|<!--|--|;|%|\{\/\*|[rRuUbBfF]{0,2}(?:"""|'''))/;
const DOCSTRING_START = /^[rRuUbBfF]{0,2}(?:"""|''')/;

/** For each line 1 if it is a comment or documentation. */
export function commentFlags(
  lines: readonly string[],
  source: {
    readonly commentLines: readonly { readonly line: number; readonly endLine: number }[];
    readonly docstrings: boolean;
  },
): Uint8Array {
  const flags = source.docstrings ? docstringFlags(lines) : new Uint8Array(lines.length);
  for (const { line, endLine } of source.commentLines) {
    const first = line - 1;
    if (COMMENT_START.test(lines[first] ?? "")) flags[first] = 1;
    flags.fill(1, line, Math.max(line, endLine));
  }
  return flags;
}

/** Lines of triple-quoted strings: from the first line if the string starts that line, else from the second. */
function docstringFlags(lines: readonly string[]): Uint8Array {
  const flags = new Uint8Array(lines.length);
  let open: string | null = null;
  lines.forEach((line, at) => {
    if (open !== null) {
      flags[at] = 1;
      if (line.includes(open)) open = null;
      return;
    }
    const text = line.trim();
    if (text.startsWith("#")) return;
    const quote = ['"""', "'''"].find((mark) => text.includes(mark));
    if (quote === undefined) return;
    if (DOCSTRING_START.test(text)) flags[at] = 1;
    if (text.split(quote).length % 2 === 0) open = quote;
  });
  return flags;
}
