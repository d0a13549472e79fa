/** The migrations of the parse cache. Only the newest has tables, since an older cache begins anew; a released version keeps its digest. */
import type { Schema } from "../sqlite/db.ts";

/**
 * Versions before the ninth, of which 0.1.0 wrote the fifth, had facts of another form, and commits, which git has. Nothing is kept of them.
 */
const EARLIER: readonly string[] = Array.from({ length: 8 }, () => "select 1");

/**
 * What parsing found, for all work trees; the text and the term statistics of a content are in the index only. The
 * day of the last use has a table of its own, because changing a row of `entries` would write all of its facts again.
 */
const V9 = `
drop table if exists entries;
drop table if exists commits;
drop table if exists seen_files;
drop table if exists seen_by;
drop table if exists glance;
create table entries (
  id integer primary key,
  key blob not null unique,
  extractor text not null,
  facts_sum integer not null,
  uses_sum integer not null,
  prose_sum integer not null,
  facts blob not null,
  uses blob not null,
  prose blob not null
) strict;
create table last_used (entry integer primary key, day integer not null, bytes integer not null) strict;
create table commit_packs (bucket integer primary key, sum integer not null, pack blob not null) strict;
create table work_trees (path text primary key, day integer not null) strict, without rowid;
`;

export const PARSE_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726134, // "cra4"
  migrations: [...EARLIER, V9],
  digests: {
    5: "fdcfc700df51dcfb513c70ff99762a0e594c51d2f237433396341097ca220cbc",
    9: "8851f70ab6101d58832d8f7ae7364d3a80aaf0841c0f9a774b0138064cdd7695",
  },
  journal: "wal",
  pageBytes: 16_384,
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
