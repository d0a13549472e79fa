/** The parts of a path that name its file. */

/** Whether a file's name, up to its first dot, says nothing about the file: the folder's name is used instead. */
export const isBlankName = (stem: string): boolean =>
  stem === "index" || stem === "__init__" || stem === "mod" || stem === "lib" || stem === "main";

/** A file's name up to its first dot; all of one that begins with a dot. */
export function fileStem(base: string): string {
  const dot = base.indexOf(".");
  return dot > 0 ? base.slice(0, dot) : base;
}

/** The text that names a file whose path has its last slash at this place, -1 for none. A name with signs is several words. */
export function ownName(path: string, slash: number): string {
  const stem = fileStem(path.slice(slash + 1));
  const name = isBlankName(stem) ? folderName(path, slash) : stem;
  return NOT_IN_NAME.test(name) ? name.replaceAll(NOT_IN_NAME_ALL, " ") : name;
}

/** The name of the folder that ends at a slash of a path. */
const folderName = (path: string, slash: number): string =>
  path.slice(path.lastIndexOf("/", slash - 1) + 1, Math.max(0, slash));

const NOT_IN_NAME = /[^\p{L}\p{M}\p{N}_]/u;
const NOT_IN_NAME_ALL = /[^\p{L}\p{M}\p{N}_]/gu;
