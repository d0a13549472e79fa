/**
 * What becomes of a case, as a line of JSON: stored, so that a run can be taken up again, and told by a run that does
 * a part of another one's work. Both are read with suspicion.
 */
import { z } from "zod";
import { caseRow, caseRowSchema } from "./document.ts";
import type { CaseResult } from "./model.ts";

/** The variant that runs with the weights as they are set. */
export const AS_SET = "as set";

/**
 * `answered`: by a variant of the weights. `failed`: the case was not run to its end, and why. `noted`: it was, but not
 * on all that it should have been.
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

/** An outcome as a value that JSON can hold; `readOutcome` reads its line back. */
export const outcomeRow = (outcome: Outcome): z.input<typeof Row> =>
  outcome.event === "answered" ? { ...outcome, result: caseRow(outcome.result) } : outcome;

/** An outcome from a line; null when it is none. */
export function readOutcome(line: string): Outcome | null {
  try {
    return Row.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null; // A line that was cut off when a run was stopped.
  }
}
