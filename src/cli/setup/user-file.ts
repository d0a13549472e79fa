/** Files of agents: read whole and as UTF-8, and for a project never outside of the repository, whatever links say. */
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";

/** Settings of agents are far smaller; `.claude.json` can have some megabytes. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;

/** `root`: where the file must be; null if it may be anywhere. Throws an `io` failure for what must not be read or changed. */
export function readUserFile(path: string, root: string | null): { realPath: string; text: string | null } {
  try {
    const realPath = realPathOf(path);
    if (root !== null && !isInside(realPath, realpathSync(root)))
      throw refused(path, "a link leads out of the repository");
    if (root !== null && relative(realpathSync(root), realPath).split(sep).some(isGitName))
      throw refused(path, "a link leads into git's folder");
    const found = lstatSync(realPath, { throwIfNoEntry: false });
    if (found === undefined) return { realPath, text: null };
    if (!found.isFile()) throw refused(path, "it is not a regular file");
    if (found.size > FILE_BYTES_MAX) throw refused(path, `it is larger than ${FILE_BYTES_MAX} bytes`);
    return { realPath, text: decoded(path, readFileSync(realPath)) };
  } catch (error) {
    if (error instanceof Failed || errorCode(error) === null) throw error;
    throw refused(path, systemErrorWords(error), error);
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refused(path, "it is not UTF-8", error);
  }
}

/** The path with the links of its existing part resolved. A link to nothing is refused. */
function realPathOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return realpathSync(path);
  return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
}

const isGitName = (name: string): boolean => name.toLowerCase() === ".git";

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

const refused = (where: string, message: string, cause?: unknown): Failed =>
  new Failed({ code: "io", where, message, next: "nothing was changed in it" }, { cause });
