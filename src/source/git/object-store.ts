/**
 * Reads git objects without git. The only importer of isomorphic-git.
 *
 * It cannot read SHA-256 repositories, reftable refs, alternates, or packs over 1 GiB, and says so.
 */
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import git from "isomorphic-git";
import { errorText } from "../files/read-file.ts";
import type { FoundFolders } from "./folders.ts";

/** The length of a SHA-1, the only hash that isomorphic-git supports. */
export const HASH_BYTES = 20;

export type ObjectStore = {
  readonly folders: FoundFolders;
  readonly fs: ReturnType<typeof gitReaderFiles>;
  /** Isomorphic-git caches packs and their indexes here; one per run. */
  readonly cache: object;
};

export const openObjectStore = (folders: FoundFolders): ObjectStore => ({ folders, fs: gitReaderFiles(), cache: {} });

/** The content of an object. Throws when it is missing or has another type. */
export async function readObject(
  { fs, folders, cache }: ObjectStore,
  oid: string,
  type: "commit" | "tree" | "blob",
): Promise<Uint8Array> {
  const read = await git.readObject({ fs, gitdir: folders.commonFolder, oid, format: "content", cache });
  if (read.type !== type || !(read.object instanceof Uint8Array)) throw new Error(`object ${oid} is not a ${type}`);
  return read.object;
}

/** Why objects could not be read, in a few words. */
export function readProblem({ folders }: Pick<ObjectStore, "folders">, error: unknown): string {
  const isMissing = error instanceof git.Errors.NotFoundError;
  if (isMissing && existsSync(join(folders.commonFolder, "objects/info/alternates")))
    return "only git can read its objects (some are in another repository)";
  return isMissing ? "some of its objects are missing" : `the built-in git reader failed: ${errorText(error)}`;
}

/** The commit that a hash or a tag object refers to; null for anything else. Throws when it is missing. */
export async function peelToCommit({ fs, folders, cache }: ObjectStore, hash: string): Promise<string | null> {
  let oid = hash;
  for (let depth = 0; depth < TAGS_MAX; depth += 1) {
    const read = await git.readObject({ fs, gitdir: folders.commonFolder, oid, format: "content", cache });
    if (read.type === "commit") return oid;
    if (read.type !== "tag" || !(read.object instanceof Uint8Array)) return null;
    const target = /^object ([0-9a-f]{40})\n/.exec(Buffer.from(read.object).toString("latin1"))?.[1];
    if (target === undefined) return null;
    oid = target;
  }
  return null;
}

const TAGS_MAX = 5;

/** The only hash with this prefix; null for none or several. */
export async function expandHash({ fs, folders, cache }: ObjectStore, beginning: string): Promise<string | null> {
  try {
    return await git.expandOid({ fs, gitdir: folders.commonFolder, oid: beginning, cache });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError || error instanceof git.Errors.AmbiguousError) return null;
    throw error;
  }
}

export const isMissingObject = (error: unknown): boolean => error instanceof git.Errors.NotFoundError;

/** Packs are read into memory; a repository with a larger one needs the git executable. */
const PACK_BYTES_MAX = 1024 * 1024 * 1024;

/**
 * A read-only file system for isomorphic-git. It reads regular files only, since a pipe would hang, none above the limit, and caches
 * folder listings for one run.
 */
function gitReaderFiles() {
  const folders = new Map<string, Promise<string[]>>();
  const refuse = async (): Promise<never> => {
    throw new Error("the built-in git reader does not write");
  };
  return {
    promises: {
      async readFile(
        path: string,
        options?: { readonly encoding?: BufferEncoding } | BufferEncoding,
      ): Promise<Buffer | string> {
        const found = await stat(path);
        if (!found.isFile()) throw Object.assign(new Error("not a regular file"), { code: "ENOENT" });
        if (found.size > PACK_BYTES_MAX) throw new Error(`a git file is larger than ${PACK_BYTES_MAX} bytes`);
        const encoding = typeof options === "string" ? options : options?.encoding;
        return encoding === undefined ? readFile(path) : readFile(path, { encoding });
      },
      readdir(path: string): Promise<string[]> {
        const names = folders.get(path) ?? readdir(path);
        folders.set(path, names);
        return names;
      },
      stat,
      lstat,
      readlink,
      writeFile: refuse,
      mkdir: refuse,
      rmdir: refuse,
      unlink: refuse,
      symlink: refuse,
      rm: refuse,
      chmod: refuse,
      rename: refuse,
    },
  };
}
