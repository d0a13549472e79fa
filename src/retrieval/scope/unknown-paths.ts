/** Tells whoever names a file that is not in the index why, or which one may be meant. */
import type { FileQueries } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import type { TaskQuery } from "../../task/query.ts";
import { isShort } from "../../task/searched-task.ts";
import { NEAR_MAX, nearPath } from "../anchors/near-path.ts";
import { indexPaths } from "../anchors/path-index.ts";
import { type Anchor, isPattern } from "../model/anchor.ts";
import { deletedNotice } from "./seeds.ts";
import { skippedNotice } from "./skipped-paths.ts";

/**
 * A notice for each path of a task of one sentence that is not in the index, although a file has nearly that name, or had it, or is skipped.
 * A report also names files of its author's machine, so its paths say nothing.
 */
export function unknownPaths(
  task: TaskQuery,
  anchors: readonly Anchor[],
  kb: Pick<FileQueries, "files" | "skipOf">,
): readonly Notice[] {
  if (!isShort(task)) return [];
  const found = new Set(anchors.flatMap(({ text, files }) => (files.length > 0 ? [text] : [])));
  const names = task.fileHints.flatMap(({ text }) => (found.has(text) || isPattern(text) ? [] : [text]));
  if (names.length === 0) return [];
  const files = kb.files();
  return names.slice(0, NEAR_MAX).flatMap((path) => {
    const former = task.given.former?.find(({ named }) => named === path);
    if (former !== undefined) return deletedNotice(former) ?? [];
    const skipped = skippedNotice(path, kb);
    if (skipped !== null) return skipped;
    // Files that are no candidates, as with `--only`, are in the index too.
    const { components, written } = indexPaths(files).endingLike(path);
    const near = components === written ? null : nearPath(path, files);
    return near === null ? [] : [{ code: "path-unknown", path, near } as const];
  });
}
