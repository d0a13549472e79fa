/**
 * Puts together the context package from what fits.
 *
 * Files by rank; symbols in source order within primary, supporting, type context; edges only between
 * files that are in; provenance beside the text, never in it. Pure: the same fit gives the same bytes.
 */
import type { DependencyRow, IndexMeta, SymbolRow } from "../db/curated.ts";
import { type Notice, noticeSentence } from "../failure.ts";
import type { TaskQuery } from "../task/query.ts";
import type { LineRange } from "../text/ranges.ts";
import { type Budget, EDGE_SHARE } from "./budget.ts";
import type { Fit, Shown } from "./fit.ts";
import { type Gaps, smallGaps } from "./gaps.ts";
import type { Item, SourceText } from "./items.ts";
import {
  type ContextPackage,
  type FileJson,
  SCHEMA_VERSION,
  type SnippetJson,
  type SymbolJson,
} from "./package-schema.ts";
import { redactions } from "./redactions.ts";
import { cutText, type LineCut } from "./snippets.ts";
import type { ScopedFile } from "./stage.ts";

/** What an edge costs in the text: a line of the map and an entry in its file's list. */
const EDGE_TOKENS = 24;

/** Everything about a run that a package states and that does not depend on the fit. */
export type PackageFacts = {
  readonly taskId: string;
  readonly task: TaskQuery;
  readonly taskCut: string | null;
  readonly craVersion: string;
  readonly meta: IndexMeta;
  readonly weights: Readonly<Record<string, number>>;
  readonly budget: Budget;
  readonly tokenizer: string;
  readonly files: readonly ScopedFile[];
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, SourceText>;
  readonly dependencies: readonly DependencyRow[];
  /** Symbols of which no line is shown between others. */
  readonly unshown: readonly SymbolRow[];
  readonly warnings: readonly string[];
};

/** A package for a fit; its counts are filled in by `withCounts` once the text has been counted. */
export function assemble(facts: PackageFacts, fit: Fit): ContextPackage {
  const byFile = Map.groupBy(fit.shown, ({ item }) => item.fileId);
  const scoped = facts.files.filter(({ file }) => byFile.has(file.id));
  const edges = edgesBetween(scoped, facts.dependencies);
  const hidden = Map.groupBy(hiddenRows(facts.unshown), ({ fileId }) => fileId);
  const gaps = scoped.map(({ file }) =>
    gapsIn(byFile.get(file.id) ?? [], facts.sources.get(file.id), hidden.get(file.id) ?? []),
  );
  const files = scoped.map((file, at) =>
    fileJson(file, byFile.get(file.file.id) ?? [], facts.sources.get(file.file.id), gaps[at] ?? NO_GAPS),
  );
  return {
    schema_version: SCHEMA_VERSION,
    task_id: facts.taskId,
    task_query: {
      raw_description: facts.task.raw,
      task_type: facts.task.taskType,
      keywords: [...facts.task.keywords],
      file_hints: distinct([...facts.task.given.paths, ...facts.task.fileHints.map(({ text }) => text)]),
      symbol_hints: distinct([...facts.task.given.symbols, ...facts.task.symbolHints.map(({ text }) => text)]),
      error_patterns: [...facts.task.errorPatterns],
      concepts: [...facts.task.concepts],
    },
    files,
    dependency_edges: edges,
    token_count: 0,
    budget: facts.budget.tokens,
    provenance: {
      cra_version: facts.craVersion,
      index: { content_hash: facts.meta.contentHash, head: facts.meta.head },
      weights: { ...facts.weights },
      task_cut: facts.taskCut,
      edges_shown: Math.min(edges.length, Math.floor((fit.target * EDGE_SHARE) / EDGE_TOKENS)),
      files: scoped.map(({ file, tier, relation, score }, at) => ({
        path: file.path,
        tier,
        relation,
        blank_lines: [...(gaps[at] ?? NO_GAPS).blank],
        score: score.total,
        terms: score.terms.map(({ signal, value, weight }) => ({
          signal,
          value,
          weight,
          share: rounded(value * weight),
        })),
      })),
      symbols: fit.shown.map(({ item, detail }) => ({
        path: item.path,
        qualified_name: item.label,
        tier: item.tier,
        detail,
        why: item.why,
      })),
      budget: {
        tokenizer: facts.tokenizer,
        exact: facts.tokenizer !== "approximate",
        max_lines: facts.budget.maxLines,
        floor: 0,
        before: 0,
        after: 0,
        use: 0,
        ...ledger(facts.items, fit.shown),
      },
    },
    warnings: [
      ...facts.warnings,
      ...[...cutBodies(fit), ...redactions(facts.taskCut ?? facts.task.raw, files)].map(noticeSentence),
    ],
  };
}

