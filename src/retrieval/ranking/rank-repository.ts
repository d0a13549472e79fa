/** Scores every file and definition of one repository, or of several as if they were one. */
import type { Section, TaskQuery } from "../../task/query.ts";
import { positionsById } from "../lexical/file-positions.ts";
import { scoreText, type TextScores } from "../lexical/lexical.ts";
import type { DefinitionScore, FileScore } from "../model/scores.ts";
import type { Steps } from "../model/steps.ts";
import { rankDefinitions } from "./definitions.ts";
import { pathFactors, testFactor } from "./path-penalty.ts";
import { bestFiles, type Column, type Combined, combine, combineClassic } from "./score.ts";
import type { SignalInput } from "./signals/signal.ts";
import type { WeightedSignals } from "./weights.ts";

export type RankInput = Omit<SignalInput, "text"> & { readonly weights: WeightedSignals };

/** `files` are those with a score above 0, best first: at most `FILES_MAX` of one repository. */
export type Ranking = {
  readonly files: readonly FileScore[];
  /** The score of any of the files, by id; null for 0. */
  readonly scoreOf: (fileId: number) => FileScore | null;
  readonly definitions: readonly DefinitionScore[];
  readonly text: TextScores;
};

/** Proposed words weigh like words in the task's code: less than its own prose. */
export const searchedSections = ({ sections, proposed = [] }: TaskQuery): readonly Section[] =>
  proposed.length === 0 ? sections : [...sections, { kind: "code", text: proposed.join("\n") }];

/** No list of files shows more. */
export const FILES_MAX = 10_000;

type Scored = Combined & {
  readonly text: TextScores;
  /** The path penalty of each file, by position. */
  readonly factors: Float64Array;
};

/** Scores the files, and puts the best `count` in order. */
export function* scoreFiles({ kb, files, task, anchors, seeds, weights }: RankInput, count: number): Steps<Scored> {
  const factors = pathFactors(task, files);
  const text = yield* scoreText(kb, files, searchedSections(task), factors);
  yield;
  const input: SignalInput = { kb, files, task, anchors, seeds, text };
  const isClassic = weights.profile === "classic";
  const best = (all: readonly Column[], most: number): readonly number[] =>
    isClassic
      ? combineClassic(files, all, new Set(seeds))
          .files.slice(0, most)
          .map(({ fileId }) => fileId)
      : bestFiles(files, all, factors, most).map(({ id }) => id);
  const columns: Column[] = [];
  for (const { name, weight, bestFilesMax, signal } of weights.signals) {
    const values = signal(input, bestFilesMax === null ? [] : best(columns, bestFilesMax));
    columns.push({ signal: name, weight, values });
    yield;
  }
  const sum = isClassic ? combineClassic(files, columns, new Set(seeds)) : combine(files, columns, factors, count);
  return { ...sum, text, factors };
}

/** Ranks files and definitions. */
export function* rankRepository(input: RankInput, count: number = FILES_MAX): Steps<Ranking> {
  const { kb, files, task, anchors } = input;
  const { files: scores, totals, scoreAt, text, factors } = yield* scoreFiles(input, count);
  yield;
  const definitions = rankDefinitions({
    kb,
    files,
    segments: text.segments,
    totals,
    anchors,
    factors,
    inlineTestFactor: testFactor(task),
    title: task.title,
  });
  return { files: scores, scoreOf: (id) => scoreAt(positionsById(files).get(id) ?? -1), definitions, text };
}
