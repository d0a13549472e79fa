/**
 * Ranks the files for a task before it is certain that the index is current, because ranking takes longer than all else in a question.
 *
 * The run takes the ranking if it asks for the same of the same list of files, or its scores if only the words are the same
 * (`lexical/kept-ahead.ts`). If the index changes, or the run searches for something else, what was found is forgotten.
 */
import { isDeepStrictEqual } from "node:util";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { analyzeTask } from "../../task/analyze.ts";
import { isShort } from "../../task/searched-task.ts";
import { findAnchors } from "../anchors/anchors.ts";
import { conceptsOf } from "../anchors/concepts.ts";
import { keptAhead } from "../lexical/kept-ahead.ts";
import { KEPT_SCORES } from "../lexical/lexical.ts";
import { withPauses } from "../model/steps.ts";
import { pathFactors } from "../ranking/path-penalty.ts";
import { type RankInput, type Ranking, searchedSections } from "../ranking/rank-repository.ts";
import { rank } from "../ranking/ranking.ts";
import { loadSignals, weightsFrom } from "../ranking/weights.ts";
import { candidateFiles } from "./candidates.ts";
import type { FirstRequest } from "./first-files.ts";
import { searchFor } from "./search-for.ts";
import { pickSeeds } from "./seeds.ts";
import { vaguenessOf } from "./vague-task.ts";

type Asked = Omit<RankInput, "kb" | "files">;

/** Rankings that a run will ask for. */
export const KEPT_RANKINGS = keptAhead<Asked, Ranking>((a, b) => isDeepStrictEqual(a, b));

/** Ranks all files for a task that is asked for without constraints. What `pause` throws ends it. */
export async function rankAhead(
  kb: KnowledgeBase,
  { task: text, given, scope, weights: setting }: Omit<FirstRequest, "names">,
  pause: () => Promise<void>,
): Promise<void> {
  const files = candidateFiles(kb.files(), { ...scope, languages: given.languages });
  await pause();
  const analyzed = analyzeTask(text, { given, concepts: conceptsOf(kb), errors: [] });
  const found = findAnchors(analyzed, kb, files);
  await pause();
  vaguenessOf(analyzed, found, kb, files);
  const { task, anchors } = searchFor(analyzed, found, kb, files);
  const seeds = pickSeeds(anchors, files, isShort(task)).seeds.map(({ fileId }) => fileId);
  const weights = await loadSignals(weightsFrom(setting, analyzed.taskType));
  const ranking = await withPauses(rank({ kb, files, task, anchors, seeds, weights }), pause);
  await pause();
  const [sections, factors] = [searchedSections(task), pathFactors(task, files)];
  KEPT_SCORES.keep(files, { sections, factors }, ranking.text);
  KEPT_RANKINGS.keep(files, { task, anchors, seeds, weights }, ranking);
}

/** Ranks files and definitions, unless that was done ahead. */
export async function ranked({ kb, files, ...asked }: RankInput, pause: () => Promise<void>): Promise<Ranking> {
  return KEPT_RANKINGS.take(files, asked) ?? (await withPauses(rank({ kb, files, ...asked }), pause));
}
