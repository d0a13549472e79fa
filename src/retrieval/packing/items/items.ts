/**
 * The items that compete for the budget: one for each placed symbol, run of lines and rationale comment.
 *
 * An item has its cost in full and as a signature before anything is rendered: estimated tokens, from stored counts or
 * counts of single lines. The rendered text is counted exactly later.
 */
import type { CommentRow, DocstringRow, SymbolRow } from "../../../db/curated/knowledge-base.ts";
import { isContainerKind } from "../../../syntax/facts/facts.ts";
import type { LineRange } from "../../../text/ranges.ts";
import { firstSentence } from "../../../text/sentence.ts";
import { truncated } from "../../../text/truncated.ts";
import { cutText, GAP_TOKENS, type LineCut, type PricedText } from "../../lexical/snippets.ts";
import type { ShownItem } from "../../model/changes.ts";
import type { PlacedSymbol, ScopedFile, Selection } from "../../model/selection.ts";
import type { ItemTier } from "../../model/tiers.ts";
import { blanked, hiddenLines, linesFor, withoutHidden } from "../../precision/symbol-lines.ts";
import { unshownSymbols } from "../../precision/symbol-requests.ts";
import { RELEVANT_SHARE_MIN } from "../../precision/symbol-tiers.ts";
import { foldedDocumentation } from "./folded-documentation.ts";
import { mentionedInPassing, type Traced, tracedIn } from "./named-items.ts";
import { withImplementations } from "./overloads.ts";
import { assertionsOf } from "./test-assertions.ts";

/** What decides the packing order. `rank` is that of the file. */
type Priority = {
  readonly rank: number;
  readonly tier: ItemTier;
  readonly floor: boolean;
  /** Of the floor, but a longer task only mentions it: neither a hint, nor what was changed, nor what a short task is about. */
  readonly inPassing?: true;
  /** A stack trace names these of its lines. */
  readonly traced?: Traced;
  /** As of the symbol: what multiplies its worth. */
  readonly evidence?: number;
  /** As of the lines. */
  readonly ofChangedFile?: true;
  /** A definition that a review is about: its diff shows how it changed. */
  readonly isReviewed?: true;
  readonly score: number;
  /** It uses what a review changes or removes, or what an exact task names. */
  readonly isCaller?: true;
  /** It is a member of a class that an exact task names. */
  readonly isMember?: true;
  /** Of a test: its file's place among the likely ones, from 0. */
  readonly testOrder?: number;
  readonly bodyRequested?: true;
  /** How much of it stays while there is room: what the round before showed (`kept-items.ts`), or a requested signature. */
  readonly kept?: ShownItem["detail"];
};

/** What an item shows: a symbol, a rationale comment, or lines. `ranges` are the lines of its body. */
type Content = {
  readonly symbol: SymbolRow | null;
  readonly docstring: string | null;
  readonly assertions: readonly string[];
  readonly reason: string | null;
  readonly ranges: readonly LineRange[];
  readonly bodyTokens: number;
  /** Null when there is no shorter form. */
  readonly signatureTokens: number | null;
  /** The only line of a definition, shown in place of its signature. */
  readonly onlyLine?: LineRange;
};

type Relations = {
  /** Symbols of which at least one must be shown; empty if the item is independent. */
  readonly needs: readonly number[];
  /** Symbols whose bodies it is shown next to (`companions.ts`). */
  readonly companionOf?: readonly number[];
  /** The key of the enclosing item, which is shown with its body (`enclosing-lines.ts`). */
  readonly enclosedBy?: string;
  /** It encloses other items and is never shown by itself. */
  readonly isEnclosing?: true;
};

export type Item = Priority &
  Content &
  Relations & {
    readonly key: string;
    readonly fileId: number;
    readonly path: string;
    readonly label: string;
    readonly why: string;
  };

type ItemInput = {
  readonly selection: Selection;
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly symbolsOf: ReadonlyMap<number, readonly SymbolRow[]>;
  readonly docs: readonly DocstringRow[];
  /** Rationale comments. */
  readonly comments: readonly CommentRow[];
  /** The index stores counts of the tokenizer in use. */
  readonly countsAreStored: boolean;
};

const REASON_CHARS_MAX = 300;

