/**
 * The outcome of a case as a line of JSON: in the journal that lets a run resume, and from processes that run a part of
 * the cases. Lines are validated when read.
 */

import { z } from "zod";
import { parseJson } from "../../text/parse-json.ts";
import type { CaseResult } from "../model.ts";
import { caseRow, caseRowSchema } from "./document.ts";

/** The variant with the configured weights. */
export const AS_SET = "as set";

/**
 * `answered`: the result of one variant of the weights. `failed`: why the case did not finish. `noted`: it finished, but
 * with something missing.
 */
export type Outcome =
  | { readonly event: "answered"; readonly id: string; readonly variant: string; readonly result: CaseResult }
  | { readonly event: "failed"; readonly id: string; readonly why: string }
  | { readonly event: "noted"; readonly id: string; readonly what: string };

const text = z.string();
const Row = z.discriminatedUnion("event", [
  z.object({ event: z.literal("answered"), id: text, variant: text, result: caseRowSchema }),
  z.object({ event: z.literal("failed"), id: text, why: text }),
  z.object({ event: z.literal("noted"), id: text, what: text }),
]);

/** An outcome as JSON; `readOutcome` reads its line back. */
export const outcomeRow = (outcome: Outcome): z.input<typeof Row> =>
  outcome.event === "answered" ? { ...outcome, result: caseRow(outcome.result) } : outcome;

/** The outcome in a line; null if the line is invalid, as one that was cut off when a run stopped. */
export const readOutcome = (line: string): Outcome | null => Row.safeParse(parseJson(line)).data ?? null;
