/** The packing decisions: one for each item, and one for each file in scope that shows nothing. */
import { GAP_TOKENS, type PricedText } from "../lexical/snippets.ts";
import { type Decision, onFile } from "../model/decision.ts";
import type { Selection } from "../model/selection.ts";
import type { Shown } from "./fitting/knapsack.ts";
import { costOf, fullTokens, type Item } from "./items/items.ts";
import type { Stop } from "./worth/stop.ts";

type PackedItems = {
  readonly selection: Selection;
  readonly items: readonly Item[];
  readonly stop: Stop;
  readonly shown: readonly Shown[];
  readonly sources: ReadonlyMap<number, PricedText>;
};

/** Items come first, in order. */
export function budgetDecisions(packed: PackedItems): readonly Decision[] {
  const leftOut = leftOutBy(packed);
  return [...itemDecisions(packed, leftOut), ...hiddenFileDecisions(packed, leftOut)];
}

/** The reason of a relevant item that is not shown. */
const NO_ROOM = "did not fit into the budget";

/** The coverage that the reason of an item beyond the stop names. */
export const NAMED_COVERAGE = /; coverage (\S+) includes it$/;

/** Why an item is not shown, and the least coverage that includes it; null for a relevant one, which needs a larger budget. */
type LeftOut = { readonly why: string; readonly coverage: number | null };

/** Says why an item that is not shown is left out. */
function leftOutBy({ stop, shown }: PackedItems): (item: Item) => LeftOut {
  const shownIds = new Set(shown.flatMap(({ item }) => item.symbol?.id ?? []));
  // Only these bring others: what supporting material and types need in turn is beyond the stop.
  const primaryIds = new Set(stop.primary.flatMap(({ item }) => item.symbol?.id ?? []));
  const relevant = new Set(stop.relevant.map(({ key }) => key));
  const least = new Map(stop.primary.map(({ item, coverage }) => [item.key, coverage]));
  return (item) => {
    if (relevant.has(item.key)) return { why: NO_ROOM, coverage: null };
    const coverage = least.get(item.key);
    if (coverage !== undefined) return { why: "not expected to matter enough for its tokens", coverage };
    const isUnneeded =
      item.isEnclosing === true || (item.needs.length > 0 && !item.needs.some((id) => shownIds.has(id)));
    if (isUnneeded) return { why: "what needs it is not shown", coverage: 1 };
    const isSecondHand = item.needs.length > 0 && !item.needs.some((id) => primaryIds.has(id));
    return {
      why: isSecondHand ? "needed only by supporting symbols or types" : "beyond the share of its tier",
      coverage: 1,
    };
  };
}

const inWords = ({ why, coverage }: LeftOut): string =>
  coverage === null ? why : `${why}; coverage ${coverage} includes it`;

function itemDecisions({ items, shown, sources }: PackedItems, leftOut: (item: Item) => LeftOut): readonly Decision[] {
  const byKey = new Map(shown.map((entry) => [entry.item.key, entry]));
  const tokensOf = shownTokens(shown, sources);
  return items.map((item) => {
    const entry = byKey.get(item.key);
    const detail = entry?.detail ?? "none";
    return {
      path: item.path,
      symbol: item.symbol?.qualifiedName ?? null,
      line: item.symbol?.startLine ?? item.ranges[0]?.startLine ?? null,
      kind: item.symbol?.kind ?? (item.reason === null ? "snippet" : "comment"),
      tier: item.tier,
      included: detail !== "none",
      detail,
      score: item.score,
      terms: null,
      tokens: tokensOf.get(item.key) ?? fullTokens(item),
      reason: entry === undefined ? inWords(leftOut(item)) : whyShown(item, entry),
    };
  });
}

function whyShown({ ranges, why }: Item, { item, detail }: Shown): string {
  if (detail === "body" || ranges.length === 0) return why;
  const part = detail === "excerpt" ? "an excerpt" : "its signature";
  // The stop takes the lines from an item of which its tier has room for the signature alone.
  return `cut to ${part} to fit the ${item.ranges.length === 0 ? "share of its tier" : "budget"}`;
}

function hiddenFileDecisions(
  { selection: { files }, items, shown }: PackedItems,
  leftOut: (item: Item) => LeftOut,
): readonly Decision[] {
  const ofFile = Map.groupBy(items, ({ fileId }) => fileId);
  const shownFiles = new Set(shown.map(({ item }) => item.fileId));
  return files
    .filter(({ file }) => !shownFiles.has(file.id))
    .map(({ file, tier, score }) => ({
      ...onFile(file.path),
      tier,
      included: false,
      score: score.total,
      terms: null,
      tokens: null,
      reason: whyHidden((ofFile.get(file.id) ?? []).map(leftOut)),
    }));
}

/** Why a file in scope shows nothing, from why its items do not. */
function whyHidden(left: readonly LeftOut[]): string {
  if (left.length === 0) return "in scope, but nothing in it is relevant enough to show";
  const coverages = left.flatMap(({ coverage }) => coverage ?? []);
  if (coverages.length < left.length) return "in scope, but nothing of it fitted into the budget";
  return `in scope, but nothing in it is expected to matter enough for its tokens; coverage ${Math.min(...coverages)} includes some of it`;
}

/**
 * The tokens of the shown items, by key. A line counts for the smallest item that shows it: for a method, not for its class as well. A
 * comment beside its lines costs nothing.
 */
function shownTokens(shown: readonly Shown[], sources: PackedItems["sources"]): ReadonlyMap<string, number> {
  const known = new Map<number, Set<number>>();
  const tokens = new Map<string, number>();
  const sorted = shown.toSorted(
    (a, b) => Number(a.item.reason !== null) - Number(b.item.reason !== null) || lineCount(a) - lineCount(b),
  );
  for (const entry of sorted) {
    const { fileId, key } = entry.item;
    const ofFile = known.getOrInsertComputed(fileId, () => new Set());
    const lines = entry.ranges.flatMap(({ startLine, endLine }) =>
      Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
    );
    const own = lines.filter((line) => !ofFile.has(line));
    for (const line of own) ofFile.add(line);
    tokens.set(key, own.length === lines.length ? wholeTokens(entry, sources) : restTokens(entry, own, sources));
  }
  return tokens;
}

const lineCount = ({ ranges }: Shown): number =>
  ranges.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);

function wholeTokens({ item, detail, ranges, cut }: Shown, sources: PackedItems["sources"]): number {
  const source = sources.get(item.fileId);
  if (detail === "excerpt" && source) return costOf(ranges, source, cut);
  return detail === "signature" ? (item.signatureTokens ?? item.bodyTokens) : fullTokens(item);
}

/** Of the lines alone: gaps between them hold what other items show. */
function restTokens({ item, cut }: Shown, lines: readonly number[], sources: PackedItems["sources"]): number {
  const source = sources.get(item.fileId);
  if (source === undefined || item.reason !== null) return 0;
  const ranges = lines.map((line) => ({ startLine: line, endLine: line }));
  return costOf(ranges, source, cut) - GAP_TOKENS * ranges.length;
}
