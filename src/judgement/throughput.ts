/** How fast a server is, measured on its answers, and what a further call will take. */

/** Sums over the calls so far. */
export type Throughput = {
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly answerTokens: number;
  readonly answerMs: number;
  readonly answers: number;
};

export const NOT_MEASURED: Throughput = { promptTokens: 0, promptMs: 0, answerTokens: 0, answerMs: 0, answers: 0 };

/** What one call took, in tokens and milliseconds, without loading the model. */
export type CallTime = Omit<Throughput, "answers">;

export const withCall = (before: Throughput, call: CallTime): Throughput => ({
  promptTokens: before.promptTokens + call.promptTokens,
  promptMs: before.promptMs + call.promptMs,
  answerTokens: before.answerTokens + call.answerTokens,
  answerMs: before.answerMs + call.answerMs,
  answers: before.answers + 1,
});

/** The expected time of a call; its answer is taken to be as long as those before. Null before the first call. */
export function expectedMs(measured: Throughput, promptTokens: number): number | null {
  const { promptTokens: tokens, promptMs, answerMs, answers } = measured;
  if (answers === 0) return null;
  return Math.round((tokens === 0 ? 0 : (promptTokens * promptMs) / tokens) + answerMs / answers);
}
