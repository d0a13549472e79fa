/**
 * Reads commits through git plumbing that touches only objects and refs, so no filter, hook or other program of a repository runs.
 */
import type { Variables } from "../../config/variables.ts";
import { isCommitHash } from "../git/clone.ts";
import type { IndexEntry } from "../git/index-file.ts";
import { batchObjects, canonicalMode, isUtf8Path } from "../git/objects.ts";
import { type GitOutput, runGit } from "../git/process.ts";
import {
  CONTENT_BYTES_MAX,
  found,
  isRevisionName,
  type RevisionReader,
  type StoredContent,
  type TreeEntry,
} from "./revisions.ts";

/** `executable` is git's absolute path, `environment` the caller's. */
export function gitRevisions(executable: string, environment: Variables): RevisionReader {
  const run = (root: string, signal: AbortSignal, words: readonly string[], input?: string): Promise<GitOutput> =>
    runGit({ executable, environment, root, arguments: words, signal, input });
  return {
    name: "git",
    async commit(root, name, signal) {
      if (!isRevisionName(name)) return { kind: "unknown" };
      const output = await run(root, signal, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
      if (output.kind === "problem") return output.exitCode === 1 ? UNKNOWN : output;
      const hash = textOf(output.bytes).trim();
      return isCommitHash(hash) ? found(hash) : UNKNOWN;
    },
    async forkPoint(root, one, other, signal) {
      const output = await run(root, signal, ["merge-base", "--all", one, other]);
      if (output.kind === "problem") return output.exitCode === 1 ? UNKNOWN : output;
      const [first] = textOf(output.bytes).split("\n").filter(isCommitHash).toSorted();
      return first === undefined ? UNKNOWN : found(first);
    },
    async commitBefore(root, commit, seconds, signal) {
      const words = ["rev-list", "--first-parent", "--max-count=1", `--min-age=${seconds - 1}`, commit, "--"];
      const output = await run(root, signal, words);
      if (output.kind === "problem") return output;
      const hash = textOf(output.bytes).trim();
      return isCommitHash(hash) ? found(hash) : UNKNOWN;
    },
    async files(root, commit, signal) {
      const output = await run(root, signal, ["ls-tree", "-r", "-z", "--full-tree", commit]);
      if (output.kind === "problem") return output;
      const files = new Map<string, TreeEntry>();
      for (const entry of textOf(output.bytes).split("\0")) {
        const [, mode = "", hash = "", path = ""] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
        if (path !== "" && isUtf8Path(path)) files.set(path, { mode: canonicalMode(mode), hash });
      }
      return found(files);
    },
    async tracked(root, signal) {
      const output = await run(root, signal, ["ls-files", "-z", "--stage", "-v"]);
      if (output.kind === "problem") return output;
      const fields = textOf(output.bytes).split("\0");
      return found(fields.flatMap((field) => listedEntry(field) ?? []));
    },
    async contents(root, hashes, signal) {
      const sizes = await run(root, signal, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], listed(hashes));
      if (sizes.kind === "problem") return sizes;
      // Without a size: missing.
      const sized = [...textOf(sizes.bytes).matchAll(/^([0-9a-f]+) (\d+)$/gm)].map(([, hash = "", size]) => ({
        hash,
        isSmall: Number(size) <= CONTENT_BYTES_MAX,
      }));
      const large = sized.flatMap(({ hash, isSmall }) => (isSmall ? [] : [[hash, "too large"] as const]));
      const small = sized.flatMap(({ hash, isSmall }) => (isSmall ? [hash] : []));
      if (small.length === 0) return found(new Map(large));
      const read = await run(root, signal, ["cat-file", "--batch"], listed(small));
      return read.kind === "problem" ? read : found(new Map<string, StoredContent>([...large, ...blobsIn(read.bytes)]));
    },
  };
}

const UNKNOWN = { kind: "unknown" } as const;

/** Parses `<tag> <mode> <hash> <stage>\t<path>`; null for anything else. */
function listedEntry(field: string): IndexEntry | null {
  const [, tag = "", mode = "", hash = "", stage, path = ""] = /^(\w) (\d+) ([0-9a-f]+) (\d)\t(.+)$/s.exec(field) ?? [];
  if (path === "") return null;
  const isAssumed = tag !== tag.toUpperCase();
  return { path, mode, hash, isInConflict: stage !== "0", isLeftOut: /^s$/i.test(tag), isAssumed, stat: null };
}

const listed = (hashes: readonly string[]): string => hashes.map((hash) => `${hash}\n`).join("");

const blobsIn = (bytes: Uint8Array): readonly (readonly [string, Uint8Array])[] =>
  [...batchObjects(bytes)].flatMap(({ hash, type, content }) => (type === "blob" ? [[hash, content]] : []));

const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
