/** Asks all sources at once and continues without those that fail or take too long. */
import type { Notice } from "../../notice.ts";

export type AskDeps = {
  /** A signal that fires when a source has run out of time; called once per source. */
  deadline(): AbortSignal;
  onNotice(notice: Notice): void;
};

/** One question. `source` names it in the notice when it is left out. */
export type Question<T> = { readonly source: string; ask(signal: AbortSignal): Promise<readonly T[]> };

/** The answers in the order of the questions; empty where a source failed. Throws the signal's reason when it fires. */
export async function askSources<T>(
  { deadline, onNotice }: AskDeps,
  questions: readonly Question<T>[],
  signal: AbortSignal,
): Promise<readonly (readonly T[])[]> {
  signal.throwIfAborted();
  const answers = await Promise.allSettled(questions.map(({ ask }) => askOne(ask, deadline(), signal)));
  signal.throwIfAborted();
  const missing = questions.flatMap(({ source }, at) => {
    const answer = answers[at];
    return answer?.status === "rejected" ? [{ source, why: reasonOf(answer.reason) }] : [];
  });
  for (const [why, left] of Map.groupBy(missing, (one) => one.why))
    onNotice({ code: "sources-left-out", sources: [...new Set(left.map(({ source }) => source))], why });
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** Rejects as soon as a signal fires, even if `ask` ignores it. */
function askOne<T>(ask: Question<T>["ask"], late: AbortSignal, signal: AbortSignal): Promise<readonly T[]> {
  const either = AbortSignal.any([signal, late]);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(late.aborted && !signal.aborted ? new Error(TOO_LATE) : either.reason);
    if (either.aborted) stop();
    else either.addEventListener("abort", stop, { once: true });
    ask(either)
      .then(resolve, (error: unknown) => (late.aborted ? stop() : reject(error)))
      .finally(() => either.removeEventListener("abort", stop));
  });
}

const TOO_LATE = "it took too long to answer";

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
