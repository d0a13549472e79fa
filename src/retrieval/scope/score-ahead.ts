/**
 * Looks the words of a task up before it is certain that the index is current: that takes longest of what a question does.
 *
 * The run takes what was found if it asks for the same of the same list of files (`lexical/kept-scores.ts`). If the index changes, or the
 * run searches for something else, what was found is forgotten.
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { analyzeTask } from "../../task/analyze.ts";
import type { TaskQuery } from "../../task/query.ts";
import { findAnchors } from "../anchors/anchors.ts";
import { conceptsOf } from "../anchors/concepts.ts";
import { KEPT_SCORES, scoreText } from "../lexical/lexical.ts";
import type { Steps } from "../model/steps.ts";
import { pathFactors } from "../ranking/path-penalty.ts";
import { searchedSections } from "../ranking/rank-repository.ts";
import { searchFor } from "./search-for.ts";
import { vaguenessOf } from "./vague-task.ts";

/** Scores all files for a task that is asked for without constraints. */
export function* scoreAhead(index: KnowledgeBase, text: string, given: TaskQuery["given"]): Steps<void> {
  // Large statistics are not cached, and are read here more than once.
  const kb: KnowledgeBase = { ...index, termStats: onDemand(() => index.termStats()) };
  const files = kb.files();
  yield;
  const task = analyzeTask(text, { given, concepts: conceptsOf(kb), errors: [] });
  const anchors = findAnchors(task, kb, files);
  yield;
  vaguenessOf(task, anchors, kb, files);
  const searched = searchFor(task, anchors, kb, files);
  yield;
  const sections = searchedSections(searched);
  const factors = pathFactors(searched, files);
  const scores = yield* scoreText(kb, files, sections, factors);
  KEPT_SCORES.keep(files, { sections, factors }, scores);
}
