/** The packing decisions: one for each item, and one for each file in scope that shows nothing. */
import type { PricedText } from "../lexical/snippets.ts";
import { type Decision, onFile } from "../model/decision.ts";
import type { Selection } from "../model/selection.ts";
import { costOf, fullTokens, type Item } from "./items.ts";
import type { Shown } from "./knapsack.ts";

/** Items come first, in order. */
export const budgetDecisions = (
  selection: Selection,
  items: readonly Item[],
  relevant: ReadonlySet<string>,
  shown: readonly Shown[],
  sources: ReadonlyMap<number, PricedText>,
): readonly Decision[] => [
  ...itemDecisions(items, relevant, shown, sources),
  ...hiddenFileDecisions(selection, items, shown),
];

/** `stop.ts` decides it. */
const BEYOND_STOP = "not expected to matter enough for its tokens";

function itemDecisions(
  items: readonly Item[],
  relevant: ReadonlySet<string>,
  shown: readonly Shown[],
  sources: ReadonlyMap<number, PricedText>,
): readonly Decision[] {
  const byKey = new Map(shown.map((entry) => [entry.item.key, entry]));
  return items.map((item) => {
    const entry = byKey.get(item.key);
    const detail = entry?.detail ?? "none";
    const isWhole = detail === "body" || (detail !== "none" && item.ranges.length === 0);
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
      tokens: tokensOf(item, entry, sources.get(item.fileId)),
      reason: isWhole
        ? item.why
        : detail === "none"
          ? relevant.has(item.key)
            ? "did not fit into the budget"
            : BEYOND_STOP
          : `cut to ${detail === "excerpt" ? "an excerpt" : "its signature"} to fit the budget`,
    };
  });
}

function hiddenFileDecisions(
  { files }: Selection,
  items: readonly Item[],
  shown: readonly Shown[],
): readonly Decision[] {
  const wanted = new Set(items.map(({ fileId }) => fileId));
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
      reason: wanted.has(file.id)
        ? "in scope, but nothing of it fitted into the budget"
        : "in scope, but nothing in it is relevant enough to show",
    }));
}

/** The tokens of an item as it is shown, or in full if it is not shown. */
function tokensOf(item: Item, entry: Shown | undefined, source: PricedText | undefined): number {
  if (entry?.detail === "excerpt" && source) return costOf(entry.ranges, source, entry.cut);
  return entry?.detail === "signature" ? (item.signatureTokens ?? item.bodyTokens) : fullTokens(item);
}
