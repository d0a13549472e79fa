/**
 * Finds the parts of a tree in which something may have changed, without looking at what is known of each file.
 *
 * A run leaves a digest for each block of files, in path order. While the index is the one that it left, the rows of a block with the same
 * digest are current. All other blocks are open: their files are compared one by one.
 */
import type { PathRange, SeenTree, TreeBlock } from "../../../db/parse-cache/stat-cache.ts";
import type { TreeFile, TreeList } from "../../../source/walk/tree-digest.ts";
import { AFTER_ALL_PATHS } from "../../../text/order.ts";

const FILES_PER_BLOCK = 64;

/** With more open blocks all files are compared. */
const OPEN_MAX = 200;

/** SQLite and JavaScript order two paths with such characters differently, so no block begins with one. */
const DISPUTED = /[\ud800-\uffff]/;

/** The digest of a block with a file that has to be looked at next time. */
const ALWAYS_OPEN = "";

/** The files of the open blocks, and the ranges of paths that these cover. `isSamePaths`: no file was added or removed. */
type OpenPart = {
  readonly files: readonly TreeFile[];
  readonly ranges: readonly PathRange[];
  readonly isSamePaths: boolean;
  /** The blocks of the tree as they are now. `isUnsettled`: the file has to be looked at next time. */
  blocks(isUnsettled: (path: string) => boolean): readonly TreeBlock[];
};

/** The blocks of a tree of which nothing is known. */
export const allBlocks = (tree: TreeList, isUnsettled: (path: string) => boolean): readonly TreeBlock[] =>
  blocksOf(tree, { from: 0, to: tree.paths.length, first: "" }, isUnsettled);

/** Whether a path is in a range of a tree. */
export const isInRange = ({ from, to }: PathRange, path: string): boolean =>
  from <= path && (to === AFTER_ALL_PATHS || path < to);

/** Null if too much is open. */
export function openPart({ blocks }: SeenTree, tree: TreeList): OpenPart | null {
  const { paths } = tree;
  const parts: (Part & { readonly block: TreeBlock | null })[] = [];
  const ranges: PathRange[] = [];
  let at = 0;
  let isSamePaths = true;
  for (const [index, block] of blocks.entries()) {
    const { first } = block;
    const next = blocks[index + 1]?.first ?? null;
    const end = at + block.files;
    const isLast = (to: number): boolean => to >= paths.length || (next !== null && (paths[to] ?? "") >= next);
    if (end <= paths.length && isLast(end) && tree.hash(at, end) === block.digest) {
      parts.push({ from: at, to: end, first, block });
      at = end;
      continue;
    }
    let to = at;
    while (!isLast(to)) to += 1;
    parts.push({ from: at, to, first, block: null });
    ranges.push({ from: index === 0 ? "" : first, to: next ?? AFTER_ALL_PATHS });
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
    blocks: (isUnsettled) => parts.flatMap((part) => part.block ?? blocksOf(tree, part, isUnsettled)),
  };
}

/** The files from one position on and before another, which are those from the path `first` on. */
type Part = { readonly from: number; readonly to: number; readonly first: string };

function blocksOf(
  tree: TreeList,
  { from, to, first }: Part,
  isUnsettled: (path: string) => boolean,
): readonly TreeBlock[] {
  const { paths } = tree;
  const found: TreeBlock[] = [];
  for (let at = from, end = from; at < to; at = end) {
    end = Math.min(at + FILES_PER_BLOCK, to);
    while (end < to && DISPUTED.test(paths[end] ?? "")) end += 1;
    const isOpen = paths.slice(at, end).some(isUnsettled);
    found.push({
      first: at === from ? first : (paths[at] ?? ""),
      files: end - at,
      paths: tree.pathsHash(at, end),
      digest: isOpen ? ALWAYS_OPEN : tree.hash(at, end),
    });
  }
  return found;
}
