/** What the tiers of a package take: the tokens of their code, signatures and comments, without headings and markers. */
import { cutText } from "../retrieval/lexical/snippets.ts";
import { ITEM_TIERS, type ItemTier } from "../retrieval/model/tiers.ts";
import type { Shown } from "../retrieval/packing/fitting/knapsack.ts";
import type { Item } from "../retrieval/packing/items/items.ts";

type ShownText = Pick<Shown, "detail" | "ranges" | "cut"> & {
  readonly item: Pick<Item, "fileId" | "tier" | "reason" | "signatureTokens">;
};

type TierInput = {
  readonly shown: readonly ShownText[];
  readonly linesOf: (fileId: number) => readonly string[];
  readonly count: (text: string) => number;
};

export type TierTokens = Readonly<Record<ItemTier, number>>;

/** A line that several items show counts once, for the strongest tier. */
export function tierTokens({ shown, linesOf, count }: TierInput): TierTokens {
  const tokens: Record<ItemTier, number> = { ...NO_TIER_TOKENS };
  const counted = new Set<string>();
  const isNew = (fileId: number, line: number): boolean => {
    const before = counted.size;
    return counted.add(`${fileId}:${line}`).size > before;
  };
  for (const tier of ITEM_TIERS) {
    for (const { item, detail, ranges, cut } of shown.filter((one) => one.item.tier === tier)) {
      const { fileId, reason, signatureTokens } = item;
      const text = linesOf(fileId);
      const lines = (detail === "signature" ? [] : ranges).flatMap(({ startLine, endLine }) =>
        Array.from({ length: Math.max(0, Math.min(endLine, text.length) - startLine + 1) }, (_, at) => startLine + at),
      );
      const own = lines.filter((line) => isNew(fileId, line));
      if (detail === "signature") tokens[tier] += signatureTokens ?? 0;
      else if (reason !== null) tokens[tier] += own.length > 0 ? count(reason) : 0;
      else if (own.length > 0)
        tokens[tier] += count(
          own.map((line) => (cut?.line === line ? cutText(text[line - 1] ?? "", cut) : text[line - 1])).join("\n"),
        );
    }
  }
  return tokens;
}

export const NO_TIER_TOKENS: TierTokens = { primary: 0, tests: 0, supporting: 0, type_context: 0, rationale: 0 };
