/**
 * What must hold of the parse cache: every row has the bytes that were written.
 *
 * A row that has not counts as absent, so it costs time and no answer. Not here: SQLite's own checks
 * (`database.ts`).
 */

import { ENTRIES_SQL, isWholeEntry, type StoredEntry } from "../parse-cache/parse-cache.ts";
import { PARSE_CACHE_SCHEMA } from "../parse-cache/schema.ts";
import { type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import { type Finding, MEND } from "./diagnostic.ts";

const REMEDY: Remedy = { code: "cache-damaged", mend: MEND.cache };

/** Looks at the cache at `path`; none where there is none. What is damaged in it is found out when it is used. */
export const checkParseCache = (path: string, onCheck: OnCheck): readonly Finding[] =>
  checkDatabase(path, PARSE_CACHE_SCHEMA, [ENTRIES, COMMITS, SEEN, GLANCE], REMEDY, onCheck).map((finding) =>
    finding.severity === "error" ? { ...finding, severity: "warning" } : finding,
  );

const spoilt = (count: number, what: string) => ({
  severity: "error" as const,
  ...REMEDY,
  what: `${count} ${what}, which is done again when it is needed`,
});

const ENTRIES: Check = {
  name: "entries",
  *look(db) {
    let count = 0;
    for (const row of db.each<StoredEntry>(ENTRIES_SQL)) if (!isWholeEntry(row)) count += 1;
    if (count > 0) yield spoilt(count, "entries of parsing are damaged");
  },
};

const COMMITS: Check = {
  name: "commits",
  *look(db) {
    let count = 0;
    for (const { record, sum } of db.each<{ record: string; sum: number }>("select record, sum from commits"))
      if (sum !== Bun.hash.crc32(record)) count += 1;
    if (count > 0) yield spoilt(count, "commits that were read are damaged");
  },
};

/** Who reads it takes the first row and compares it, so that what is wrong here is never believed. */
const GLANCE: Check = {
  name: "last look",
  *look(db) {
    const row = db.get<{ count: number; whole: number | null }>(
      `select count(*) as count, sum(length(hash) = 64 and hash not glob '*[^0-9a-f]*') as whole from glance`,
    );
    if (row !== null && (row.count > 1 || (row.whole ?? 0) !== row.count))
      yield spoilt(row.count, "last looks are none");
  },
};

/** These rows have no checksum; an index run trusts them, so what cannot be is an error like any other. */
const SEEN: Check = {
  name: "seen files",
  *look(db) {
    const row = db.get<{ count: number }>(
      `select count(*) as count from seen_files where length(hash) <> 64 or hash glob '*[^0-9a-f]*' or path = ''`,
    );
    if (row !== null && row.count > 0) yield spoilt(row.count, "hashes of files are none");
    const makers = db.get<{ count: number }>("select count(*) as count from seen_by")?.count ?? 0;
    if (makers > 1) yield spoilt(makers, "versions say that they saw the files");
  },
};