/** The package with the counts of its rendered text. All are tokens. */
export function withCounts(
  pkg: ContextPackage,
  counts: { readonly tokens: number; readonly floor: number; readonly relevant: number; readonly use: number },
): ContextPackage {
  const { tokens, floor, relevant, use } = counts;
  return {
    ...pkg,
    token_count: tokens,
    provenance: {
      ...pkg.provenance,
      budget: {
        ...pkg.provenance.budget,
        floor,
        before: relevant,
        after: tokens,
        use: rounded(use),
      },
    },
  };
}

/** The bodies that were asked for in full and are not. */
export const cutBodies = ({ shown }: Fit): readonly Notice[] =>
  shown.flatMap(({ item, detail }) =>
    item.inFull === true && detail !== "body" && item.ranges.length > 0
      ? [{ code: "body-cut", name: `${item.path}:${item.label}`, detail }]
      : [],
  );

function fileJson(scoped: ScopedFile, shown: readonly Shown[], source: SourceText | undefined, gaps: Gaps): FileJson {
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

function symbolJson(entry: Shown, symbol: SymbolRow, source: SourceText | undefined): SymbolJson {
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
function wholeBody({ item, detail, ranges }: Shown, source: SourceText): string | null {
  const only = ranges[0];
  const end = Math.min(item.symbol?.endLine ?? 0, source.lines.length);
  if (detail !== "body" || ranges.length !== 1 || only?.endLine !== end) return null;
  return source.lines.slice(only.startLine - 1, end).join("\n");
}

/** Lines that stand for themselves, for a container's own lines, or for part of a body. */
function snippets(entry: Shown, source: SourceText): readonly SnippetJson[] {
  const { item, detail, ranges, cut } = entry;
  if (item.reason !== null || wholeBody(entry, source) !== null) return [];
  const reason = item.symbol === null ? item.why : `${detail === "body" ? "own lines" : "part"} of ${item.label}`;
  return ranges.map((range) => snippet(range, source, cut, reason));
}

function snippet(
  { startLine: start, endLine: end }: LineRange,
  source: SourceText,
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

const between = (gaps: Gaps, source: SourceText): readonly SnippetJson[] =>
  gaps.shown.map((range) => snippet(range, source, null, "between lines that are shown"));

/** The small gaps in the code that a file shows; its types stand apart from that. */
function gapsIn(shown: readonly Shown[], source: SourceText | undefined, hidden: readonly LineRange[]): Gaps {
  const code = shown.filter(
    ({ item, detail }) => item.reason === null && (item.tier !== "type_context" || detail === "excerpt"),
  );
  return smallGaps(source ? code.flatMap(({ ranges }) => ranges) : [], source ?? NO_TEXT, hidden);
}

const hiddenRows = (symbols: readonly SymbolRow[]): readonly (LineRange & { readonly fileId: number })[] =>
  symbols.map(({ fileId, docLine, endLine }) => ({ fileId, startLine: docLine, endLine }));

const NO_GAPS: Gaps = { blank: [], shown: [] };
const NO_TEXT: SourceText = { lines: [], lineTokens: () => 0, tokensOf: () => 0 };

function edgesBetween(files: readonly ScopedFile[], rows: readonly DependencyRow[]): [string, string][] {
  const known = new Map(files.map((scoped) => [scoped.file.id, scoped]));
  const pairs = new Map<string, { from: ScopedFile; to: ScopedFile }>();
  for (const { source, target } of rows) {
    const from = known.get(source);
    const to = known.get(target);
    if (from && to && source !== target) pairs.set(`${source} ${target}`, { from, to });
  }
  return [...pairs.values()]
    .sort((a, b) => a.from.rank - b.from.rank || a.to.rank - b.to.rank)
    .map(({ from, to }) => [from.file.path, to.file.path]);
}

/** What is not in, or not in full, and what it would have cost. */
function ledger(items: readonly Item[], shown: readonly Shown[]) {
  const details = new Map(shown.map(({ item, detail }) => [item.key, detail]));
  const row = (item: Item) => ({
    path: item.path,
    item: item.label,
    tier: item.tier,
    tokens: item.ranges.length === 0 ? (item.signatureTokens ?? item.bodyTokens) : item.bodyTokens,
  });
  return {
    evicted: items.filter((item) => !details.has(item.key)).map(row),
    demoted: items
      .filter((item) => item.ranges.length > 0 && ["signature", "excerpt"].includes(details.get(item.key) ?? ""))
      .map(row),
  };
}

const distinct = (list: readonly string[]): string[] => [...new Set(list)];
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
