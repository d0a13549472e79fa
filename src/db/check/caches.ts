/**
 * Checks the parse cache, the stat cache and the vector cache: every row has the bytes that were written.
 *
 * A damaged row is treated as missing, so it costs time but never changes an answer. Errors are therefore reported as warnings.
 */

import { lstatSync } from "node:fs";
import { shellWord } from "../../text/shell-word.ts";
import { unpackCounts } from "../../text/terms/count-block.ts";
import { soundTermStats } from "../../text/terms/term-stats-check.ts";
import { COMMIT_PACKS_SQL, type CommitPackRow, isWholePack } from "../parse-cache/commit-cache.ts";
import { type CountRow, isWholeCounts } from "../parse-cache/count-cache.ts";
import { ENTRIES_SQL, isWholeEntry, type StoredEntry } from "../parse-cache/parse-cache.ts";
import { PARSE_CACHE_SCHEMA } from "../parse-cache/schema.ts";
import {
  isWholeListing,
  LISTINGS_SQL,
  type ListingsRow,
  readSeenTree,
  STAT_CACHE_SCHEMA,
} from "../parse-cache/stat-cache.ts";
import { BLOCKS_SQL, type BlockRow, isWholeBlock, VECTOR_CACHE_SCHEMA } from "../vectors/vector-cache.ts";
import { type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import { type Diagnostic, REPAIR } from "./diagnostic.ts";

/** `cra clean` removes no folder. */
const remedyAt = (path: string, remedy: Remedy): Remedy =>
  (lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true)
    ? remedy
    : { ...remedy, mend: `rm -r ${shellWord(path)}` };

const PARSING: Remedy = { code: "cache-damaged", mend: REPAIR.cache };
const VECTORS: Remedy = { code: "cache-damaged", mend: REPAIR.vectors };

/** Checks the parse cache at `path`; a missing file has no diagnostics. */
export const checkParseCache = (path: string, onCheck: OnCheck): readonly Diagnostic[] =>
  checkDatabase(path, PARSE_CACHE_SCHEMA, [ENTRIES, USES, COMMITS], remedyAt(path, PARSING), onCheck).map(asWarning);

/** Checks the stat cache at `path`; a missing file has no diagnostics. */
export const checkStatCache = (path: string, onCheck: OnCheck): readonly Diagnostic[] =>
  checkDatabase(
    path,
    STAT_CACHE_SCHEMA,
    [COUNTS, FILE_HASHES, FINGERPRINT, LISTINGS, TREE],
    remedyAt(path, PARSING),
    onCheck,
  ).map(asWarning);

const asWarning = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.severity === "error" ? { ...diagnostic, severity: "warning" } : diagnostic;

const damaged = (count: number, what: string) => ({
  severity: "error" as const,
  ...PARSING,
  what: `${count} ${what}; cra redoes this work when needed`,
});

const ENTRIES: Check = {
  name: "entries",
  *run(db) {
    let count = 0;
    for (const row of db.each<StoredEntry>(ENTRIES_SQL)) if (!isWholeEntry(row)) count += 1;
    if (count > 0) yield damaged(count, "parsed files are damaged");
  },
};

/** A content without a day of its last use would stay for ever. */
const USES: Check = {
  name: "last uses",
  *run(db) {
    const row = db.get<{ count: number }>(
      "select count(*) as count from entries where id not in (select entry from last_used)",
    );
    if (row !== null && row.count > 0) yield damaged(row.count, "parsed files have no last use");
  },
};

const COUNTS: Check = {
  name: "counts",
  *run(db) {
    let count = 0;
    for (const row of db.each<CountRow>("select sum, block from count_blocks")) {
      const isSound = isWholeCounts(row) && unpackCounts(row.block).every(({ stats }) => soundTermStats(stats, 0));
      if (!isSound) count += 1;
    }
    if (count > 0) yield damaged(count, "blocks of counted files are damaged");
  },
};

const COMMITS: Check = {
  name: "commits",
  *run(db) {
    let count = 0;
    for (const row of db.each<CommitPackRow>(COMMIT_PACKS_SQL)) if (!isWholePack(row)) count += 1;
    if (count > 0) yield damaged(count, "packs of commits are damaged");
  },
};

/** Readers compare the fingerprint as a whole, so a damaged one never matches. */
const FINGERPRINT: Check = {
  name: "change fingerprint",
  *run(db) {
    const row = db.get<{ count: number; whole: number | null }>(
      `select count(*) as count, sum(length(hash) = 64 and hash not glob '*[^0-9a-f]*') as whole from fingerprint`,
    );
    if (row !== null && (row.count > 1 || (row.whole ?? 0) !== row.count))
      yield damaged(row.count, "change fingerprints are invalid");
  },
};

const LISTINGS: Check = {
  name: "names in folders",
  *run(db) {
    const rows = db.all<ListingsRow>(LISTINGS_SQL);
    if (rows.length > 1 || !rows.every(isWholeListing)) yield damaged(rows.length, "lists of folders are invalid");
  },
};

/** An index run trusts these rows, so impossible ones are errors. */
const FILE_HASHES: Check = {
  name: "file hashes",
  *run(db) {
    const row = db.get<{ count: number }>(
      `select count(*) as count from seen_files where length(hash) <> 32 or path = ''`,
    );
    if (row !== null && row.count > 0) yield damaged(row.count, "file hashes are invalid");
    const makers = db.get<{ count: number }>("select count(*) as count from seen_by")?.count ?? 0;
    if (makers > 1) yield damaged(makers, "versions claim the stored file hashes");
  },
};

const TREE: Check = {
  name: "parts of the tree",
  *run(db) {
    const { count } = db.get<{ count: number }>("select count(*) as count from seen_tree") ?? { count: 0 };
    if (count > 1 || (count === 1 && readSeenTree(db) === null)) yield damaged(count, "lists of the tree are damaged");
  },
};

/** Checks the vector cache at `path`; a missing file has no diagnostics. */
export const checkVectorCache = (path: string, onCheck: OnCheck): readonly Diagnostic[] =>
  checkDatabase(path, VECTOR_CACHE_SCHEMA, [BLOCKS], remedyAt(path, VECTORS), onCheck).map(asWarning);

const BLOCKS: Check = {
  name: "blocks",
  *run(db) {
    let count = 0;
    for (const row of db.each<BlockRow>(BLOCKS_SQL)) if (!isWholeBlock(row)) count += 1;
    if (count > 0) yield { severity: "error", ...VECTORS, what: `${count} blocks of vectors are damaged and not used` };
  },
};
