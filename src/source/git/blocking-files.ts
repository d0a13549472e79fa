/**
 * Finds what would keep git waiting: a pipe or device where git opens a file of its own. git reads those without looking what they are, and
 * is only ended once it has made no progress for long, with each command anew.
 */
import { statSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { isRepositoryPath, readFile } from "../files/read-file.ts";
import { resolveGitFolders } from "./folders.ts";

/** In the folder of the work tree. */
const OWN = ["HEAD", "index", "config.worktree"];
/** In the common folder. */
const COMMON = ["config", "packed-refs", "shallow", "objects/info/alternates", "objects/info/commit-graph"];

const HEAD_BYTES_MAX = 4096;

/** The name in git's folder of such a file of the repository `root/.git`; null for none. Other refs and objects are not looked at. */
export function blockingFile(root: string): string | null {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return null;
  const { folder, commonFolder } = folders;
  const own = OWN.find((name) => wouldBlock(join(folder, name)));
  if (own !== undefined) return own;
  const branch = branchIn(folder);
  const common = branch === null ? COMMON : [branch, ...COMMON];
  return common.find((name) => wouldBlock(join(commonFolder, name))) ?? null;
}

/** The branch that HEAD names. */
function branchIn(folder: string): string | null {
  const head = readFile(folder, "HEAD", HEAD_BYTES_MAX);
  if (head.kind !== "bytes") return null;
  const name = /^ref:\s*(refs\/.*)$/.exec(new TextDecoder().decode(head.bytes).trimEnd())?.[1];
  return name !== undefined && isRepositoryPath(name) ? name : null;
}

/** git follows links. The null device ends at once. */
function wouldBlock(path: string): boolean {
  try {
    const entry = statSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isFile() || entry.isDirectory()) return false;
    return entry.isFIFO() || entry.rdev !== statSync(devNull).rdev;
  } catch {
    return false; // git does not get there either.
  }
}
