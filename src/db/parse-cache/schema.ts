/** The migrations of the parse cache. The list only grows: a released migration never changes. */
import type { Schema } from "../sqlite/db.ts";

const V1 = `
create table entries (
  key text not null,
  extractor text not null,
  generation integer not null,
  bytes integer not null,
  facts blob not null,
  stats blob not null,
  text blob not null,
  primary key (key, extractor)
) strict;
create index entries_generation on entries(generation);
create table commits (hash text primary key, record text not null) strict, without rowid;
`;

/** Adds checksums, without which a damaged byte could become a fact. */
const V2 = `
drop table entries;
create table entries (
  key text not null,
  extractor text not null,
  generation integer not null,
  bytes integer not null,
  facts blob not null,
  facts_sum integer not null,
  stats blob not null,
  text blob not null,
  content_sum integer not null,
  primary key (key, extractor)
) strict;
create index entries_generation on entries(generation);
drop table commits;
create table commits (hash text primary key, record text not null, sum integer not null) strict, without rowid;
`;

const V3 = `
create table seen_files (path text primary key, mark text not null, hash text not null, skip text, sum integer not null)
  strict, without rowid;
create table seen_by (maker text not null) strict;
`;

/** Splits facts into parts that are read separately; the most requested comes first. */
const V4 = `
drop table entries;
create table entries (
  key text not null,
  extractor text not null,
  generation integer not null,
  bytes integer not null,
  facts_sum integer not null,
  uses_sum integer not null,
  prose_sum integer not null,
  content_sum integer not null,
  facts blob not null,
  uses blob not null,
  prose blob not null,
  stats blob not null,
  text blob not null,
  primary key (key, extractor)
) strict;
create index entries_generation on entries(generation, bytes);
`;

/** Adds the change fingerprint, at most one row. It is compared as a whole, so a damaged one never matches. */
const V5 = `
create table glance (hash text not null) strict;
`;

const V6 = `
create table counts (
  hash text primary key,
  extractor text not null,
  lines integer not null,
  chars integer not null,
  sum integer not null,
  stats blob not null
) strict;
`;

/**
 * Makes the cache one of contents only, for all work trees: what is about the files of one is in the stat cache. The day of the last
 * use has a table of its own, because changing a row of `entries` would write all of its facts again.
 */
const V7 = `
drop table seen_files;
drop table seen_by;
drop table glance;
drop table counts;
alter table commits add column day integer not null default 0;
alter table entries rename to older_entries;
create table entries (
  key text not null,
  extractor text not null,
  facts_sum integer not null,
  uses_sum integer not null,
  prose_sum integer not null,
  content_sum integer not null,
  facts blob not null,
  uses blob not null,
  prose blob not null,
  stats blob not null,
  text blob not null,
  primary key (key, extractor)
) strict;
create table last_used (
  key text not null,
  extractor text not null,
  day integer not null,
  bytes integer not null,
  primary key (key, extractor)
) strict, without rowid;
insert into last_used select key, extractor, 0, bytes from older_entries;
insert into entries select key, extractor, facts_sum, uses_sum, prose_sum, content_sum, facts, uses, prose, stats, text
  from older_entries;
drop table older_entries;
create index last_used_day on last_used(day, bytes);
create table work_trees (path text primary key, day integer not null) strict, without rowid;
`;

/**
 * Packs commits together, and names the day of an entry's last use by its number. Nothing is kept: facts have another form, and git has
 * the commits.
 */
const V8 = `
drop table entries;
drop table last_used;
drop table commits;
create table entries (
  id integer primary key,
  key text not null,
  extractor text not null,
  facts_sum integer not null,
  uses_sum integer not null,
  prose_sum integer not null,
  content_sum integer not null,
  facts blob not null,
  uses blob not null,
  prose blob not null,
  stats blob not null,
  text blob not null,
  unique (key, extractor)
) strict;
create table last_used (entry integer primary key, day integer not null, bytes integer not null) strict;
create table commit_packs (bucket integer primary key, sum integer not null, pack blob not null) strict;
`;

export const PARSE_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726134, // "cra4"
  migrations: [V1, V2, V3, V4, V5, V6, V7, V8],
  digests: {
    6: "778c636c1c22620408306313c2d557890bda60ee9447f01b680fed8660d3c25a",
    7: "e704c7eedf01d78d12e0e1420e06f8b603d36a8148dd99245c420be105f4cec7",
    8: "121ee39b14fa96a27d7d01926860488300f7ded7c715466559ec49e94decb8f9",
  },
  journal: "wal",
  pageBytes: 16_384,
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
