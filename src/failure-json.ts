/** The JSON of a failure: `error` in place of a result with `--json`, and the last line of `--events jsonl`. */
import { z } from "zod";

const count = z.int().nonnegative();

/** `budget`, `floor` and `unit` belong to a budget that is too small; `floor` is the smallest that works. */
export const FAILURE_FIELDS = {
  code: z.string(),
  message: z.string(),
  budget: count.optional(),
  floor: count.optional(),
  unit: z.enum(["tokens", "lines"]).optional(),
};
