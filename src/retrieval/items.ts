/**
 * The things that compete for the budget: one item for each placed symbol, snippet and reason.
 *
 * An item knows what it costs whole and as a signature, before anything is rendered. Costs are
 * estimates (stored counts, or counts of single lines); the rendered text is counted exactly later.
 */
import type { CommentRow, DocstringRow, SymbolRow } from "../db/curated.ts";
import { isContainerKind } from "../syntax/facts.ts";
import type { LineRange } from "../text/ranges.ts";
import type { TokenCounter } from "../text/tokens.ts";
import { assertionsOf } from "./assertions.ts";
import { cutText, GAP_TOKENS, type LineCut, type PricedText, SMALL_FILE_LINES } from "./snippets.ts";
import type { PlacedSymbol, ScopedFile, Selection } from "./stage.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";
import { blanked, hiddenLines, unshownSymbols, withoutLines } from "./symbol-wishes.ts";

export const ITEM_TIERS = ["primary", "tests", "supporting", "type_context", "rationale"] as const;
export type ItemTier = (typeof ITEM_TIERS)[number];

/** Types of at most this many lines are shown in full, longer ones as signatures. */
const TYPE_LINES_MAX = 20;
const REASON_CHARS_MAX = 300;

/**
 * `ranges` are the lines it shows whole. `signatureTokens` is null for what has no shorter form. `inFull`: a refinement
 * wants its body before all else.
 */
export type Item = {
  readonly key: string;
  readonly fileId: number;
  readonly path: string;
  readonly rank: number;
  readonly tier: ItemTier;
  readonly floor: boolean;
  /** Packed before others of its tier that the task does not name. */
  readonly ahead: boolean;
  readonly score: number;
  readonly label: string;
  readonly why: string;
  readonly symbol: SymbolRow | null;
  readonly docstring: string | null;
  readonly assertions: readonly string[];
  readonly reason: string | null;
  readonly ranges: readonly LineRange[];
  readonly bodyTokens: number;
  readonly signatureTokens: number | null;
  /** Symbols of which one must be shown for this to make sense; empty when it stands by itself. */
  readonly needs: readonly number[];
  readonly inFull?: true;
  /** Symbols in whose block its lines stand; shown as soon as the body of one of them is, and never by itself. */
  readonly around?: readonly number[];
};

/** A file's text, by line, with the cost of each line counted once when it is asked for. */
export type SourceText = PricedText;

/** Wraps a text. Lines are 1-based. */
export function sourceText(text: string, counter: TokenCounter): SourceText {
  const lines = text.split("\n");
  const costs = new Map<number, number>();
  const tokensOf = (part: string): number => counter.count(`${part}\n`);
  return {
    lines,
    tokensOf,
    lineTokens(line) {
      const known = costs.get(line);
      if (known !== undefined) return known;
      const cost = tokensOf(lines[line - 1] ?? "");
      costs.set(line, cost);
      return cost;
    },
  };
}

export type ItemInput = {
  readonly selection: Selection;
  readonly sources: ReadonlyMap<number, SourceText>;
  readonly symbolsOf: ReadonlyMap<number, readonly SymbolRow[]>;
  readonly docs: readonly DocstringRow[];
  /** Comments that say why. */
  readonly comments: readonly CommentRow[];
  /** The counts that the index holds are of the tokenizer that lines are counted with. */
  readonly countsAreStored: boolean;
};

/** Every item of a selection, in a fixed order. */
export function itemsOf(input: ItemInput): readonly Item[] {
  const files = new Map(input.selection.files.map((scoped) => [scoped.file.id, scoped]));
  const docs = new Map(
    input.docs.flatMap((row) => (row.symbolId === null ? [] : [[row.symbolId, row.content] as const])),
  );
  const unshown = Map.groupBy(unshownSymbols(input.selection), (symbol) => symbol.fileId);
  const items: Item[] = [];
  for (const placed of input.selection.symbols) {
    const scoped = files.get(placed.symbol.fileId);
    const source = input.sources.get(placed.symbol.fileId);
    if (!scoped || !source) continue;
    const hidden = hiddenLines(unshown.get(placed.symbol.fileId) ?? [], placed.symbol);
    items.push(symbolItem(placed, scoped, source, input, { docstring: docs.get(placed.symbol.id) ?? null, hidden }));
  }
  for (const snippet of input.selection.snippets) {
    const scoped = files.get(snippet.fileId);
    const source = input.sources.get(snippet.fileId);
    if (!scoped || !source) continue;
    const hidden = hiddenLines(unshown.get(snippet.fileId) ?? [], null);
    const ranges = withoutHidden(snippet.ranges, hidden, source);
    // A file that must be in is named at least.
    if (ranges.length === 0 && !snippet.floor) continue;
    items.push({
      ...base(scoped),
      key: `${scoped.file.path}#lines`,
      tier: scoped.file.isTest ? "tests" : "primary",
      floor: snippet.floor,
      score: snippet.score,
      label: "lines",
      why: snippet.why,
      ranges,
      bodyTokens: costOf(ranges, source),
      ...(ranges.length === 0 ? { signatureTokens: 0 } : {}),
    });
  }
  return items.length > 0 ? [...items, ...reasonItems(input, files)] : fileItems(input.selection);
}

/** When no stage chose symbols or lines, the relevant files themselves: seeds and a tenth of the best, else all. */
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

const base = (scoped: ScopedFile) => ({
  fileId: scoped.file.id,
  path: scoped.file.path,
  rank: scoped.rank,
  symbol: null,
  docstring: null,
  assertions: [],
  reason: null,
  signatureTokens: null,
  needs: [],
  ahead: false,
});

