/**
 * Builds the JSON of one file in a context package: symbols, snippets, reasons and assertions.
 *
 * Fitting a selection to the budget assembles it several times, and most files do not change in between, so their JSON is
 * cached.
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { LineRange } from "../../text/ranges.ts";
import { cutText, GAP_TOKENS, type LineCut, type PricedText } from "../lexical/snippets.ts";
import { symbolId } from "../model/package-ids.ts";
import type { FileJson, SnippetJson, SymbolJson } from "../model/package-schema.ts";
import type { ScopedFile } from "../model/selection.ts";
import { labelledAssertion, testLabels } from "../model/test-labels.ts";
import type { Shown } from "./fitting/knapsack.ts";

/** What the JSON of every file is made from. `sources` are texts by file id; `unshown` are symbols whose lines never fill a gap. */
export type FileTexts = {
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly unshown: readonly SymbolRow[];
};

/** A file's JSON, what it shows, and the blank lines between shown lines. */
type AssembledFile = { readonly shown: readonly Shown[]; readonly json: FileJson; readonly blank: number[] };

/** By file id, for each set of texts. */
const cache = new WeakMap<FileTexts, Map<number, AssembledFile>>();

/** Returns the same value again while the file shows the same. */
export function assembleFile(texts: FileTexts, scoped: ScopedFile, shown: readonly Shown[]): AssembledFile {
  const { id } = scoped.file;
  const known = cache.get(texts) ?? new Map<number, AssembledFile>();
  cache.set(texts, known);
  const before = known.get(id);
  if (before !== undefined && isSame(before.shown, shown)) return before;
  const source = texts.sources.get(id);
  const hidden = texts.unshown
    .filter(({ fileId }) => fileId === id)
    .map(({ docLine, endLine }) => ({ startLine: docLine, endLine }));
  const gaps = gapsIn(shown, source, hidden);
  const assembled = { shown, json: fileJson(scoped, shown, source, gaps), blank: [...gaps.blank] };
  known.set(id, assembled);
  return assembled;
}

/** Of each file, the last copy with a reason: renderers cache by file. */
const reasoned = new WeakMap<FileJson, FileJson>();

/** The file with this reason; the same value again for the same reason. */
export function withReason(json: FileJson, reason: string | null): FileJson {
  if (json.reason === reason) return json;
  const known = reasoned.get(json);
  if (known?.reason === reason) return known;
  const copy = { ...json, reason };
  reasoned.set(json, copy);
  return copy;
}

const isSame = (some: readonly Shown[], others: readonly Shown[]): boolean =>
  some.length === others.length &&
  some.every(({ item, detail, ranges, cut }, at) => {
    const other = others[at];
    return (
      item === other?.item &&
      detail === other.detail &&
      cut?.line === other.cut?.line &&
      cut?.chars === other.cut?.chars &&
      ranges.length === other.ranges.length &&
      ranges.every((range, index) => {
        const { startLine, endLine } = other.ranges[index] ?? NO_RANGE;
        return range.startLine === startLine && range.endLine === endLine;
      })
    );
  });
const NO_RANGE: LineRange = { startLine: 0, endLine: 0 };

function fileJson(scoped: ScopedFile, shown: readonly Shown[], source: PricedText | undefined, gaps: Gaps): FileJson {
  const symbols = shown.flatMap((entry) => {
    const { symbol } = entry.item;
    return symbol === null ? [] : [{ entry, symbol, json: symbolJson(entry, symbol, source) }];
  });
  const labels = testLabels(symbols.map(({ json }) => json));
  return {
    file_id: scoped.file.path,
    path: scoped.file.path,
    language: scoped.file.language,
    relevance_rank: scoped.rank,
    score: scoped.score.total,
    tier: scoped.tier,
    reason: null,
    symbols: symbols
      .toSorted(
        (a, b) =>
          RELEVANCE[a.json.relevance] - RELEVANCE[b.json.relevance] ||
          a.symbol.startLine - b.symbol.startLine ||
          a.symbol.id - b.symbol.id,
      )
      .map(({ json }) => json),
    rationale_comments: shown.flatMap(({ item }) => (item.reason === null ? [] : [item.reason])),
    test_assertions: scoped.file.isTest
      ? symbols.flatMap(({ entry, json }) =>
          entry.item.assertions.map((text) => labelledAssertion(labels.get(json) ?? json.name, text)),
        )
      : null,
    snippets: source
      ? [
          ...shown.flatMap((entry) => snippets(entry, source)),
          ...gaps.shown.map((range) => snippet(range, source, null, "between lines that are shown")),
        ]
      : [],
  };
}

