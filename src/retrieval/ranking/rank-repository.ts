/** Scores every file and definition of one repository, or of several as if they were one. */
import type { Section, TaskQuery } from "../../task/query.ts";
import { scoreText, type TextScores } from "../lexical/lexical.ts";
import type { DefinitionScore, FileScore } from "../model/scores.ts";
import type { Steps } from "../model/steps.ts";
import { rankDefinitions } from "./definitions.ts";
import { pathFactors, testFactor } from "./path-penalty.ts";
import { bestFiles, type Column, combine, combineClassic } from "./score.ts";
import type { SignalInput } from "./signals/signal.ts";
import type { WeightedSignals } from "./weights.ts";

export type RankInput = Omit<SignalInput, "text"> & { readonly weights: WeightedSignals };

/** `files` are those with a score above 0, best first. */
export type Ranking = {
  readonly files: readonly FileScore[];
  readonly definitions: readonly DefinitionScore[];
  readonly text: TextScores;
};

/** Proposed words weigh like words in the task's code: less than its own prose. */
export const searchedSections = ({ sections, proposed = [] }: TaskQuery): readonly Section[] =>
  proposed.length === 0 ? sections : [...sections, { kind: "code", text: proposed.join("\n") }];

type Scored = Pick<Ranking, "files" | "text"> & {
  /** The path penalty of each file, by position. */
  readonly factors: Float64Array;
};

/** Scores the files. */
export function* scoreFiles({ kb, files, task, anchors, seeds, weights }: RankInput): Steps<Scored> {
  const factors = pathFactors(task, files);
  const text = yield* scoreText(kb, files, searchedSections(task), factors);
  yield;
  const input: SignalInput = { kb, files, task, anchors, seeds, text };
  const isClassic = weights.profile === "classic";
  const sum = (all: readonly Column[]): readonly FileScore[] =>
    isClassic ? combineClassic(files, all, new Set(seeds)) : combine(files, all, factors);
  const best = (all: readonly Column[], count: number): readonly number[] =>
    isClassic
      ? sum(all)
          .slice(0, count)
          .map(({ fileId }) => fileId)
      : bestFiles(files, all, factors, count).map(({ id }) => id);
  const columns: Column[] = [];
  for (const { name, weight, bestFilesMax, signal } of weights.signals) {
    const values = signal(input, bestFilesMax === null ? [] : best(columns, bestFilesMax));
    columns.push({ signal: name, weight, values });
    yield;
  }
  return { files: sum(columns), text, factors };
}

/** Ranks files and definitions. */
export function* rankRepository(input: RankInput): Steps<Ranking> {
  const { kb, files, task, anchors } = input;
  const { files: scores, text, factors } = yield* scoreFiles(input);
  yield;
  const definitions = rankDefinitions({
    kb,
    files,
    segments: text.segments,
    scores,
    anchors,
    factors,
    inlineTestFactor: testFactor(task),
    title: task.title,
  });
  return { files: scores, definitions, text };
}
