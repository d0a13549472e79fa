/**
 * How far an index is behind its work tree, without parsing or writing anything.
 *
 * Not here: bringing it up to date (`index-repo.ts`).
 */
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { walkNow } from "./change-fingerprint.ts";
import { type FoundFile, indexContentHash, makingOf } from "./compare.ts";
import type { IndexDeps, IndexOptions } from "./index-deps.ts";
import { type GatherCache, gather, type RowWriter, textOf } from "./scan-and-parse.ts";

/** What the index says of itself. */
export type Indexed = {
  readonly files: readonly FileRow[];
  readonly contentHash: string;
  readonly head: string | null;
};

/** One phrase on what differs, or null when the index is current. Throws the signal's reason. */
export async function surveyRepository(
  deps: IndexDeps,
  options: IndexOptions,
  indexed: Indexed,
  signal: AbortSignal,
): Promise<string | null> {
  const stand = await deps.readHead(signal);
  const walked = await walkNow(deps, options, () => undefined, signal);
  const found = await gather(deps, options, walked, indexed.files, NOTHING_TO_PARSE, NO_ROWS, () => undefined, signal);
  const before = new Map(indexed.files.map((file) => [file.path, file.contentHash]));
  // Gathering asks of no content that counts as parsed whether it is one to index.
  const isWanted = ({ path, contentHash }: FoundFile): boolean => {
    if (before.get(path) === contentHash) return true;
    const read = deps.readFile(path, options.bytesMax);
    return read.kind === "bytes" && textOf(deps, path, read.bytes).skip === null;
  };
  const files = found.files.filter(isWanted);
  if (indexContentHash(files, stand, makingOf(deps, options)) === indexed.contentHash) return null;
  const there = new Set(files.map(({ path }) => path));
  const count = {
    added: files.filter(({ path }) => !before.has(path)).length,
    changed: files.filter(({ path, contentHash }) => before.has(path) && before.get(path) !== contentHash).length,
    removed: indexed.files.filter(({ path }) => !there.has(path)).length,
  };
  const parts = Object.entries(count).flatMap(([what, number]) => (number > 0 ? [`${number} ${what}`] : []));
  if (stand.head !== indexed.head) parts.push("another commit is checked out");
  return parts.length > 0 ? parts.join(", ") : "made by another version, or with other settings";
}

const NO_ROWS: RowWriter = { expect: () => undefined, ready: () => undefined };

/** Every content counts as parsed, so only names and hashes are looked at. */
const NOTHING_TO_PARSE: GatherCache = {
  has: () => true,
  facts: () => null,
  put: () => undefined,
  statEntries: () => new Map(),
  setStatEntries: () => undefined,
};
