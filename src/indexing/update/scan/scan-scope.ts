/** Decides which files a run looks at: all, or those of the parts of the tree that are not as the last run left them. */

import { createHash } from "node:crypto";
import { onDemand } from "../../../concurrency/on-demand.ts";
import type { StoredMeta } from "../../../db/curated/meta.ts";
import type { CuratedWriter } from "../../../db/curated/write/write.ts";
import type { StatCache, StatEntry } from "../../../db/parse-cache/stat-cache.ts";
import type { SkipLimits } from "../../../source/walk/skip.ts";
import type { Tree } from "../../../source/walk/tree.ts";
import { byPath } from "../../../text/order.ts";
import type { Skip } from "../../model/index-run.ts";
import type { FileStat, IndexDeps, WorkTree } from "../index-deps.ts";
import type { WalkResult } from "./change-fingerprint.ts";
import type { BuildVersions, Stored } from "./compare.ts";
import { allBlocks, isInRange, openPart } from "./tree-blocks.ts";

/** The files to look at, with what is known of them by path, and what the whole tree says. */
export type ScanScope = Pick<Tree, "files" | "leftOut" | "problems"> &
  Pick<WalkResult, "walkedAt"> &
  Pick<SkipLimits, "vendoredIsMain"> & { readonly seen: ReadonlyMap<string, StatEntry> };

/** What a run compares. */
export type Scope = {
  readonly scan: ScanScope;
  /** The stored files of the scope, and all skips. */
  readonly stored: Stored;
  readonly isPart: boolean;
  /** All skips, from those that the scan found in the scope. */
  skips(found: readonly Skip[]): readonly Skip[];
  /** Stores the tree as the run leaves it, with an index that has this description. */
  remember(meta: StoredMeta, unsettled: ReadonlySet<string>): void;
};

/** All files of a tree. */
export const wholeScope = (
  { vendoredIsMain }: Pick<WorkTree, "vendoredIsMain">,
  { tree: { files, leftOut, problems, list }, walkedAt }: WalkResult,
  seen: ScanScope["seen"],
): ScanScope => ({
  files,
  leftOut,
  problems,
  walkedAt,
  vendoredIsMain: vendoredIsMain(list().paths),
  seen,
});

type Open = {
  readonly deps: Pick<IndexDeps, "workTree"> & { readonly store: Pick<IndexDeps["store"], "indexStat"> };
  /** The index file before anything is read. Another program may write to it, too. */
  readonly index: FileStat | null;
  readonly writer: Pick<CuratedWriter, "files" | "filesBetween" | "skips">;
  readonly cache: Pick<StatCache, "statEntries" | "seenTree" | "setSeenTree">;
  /** Who made the entries of the stat cache. */
  readonly maker: string;
  readonly versions: BuildVersions;
};

/** `meta` describes the stored index. `isWhole`: all files are compared, whatever is known of the tree. */
export function openScope(open: Open, walked: WalkResult, meta: StoredMeta | null, isWhole: boolean): Scope {
  return (isWhole || meta === null ? null : partOf(open, walked, meta)) ?? whole(open, walked, meta);
}

function whole({ deps, writer, cache, maker, versions }: Open, walked: WalkResult, meta: StoredMeta | null): Scope {
  const { store, workTree } = deps;
  const scan = wholeScope(workTree, walked, cache.statEntries(maker));
  return {
    scan,
    stored: { meta, files: writer.files(), skips: writer.skips() },
    isPart: false,
    skips: (found) => found,
    remember(after, unsettled) {
      if (walked.tree.problems.length > 0) return;
      const state = stateOf(maker, versions, after, store.indexStat(), walked.tree, scan.vendoredIsMain);
      cache.setSeenTree({ state, blocks: allBlocks(walked.tree.list(), (path) => unsettled.has(path)) });
    },
  };
}

/** Null if nothing is known of the tree, or too much has changed. */
function partOf(
  { deps, index, writer, cache, maker, versions }: Open,
  walked: WalkResult,
  meta: StoredMeta,
): Scope | null {
  const { tree, walkedAt } = walked;
  const seenTree = tree.problems.length > 0 ? null : cache.seenTree();
  if (seenTree === null) return null;
  const { store, workTree } = deps;
  const vendoredIsMain = [false, true].find((is) => stateOf(maker, versions, meta, index, tree, is) === seenTree.state);
  const list = onDemand(() => tree.list());
  const part = vendoredIsMain === undefined ? null : openPart(seenTree, list());
  if (vendoredIsMain === undefined || part === null) return null;
  if (!part.isSamePaths && workTree.vendoredIsMain(list().paths) !== vendoredIsMain) return null;
  const { files, ranges } = part;
  const { leftOut, problems } = tree;
  const skips = writer.skips();
  return {
    scan: { files, leftOut, problems, walkedAt, vendoredIsMain, seen: cache.statEntries(maker, ranges) },
    stored: { meta, files: ranges.flatMap(({ from, to }) => writer.filesBetween(from, to)), skips },
    isPart: true,
    skips(found) {
      const others = new Set(leftOut.map(({ path }) => path));
      const isOpen = ({ path }: Skip): boolean => ranges.some((range) => isInRange(range, path));
      return [...skips.filter((skip) => !others.has(skip.path) && !isOpen(skip)), ...found].sort(byPath);
    },
    remember(after, unsettled) {
      const state = stateOf(maker, versions, after, store.indexStat(), tree, vendoredIsMain);
      if (ranges.length === 0 && state === seenTree.state) return;
      cache.setSeenTree({ state, blocks: part.blocks((path) => unsettled.has(path)) });
    },
  };
}

/** What decides, besides the stat keys of the files, what is known of them. */
const stateOf = (
  maker: string,
  { configHash }: BuildVersions,
  { contentHash }: StoredMeta,
  index: FileStat | null,
  { leftOut }: Pick<Tree, "leftOut">,
  vendoredIsMain: boolean,
): string =>
  createHash("sha256")
    .update(JSON.stringify([maker, configHash, contentHash, index?.statKey, leftOut, vendoredIsMain]))
    .digest("hex");
