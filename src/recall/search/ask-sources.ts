/**
 * Asks all sources at once and continues without those that fail.
 *
 * No source has a time limit, or a busy machine would recall less than an idle one. A model that a source asks has limits of its own.
 */

import { unlessAborted } from "../../concurrency/unless-aborted.ts";
import type { Notice } from "../../notice.ts";

export type AskDeps = { onNotice(notice: Notice): void };

/** One question. `source` names it in the notice when it is left out. */
export type Question<T> = { readonly source: string; ask(signal: AbortSignal): Promise<readonly T[]> };

/** The answers in the order of the questions; empty where a source failed. Throws the signal's reason when it fires. */
export async function askSources<T>(
  { onNotice }: AskDeps,
  questions: readonly Question<T>[],
  signal: AbortSignal,
): Promise<readonly (readonly T[])[]> {
  signal.throwIfAborted();
  const answers = await Promise.allSettled(questions.map(async ({ ask }) => await unlessAborted(ask(signal), signal)));
  signal.throwIfAborted();
  const missing = questions.flatMap(({ source }, at) => {
    const answer = answers[at];
    return answer?.status === "rejected" ? [{ source, why: reasonOf(answer.reason) }] : [];
  });
  for (const [why, left] of Map.groupBy(missing, (one) => one.why))
    onNotice({ code: "sources-left-out", sources: [...new Set(left.map(({ source }) => source))], why });
  return answers.map((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
