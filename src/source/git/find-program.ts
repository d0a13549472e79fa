/** Finds programs on the caller's path that are safe to run: in an absolute folder outside the repository. */
import { realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import type { Variables } from "../../config/variables.ts";

/** A program's absolute path; null when there is none that is safe to run. */
export function findProgram(name: string, { PATH }: Variables, root: string | null): string | null {
  const found = PATH === undefined ? Bun.which(name) : Bun.which(name, { PATH });
  return found !== null && isAbsolute(found) && (root === null || !isInside(found, root)) ? found : null;
}

/** Whether a program is inside the repository: package managers put such folders on the path. */
export function isInside(executable: string, root: string): boolean {
  const isBelow = (path: string): boolean => path.startsWith(root + sep);
  return isBelow(executable) || isBelow(realpathSync(executable));
}
