/**
 * Scores every file and definition for a task: the one door to ranking.
 *
 * Text first, then the signals that have a weight, then phrases among the best so far (they read whole
 * texts), then the list of definitions. The result depends on content, paths and the task alone.
 */

import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { scoreTextInSteps } from "../lexical/lexical.ts";
import type { Anchor } from "../model/anchor.ts";
import type { DefinitionScore, FileScore, Weights } from "../model/scores.ts";
import { atOnce, type Steps } from "../model/steps.ts";
import { rankDefinitions } from "./definitions.ts";
import { dampingOf, testFactor } from "./path-penalty.ts";
import { bestAmong, type Column, combine, combineClassic } from "./score.ts";
import { PHRASE_FILES_MAX, phraseScoresAmong } from "./signals/phrase-match.ts";
import type { SignalInput } from "./signals/signal.ts";
import { SIGNALS } from "./signals/table.ts";

export type RankInput = {
  readonly kb: KnowledgeBase;
  /** The candidates, by path. */
  readonly files: readonly FileRow[];
  readonly task: TaskQuery;
  readonly anchors: readonly Anchor[];
  /** Ids of the files that the task names. */
  readonly seeds: readonly number[];
  readonly weights: Weights;
};

/** `files` are those with a score above 0, best first. */
export type Ranking = {
  readonly files: readonly FileScore[];
  readonly definitions: readonly DefinitionScore[];
};

/** Ranks files and definitions. */
export const rank = (input: RankInput): Ranking => atOnce(rankInSteps(input));

/** Ranks files and definitions, in steps. */
export function* rankInSteps({ kb, files, task, anchors, seeds, weights }: RankInput): Steps<Ranking> {
  const factorOf = dampingOf(task);
  const factors = Float64Array.from(files, ({ path }) => factorOf(path));
  const text = yield* scoreTextInSteps(kb, files, task.sections, factors);
  yield;
  const signalInput: SignalInput = { kb, files, task, anchors, seeds, text };
  const columns: Column[] = [...weights.bySignal]
    .filter(([signal]) => signal !== "phrase_match")
    .map(([signal, weight]) => ({ signal, weight, values: SIGNALS[signal].score(signalInput) }));
  const factor = (_: FileRow, place: number): number => factors[place] ?? 1;
  const isClassic = weights.profile === "classic";
  const sum = (all: readonly Column[]): readonly FileScore[] =>
    isClassic ? combineClassic(files, all, new Set(seeds)) : combine(files, all, factor);
  const phraseWeight = weights.bySignal.get("phrase_match");
  if (phraseWeight !== undefined) {
    const candidates = isClassic
      ? sum(columns)
          .slice(0, PHRASE_FILES_MAX)
          .map(({ fileId }) => fileId)
      : bestAmong(files, columns, factor, PHRASE_FILES_MAX).map(({ id }) => id);
    yield;
    const values = phraseScoresAmong(signalInput, candidates);
    columns.push({ signal: "phrase_match", weight: phraseWeight, values });
    yield;
  }
  const scores = sum(columns);
  yield;
  return {
    files: scores,
    definitions: rankDefinitions({
      kb,
      files,
      segments: signalInput.text.segments,
      scores,
      anchors,
      factorOf,
      inlineTestFactor: testFactor(task),
      title: task.title,
    }),
  };
}
