/**
 * Rare word triples and quoted messages of the task found in the file's text (`phrases.ts`).
 *
 * It reads texts, so `ranking.ts` runs it last and only on the best files so far: this module scores
 * those it is given and leaves the others at 0.
 */
import { phraseScores, phrasesIn } from "../../lexical/phrases.ts";
import type { Signal, SignalInput } from "./signal.ts";

/** Files whose texts are read. */
export const PHRASE_FILES_MAX = 300;

export const phraseMatch = {
  why: "the file repeats the task's phrases or messages word for word",
  score: (input) =>
    phraseScoresAmong(
      input,
      input.files.slice(0, PHRASE_FILES_MAX).map(({ id }) => id),
    ),
} satisfies Signal;

/** The signal for these files only, by place. */
export function phraseScoresAmong({ kb, files, task }: SignalInput, candidates: readonly number[]): Float64Array {
  const phrases = phrasesIn(task.sections);
  const scores = new Float64Array(files.length);
  if (phrases === null) return scores;
  const byId = phraseScores(phrases, kb.bytesToMatch(candidates), files.length);
  for (let place = 0; place < files.length; place += 1) scores[place] = byId.get(files[place]?.id ?? -1) ?? 0;
  return scores;
}
