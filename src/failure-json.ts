/**
 * A failure as JSON: in place of a result with `--json`, and as the last line of `--events jsonl`.
 */
import { z } from "zod";

const count = z.int().nonnegative();

/** The numbers come with a budget that is too small: what was given, and the least that works. */
export const FAILURE_FIELDS = {
  code: z.string(),
  message: z.string(),
  budget: count.optional(),
  floor: count.optional(),
  unit: z.enum(["tokens", "lines"]).optional(),
};
