/**
 * Measures the signals that have no weight by default, for provenance. They add nothing to a score, so only the files in scope are
 * measured, which takes a fraction of the time for all.
 */
import type { ScoreTerm, Weights } from "../model/scores.ts";
import { roundScore } from "./score.ts";
import type { SignalInput } from "./signals/signal.ts";
import { SIGNAL_NAMES, SIGNALS, type SignalRow } from "./signals/table.ts";

/** By file id, terms of weight 0, in the order of the signals. `input.files` are those to measure. */
export async function uncountedTerms(
  input: SignalInput,
  { bySignal }: Weights,
): Promise<ReadonlyMap<number, readonly ScoreTerm[]>> {
  const terms = new Map<number, ScoreTerm[]>(input.files.map(({ id }) => [id, []]));
  for (const signal of SIGNAL_NAMES) {
    const { weights, load }: SignalRow = SIGNALS[signal];
    if (weights.default !== undefined || bySignal.has(signal)) continue;
    const values = (await load())(input, []);
    for (const [position, { id }] of input.files.entries()) {
      const value = roundScore(values?.[position] ?? 0);
      if (value > 0) terms.get(id)?.push({ signal, value, weight: 0 });
    }
  }
  return terms;
}