const RELEVANCE = { primary: 0, supporting: 1, type_context: 2 } as const;
const RELEVANCE_OF = {
  primary: "primary",
  tests: "primary",
  supporting: "supporting",
  type_context: "type_context",
  rationale: "supporting",
} as const;

function symbolJson(entry: Shown, symbol: SymbolRow, source: PricedText | undefined): SymbolJson {
  const { item, detail } = entry;
  const body = source === undefined ? null : wholeBody(entry, source);
  return {
    symbol_id: symbolId(item.path, symbol.qualifiedName, symbol.startLine),
    file_id: item.path,
    name: symbol.name,
    qualified_name: symbol.qualifiedName,
    kind: symbol.kind,
    start_line: symbol.startLine,
    end_line: symbol.endLine,
    signature: symbol.signature,
    body,
    docstring: item.docstring,
    relevance: RELEVANCE_OF[item.tier],
    tokens: detail === "signature" ? (item.signatureTokens ?? 0) : item.bodyTokens,
  };
}

/** The text of a symbol that is shown from its first line to its last, else null. */
function wholeBody({ item, detail, ranges }: Shown, source: PricedText): string | null {
  const only = ranges[0];
  const end = Math.min(item.symbol?.endLine ?? 0, source.lines.length);
  if (detail !== "body" || ranges.length !== 1 || only?.endLine !== end) return null;
  return source.lines.slice(only.startLine - 1, end).join("\n");
}

/** Lines outside symbols, a container's own lines, or part of a body. */
function snippets(entry: Shown, source: PricedText): readonly SnippetJson[] {
  const { item, detail, ranges, cut } = entry;
  if (item.reason !== null || wholeBody(entry, source) !== null) return [];
  const reason = item.symbol === null ? item.why : `${detail === "body" ? "own lines" : "part"} of ${item.label}`;
  return ranges.map((range) => snippet(range, source, cut, reason));
}

function snippet(
  { startLine: start, endLine: end }: LineRange,
  source: PricedText,
  cut: LineCut | null,
  reason: string,
): SnippetJson {
  const lines = source.lines.slice(start - 1, end);
  return {
    start_line: start,
    end_line: Math.min(end, source.lines.length),
    text: lines.map((text, at) => (cut?.line === start + at ? cutText(text, cut) : text)).join("\n"),
    reason,
  };
}

/** The gaps in a file's code, without its types, which are shown separately. */
function gapsIn(shown: readonly Shown[], source: PricedText | undefined, hidden: readonly LineRange[]): Gaps {
  const code = shown.filter(
    ({ item, detail }) => item.reason === null && (item.tier !== "type_context" || detail === "excerpt"),
  );
  return smallGaps(source ? code.flatMap(({ ranges }) => ranges) : [], source ?? NO_TEXT, hidden);
}

const NO_TEXT: PricedText = { lines: [], lineTokens: () => 0, tokensOf: () => 0 };

/** Longer gaps keep their marker, which shows where the next run of lines starts. */
const GAP_LINES_MAX = 3;

/** `blank` are the numbers of blank lines between shown lines; `shown` are lines that cost no more than a marker. */
type Gaps = { readonly blank: readonly number[]; readonly shown: readonly LineRange[] };

/** The small gaps between ranges, which may overlap and come in any order. A gap with a hidden line is not filled. */
export function smallGaps(ranges: readonly LineRange[], source: PricedText, hidden: readonly LineRange[] = []): Gaps {
  const isHidden = (line: number): boolean =>
    hidden.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const blank: number[] = [];
  const shown: LineRange[] = [];
  let reached = Number.POSITIVE_INFINITY;
  for (const { startLine, endLine } of ranges.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)) {
    const length = startLine - reached - 1;
    if (length > 0 && length <= GAP_LINES_MAX) {
      const gap = Array.from({ length }, (_, at) => reached + 1 + at);
      if (gap.every((line) => (source.lines[line - 1] ?? "").trim() === "")) blank.push(...gap);
      else if (!gap.some(isHidden) && gap.reduce((sum, line) => sum + source.lineTokens(line), 0) <= GAP_TOKENS)
        shown.push({ startLine: reached + 1, endLine: startLine - 1 });
    }
    reached = reached === Number.POSITIVE_INFINITY ? endLine : Math.max(reached, endLine);
  }
  return { blank, shown };
}
