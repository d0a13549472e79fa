/** The migrations of the parse cache. The list only grows: a released migration never changes. */
import type { Schema } from "../sqlite/db.ts";
import { COUNT_TABLES } from "./count-cache.ts";
import { STAT_TABLES } from "./stat-cache.ts";

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

export const PARSE_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726134, // "cra4"
  migrations: [V1, V2, STAT_TABLES, V4, V5, COUNT_TABLES],
  digests: {
    5: "fdcfc700df51dcfb513c70ff99762a0e594c51d2f237433396341097ca220cbc",
    6: "778c636c1c22620408306313c2d557890bda60ee9447f01b680fed8660d3c25a",
  },
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
