/**
 * The commits at which a shallow clone ends: their parents exist, but not here.
 */
import { createHash } from "node:crypto";
import { readFile } from "../files/read-file.ts";

const SHALLOW_BYTES_MAX = 16 * 1024 * 1024;

/** Hashes from git's `shallow` file; empty in a complete clone. `commonFolder`: see `folders.ts`. */
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

/** Names a set of such commits; null for none. */
export const shallowMark = (commits: ReadonlySet<string>): string | null =>
  commits.size === 0
    ? null
    : createHash("sha256")
        .update([...commits].toSorted().join("\n"))
        .digest("hex");
