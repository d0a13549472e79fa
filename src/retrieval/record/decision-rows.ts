/**
 * A stage's decisions as they are recorded: row by row, and counted.
 */

import type { DecisionRow } from "../../db/raw-log/raw-log.ts";
import type { Decision } from "../model/decision.ts";

/** A decision as a row of the log. */
export const logged = (stage: string, decision: Decision): DecisionRow => ({
  ...decision,
  stage,
  terms: decision.terms?.map(({ signal, value, weight }) => ({ signal, value, weight })) ?? null,
});

/** Decisions by tier. */
export function countsOf(decisions: readonly Decision[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { tier, included } of decisions) {
    const name = included ? tier : "excluded";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
