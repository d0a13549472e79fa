/**
 * Explains why a file or symbol is in a package, or is not, from the decisions in the log.
 *
 * A file that ranked too low to be recorded is ranked again with the stored query.
 */

import { posix } from "node:path";
import type { FileQueries, FileRow, KnowledgeBase, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import type { LoggedDecision, LoggedRun, LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { isShort } from "../../task/searched-task.ts";
import { shellWord } from "../../text/shell-word.ts";
import { findAnchors } from "../anchors/anchors.ts";
import { conceptsOf } from "../anchors/concepts.ts";
import { symbolsAt } from "../anchors/stack-frames.ts";
import { definitionsTyped, filesTyped, placeTyped } from "../anchors/typed-names.ts";
import type { FileScore } from "../model/scores.ts";
import { atOnce } from "../model/steps.ts";
import { rank } from "../ranking/ranking.ts";
import { loadSignals, weightsFrom } from "../ranking/weights.ts";
import { isOnTask, judgedBeside } from "../record/model-verdicts.ts";
import { storedOptions } from "../record/stored-options.ts";
import { expandLoggedTaskId } from "../record/task-id-prefix.ts";
import { nearTarget } from "../refinement/near-target.ts";
import { refineTargets } from "../refinement/refine-targets.ts";
import { analyzeAsked } from "../requests/changes-task.ts";
import { asDefined } from "../requests/request-names.ts";
import { candidateFiles, withinTest } from "../scope/candidates.ts";
import { searchFor } from "../scope/search-for.ts";
import { pickSeeds } from "../scope/seeds.ts";
import { type FileVerdict, fileVerdicts } from "./file-verdicts.ts";

/** A file without a recorded decision, ranked again. `position` counts from 1 among files that score, or is null. */
export type UnrecordedFile = {
  readonly path: string;
  readonly position: number | null;
  readonly of: number;
  readonly score: FileScore | null;
  readonly reason: string;
};

/**
 * The run and its recorded decisions on the target; without one, the target's file ranked again. `about`: the target is
 * the whole run, a folder, or one file or symbol.
 */
export type Explanation = {
  readonly about: "run" | "folder" | "thing";
  /** As typed; null for the whole run. */
  readonly target: string | null;
  readonly run: LoggedRun;
  /** The files of the run or folder; empty for a single file or symbol. */
  readonly files: readonly FileVerdict[];
  readonly decisions: readonly LoggedDecision[];
  readonly unrecorded: UnrecordedFile | null;
};

const REJECTED = "left out since it was rejected";
const GONE = "the changes under review delete or rename it";

/** Where typed paths start: absolute paths with `/` between names. */
type PathBases = {
  readonly root: string;
  readonly folder: string;
  /** A path or `path:name` of one of several repositories that were asked, as the index names it; null for any other. */
  named?(typed: string): string | null;
};

const ROOT_BASES: PathBases = { root: "/", folder: "/" };

/**
 * Explains a run, or one file, folder or symbol of it. Throws `unknown-task`, a usage failure when `typedId` begins
 * several ids, or `no-match` when nothing is known of the target.
 */
export async function explain(
  log: LogReader,
  kb: KnowledgeBase | null,
  typedId: string,
  target: string | null,
  bases: PathBases = ROOT_BASES,
): Promise<Explanation> {
  const taskId = expandLoggedTaskId(log, typedId);
  const run = log.latestRun(taskId);
  if (!run) throw new Failed({ code: "unknown-task", taskId: typedId });
  const place = target === null ? null : definitionAt(kb, target, bases);
  if (place !== null) return { ...(await explain(log, kb, typedId, place.meant, place.bases)), target };
  const paths = target === null ? [""] : possiblePaths(target, bases);
  const all = judgedBeside(log.decisions(taskId));
  const files = fileVerdicts(all);
  if (target === null || paths[0] === "") return { about: "run", target, run, files, decisions: all, unrecorded: null };
  const thing = (decisions: readonly LoggedDecision[], unrecorded: UnrecordedFile | null): Explanation => ({
    about: "thing",
    target,
    run,
    files: [],
    decisions,
    unrecorded,
  });
  // A model's verdicts on the task's words concern no file or symbol.
  const considered = all.filter((row) => !isOnTask(row));
  // Of lines in a file that the index no longer has, the run knows the file.
  for (const path of [...paths, ...possiblePaths(placeTyped(target).path, bases)]) {
    const decisions = considered.filter((row) => row.path === path);
    if (decisions.length > 0) return thing(decisions, null);
  }
  const symbols = judgedBeside(symbolDecisions(log, taskId, paths, target).filter((row) => !isOnTask(row)));
  // A bare word is a name before it is a folder.
  if (symbols.length > 0 && !target.includes("/")) return thing(symbols, null);
  for (const path of paths) {
    const isInside = (row: { readonly path: string }): boolean => row.path.startsWith(`${path}/`);
    const decisions = considered.filter(isInside);
    if (decisions.length > 0)
      return { about: "folder", target, run, files: files.filter(isInside), decisions, unrecorded: null };
  }
  if (symbols.length > 0) return thing(symbols, null);
  const meant = kb === null ? [] : targetsMeant(kb, [...paths, target]);
  for (const { file, name } of meant) {
    const named = log.decisions(taskId, { path: file.path, ...(name === null ? {} : { symbol: name }) });
    if (named.length > 0) return thing(judgedBeside(named), null);
  }
  const [first] = meant;
  const unrecorded = kb === null || first === undefined ? null : await rankAgain(kb, run, first.file);
  if (unrecorded) return thing([], unrecorded);
  // Without an index, what the round was told is still known.
  const { constraints, reviewed } = storedOptions(run) ?? {};
  const asked = (names: readonly string[] = []): string | undefined => paths.find((path) => names.includes(path));
  const rejected = asked(constraints?.rejected_files);
  const changed = kb === null || reviewed === undefined ? undefined : asked(constraints?.changed);
  const path = rejected ?? changed;
  const reason = rejected === undefined ? GONE : REJECTED;
  if (path !== undefined) return thing([], { path, position: null, of: 0, score: null, reason });
  throw new Failed({ code: "no-match", message: unknownTarget(kb, target) });
}

/** What is wrong with a target that nothing knows, and the next step. */
function unknownTarget(kb: KnowledgeBase | null, target: string): string {
  if (kb === null) return `the run does not know "${target}", and there is no index; run: cra index`;
  const near = nearTarget(target, kb, kb.files());
  const next = near === null ? `run: cra search ${shellWord(target)}` : `did you mean ${near}?`;
  return `neither the run nor the index knows "${target}"; ${next}`;
}

/** What a line of a file means: the definition around it, or the file where there is none. Null if the target is no such line. */
function definitionAt(
  kb: KnowledgeBase | null,
  target: string,
  bases: PathBases,
): { readonly meant: string; readonly bases: PathBases } | null {
  const { path: typed, from: line } = placeTyped(target);
  if (line === null) return null;
  if (kb === null) return { meant: typed, bases };
  const files = kb.files();
  for (const path of [...possiblePaths(typed, bases), typed]) {
    const [id] = filesTyped(path, files);
    const file = files.find((row) => row.id === id);
    if (file === undefined) continue;
    const [symbol] = kb.symbolsById(symbolsAt(kb, [file.id], line));
    const meant = symbol === undefined ? file.path : `${file.path}:${symbol.qualifiedName}`;
    return { meant, bases: { ...bases, folder: bases.root } };
  }
  return null;
}

/** The target as a path from the root: first relative to the working folder, then to the root, then of a repository that was asked. "" is the root. */
function possiblePaths(target: string, { root, folder, named }: PathBases): readonly string[] {
  const typed = target.replaceAll("\\", "/");
  const paths = [folder, root].map((base) => posix.relative(root, posix.resolve(base, typed)));
  return [...new Set([...paths, named?.(typed) ?? ".."])].filter((path) => path !== ".." && !path.startsWith("../"));
}

/** The decisions on a symbol, given as `path:name` or by its name. */
function symbolDecisions(
  log: LogReader,
  taskId: string,
  paths: readonly string[],
  target: string,
): readonly LoggedDecision[] {
  for (const path of paths.flatMap((typed) => [typed, asDefined(typed)])) {
    const cut = path.lastIndexOf(":");
    const found = cut > 0 ? log.decisions(taskId, { path: path.slice(0, cut), symbol: path.slice(cut + 1) }) : [];
    if (found.length > 0) return found;
  }
  const named = log.decisions(taskId, { symbol: target });
  return named.length > 0 ? named : log.decisions(taskId, { symbol: asDefined(target) });
}

async function rankAgain(kb: KnowledgeBase, run: LoggedRun, file: FileRow): Promise<UnrecordedFile | null> {
  const options = storedOptions(run);
  if (!options) return null;
  const { settings, hintPaths, hintSymbols, former, only, constraints, reviewed } = options;
  const { include, exclude, hint_language: languages } = settings;
  const targets = refineTargets(constraints, kb, kb.files());
  const files = candidateFiles(kb.files(), { include, exclude, languages, only }, targets);
  const answer = { path: file.path, position: null, of: files.length, score: null };
  if (targets.rejected.has(file.id)) return { ...answer, reason: REJECTED };
  if (!targets.wanted.has(file.id) && !withinTest(only)(file.path))
    return { ...answer, reason: `left out by --only: it does not lie in ${only.join(" or ")}` };
  if (!files.some(({ id }) => id === file.id))
    return { ...answer, reason: "left out by --include, --exclude or --hint-language" };
  const given = { paths: hintPaths, symbols: hintSymbols, languages, purpose: settings.for, former };
  const background = { given, concepts: conceptsOf(kb), errors: constraints.error_signatures };
  const task = analyzeAsked(run.task, background, constraints.changed.length > 0 || reviewed !== undefined);
  const anchors = [...targets.anchors, ...findAnchors(task, kb, files)];
  const searched = searchFor(task, anchors, kb, files);
  const seeds = pickSeeds(anchors, files, isShort(task)).seeds.map(({ fileId }) => fileId);
  const weights = await loadSignals(weightsFrom(settings.weights, task.taskType));
  const { files: scores } = atOnce(rank({ kb, files, ...searched, seeds, weights }));
  const index = scores.findIndex(({ fileId }) => fileId === file.id);
  const score = scores[index];
  if (score === undefined) return { ...answer, reason: "nothing in it matches the task, and no seed leads to it" };
  return {
    path: file.path,
    position: index + 1,
    of: scores.length,
    score,
    reason: `ranks ${index + 1} of ${scores.length}; the scope takes the best ${settings.scope_size}`,
  };
}

/** What of the index the first of these names that means anything in it means: files, or definitions in them. */
function targetsMeant(
  kb: FileQueries & SymbolQueries,
  names: readonly string[],
): readonly { readonly file: FileRow; readonly name: string | null }[] {
  const files = kb.files();
  const byId = new Map(files.map((file) => [file.id, file]));
  for (const typed of names) {
    const inFiles = filesTyped(typed, files).map((fileId) => ({ fileId, qualifiedName: null }));
    const found = inFiles.length > 0 ? inFiles : definitionsTyped(typed, kb, files);
    const meant = found.flatMap(({ fileId, qualifiedName: name }) => {
      const file = byId.get(fileId);
      return file === undefined ? [] : [{ file, name }];
    });
    if (meant.length > 0) return meant;
  }
  return [];
}
