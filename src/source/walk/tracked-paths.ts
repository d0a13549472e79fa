/** The paths that git tracks in a work tree, for questions about single files and folders. */

export type TrackedPaths = {
  /** Adds the tracked paths of a nested repository in the folder `prefix`. */
  add(prefix: string, paths: readonly string[]): void;
  hasFile(path: string): boolean;
  /** Whether the folder contains a tracked file. */
  hasFolder(path: string): boolean;
};

/** `foldsCase`: letters of either case are the same. */
export function trackedPaths(foldsCase: boolean, paths: readonly string[]): TrackedPaths {
  const key = (path: string): string => (foldsCase ? path.toLowerCase() : path);
  // Few lookups follow, so sorting beats building a set.
  const lists = [{ prefix: "", sorted: paths.map(key).toSorted() }];
  const hasBeginning = (path: string, ending: "" | "/"): boolean =>
    lists.some(({ prefix, sorted }) => {
      if (!path.startsWith(prefix)) return false;
      const wanted = path.slice(prefix.length) + ending;
      const next = sorted[firstFrom(sorted, wanted)];
      return ending === "" ? next === wanted : next?.startsWith(wanted) === true;
    });
  return {
    add: (prefix, more) => void lists.push({ prefix: key(prefix), sorted: more.map(key).toSorted() }),
    hasFile: (path) => hasBeginning(key(path), ""),
    hasFolder: (path) => hasBeginning(key(path), "/"),
  };
}

/** The index of the first entry that is not before `wanted`. */
function firstFrom(sorted: readonly string[], wanted: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? "") < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
