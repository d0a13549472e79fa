/**
 * The file system that the built-in git reader sees: it can read, and nothing else.
 *
 * Only regular files are read (a pipe would hang for ever), none above the limit, and the list of packs
 * is read once. One per run: what it remembers is of one moment.
 */
import { lstat, readdir, readFile, readlink, stat } from "node:fs/promises";

/** Packs are read whole into memory, so a repository with a larger one needs the git executable. */
const PACK_BYTES_MAX = 1024 * 1024 * 1024;

/** In the shape that isomorphic-git asks for. */
export function gitReaderFiles() {
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
        if (found.size > PACK_BYTES_MAX) throw new Error(`a file of git's is larger than ${PACK_BYTES_MAX} bytes`);
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
