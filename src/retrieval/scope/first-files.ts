/**
 * Chooses the files to parse for a task before anything is parsed: what the task names, then the best by the words of the files.
 *
 * The ranking is that of any task, on an index without definitions, references and history.
 */
import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { roleOf } from "../../languages/file-role.ts";
import { isOutline } from "../../languages/languages.ts";
import { analyzeTask } from "../../task/analyze.ts";
import type { TaskQuery } from "../../task/query.ts";
import { inOrder } from "../../text/order.ts";
import { findAnchors } from "../anchors/anchors.ts";
import { indexPaths } from "../anchors/path-index.ts";
import { positionsById } from "../lexical/file-positions.ts";
import { scoreText } from "../lexical/lexical.ts";
import { type FileScore, type SignalWeights, unpenalized } from "../model/scores.ts";
import type { ScopeOptions } from "../model/stage.ts";
import { atOnce, stopIfAborted, withPauses } from "../model/steps.ts";
import { pathFactors } from "../ranking/path-penalty.ts";
import { rank } from "../ranking/ranking.ts";
import { isEntryPath } from "../ranking/signals/entry-point.ts";
import type { WeightProfile } from "../ranking/signals/table.ts";
import { loadSignals, weightsFrom } from "../ranking/weights.ts";
import { candidateFiles } from "./candidates.ts";

export type FirstRequest = {
  readonly task: string;
  readonly given: TaskQuery["given"];
  readonly scope: Pick<ScopeOptions, "only" | "include" | "exclude">;
  readonly weights: WeightProfile | SignalWeights;
  /** Paths, and names of symbols, that the run is asked for besides the task's words. */
  readonly names: readonly string[];
};

/**
 * Ids of files: those that the task names; and all others, best first: by score, then as a map shows them. `tests` are the tests with a score, and
 * how well each matches without its path penalty, as a share of the best of all files.
 */
export type FirstFiles = {
  readonly named: readonly number[];
  readonly ranked: readonly number[];
  readonly tests: readonly { readonly id: number; readonly match: number }[];
};

/** With this many files that have a score, no others are needed. */
const RANKED_MIN = 100;
/** A name that stands for more files names none of them. */
const NAMED_FILES_MAX = 20;
/** Files that are taken for the names of symbols: those that repeat them most. */
const HOLDERS_MAX = 20;

/** `kb` need not have a parsed file. Throws the signal's reason. */
export async function firstFiles(
  kb: KnowledgeBase,
  { task: text, given, scope, weights, names }: FirstRequest,
  signal: AbortSignal,
): Promise<FirstFiles> {
  const task = analyzeTask(text.toWellFormed(), { given, concepts: new Set() });
  const indexed = kb.files();
  const files = candidateFiles(indexed, { ...scope, languages: given.languages });
  const anchors = findAnchors(task, kb, files);
  const signals = await loadSignals(weightsFrom(weights, task.taskType));
  const ranking = rank({ kb, files, task, anchors, seeds: [], weights: signals });
  const scores = await withPauses(ranking, () => stopIfAborted(signal));
  const ofTask = anchors.flatMap((anchor) => (anchor.files.length <= NAMED_FILES_MAX ? anchor.files : []));
  return {
    named: [...new Set([...ofTask, ...filesNamed(kb, indexed, [...names, ...given.symbols], task)])],
    ranked: [...scores.files.map(({ fileId }) => fileId), ...unranked(files, scores.files)],
    tests: matchingTests(files, scores.files),
  };
}

function matchingTests(files: readonly FileRow[], scored: readonly FileScore[]): FirstFiles["tests"] {
  const positions = positionsById(files);
  const matches = scored.map(unpenalized);
  const best = matches.reduce((most, match) => Math.max(most, match), 0);
  return scored.flatMap(({ fileId: id }, at) =>
    files[positions.get(id) ?? -1]?.isTest && best > 0 ? [{ id, match: (matches[at] ?? 0) / best }] : [],
  );
}

/** The files without a score: source files before others, entry points before others, from the top of the tree down. */
function unranked(files: readonly FileRow[], scored: readonly FileScore[]): readonly number[] {
  if (scored.length >= RANKED_MIN) return [];
  const known = new Set(scored.map(({ fileId }) => fileId));
  const rest = files.flatMap((file) => {
    const { id, path, language } = file;
    if (known.has(id)) return [];
    const isSource = roleOf(file) === "source" && !isOutline(language);
    return [{ id, path, place: [isSource ? 0 : 1, isEntryPath(path) ? 0 : 1, path.split("/").length] }];
  });
  const order = (a: (typeof rest)[number], b: (typeof rest)[number]): number =>
    a.place.map((value, at) => value - (b.place[at] ?? 0)).find((difference) => difference !== 0) ??
    inOrder(a.path, b.path);
  return rest.sort(order).map(({ id }) => id);
}

/** The files of paths, and of `path:name`; and those that hold the other names, which are taken for symbols. */
function filesNamed(
  kb: KnowledgeBase,
  files: readonly FileRow[],
  names: readonly string[],
  task: TaskQuery,
): readonly number[] {
  if (names.length === 0) return [];
  const paths = indexPaths(files);
  const found = new Set<number>();
  const symbols: string[] = [];
  for (const name of names) {
    const cut = name.lastIndexOf(":");
    const path = paths.endingLike(cut > 0 ? name.slice(0, cut) : name);
    const isPath = path.components === path.written;
    if (isPath) for (const id of path.files.slice(0, NAMED_FILES_MAX)) found.add(id);
    if (cut > 0 || !(isPath || name.includes("/"))) symbols.push(name.slice(cut + 1));
  }
  if (symbols.length === 0) return [...found];
  const sections = [{ kind: "code", text: symbols.join("\n") }] as const;
  const { content } = atOnce(scoreText(kb, files, sections, pathFactors(task, files)));
  const holders = files
    .flatMap(({ id }, position) => (content[position] ? [{ id, position, score: content[position] }] : []))
    .sort((a, b) => b.score - a.score || a.position - b.position);
  for (const { id } of holders.slice(0, HOLDERS_MAX)) found.add(id);
  return [...found];
}
