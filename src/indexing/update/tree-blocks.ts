/**
 * Finds the parts of a tree in which something may have changed, without looking at what is known of each file.
 *
 * A run leaves a digest for each block of files, in path order. While the index is the one that it left, the rows of a block with the same
 * digest are current. All other blocks are open: their files are compared one by one.
 */
import { createHash } from "node:crypto";
import { ALL_PATHS, type PathRange, type SeenTree, type TreeBlock } from "../../db/parse-cache/stat-cache.ts";
import { digestOf, type PackedFiles, packedPart, type TreeFile, unpackFiles } from "../../source/walk/tree-digest.ts";

const FILES_PER_BLOCK = 64;

/** With more open blocks all files are compared. */
const OPEN_MAX = 200;

/** SQLite and JavaScript order paths with such characters in another way, unless a path without one is compared: so no block begins with one. */
const DISPUTED = /[\ud800-\uffff]/;

/** The digest of a block with a file that has to be looked at next time. */
const ALWAYS_OPEN = "";

/** The files of the open blocks, and the ranges of paths that these cover. `isSamePaths`: no file was added or removed. */
export type OpenPart = {
  readonly files: readonly TreeFile[];
  readonly ranges: readonly PathRange[];
  readonly isSamePaths: boolean;
  /** The blocks of the tree as they are now. `isUnsettled`: the file has to be looked at next time. */
  blocks(isUnsettled: (path: string) => boolean): readonly TreeBlock[];
};

/** Everything is open. */
export function wholeTree(packed: PackedFiles): Pick<OpenPart, "blocks"> {
  const tree = lines(packed);
  return { blocks: (isUnsettled) => tree.blocks(0, tree.names.length, isUnsettled) };
}

/** Null if too much is open. */
export function openPart({ blocks }: SeenTree, packed: PackedFiles): OpenPart | null {
  const tree = lines(packed);
  const { names } = tree;
  const parts: { readonly from: number; readonly to: number; readonly block: TreeBlock | null }[] = [];
  const ranges: PathRange[] = [];
  let at = 0;
  let isSamePaths = true;
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]?.first ?? null;
    const end = at + block.files;
    const isLast = (to: number): boolean => to >= names.length || (next !== null && (names[to] ?? "") >= next);
    if (end <= names.length && isLast(end) && tree.digest(at, end) === block.digest) {
      parts.push({ from: at, to: end, block });
      at = end;
      continue;
    }
    let to = at;
    while (!isLast(to)) to += 1;
    parts.push({ from: at, to, block: null });
    ranges.push({ from: index === 0 ? "" : block.first, to: next ?? ALL_PATHS.to });
    if (ranges.length > OPEN_MAX) return null;
    isSamePaths &&= tree.pathsHash(at, to) === block.paths;
    at = to;
  }
  const open = parts.filter(({ block }) => block === null);
  if (blocks.length === 0) return null;
  return {
    files: open.flatMap(({ from, to }) => tree.files(from, to)),
    ranges,
    isSamePaths,
    blocks: (isUnsettled) => parts.flatMap(({ from, to, block }) => block ?? tree.blocks(from, to, isUnsettled)),
  };
}

function lines(packed: PackedFiles) {
  const names = packed.paths === "" ? [] : packed.paths.split("\0");
  const part = (from: number, to: number): PackedFiles => packedPart(packed, names, from, to);
  const digest = (from: number, to: number): string => digestOf(part(from, to)).hash;
  const pathsHash = (from: number, to: number): string =>
    createHash("sha256").update(names.slice(from, to).join("\0")).digest("base64url");
  return {
    names,
    digest,
    pathsHash,
    files: (from: number, to: number) => unpackFiles(part(from, to)),
    blocks(from: number, to: number, isUnsettled: (path: string) => boolean): readonly TreeBlock[] {
      const found: TreeBlock[] = [];
      for (let at = from, end = from; at < to; at = end) {
        end = Math.min(at + FILES_PER_BLOCK, to);
        while (end < to && DISPUTED.test(names[end] ?? "")) end += 1;
        const isOpen = names.slice(at, end).some(isUnsettled);
        found.push({
          first: names[at] ?? "",
          files: end - at,
          paths: pathsHash(at, end),
          digest: isOpen ? ALWAYS_OPEN : digest(at, end),
        });
      }
      return found;
    },
  };
}
