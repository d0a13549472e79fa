/** Scores every file and definition for a task. The result depends on content, paths and the task alone. */
import type { Section, TaskQuery } from "../../task/query.ts";
import { scoreText, type TextScores } from "../lexical/lexical.ts";
import type { DefinitionScore, FileScore } from "../model/scores.ts";
import type { Steps } from "../model/steps.ts";
import { rankDefinitions } from "./definitions.ts";
import { pathFactors, testFactor } from "./path-penalty.ts";
import { repositoryFactors } from "./repository-factors.ts";
import { bestFiles, type Column, combine, combineClassic } from "./score.ts";
import type { SignalInput } from "./signals/signal.ts";
import type { WeightedSignals } from "./weights.ts";

type RankInput = Omit<SignalInput, "text"> & { readonly weights: WeightedSignals };

/** `files` are those with a score above 0, best first. */
type Ranking = {
  readonly files: readonly FileScore[];
  readonly definitions: readonly DefinitionScore[];
  readonly text: TextScores;
};

/** Proposed words weigh like words in the task's code: less than its own prose. */
const searchedSections = ({ sections, proposed = [] }: TaskQuery): readonly Section[] =>
  proposed.length === 0 ? sections : [...sections, { kind: "code", text: proposed.join("\n") }];

/** Ranks files and definitions. */
export function* rank({ kb, files, task, anchors, seeds, weights }: RankInput): Steps<Ranking> {
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
  const alike = sum(columns);
  yield;
  const isUnion = kb.meta().isUnion === true;
  if (isUnion)
    for (const [at, share] of repositoryFactors(files, alike).entries()) factors[at] = (factors[at] ?? 1) * share;
  const scores = isUnion ? sum(columns) : alike;
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
