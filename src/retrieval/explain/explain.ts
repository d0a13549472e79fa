/**
 * Explains why a file or symbol is in a package, or is not, from the decisions in the log.
 *
 * A file that ranked too low to be recorded is ranked again with the stored query.
 */

import { posix } from "node:path";
import { z } from "zod";
import { SIGNAL_NAMES, WEIGHT_PROFILES } from "../../config/keys.ts";
import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { LoggedDecision, LoggedRun, RawLog } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { analyzeTask } from "../../task/analyze.ts";
import { findAnchors } from "../anchors/anchors.ts";
import { Constraints, NO_CONSTRAINTS } from "../model/refinement.ts";
import type { FileScore } from "../model/scores.ts";
import { atOnce } from "../model/steps.ts";
import { rank } from "../ranking/ranking.ts";
import { weightsFrom } from "../ranking/weights.ts";
import { isOnTask, judgedBeside } from "../record/model-verdicts.ts";
import { expandLoggedTaskId } from "../record/task-id-prefix.ts";
import { refineTargets } from "../refinement/refine-targets.ts";
import { candidateFiles, withinTest } from "../scope/candidates.ts";
import { pickSeeds } from "../scope/seeds.ts";
import { type FileVerdict, fileVerdicts } from "./file-verdicts.ts";

/** `position` counts from 1 among the files that score; null when the file scores nothing. */
export type Asked = {
  readonly path: string;
  readonly position: number | null;
  readonly of: number;
  readonly score: FileScore | null;
  readonly reason: string;
};

/**
 * What is known: the run, its recorded decisions on what was asked for, and an answer found just now where none
 * was recorded. `about` says whether that is all of the run, a folder, or one file or symbol.
 */
export type Explanation = {
  readonly about: "run" | "folder" | "thing";
  readonly run: LoggedRun;
  /** The run's files, or those of the folder; empty for one thing. */
  readonly files: readonly FileVerdict[];
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
  only: z.array(z.string()).default([]),
  constraints: Constraints.optional(),
});

/** Where paths that were typed start, both absolute, with `/` between names. */
export type Place = { readonly root: string; readonly folder: string };

const AT_THE_ROOT: Place = { root: "/", folder: "/" };

/**
 * Explains a run, or one file, folder or symbol of it. Throws `unknown-task`, a usage failure when `typedId` begins
 * several ids, or `no-match` when nothing is known of the target.
 */
export function explain(
  log: RawLog,
  kb: KnowledgeBase | null,
  typedId: string,
  target: string | null,
  place: Place = AT_THE_ROOT,
): Explanation {
  const taskId = expandLoggedTaskId(log, typedId);
  const run = log.latestRun(taskId);
  if (!run) throw new Failed({ code: "unknown-task", taskId: typedId });
  const paths = target === null ? [""] : pathsMeant(target, place);
  const all = judgedBeside(log.decisions(taskId));
  const files = fileVerdicts(all);
  if (target === null || paths[0] === "") return { about: "run", run, files, decisions: all, asked: null };
  const thing = (decisions: readonly LoggedDecision[], asked: Asked | null): Explanation => ({
    about: "thing",
    run,
    files: [],
    decisions,
    asked,
  });
  // What a model said of the task's words is on no file or symbol.
  const considered = all.filter((row) => !isOnTask(row));
  for (const path of paths) {
    const decisions = considered.filter((row) => row.path === path);
    if (decisions.length > 0) return thing(decisions, null);
  }
  const symbols = judgedBeside(symbolsMeant(log, taskId, paths, target).filter((row) => !isOnTask(row)));
  // A bare word is a name before it is a folder.
  if (symbols.length > 0 && !target.includes("/")) return thing(symbols, null);
  for (const path of paths) {
    const isInside = (row: { readonly path: string }): boolean => row.path.startsWith(`${path}/`);
    const decisions = considered.filter(isInside);
    if (decisions.length > 0) return { about: "folder", run, files: files.filter(isInside), decisions, asked: null };
  }
  if (symbols.length > 0) return thing(symbols, null);
  for (const path of paths) {
    const asked = kb ? askAgain(kb, run, target, path) : null;
    if (asked) return thing([], asked);
  }
  throw new Failed({ code: "no-match", message: `neither the run nor the index knows "${target}"` });
}

/** What was typed as a path from the root: first as seen from the working folder, then as it stands. "" is the root. */
function pathsMeant(target: string, { root, folder }: Place): readonly string[] {
  const typed = target.replaceAll("\\", "/");
  const seen = [folder, root].map((base) => posix.relative(root, posix.resolve(base, typed)));
  return [...new Set(seen)].filter((path) => path !== ".." && !path.startsWith("../"));
}

/** A symbol, by its name or as `path:name`. */
function symbolsMeant(
  log: RawLog,
  taskId: string,
  paths: readonly string[],
  target: string,
): readonly LoggedDecision[] {
  for (const path of paths) {
    const cut = path.lastIndexOf(":");
    const found = cut > 0 ? log.decisions(taskId, { path: path.slice(0, cut), symbol: path.slice(cut + 1) }) : [];
    if (found.length > 0) return found;
  }
  return log.decisions(taskId, { symbol: target });
}

function askAgain(kb: KnowledgeBase, run: LoggedRun, target: string, path: string): Asked | null {
  const file = fileMeant(kb, target, path);
  const options = StoredOptions.safeParse(run.options);
  if (!file || !options.success) return null;
  const { data } = options;
  const given = { paths: data.hint_paths, symbols: data.hint_symbols, languages: data.hint_languages };
  const constraints = data.constraints ?? NO_CONSTRAINTS;
  const targets = refineTargets(constraints, kb, kb.files());
  const files = candidateFiles(kb.files(), { ...data, languages: data.hint_languages }, targets);
  const answer = { path: file.path, position: null, of: files.length, score: null };
  if (targets.rejected.has(file.id)) return { ...answer, reason: "left out since it was rejected" };
  if (!targets.wanted.has(file.id) && !withinTest(data.only)(file.path))
    return { ...answer, reason: `left out by --only: it does not lie in ${data.only.join(" or ")}` };
  if (!files.some(({ id }) => id === file.id))
    return { ...answer, reason: "left out by --include, --exclude or --hint-language" };
  const task = analyzeTask(run.task, { given, concepts: new Set(), errors: constraints.error_signatures });
  const anchors = [...targets.anchors, ...findAnchors(task, kb, files)];
  const seeds = pickSeeds(anchors, files).seeds.map(({ fileId }) => fileId);
  const weights = weightsFrom(data.weights, task.taskType);
  const { files: scores } = atOnce(rank({ kb, files, task, anchors, seeds, weights }));
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
