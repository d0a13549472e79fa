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

/** Keeps nothing: facts have another form, git has the commits, and what is about the files of one work tree is in the stat cache. */
const V6 = `
drop table entries;
drop table commits;
drop table seen_files;
drop table seen_by;
drop table glance;
`;

/**
 * Makes the cache one of what parsing found, for all work trees; the text and the term statistics of a content are in the index only. The
 * day of the last use has a table of its own, because changing a row of `entries` would write all of its facts again.
 */
const V7 = `
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
`;

const V8 = `
create table commit_packs (bucket integer primary key, sum integer not null, pack blob not null) strict;
`;

const V9 = `
create table work_trees (path text primary key, day integer not null) strict, without rowid;
`;

export const PARSE_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726134, // "cra4"
  migrations: [V1, V2, V3, V4, V5, V6, V7, V8, V9],
  digests: {
    9: "8851f70ab6101d58832d8f7ae7364d3a80aaf0841c0f9a774b0138064cdd7695",
  },
  journal: "wal",
  pageBytes: 16_384,
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
