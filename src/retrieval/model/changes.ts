/** What a round shows, and how that differs from the last finished round, as published JSON. */
import { z } from "zod";
import type { Coverage } from "./budget.ts";
import { DETAILS, ITEM_TIERS } from "./tiers.ts";

/** One shown thing, as the session keeps it. */
export const ShownItem = z.strictObject({
  path: z.string(),
  item: z.string(),
  tier: z.enum(ITEM_TIERS),
  detail: z.enum(["signature", "excerpt", "body"]),
  /** A digest of its text: of its signature if that is shown, else of all of it. Unknown in rounds of an older cra, and of the log. */
  text: z.string().optional(),
  /** A digest of what is shown of it, where that is another text. */
  part: z.string().optional(),
});
export type ShownItem = z.infer<typeof ShownItem>;

/** What a finished round showed, and where it stopped; the coverage is absent when the log does not have the round. */
export type RoundShown = {
  readonly round: number;
  readonly shown: readonly ShownItem[];
  readonly coverage?: Coverage;
};

const Change = z.strictObject({
  path: z.string(),
  item: z.string().nullable().describe("a symbol or other part; null is the file as a whole"),
  detail: z.enum(DETAILS).describe("how much of it is shown now"),
  before: z.enum(DETAILS).describe("how much of it was shown"),
});
export type Change = z.infer<typeof Change>;

/** The changes of a round, files before their parts. */
export const Changes = z.strictObject({
  since_round: z.int().positive(),
  added: z.array(Change),
  dropped: z.array(Change),
  promoted: z.array(Change).describe("shown in more detail, or in as much and more directly needed"),
  demoted: z.array(Change),
  edited: z
    .array(Change)
    .optional()
    .describe("shown as before, but its text has changed; absent where the earlier text is not known"),
  left_out: z.int().nonnegative().describe("changes that these lists have no room for"),
});
export type Changes = z.infer<typeof Changes>;

export const CHANGE_KINDS = ["added", "dropped", "promoted", "demoted", "edited"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
