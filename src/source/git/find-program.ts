/**
 * Finds programs that may be run: on the caller's path, by an absolute folder, and no part of the repository.
 */
import { realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";

/** A program's absolute path; null when there is none that may be run (a relative path entry is no answer). */
export function findProgram(
  name: string,
  { PATH }: Readonly<Record<string, string | undefined>>,
  root: string | null,
): string | null {
  const found = PATH === undefined ? Bun.which(name) : Bun.which(name, { PATH });
  return found !== null && isAbsolute(found) && (root === null || !isInside(found, root)) ? found : null;
}

/** Whether a program is a repository's own (a package manager puts such folders on the path): then it is not run. */
export function isInside(executable: string, root: string): boolean {
  const lies = (path: string): boolean => path.startsWith(root + sep);
  return lies(executable) || lies(realpathSync(executable));
}
