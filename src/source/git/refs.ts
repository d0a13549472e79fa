/**
 * Resolves HEAD and other names from git's ref files, for readers without git.
 *
 * Refs are files or lines of `packed-refs`; a few belong to one linked work tree, the others are shared. Names come from the repository, so
 * only paths inside its folders are followed, and only a few levels.
 */
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../text/system-errors.ts";
import { isRepositoryPath, readFile } from "../files/read-file.ts";
import type { FoundFolders } from "./folders.ts";

/** `head` is null while the branch has no commit; `branch` is null when HEAD is detached. */
type HeadRef =
  | { readonly kind: "found"; readonly head: string | null; readonly branch: string | null }
  | { readonly kind: "problem"; readonly why: string };

const REF_BYTES_MAX = 64 * 1024;
const PACKED_REFS_BYTES_MAX = 256 * 1024 * 1024;

/** The problem of refs in tables, for which HEAD and `refs` are only placeholders. */
export const IN_REFTABLE = "only git can read its refs (reftable)";

/** Git follows at most this many symbolic refs. */
const DEPTH_MAX = 5;

/** The hash of a short name, looked up in git's order; null when there is none. The hash of a tag may be that of a tag object. */
export function findRef(folders: FoundFolders, name: string): string | null {
  if (!isRepositoryPath(name) || name.includes("\u{fffd}")) return null;
  const isPlain = /^(?:[A-Z][A-Z_]*|refs\/.+)$/.test(name);
  const prefixes = ["refs", "refs/tags", "refs/heads", "refs/remotes"].map((prefix) => `${prefix}/${name}`);
  for (const path of [...(isPlain ? [name] : []), ...prefixes, `refs/remotes/${name}/HEAD`]) {
    let content = readRef(folders, path);
    for (let depth = 0; depth < DEPTH_MAX && content?.kind === "name"; depth++)
      content = /^refs\//.test(content.name) && isRepositoryPath(content.name) ? readRef(folders, content.name) : null;
    if (content?.kind === "hash") return content.hash;
  }
  return null;
}

/** Resolves HEAD of a work tree. */
export function readHeadRef(folders: FoundFolders): HeadRef {
  if (existsSync(join(folders.commonFolder, "reftable"))) return problem(IN_REFTABLE);
  const file = readFile(folders.folder, "HEAD", REF_BYTES_MAX);
  if (file.kind === "problem") return problem(`its HEAD cannot be read: ${file.why}`);
  let content = contentOf(file.bytes);
  let name: string | null = null;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    if (content.kind === "hash") return { kind: "found", head: content.hash, branch: branchOf(name) };
    if (content.kind === "invalid") return problem(`its ${name === null ? "HEAD" : "branch"} is damaged`);
    name = content.name;
    if (!name.startsWith("refs/") || !isRepositoryPath(name)) return problem("its HEAD does not name a branch");
    if (name.includes("\u{fffd}")) return problem("its branch has a name that is not UTF-8");
    const next = readRef(folders, name);
    if (next === null) return { kind: "found", head: null, branch: branchOf(name) };
    content = next;
  }
  return problem("its HEAD has too many symbolic refs");
}

type Content =
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "invalid" };

function contentOf(bytes: Uint8Array): Content {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const name = /^ref:\s*(\S.*)$/.exec(text.trimEnd())?.[1];
  if (name !== undefined) return { kind: "name", name };
  const hash = /^([0-9a-f]{40}|[0-9a-f]{64})(\s|$)/.exec(text)?.[1];
  return hash === undefined ? { kind: "invalid" } : { kind: "hash", hash };
}

/** Null when the ref does not exist. */
function readRef({ folder, commonFolder }: FoundFolders, name: string): Content | null {
  const isOwn = !name.includes("/") || /^refs\/(bisect|worktree|rewritten)\//.test(name);
  const file = readFile(isOwn ? folder : commonFolder, name, REF_BYTES_MAX);
  if (file.kind === "bytes") return contentOf(file.bytes);
  // Git would follow a link here; this reader does not.
  if (!isFree(join(isOwn ? folder : commonFolder, name))) return { kind: "invalid" };
  const packed = isOwn ? null : readFile(commonFolder, "packed-refs", PACKED_REFS_BYTES_MAX);
  if (packed?.kind !== "bytes") return null;
  const lines = Buffer.from(packed.bytes.buffer, packed.bytes.byteOffset, packed.bytes.byteLength);
  const end = lines.indexOf(` ${name}\n`);
  if (end < 0) return null;
  return contentOf(lines.subarray(lines.lastIndexOf("\n", end) + 1, end));
}

/** Whether nothing is at a path, or only the folder of longer ref names. */
function isFree(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch (error) {
    return errorCode(error) === "ENOTDIR";
  }
}

const branchOf = (name: string | null): string | null => name?.replace(/^refs\/heads\//, "") ?? null;

const problem = (why: string): HeadRef => ({ kind: "problem", why });
