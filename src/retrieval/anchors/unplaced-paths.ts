/** The paths of a task that no file has, which a commit may have renamed or deleted. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { endsLikeFile } from "../../task/names/file-names.ts";
import type { TaskQuery } from "../../task/query.ts";
import { isShort } from "../../task/searched-task.ts";
import { isPattern } from "../model/anchor.ts";
import { indexPaths, isInstalled, isNamed, isPlaced } from "./path-index.ts";

/** A report names files of its author's and of libraries: what is looked up in history is bounded. */
const UNPLACED_MAX = 5;
/** Of what is asked for by name, which a renamed folder ends all at once. */
const GIVEN_MAX = 50;

/** As written: hints, then paths, then those of frames. In a report a bare name is as a rule not of this repository. */
export function unplacedPaths(
  task: Pick<TaskQuery, "sections" | "frames" | "fileHints" | "given">,
  files: readonly FileRow[],
): readonly string[] {
  const paths = indexPaths(files);
  const isKnown = (text: string): boolean =>
    isNamed(text, paths.endingLike(text)) || paths.withoutExtension(text).length > 0;
  const framed = task.frames.flatMap(({ path }) => (isPlaced(path, paths.endingLike(path)) ? [] : [path]));
  const named = [...task.fileHints.map(({ text }) => text), ...framed];
  const written = named.filter((text) => isShort(task) || /[\\/]/.test(text));
  const isSought = (text: string): boolean =>
    endsLikeFile(text) && !isPattern(text) && !isInstalled(text) && !isKnown(text);
  const sought = (texts: readonly string[], max: number) => [...new Set(texts)].filter(isSought).slice(0, max);
  return [...new Set([...sought(task.given.paths, GIVEN_MAX), ...sought(written, UNPLACED_MAX)])];
}
