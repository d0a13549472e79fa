/**
 * The commits at which a shallow clone ends: their parents exist, but not here.
 */
import { readFile } from "./read-file.ts";

const SHALLOW_BYTES_MAX = 16 * 1024 * 1024;

/** Hashes from git's `shallow` file; empty in a complete clone. `commonFolder`: see `git-folders.ts`. */
export function readShallowCommits(commonFolder: string): ReadonlySet<string> {
  const read = readFile(commonFolder, "shallow", SHALLOW_BYTES_MAX);
  if (read.kind === "problem") return new Set();
  return new Set(
    new TextDecoder()
      .decode(read.bytes)
      .split("\n")
      .filter((line) => line !== ""),
  );
}
