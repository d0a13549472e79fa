/**
 * What a context package holds of one file: symbols, lines for themselves, comments and assertions.
 *
 * One selection is put together several times with a little more or less in it, so what was made of a file is kept
 * until it shows something else. Not here: which files there are, and all else of a package (`assemble-package.ts`).
 */

import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { LineRange } from "../../text/ranges.ts";
import { cutText, type LineCut, type PricedText } from "../lexical/snippets.ts";
import type { FileJson, SnippetJson, SymbolJson } from "../model/package-schema.ts";
import type { ScopedFile } from "../model/selection.ts";
import { type Gaps, smallGaps } from "./gaps.ts";
import type { Shown } from "./knapsack.ts";

/** The texts of files by id, and the symbols of which no line is shown between others. */
export type FileFacts = {
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly unshown: readonly SymbolRow[];
};

/** What a package says of a file that shows this, and the blank lines between its lines. */
export type MadeFile = { readonly shown: readonly Shown[]; readonly json: FileJson; readonly blank: number[] };

/** Fits differ in few files: what was made of the others, and is kept with it, is that of the fit before. */
const lastMade = new WeakMap<FileFacts, Map<number, MadeFile>>();

/** The same value as before where the file shows the same. */
export function madeOf(facts: FileFacts, scoped: ScopedFile, shown: readonly Shown[]): MadeFile {
  const { id } = scoped.file;
  const known = lastMade.get(facts) ?? new Map<number, MadeFile>();
  lastMade.set(facts, known);
  const before = known.get(id);
  if (before !== undefined && isSame(before.shown, shown)) return before;
  const source = facts.sources.get(id);
  const hidden = hiddenRows(facts.unshown.filter(({ fileId }) => fileId === id));
  const gaps = gapsIn(shown, source, hidden);
  const made = { shown, json: fileJson(scoped, shown, source, gaps), blank: [...gaps.blank] };
  known.set(id, made);
  return made;
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
  const symbols = shown.flatMap((entry) => (entry.item.symbol ? [{ entry, symbol: entry.item.symbol }] : []));
  return {
    path: scoped.file.path,
    language: scoped.file.language,
    relevance_rank: scoped.rank,
    score: scoped.score.total,
    tier: scoped.tier,
    symbols: symbols
      .map(({ entry, symbol }) => ({ order: symbol.startLine, id: symbol.id, json: symbolJson(entry, symbol, source) }))
      .sort((a, b) => RELEVANCE[a.json.relevance] - RELEVANCE[b.json.relevance] || a.order - b.order || a.id - b.id)
      .map(({ json }) => json),
    rationale_comments: shown.flatMap(({ item }) => (item.reason === null ? [] : [item.reason])),
    test_assertions: scoped.file.isTest
      ? symbols.flatMap(({ entry, symbol }) => entry.item.assertions.map((text) => `${symbol.name}: ${text}`))
      : null,
    snippets: source ? [...shown.flatMap((entry) => snippets(entry, source)), ...between(gaps, source)] : [],
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

/** A symbol's text when it is shown from its first line to its last; null for a container's own lines, or a part. */
function wholeBody({ item, detail, ranges }: Shown, source: PricedText): string | null {
  const only = ranges[0];
  const end = Math.min(item.symbol?.endLine ?? 0, source.lines.length);
  if (detail !== "body" || ranges.length !== 1 || only?.endLine !== end) return null;
  return source.lines.slice(only.startLine - 1, end).join("\n");
}

/** Lines that stand for themselves, for a container's own lines, or for part of a body. */
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

const between = (gaps: Gaps, source: PricedText): readonly SnippetJson[] =>
  gaps.shown.map((range) => snippet(range, source, null, "between lines that are shown"));

/** The small gaps in the code that a file shows; its types stand apart from that. */
function gapsIn(shown: readonly Shown[], source: PricedText | undefined, hidden: readonly LineRange[]): Gaps {
  const code = shown.filter(
    ({ item, detail }) => item.reason === null && (item.tier !== "type_context" || detail === "excerpt"),
  );
  return smallGaps(source ? code.flatMap(({ ranges }) => ranges) : [], source ?? NO_TEXT, hidden);
}

const hiddenRows = (symbols: readonly SymbolRow[]): readonly LineRange[] =>
  symbols.map(({ docLine, endLine }) => ({ startLine: docLine, endLine }));

const NO_TEXT: PricedText = { lines: [], lineTokens: () => 0, tokensOf: () => 0 };
