/**
 * The outcome of a case as a line of JSON: in the journal that lets a run resume, and from processes that run a part of
 * the cases. Lines are validated when read.
 */

import { z } from "zod";
import { parseJson } from "../../text/parse-json.ts";
import { caseRow, caseRowSchema } from "./document.ts";

/** The variant with the configured weights. */
export const AS_SET = "as set";

const text = z.string();
/**
 * `answered`: the result of one variant of the weights. `failed`: why the case did not finish. `noted`: it finished, but
 * with something missing.
 */
const Row = z.discriminatedUnion("event", [
  z.object({ event: z.literal("answered"), id: text, variant: text, result: caseRowSchema }),
  z.object({ event: z.literal("failed"), id: text, why: text }),
  z.object({ event: z.literal("noted"), id: text, what: text }),
]);
export type Outcome = Readonly<z.output<typeof Row>>;

/** An outcome as JSON; `readOutcome` reads its line back. */
export const outcomeRow = (outcome: Outcome): z.input<typeof Row> =>
  outcome.event === "answered" ? { ...outcome, result: caseRow(outcome.result) } : outcome;

/** The outcome in a line; null if the line is invalid, as one that was cut off when a run stopped. */
export const readOutcome = (line: string): Outcome | null => Row.safeParse(parseJson(line)).data ?? null;