/** Returns every item of a selection, in a fixed order. */
export function itemsOf(input: ItemInput): readonly Item[] {
  const { selection, sources, docs } = input;
  const files = new Map(selection.files.map((scoped) => [scoped.file.id, scoped]));
  const symbols = withImplementations(selection.symbols, input.symbolsOf, sources, files);
  const docOf = new Map(docs.flatMap(({ symbolId, content }) => (symbolId === null ? [] : [[symbolId, content]])));
  const unshown = Map.groupBy(unshownSymbols(selection), (symbol) => symbol.fileId);
  const passing = mentionedInPassing(selection.seeds);
  const traced = tracedIn(selection.seeds);
  const reviewed = new Set(selection.seeds.flatMap(({ changed }) => changed ?? []));
  const items: Item[] = [];
  for (const placed of symbols) {
    const scoped = files.get(placed.symbol.fileId);
    const source = sources.get(placed.symbol.fileId);
    if (!scoped || !source) continue;
    const isReviewed = reviewed.has(placed.symbol.id);
    const hidden = [
      ...hiddenLines(unshown.get(placed.symbol.fileId) ?? [], placed.symbol),
      ...(isReviewed && isContainerKind(placed.symbol.kind) ? foldedDocumentation(placed.symbol, source.lines) : []),
    ];
    items.push({
      ...symbolItem(placed, scoped, source, input, { docstring: docOf.get(placed.symbol.id) ?? null, hidden }),
      ...(placed.floor && placed.requested === undefined ? passing(placed.symbol.fileId) : {}),
      ...(placed.requested === "signature" ? {} : traced(placed.symbol.fileId, placed.symbol.id)),
      ...(isReviewed ? { isReviewed } : {}),
    });
  }
  for (const snippet of selection.snippets) {
    const scoped = files.get(snippet.fileId);
    const source = sources.get(snippet.fileId);
    if (!scoped || !source) continue;
    const ranges = withoutHidden(snippet.ranges, hiddenLines(unshown.get(snippet.fileId) ?? [], null), source.lines);
    // A file on the floor is at least named.
    if (ranges.length === 0 && !snippet.floor) continue;
    items.push({
      ...base(scoped),
      key: `${scoped.file.path}#lines`,
      tier: scoped.file.isTest ? "tests" : "primary",
      floor: snippet.floor,
      ...(snippet.floor ? passing(snippet.fileId) : {}),
      ...traced(snippet.fileId, null),
      ...(snippet.ofChangedFile === true ? { ofChangedFile: true } : {}),
      score: snippet.score,
      label: "lines",
      why: snippet.why,
      ...(snippet.isCaller ? { isCaller: true } : {}),
      ...(snippet.testOrder === undefined ? {} : { testOrder: snippet.testOrder }),
      ranges,
      bodyTokens: costOf(ranges, source),
      ...(ranges.length === 0 ? { signatureTokens: 0 } : {}),
    });
  }
  return items.length > 0
    ? [...items, ...reasonItems({ ...input, selection: { ...selection, symbols } }, files)]
    : fileItems(selection);
}

/** When no stage chose symbols or lines: seeds, and files that score at least a tenth of the best. */
function fileItems({ files }: Selection): readonly Item[] {
  const best = files.reduce((max, { score }) => Math.max(max, score.total), 0);
  return files
    .filter(({ tier, score }) => tier === "seed" || score.total >= RELEVANT_SHARE_MIN * best)
    .map((scoped) => ({
      ...base(scoped),
      key: scoped.file.path,
      tier: "primary" as const,
      floor: scoped.tier === "seed",
      score: best > 0 ? scoped.score.total / best : 0,
      label: "file",
      why: scoped.relation,
      ranges: [],
      bodyTokens: 0,
      signatureTokens: 0,
    }));
}

/** An independent item that is neither a symbol nor a reason. */
export const PLAIN_ITEM = {
  symbol: null,
  docstring: null,
  assertions: [],
  reason: null,
  signatureTokens: null,
  needs: [],
} as const satisfies Partial<Item>;

const base = ({ file, rank }: ScopedFile) => ({ ...PLAIN_ITEM, fileId: file.id, path: file.path, rank });

