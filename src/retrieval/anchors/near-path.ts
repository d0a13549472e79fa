/** The file that a mistyped path probably means, to be named in a message. A guess is never searched for. */
import { editDistance } from "../../config/did-you-mean.ts";
import type { FileRow } from "../../db/curated/knowledge-base.ts";

/** A shorter name without its extension is a few edits away from many others. */
const STEM_MIN = 4;
/** From this length of that on, a name may have two mistakes instead of one. */
const LONG_STEM_MIN = 8;
/** Longer names are not compared: the distance is quadratic. */
const NAME_MAX = 64;

/** Unknown names of a run that are looked into: each is compared with the names of all files. */
export const NEAR_MAX = 5;

/** Equally near paths: their distance from what was typed, and how many of its folders they have. */
type Nearest = { readonly paths: readonly string[]; readonly edits: number; readonly shared: number };

/**
 * The path of the file whose name is nearest to that of `text`, which is no file itself: with the same extension and first letter, and
 * with one or two mistakes, or in another folder. Of equally near ones, that with the most folders of `text`; null if several are left.
 */
export function nearPath(text: string, files: readonly FileRow[]): string | null {
  const [typed = "", ...folders] = text.replaceAll("\\", "/").split("/").reverse();
  const dot = typed.lastIndexOf(".");
  if (dot < STEM_MIN || typed.length > NAME_MAX) return null;
  const extension = typed.slice(dot);
  const mistakes = dot < LONG_STEM_MIN ? 1 : 2;
  const written = new Set(folders);
  let best: Nearest = { paths: [], edits: mistakes, shared: 0 };
  for (const { path } of files) {
    const slash = path.lastIndexOf("/") + 1;
    if (path[slash] !== typed[0] || !path.endsWith(extension)) continue;
    if (Math.abs(path.length - slash - typed.length) > best.edits) continue;
    const edits = editDistance(typed, path.slice(slash));
    if (edits > best.edits) continue;
    const shared = path.split("/").filter((folder) => written.has(folder)).length;
    const isNearer = edits < best.edits || shared > best.shared;
    if (isNearer) best = { paths: [path], edits, shared };
    else if (shared === best.shared) best = { ...best, paths: [...best.paths, path] };
  }
  return best.paths.length === 1 ? (best.paths[0] ?? null) : null;
}
