/** The type of a ranking signal: one measure of which files a task is about. */
import type { FileRow, KnowledgeBase } from "../../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../../task/query.ts";
import type { TextScores } from "../../lexical/lexical.ts";
import type { Anchor } from "../../model/anchor.ts";

/** `files` are in order of path; values are indexed by a file's position in it. `seeds` are ids. */
export type SignalInput = {
  readonly kb: KnowledgeBase;
  readonly files: readonly FileRow[];
  readonly task: TaskQuery;
  readonly anchors: readonly Anchor[];
  readonly seeds: readonly number[];
  readonly text: TextScores;
};

/**
 * A number in 0..1 for every file, by position (a text match may be above 1 in a file with a path penalty); null if its
 * source is not in the index (no history, no enrichment, no seeds). `best` are the ids of the best files by the preceding
 * signals, at most `bestFilesMax`; empty for a signal without that.
 */
export type Signal = (input: SignalInput, best: readonly number[]) => Float64Array | null;
