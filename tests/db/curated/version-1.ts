/** The schema of the index up to version 1, which cra 0.1.0 wrote. */
import { CURATED_SCHEMA } from "../../../src/db/curated/schema.ts";

const TABLES = `
create table meta (key text primary key, value text not null) strict, without rowid;
create table repos (
  id integer primary key, path text not null, remote_url text, head text, indexed_at text not null
) strict;
create table files (
  id integer primary key,
  repo_id integer not null references repos(id) on delete cascade,
  path text not null unique,
  language text not null,
  content_hash text not null,
  size_bytes integer not null,
  line_count integer not null,
  token_count integer not null,
  is_test integer not null,
  modified_at integer,
  parse_problem text,
  interface_hash text not null
) strict;
create index files_repo on files(repo_id);
create table file_texts (
  file_id integer primary key references files(id) on delete cascade, text blob not null
) strict;
create table file_terms (
  file_id integer primary key references files(id) on delete cascade, stats blob not null
) strict;
create table symbols (
  id integer primary key,
  file_id integer not null references files(id) on delete cascade,
  name text not null,
  qualified_name text not null,
  kind text not null,
  start_line integer not null,
  end_line integer not null,
  doc_line integer not null,
  name_line integer not null,
  signature text not null,
  signature_tokens integer not null,
  body_tokens integer not null,
  parent_id integer references symbols(id) on delete cascade,
  exported integer not null
) strict;
create index symbols_file on symbols(file_id);
create index symbols_name on symbols(name);
create index symbols_parent on symbols(parent_id);
create table docstrings (
  file_id integer not null references files(id) on delete cascade,
  symbol_id integer references symbols(id) on delete cascade,
  content text not null,
  format text not null
) strict;
create index docstrings_file on docstrings(file_id);
create index docstrings_symbol on docstrings(symbol_id);
create table comments (
  file_id integer not null references files(id) on delete cascade,
  symbol_id integer references symbols(id) on delete cascade,
  line integer not null,
  content text not null,
  kind text not null,
  is_rationale integer not null
) strict;
create index comments_file on comments(file_id);
create index comments_symbol on comments(symbol_id);
create table dependencies (
  source_file_id integer not null references files(id) on delete cascade,
  target_file_id integer not null references files(id) on delete cascade,
  kind text not null,
  primary key (source_file_id, target_file_id, kind)
) strict, without rowid;
create index dependencies_target on dependencies(target_file_id);
create table symbol_references (
  caller_id integer not null references symbols(id) on delete cascade,
  callee_id integer not null references symbols(id) on delete cascade,
  kind text not null,
  confidence real not null,
  primary key (caller_id, callee_id, kind)
) strict, without rowid;
create index symbol_references_callee on symbol_references(callee_id);
create table commits (
  id integer primary key,
  hash text not null unique,
  author text not null,
  message text not null,
  timestamp integer not null,
  files_changed integer not null,
  insertions integer,
  deletions integer
) strict;
create index commits_timestamp on commits(timestamp);
create table file_commits (
  file_id integer not null references files(id) on delete cascade,
  commit_id integer not null references commits(id) on delete cascade,
  primary key (file_id, commit_id)
) strict, without rowid;
create index file_commits_commit on file_commits(commit_id);
create table test_sources (
  test_file_id integer not null references files(id) on delete cascade,
  source_file_id integer not null references files(id) on delete cascade,
  score real not null,
  by text not null,
  primary key (test_file_id, source_file_id)
) strict, without rowid;
create index test_sources_source on test_sources(source_file_id);
create table co_changes (
  a integer not null references files(id) on delete cascade,
  b integer not null references files(id) on delete cascade,
  count integer not null,
  last_commit integer not null,
  primary key (a, b),
  check (a < b)
) strict, without rowid;
create index co_changes_b on co_changes(b);
create table file_metadata (
  file_id integer primary key references files(id) on delete cascade,
  purpose text,
  module text,
  domain text,
  concepts text not null,
  public_api_surface text,
  complexity_notes text
) strict;
create table index_skips (path text primary key, reason text not null) strict, without rowid;
create virtual table file_search using fts5(
  path, content, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_$'"
);
create virtual table symbol_search using fts5(
  name, signature, doc, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_$'"
);
create virtual table commit_search using fts5(
  message, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_$'"
);
`;

/** All migrations, with the first as 0.1.0 had it. */
export const WITH_VERSION_1 = { ...CURATED_SCHEMA, migrations: CURATED_SCHEMA.migrations.with(0, TABLES) };