function symbolItem(
  placed: PlacedSymbol,
  scoped: ScopedFile,
  source: PricedText,
  input: ItemInput,
  { docstring, hidden }: { readonly docstring: string | null; readonly hidden: readonly LineRange[] },
): Item {
  const { symbol, requested } = placed;
  const summary = docstring === null ? 0 : Math.ceil(firstSentence(docstring).length / 4);
  const tier = scoped.file.isTest ? "tests" : placed.tier === "excluded" ? "supporting" : placed.tier;
  const own =
    requested === "signature" ? [] : linesFor(symbol, tier, source.lines, input.symbolsOf.get(symbol.fileId) ?? []);
  const onlyLine = requested === "signature" ? null : onlyLineOf(symbol, source.lines);
  const ranges = withoutHidden(own.length === 0 && onlyLine !== null ? [onlyLine] : own, hidden, source.lines);
  const isAsserting = scoped.file.isTest && requested !== "signature";
  const assertions = isAsserting ? assertionsOf(blanked(source.lines, hidden), symbol.startLine, symbol.endLine) : [];
  const asserted = assertions.reduce((sum, text) => sum + Math.ceil(text.length / 3) + 3, 0);
  return {
    ...base(scoped),
    key: `${scoped.file.path}#${symbol.id}`,
    tier,
    floor: placed.floor,
    ...(placed.evidence === undefined ? {} : { evidence: placed.evidence }),
    score: placed.score,
    label: symbol.qualifiedName,
    why: placed.why,
    symbol,
    docstring,
    assertions,
    ranges,
    bodyTokens: ranges.length === 0 ? 0 : bodyCost(symbol, ranges, source, input.countsAreStored),
    signatureTokens:
      asserted + (onlyLine === null ? symbol.signatureTokens + summary + GAP_TOKENS : costOf([onlyLine], source)),
    ...(onlyLine === null ? {} : { onlyLine }),
    needs: placed.usedBy,
    ...(placed.isCaller ? { isCaller: true } : {}),
    ...(placed.isMember ? { isMember: true } : {}),
    ...(placed.testOrder === undefined ? {} : { testOrder: placed.testOrder }),
    ...(placed.companionOf === undefined ? {} : { companionOf: placed.companionOf }),
    ...(requested === "body" ? { bodyRequested: true } : {}),
    ...(requested === "signature" ? { kept: "signature" } : {}),
  };
}

/** Of a longer line, the signature is shown. */
const ONLY_LINE_CHARS_MAX = 200;

function onlyLineOf({ startLine, endLine }: SymbolRow, lines: readonly string[]): LineRange | null {
  const { length } = lines[startLine - 1] ?? "";
  return startLine === endLine && length > 0 && length <= ONLY_LINE_CHARS_MAX ? { startLine, endLine } : null;
}

function reasonItems(input: ItemInput, files: ReadonlyMap<number, ScopedFile>): readonly Item[] {
  const placed = new Map(input.selection.symbols.map((symbol) => [symbol.symbol.id, symbol]));
  return input.comments.flatMap((comment) => {
    const scoped = files.get(comment.fileId);
    const symbol = comment.symbolId === null ? undefined : placed.get(comment.symbolId);
    if (!scoped || !symbol || scoped.file.isTest || symbol.requested === "signature") return [];
    const text = `line ${comment.line}: ${truncated(comment.content.replace(/\s+/g, " ").trim(), REASON_CHARS_MAX)}`;
    return [
      {
        ...base(scoped),
        key: `${scoped.file.path}#why${comment.line}`,
        tier: "rationale" as const,
        floor: false,
        score: symbol.score,
        label: `comment at line ${comment.line}`,
        why: `says why, in ${symbol.symbol.qualifiedName}`,
        reason: text,
        ranges: [{ startLine: comment.line, endLine: comment.line }],
        bodyTokens: Math.ceil(text.length / 3) + 3,
        needs: [symbol.symbol.id],
      },
    ];
  });
}

/** Like `costOf`, but uses the stored count if there is one, except at the end of a file, which may lack a line feed. */
function bodyCost(
  symbol: SymbolRow,
  ranges: readonly LineRange[],
  source: PricedText,
  countsAreStored: boolean,
): number {
  const [range, ...others] = ranges;
  const isWhole = others.length === 0 && range?.startLine === symbol.docLine && range.endLine === symbol.endLine;
  const isStored = countsAreStored && isWhole && symbol.endLine < source.lines.length;
  return isStored ? GAP_TOKENS + symbol.bodyTokens : costOf(ranges, source);
}

/** Estimated tokens of lines, including a marker for each run; `cut` is a line shown in part. */
export function costOf(ranges: readonly LineRange[], source: PricedText, cut: LineCut | null = null): number {
  let cost = 0;
  for (const { startLine: start, endLine: end } of ranges) {
    cost += GAP_TOKENS;
    for (let line = start; line <= end; line += 1)
      cost +=
        line === cut?.line ? source.tokensOf(cutText(source.lines[line - 1] ?? "", cut)) : source.lineTokens(line);
  }
  return cost;
}

/** The cost of an item in full, or of its signature if it has no lines. */
export const fullTokens = ({ ranges, signatureTokens, bodyTokens }: Item): number =>
  ranges.length === 0 ? (signatureTokens ?? bodyTokens) : bodyTokens;
