/** The schema of the parse cache up to version 5, which cra 0.1.0 wrote. */
import { PARSE_CACHE_SCHEMA } from "../../../src/db/parse-cache/schema.ts";

const TABLES = `
create table seen_files (path text primary key, mark text not null, hash text not null, skip text, sum integer not null)
  strict, without rowid;
create table seen_by (maker text not null) strict;
create table commits (hash text primary key, record text not null, sum integer not null) strict, without rowid;
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
create table glance (hash text not null) strict;
`;

/** All migrations, with the fifth as 0.1.0 had it. */
export const WITH_VERSION_5 = { ...PARSE_CACHE_SCHEMA, migrations: PARSE_CACHE_SCHEMA.migrations.with(4, TABLES) };
