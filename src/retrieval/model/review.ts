/** The changes under review: as a run is given them, and as a package shows them. */
import { z } from "zod";
import type { FilePatch } from "../../text/diff/file-patch.ts";

const base = z
  .string()
  .describe("the hash of the commit that was compared with; of git's empty tree before a first commit");
const tip = z
  .string()
  .optional()
  .describe("the hash of the commit up to which the changes go; without it they go up to HEAD or the work tree");
const uncommitted = z.boolean().describe("whether it includes changes of the work tree that are not committed");

/** What was compared, as the log keeps it. */
export const Reviewed = z.looseObject({ base, tip, uncommitted });
export type Reviewed = { readonly base: string; readonly tip?: string | undefined; readonly uncommitted: boolean };

/** What was compared, of a value with more. */
export const comparedOf = ({ base, tip, uncommitted }: Reviewed): Reviewed => ({
  base,
  ...(tip === undefined ? {} : { tip }),
  uncommitted,
});

/**
 * A place that still uses what the changes removed: a definition, or without `symbol` a line outside of any. `why` says what it uses.
 * `confidence` is that of a reference.
 */
export type RemainingUse = {
  readonly path: string;
  readonly symbol: { readonly qualifiedName: string; readonly startLine: number } | null;
  readonly line: number;
  readonly why: string;
  readonly confidence: number;
};

/** `patches` are by path. Their secrets are hidden already. `remaining` is the surest first. */
export type Review = Reviewed & {
  readonly patches: readonly FilePatch[];
  readonly remaining?: readonly RemainingUse[];
};

const count = z.int().nonnegative();

export const ReviewJson = z.strictObject({
  base,
  tip,
  uncommitted,
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        old_path: z.string().nullable().describe("of a renamed file"),
        change: z.enum(["added", "modified", "deleted", "renamed"]),
        added: count.describe("lines"),
        deleted: count.describe("lines"),
      }),
    )
    .describe("all that have changed"),
  diff: z.string().describe("unified, as git prints it; ⋮ marks what a share of the budget has no room for"),
  lines_left_out: count.describe("added and deleted lines that the diff has no room for"),
});
export type ReviewJson = z.infer<typeof ReviewJson>;
