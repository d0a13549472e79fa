/** The changes under review: as a run is given them, and as a package shows them. */
import { z } from "zod";
import type { FilePatch } from "../../text/diff/file-patch.ts";

const base = z.string().describe("the hash of the commit that was compared with");
const uncommitted = z.boolean().describe("whether it includes changes of the work tree that are not committed");

/** What was compared, as the log keeps it. */
export const Reviewed = z.looseObject({ base, uncommitted });
export type Reviewed = { readonly base: string; readonly uncommitted: boolean };

/** `patches` are by path. Their secrets are hidden already. */
export type Review = Reviewed & { readonly patches: readonly FilePatch[] };

const count = z.int().nonnegative();

export const ReviewJson = z.strictObject({
  base,
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
