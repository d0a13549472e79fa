/**
 * Tells without a look at any row or content that nothing changed since a full look found nothing to do.
 *
 * A glance is one hash over all that decides whether an index is current: what it is made with, where the repository
 * stands, what the walk met with the system's mark of every file, and the mark of the index itself. It is kept after a full look
 * that found the index current, and never where one of those marks may not show the next change. So an equal glance
 * means what the full look found; any other one means nothing, and the full look is taken.
 */
import { createHash } from "node:crypto";
import type { Head } from "../../source/git/git-state.ts";
import type { Tree, TreeFile } from "../../source/walk/tree.ts";
import type { Making } from "./compare.ts";
import type { IndexDeps, IndexOptions, Marked } from "./index-deps.ts";
import type { ReportProgress } from "./progress.ts";

/** What a walk met, and when it began (milliseconds since the epoch). */
export type Walked = { readonly tree: Tree; readonly lookedAt: number };

/** Walks the work tree. Throws the signal's reason. */
export async function walkNow(
  deps: Pick<IndexDeps, "now" | "walk" | "readTracked">,
  { ignore }: Pick<IndexOptions, "ignore">,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Walked> {
  const lookedAt = deps.now();
  const tree = await deps.walk({
    readTracked: () => deps.readTracked(signal),
    ignore,
    signal,
    onProgress: (done) => report({ phase: "walk", done, total: null }),
  });
  return { tree, lookedAt };
}

/**
 * What changed this shortly before it was looked at is looked at again next time: its times may be too coarse to
 * show that it changed once more. In milliseconds; the coarsest file systems in use count in steps of two seconds.
 */
const FRESH_MS = 2_000;

/** Whether a mark can be trusted to differ after the next change. */
export const isOldMark = ({ changedMs }: Pick<TreeFile, "changedMs">, lookedAt: number): boolean =>
  changedMs < lookedAt - FRESH_MS;

/** Differs whenever the content of a file may. */
export const markOf = ({ sizeBytes, modifiedMs, changedMs, inode, device }: TreeFile): string =>
  `${sizeBytes} ${modifiedMs} ${changedMs} ${inode} ${device}`;

/** Null where a glance cannot tell: a mark is too new, or something could not be looked at. */
export function glanceAt(
  making: Making & { readonly craCommit: string | null },
  { head, remoteUrl, shallow, problem }: Head,
  index: Marked | null,
  { tree, lookedAt }: Walked,
): string | null {
  const { files, leftOut, problems } = tree;
  if (index === null || !isOldMark(index, lookedAt) || problems.length > 0) return null;
  const { configHash, craVersion, craCommit, extractorVersion } = making;
  // Numbers are hashed as they are: to word them for all files would take longer than all the rest.
  const marks = new Float64Array(files.length * NUMBERS);
  let paths = "";
  for (let at = 0; at < files.length; at += 1) {
    const file = files[at];
    if (file === undefined || !isOldMark(file, lookedAt)) return null;
    paths += `${file.path}\0`;
    marks[at * NUMBERS] = file.sizeBytes;
    marks[at * NUMBERS + 1] = file.modifiedMs;
    marks[at * NUMBERS + 2] = file.changedMs;
    marks[at * NUMBERS + 3] = file.inode;
    marks[at * NUMBERS + 4] = file.device;
  }
  const stand = [configHash, craVersion, craCommit, extractorVersion, head, remoteUrl, shallow, problem, index.mark];
  return createHash("sha256")
    .update(JSON.stringify([stand, leftOut, files.length]))
    .update(marks)
    .update(paths)
    .digest("hex");
}

const NUMBERS = 5;
