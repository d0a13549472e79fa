/**
 * Git's objects without a git executable; the only door to isomorphic-git.
 *
 * Not readable here, and said so: SHA-256 repositories, reftable refs, alternates, packs over 1 GiB.
 * Not here: what objects mean (`objects.ts`).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import git from "isomorphic-git";
import { errorText } from "../files/read-file.ts";
import type { GitFolders } from "./folders.ts";
import { gitReaderFiles } from "./read-only-fs.ts";

/** SHA-1: the only kind of hash that isomorphic-git knows. */
export const HASH_BYTES = 20;

type Folders = Extract<GitFolders, { kind: "found" }>;

export type Store = {
  readonly folders: Folders;
  readonly fs: ReturnType<typeof gitReaderFiles>;
  /** Isomorphic-git keeps packs and their indexes here; one per run. */
  readonly cache: object;
};

export const openStore = (folders: Folders): Store => ({ folders, fs: gitReaderFiles(), cache: {} });

/** The content of an object of this type. Throws when it is not there, or another. */
export async function readObject(
  { fs, folders, cache }: Store,
  oid: string,
  type: "commit" | "tree" | "blob",
): Promise<Uint8Array> {
  const read = await git.readObject({ fs, gitdir: folders.commonFolder, oid, format: "content", cache });
  if (read.type !== type || !(read.object instanceof Uint8Array)) throw new Error(`object ${oid} is not a ${type}`);
  return read.object;
}

/** Why objects could not be read, in one sentence. */
export function whyNot({ folders }: Pick<Store, "folders">, error: unknown): string {
  const isMissing = error instanceof git.Errors.NotFoundError;
  if (isMissing && existsSync(join(folders.commonFolder, "objects/info/alternates")))
    return "only git can read its objects (some are in another repository)";
  return isMissing ? "some of its objects are missing" : `the built-in git reader failed: ${errorText(error)}`;
}

/** The commit that an object is, or that a tag leads to; null for anything else. Throws when it is not there. */
export async function peeled({ fs, folders, cache }: Store, hash: string): Promise<string | null> {
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

/** The whole hash that begins so; null when none does, or several do. */
export async function wholeHash({ fs, folders, cache }: Store, beginning: string): Promise<string | null> {
  try {
    return await git.expandOid({ fs, gitdir: folders.commonFolder, oid: beginning, cache });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError || error instanceof git.Errors.AmbiguousError) return null;
    throw error;
  }
}

export const isMissingObject = (error: unknown): boolean => error instanceof git.Errors.NotFoundError;
