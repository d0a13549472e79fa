/**
 * Why a file or symbol is in a package, or is not.
 *
 * Answers come from the raw log. For a file that the run did not record, because it ranked too low, the
 * stored query is asked again and the answer says where it ranks.
 */
import { z } from "zod";
import { SIGNAL_NAMES, WEIGHT_PROFILES } from "../config-keys.ts";
import type { FileRow, KnowledgeBase } from "../db/curated.ts";
import type { LoggedDecision, LoggedRun, RawLog } from "../db/raw-log.ts";
import { Failed } from "../failure.ts";
import { analyzeTask } from "../task/analyze.ts";
import { findAnchors } from "./anchors.ts";
import { candidateFiles } from "./candidates.ts";
import { rank } from "./ranking.ts";
import type { FileScore } from "./score.ts";
import { pickSeeds } from "./seeds.ts";
import { weightsFrom } from "./weights.ts";

/** `position` counts from 1 among the files that score; null when the file scores nothing. */
export type Asked = {
  readonly path: string;
  readonly position: number | null;
  readonly of: number;
  readonly score: FileScore | null;
  readonly reason: string;
};

/** What is known: the run, its recorded decisions on the target, and an answer found just now where none was recorded. */
export type Explanation = {
  readonly run: LoggedRun;
  readonly decisions: readonly LoggedDecision[];
  readonly asked: Asked | null;
};

/** The part of a run's stored options that asking again needs. */
const StoredOptions = z.looseObject({
  weights: z.union([z.enum(WEIGHT_PROFILES), z.partialRecord(z.enum(SIGNAL_NAMES), z.number())]),
  scope_size: z.int().positive(),
  hint_paths: z.array(z.string()),
  hint_symbols: z.array(z.string()),
  hint_languages: z.array(z.string()),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
});

/** Explains a run, or one path or symbol of it. Throws `unknown-task`, or `no-match` when nothing is known of the target. */
export function explain(log: RawLog, kb: KnowledgeBase | null, taskId: string, target: string | null): Explanation {
  const run = log.latestRun(taskId);
  if (!run) throw new Failed({ code: "unknown-task", taskId });
  if (target === null) return { run, decisions: log.decisions(taskId), asked: null };
  const path = target.replace(/^\.\//, "").replaceAll("\\", "/");
  const decisions = recorded(log, taskId, path, target);
  if (decisions.length > 0) return { run, decisions, asked: null };
  const asked = kb ? askAgain(kb, run, target, path) : null;
  if (!asked) throw new Failed({ code: "no-match", message: `neither the run nor the index knows "${target}"` });
  return { run, decisions: [], asked };
}

/** A path first; else a symbol, by its name or as `path:name`. */
function recorded(log: RawLog, taskId: string, path: string, target: string): readonly LoggedDecision[] {
  const byPath = log.decisions(taskId, { path });
  if (byPath.length > 0) return byPath;
  const cut = path.lastIndexOf(":");
  const byBoth = cut > 0 ? log.decisions(taskId, { path: path.slice(0, cut), symbol: path.slice(cut + 1) }) : [];
  return byBoth.length > 0 ? byBoth : log.decisions(taskId, { symbol: target });
}

function askAgain(kb: KnowledgeBase, run: LoggedRun, target: string, path: string): Asked | null {
  const file = fileMeant(kb, target, path);
  const options = StoredOptions.safeParse(run.options);
  if (!file || !options.success) return null;
  const { data } = options;
  const given = { paths: data.hint_paths, symbols: data.hint_symbols, languages: data.hint_languages };
  const files = candidateFiles(kb.files(), { ...data, languages: data.hint_languages });
  const answer = { path: file.path, position: null, of: files.length, score: null };
  if (!files.some(({ id }) => id === file.id))
    return { ...answer, reason: "left out by --include, --exclude or --hint-language" };
  const task = analyzeTask(run.task, { given, concepts: new Set() });
  const anchors = findAnchors(task, kb, files);
  const seeds = pickSeeds(anchors, files).seeds.map(({ fileId }) => fileId);
  const weights = weightsFrom(data.weights, task.taskType);
  const scores = rank({ kb, files, task, anchors, seeds, weights }).files;
  const index = scores.findIndex(({ fileId }) => fileId === file.id);
  const score = scores[index];
  if (score === undefined) return { ...answer, reason: "nothing in it matches the task, and no seed leads to it" };
  return {
    path: file.path,
    position: index + 1,
    of: scores.length,
    score,
    reason: `ranks ${index + 1} of ${scores.length}; the scope takes the best ${data.scope_size}`,
  };
}

/** The file that a path, a name, or `path:name` stands for in the index. */
function fileMeant(kb: KnowledgeBase, target: string, path: string): FileRow | undefined {
  const files = kb.files();
  const cut = path.lastIndexOf(":");
  const name = target.slice(Math.max(target.lastIndexOf("."), target.lastIndexOf(":")) + 1);
  const owners = new Set(kb.symbolsNamed([name]).map(({ fileId }) => fileId));
  return (
    files.find((file) => file.path === path) ??
    files.find((file) => cut > 0 && file.path === path.slice(0, cut) && owners.has(file.id)) ??
    files.find((file) => cut < 0 && owners.has(file.id))
  );
}
