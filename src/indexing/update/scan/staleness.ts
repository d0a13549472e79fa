/** How far an index is behind its work tree, without parsing or writing anything. */

import type { StoredFileRow } from "../../../db/curated/knowledge-base.ts";
import type { IndexableFile, IndexOptions } from "../../model/index-run.ts";
import type { IndexDeps } from "../index-deps.ts";
import { walkWorkTree } from "./change-fingerprint.ts";
import { buildVersionsOf, sourceHashOf } from "./compare.ts";
import { textOf } from "./file-content.ts";
import { NO_ROWS } from "./parse-queue.ts";
import { type ScanCache, scanAndParse } from "./scan-and-parse.ts";
import { wholeScope } from "./scan-scope.ts";

/** The current index. */
type IndexedFiles = {
  readonly files: readonly StoredFileRow[];
  readonly sourceHash: string;
  readonly head: string | null;
};

/** One phrase that says what differs, or null if the index is current. Throws the signal's reason. */
export async function describeStaleness(
  deps: Omit<IndexDeps, "store">,
  options: IndexOptions,
  indexed: IndexedFiles,
  signal: AbortSignal,
): Promise<string | null> {
  const { build, git, workTree } = deps;
  const head = await git.readHead(signal);
  const walked = await walkWorkTree(
    deps,
    options,
    () => indexed.files.map(({ path }) => path),
    () => undefined,
    signal,
  );
  const scan = await scanAndParse(
    deps,
    options,
    wholeScope(workTree, walked, new Map()),
    indexed.files,
    NOTHING_TO_PARSE,
    NO_ROWS,
    () => undefined,
    signal,
  );
  const before = new Map(indexed.files.map((file) => [file.path, file.contentHash]));
  // The scan does not check whether content that counts as parsed is worth indexing.
  const isWanted = ({ path, contentHash }: IndexableFile): boolean => {
    if (before.get(path) === contentHash) return true;
    const read = workTree.readFile(path, options.bytesMax);
    return read.kind === "bytes" && textOf(workTree, path, read.bytes).skip === null;
  };
  const files = [...scan.files].filter(isWanted);
  if (sourceHashOf(files, head, buildVersionsOf(build, options)) === indexed.sourceHash) return null;
  const present = new Set(files.map(({ path }) => path));
  const count = {
    added: files.filter(({ path }) => !before.has(path)).length,
    changed: files.filter(({ path, contentHash }) => before.has(path) && before.get(path) !== contentHash).length,
    removed: indexed.files.filter(({ path }) => !present.has(path)).length,
  };
  const parts = Object.entries(count).flatMap(([what, number]) => (number > 0 ? [`${number} ${what}`] : []));
  if (head.head !== indexed.head) parts.push("another commit is checked out");
  return parts.length > 0
    ? parts.join(", ")
    : "made by another version, with other settings, or from another part of the history";
}

/** Every content counts as parsed, so the scan only lists names and hashes. */
const NOTHING_TO_PARSE: ScanCache = {
  has: () => true,
  isEmpty: () => false,
  facts: () => null,
  put: () => undefined,
  setStatEntries: () => undefined,
  addStatEntries: () => undefined,
};
