/**
 * What a signal is: one way to tell which files a task is about.
 */

import type { FileRow, KnowledgeBase } from "../../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../../task/query.ts";
import type { TextScores } from "../../lexical/lexical.ts";
import type { Anchor } from "../../model/anchor.ts";

/** `files` are in order of path; a file's place in it numbers it everywhere. `seeds` are ids. */
export type SignalInput = {
  readonly kb: KnowledgeBase;
  readonly files: readonly FileRow[];
  readonly task: TaskQuery;
  readonly anchors: readonly Anchor[];
  readonly seeds: readonly number[];
  readonly text: TextScores;
};

/**
 * `score` answers for all files at once, a number in 0..1 each, by place (a match of text may be above 1 in a file that
 * is damped afterwards); null when what it measures is not in the index (no history, no enrichment, no seeds).
 */
export type Signal = {
  readonly why: string;
  score(input: SignalInput): Float64Array | null;
};