function symbolItem(
  placed: PlacedSymbol,
  scoped: ScopedFile,
  source: SourceText,
  input: ItemInput,
  { docstring, hidden }: { readonly docstring: string | null; readonly hidden: readonly LineRange[] },
): Item {
  const { symbol, wish } = placed;
  const summary = docstring === null ? 0 : Math.ceil(firstLine(docstring).length / 4);
  const tier = scoped.file.isTest ? "tests" : TIER_OF[placed.tier];
  const own = wish === "signature" ? [] : rangesOf(symbol, tier, source, input.symbolsOf.get(symbol.fileId) ?? []);
  const ranges = withoutHidden(own, hidden, source);
  const isAsserting = scoped.file.isTest && wish !== "signature";
  const assertions = isAsserting ? assertionsOf(blanked(source.lines, hidden), symbol.startLine, symbol.endLine) : [];
  const asserted = assertions.reduce((sum, text) => sum + Math.ceil(text.length / 3) + 3, 0);
  return {
    ...base(scoped),
    key: `${scoped.file.path}#${symbol.id}`,
    tier,
    floor: placed.floor,
    ahead: placed.ahead === true,
    score: placed.score,
    label: symbol.qualifiedName,
    why: placed.why,
    symbol,
    docstring,
    assertions,
    ranges,
    bodyTokens: ranges.length === 0 ? 0 : bodyCost(symbol, ranges, source, input.countsAreStored),
    signatureTokens: symbol.signatureTokens + summary + GAP_TOKENS + asserted,
    needs: placed.primaryOf,
    ...(wish === "body" ? { inFull: true } : {}),
  };
}

/** What is left of some lines that a refinement does not want to be shown. */
const withoutHidden = (
  ranges: readonly LineRange[],
  hidden: readonly LineRange[],
  source: SourceText,
): readonly LineRange[] =>
  hidden.length === 0
    ? ranges
    : withoutLines(ranges, hidden).flatMap((range) => withoutBlankEdges(range, source.lines));

const TIER_OF = {
  primary: "primary",
  supporting: "supporting",
  type_context: "type_context",
  excluded: "supporting",
} as const;

/** The lines that stand for a symbol: a container's own lines, anything else whole; supporting symbols have none. */
function rangesOf(
  symbol: SymbolRow,
  tier: ItemTier,
  source: SourceText,
  siblings: readonly SymbolRow[],
): readonly LineRange[] {
  const end = Math.min(symbol.endLine, source.lines.length);
  const whole = { startLine: symbol.docLine, endLine: end };
  const length = end - symbol.docLine + 1;
  if (tier === "supporting" || (tier === "type_context" && length > TYPE_LINES_MAX)) return [];
  if (length < SMALL_FILE_LINES || !isContainerKind(symbol.kind)) return [whole];
  const members = siblings.filter(
    (member) =>
      member.id !== symbol.id &&
      member.startLine >= symbol.startLine &&
      member.endLine <= symbol.endLine &&
      MEMBER_KINDS.has(member.kind),
  );
  const own: LineRange[] = [];
  let line = whole.startLine;
  for (const member of members) {
    if (member.docLine > line) own.push({ startLine: line, endLine: member.docLine - 1 });
    line = Math.max(line, member.endLine + 1);
  }
  if (line <= end) own.push({ startLine: line, endLine: end });
  return own.flatMap((range) => withoutBlankEdges(range, source.lines));
}

/** The range from its first to its last line that is not blank; none when all are. */
function withoutBlankEdges({ startLine, endLine }: LineRange, lines: readonly string[]): readonly LineRange[] {
  const isBlank = (line: number): boolean => (lines[line - 1] ?? "").trim() === "";
  let [start, end] = [startLine, endLine];
  while (start <= end && isBlank(start)) start += 1;
  while (end > start && isBlank(end)) end -= 1;
  return start > end ? [] : [{ startLine: start, endLine: end }];
}

const MEMBER_KINDS: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "enum", "namespace"]);

/** Comments that say why, of symbols that are in but not shown whole. */
function reasonItems(input: ItemInput, files: ReadonlyMap<number, ScopedFile>): readonly Item[] {
  const placed = new Map(input.selection.symbols.map((symbol) => [symbol.symbol.id, symbol]));
  return input.comments.flatMap((comment) => {
    const scoped = files.get(comment.fileId);
    const symbol = comment.symbolId === null ? undefined : placed.get(comment.symbolId);
    if (!scoped || !symbol || scoped.file.isTest || symbol.wish === "signature") return [];
    const text = `line ${comment.line}: ${comment.content.replace(/\s+/g, " ").trim().slice(0, REASON_CHARS_MAX)}`;
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

/** As `costOf`. The index holds the sum of a whole symbol; a file's last line has no line feed in it. */
function bodyCost(
  symbol: SymbolRow,
  ranges: readonly LineRange[],
  source: SourceText,
  countsAreStored: boolean,
): number {
  const [range, ...others] = ranges;
  const isWhole = others.length === 0 && range?.startLine === symbol.docLine && range.endLine === symbol.endLine;
  const isStored = countsAreStored && isWhole && symbol.endLine < source.lines.length;
  return isStored ? GAP_TOKENS + symbol.bodyTokens : costOf(ranges, source);
}

/** Estimated tokens of some lines, one of which may be cut, with the markers between them. */
export function costOf(ranges: readonly LineRange[], source: SourceText, cut: LineCut | null = null): number {
  let cost = 0;
  for (const { startLine: start, endLine: end } of ranges) {
    cost += GAP_TOKENS;
    for (let line = start; line <= end; line += 1)
      cost +=
        line === cut?.line ? source.tokensOf(cutText(source.lines[line - 1] ?? "", cut)) : source.lineTokens(line);
  }
  return cost;
}

const firstLine = (text: string): string => (text.split("\n").find((line) => line.trim() !== "") ?? "").trim();
