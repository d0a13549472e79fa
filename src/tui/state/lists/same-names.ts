/** Files of a list that share their name, and the folder that tells each from the others. */
import { nameOf } from "../../../text/repo-path.ts";

const ofLists = new WeakMap<object, ReadonlyMap<string, number>>();

/**
 * By the path of each file that shares its name: which part of the path, counted from the root, tells it from the others
 * when it stands before the name. It is the nearest such folder. Lists are immutable, so each is looked through once.
 */
export function tellingFolders(files: readonly { readonly path: string }[]): ReadonlyMap<string, number> {
  const before = ofLists.get(files);
  if (before !== undefined) return before;
  const byName = new Map<string, string[]>();
  for (const { path } of files) {
    const name = nameOf(path);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  const found = new Map<string, number>();
  for (const paths of byName.values())
    if (paths.length > 1) for (const [path, at] of inGroup(paths)) found.set(path, at);
  ofLists.set(files, found);
  return found;
}

/** Of paths with the same name. A path that another one ends with is told by its first part. */
function inGroup(paths: readonly string[]): readonly (readonly [path: string, part: number])[] {
  const ends = new Map<string, number>();
  for (const path of paths) for (const end of endsOf(path)) ends.set(end, (ends.get(end) ?? 0) + 1);
  return paths.map((path) => {
    const own = endsOf(path).findIndex((end) => ends.get(end) === 1);
    return [path, own < 0 ? 0 : path.split("/").length - own - 1];
  });
}

/** How many parts of a path, from its end, are compared. */
const PARTS_MAX = 12;

/** The name, then the name after its folder, and so on. */
function endsOf(path: string): readonly string[] {
  const ends: string[] = [];
  for (let at = path.length; at >= 0 && ends.length < PARTS_MAX; ) {
    at = at === 0 ? -1 : path.lastIndexOf("/", at - 1);
    ends.push(path.slice(at + 1));
  }
  return ends;
}
