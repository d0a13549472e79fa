/**
 * The migrations of the curated index. Only the newest has tables, since an older index is made again; a released version keeps its digest.
 *
 * Full-text tables are contentless: they hold only the inverted index, under the id of the row they describe. The `insertions`
 * and `deletions` of a commit stay null: counting lines of 5,000 commits takes git 3 seconds, where reading their paths takes .2.
 * Recall lets git count the few commits that it shows (`app/memory/commit-details.ts`).
 */
import { isOutline, LANGUAGE_NAMES } from "../../languages/languages.ts";
import { dropChecksum } from "../sqlite/checksum.ts";
import type { Schema } from "../sqlite/db.ts";

/** Versions before the fifth, of which 0.1.0 wrote the first, leave their files, commits and metadata to the fifth. */
const EARLIER: readonly string[] = Array.from({ length: 4 }, () => "select 1");

/**
 * Keeps the files of an older index under their ids, with what a model said of them. Without its description (`meta`) the index counts as
 * none, so all else is written again.
 *
 * - `file_search` has the words of a file without places and counts, which are in its term statistics (`file-ranks.ts`).
 * - `term_count` is the number of terms in a file's path and text, with repeats.
 * - `term_blocks` has the statistics, in blocks of files (`term-blocks.ts`); `path_blocks` has the words of their paths (`path-blocks.ts`).
 * - Texts that repeat from row to row are stored as numbers; generated columns read as the texts.
 * - No index finds the children of a definition: they lie in the same file, whose definitions are read together.
 * - `secret_free_by` is the version of the rules that found no secret in the file: its text is not searched again when it is shown.
 * - `exact_uses` has what a SCIP index states for files whose content it was made from. An empty `callee` has no row, and
 *   nothing else is guessed for that name.
 */
const V5 = `
drop index if exists files_repo;
drop table if exists file_search;
drop table if exists file_terms;
drop table if exists symbol_references;
drop table if exists dependencies;
drop table if exists comments;
drop table if exists docstrings;
drop table if exists symbols;
create table if not exists meta (key text primary key, value text not null) strict, without rowid;
create table if not exists repos (
  id integer primary key, path text not null, remote_url text, head text, indexed_at text not null
) strict;
create table if not exists files (
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
create table if not exists file_texts (
  file_id integer primary key references files(id) on delete cascade, text blob not null
) strict;
create table if not exists commits (
  id integer primary key,
  hash text not null unique,
  author text not null,
  message text not null,
  timestamp integer not null,
  files_changed integer not null,
  insertions integer,
  deletions integer
) strict;
create index if not exists commits_timestamp on commits(timestamp);
create table if not exists file_commits (
  file_id integer not null references files(id) on delete cascade,
  commit_id integer not null references commits(id) on delete cascade,
  primary key (file_id, commit_id)
) strict, without rowid;
create index if not exists file_commits_commit on file_commits(commit_id);
create table if not exists test_sources (
  test_file_id integer not null references files(id) on delete cascade,
  source_file_id integer not null references files(id) on delete cascade,
  score real not null,
  by text not null,
  primary key (test_file_id, source_file_id)
) strict, without rowid;
create index if not exists test_sources_source on test_sources(source_file_id);
create table if not exists co_changes (
  a integer not null references files(id) on delete cascade,
  b integer not null references files(id) on delete cascade,
  count integer not null,
  last_commit integer not null,
  primary key (a, b),
  check (a < b)
) strict, without rowid;
create index if not exists co_changes_b on co_changes(b);
create table if not exists file_metadata (
  file_id integer primary key references files(id) on delete cascade,
  purpose text,
  module text,
  domain text,
  concepts text not null,
  public_api_surface text,
  complexity_notes text
) strict;
create table if not exists index_skips (path text primary key, reason text not null) strict, without rowid;
create virtual table if not exists symbol_search using fts5(
  name, signature, doc, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_$'"
);
create virtual table if not exists commit_search using fts5(
  message, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_$'"
);
delete from meta;
delete from symbol_search;
alter table files add column secret_free_by text;
alter table files add column term_count integer not null default 0;
create virtual table file_search using fts5(
  terms, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_$'"
);
create table term_blocks (id integer primary key, stats blob not null) strict;
create table path_blocks (id integer primary key, words blob not null) strict;
create table symbols (
  id integer primary key,
  file_id integer not null references files(id) on delete cascade,
  name text not null,
  owner text not null,
  other_name text,
  kind_number integer not null,
  start_line integer not null,
  end_line integer not null,
  doc_line integer not null,
  name_line integer not null,
  signature text not null,
  signature_tokens integer not null,
  body_tokens integer not null,
  parent_id integer,
  exported integer not null,
  qualified_name text not null generated always as (coalesce(other_name, owner || name)) virtual,
  kind text not null generated always as (case kind_number when 0 then 'function' when 1 then 'method' when 2 then 'class'
    when 3 then 'interface' when 4 then 'type_alias' when 5 then 'enum' when 6 then 'namespace' when 7 then 'variable'
    when 8 then 'property' end) virtual
) strict;
create index symbols_file on symbols(file_id);
create index symbols_name on symbols(name);
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
  symbol_id integer,
  line integer not null,
  content text not null,
  kind text not null,
  is_rationale integer not null
) strict;
create index comments_file on comments(file_id);
create table dependencies (
  source_file_id integer not null references files(id) on delete cascade,
  target_file_id integer not null references files(id) on delete cascade,
  kind_number integer not null,
  kind text not null generated always as (case kind_number when 0 then 'import' when 1 then 'type_ref' end) virtual,
  primary key (source_file_id, target_file_id, kind_number)
) strict, without rowid;
create index dependencies_target on dependencies(target_file_id);
create table symbol_references (
  caller_id integer not null references symbols(id) on delete cascade,
  callee_id integer not null references symbols(id) on delete cascade,
  kind_number integer not null,
  percent integer not null,
  kind text not null generated always as (case kind_number when 0 then 'call' when 1 then 'decorate' when 2 then 'implement'
    when 3 then 'inherit' when 4 then 'type' when 5 then 'use' end) virtual,
  confidence real not null generated always as (percent / 100.0) virtual,
  primary key (caller_id, callee_id, kind_number)
) strict, without rowid;
create index symbol_references_callee on symbol_references(callee_id);
create table exact_files (path text primary key, content_hash text not null) strict, without rowid;
create table exact_uses (
  path text not null references exact_files(path) on delete cascade,
  caller integer not null,
  name text not null,
  callee_path text not null,
  callee text not null,
  kind text not null,
  primary key (path, caller, name, callee_path, callee, kind)
) strict, without rowid;
`;

/** The numbers of kinds are their places in these lists, as in the tables. */
export const DEPENDENCY_KINDS: readonly string[] = ["import", "type_ref"];
export const REFERENCE_KINDS: readonly string[] = ["call", "decorate", "implement", "inherit", "type", "use"];

export const CURATED_SCHEMA: Schema = {
  applicationId: 0x63726131, // "cra1"
  migrations: [...EARLIER, V5],
  digests: {
    1: "b6de77b4c8fd2d63f4afa15bcb568027fd170b4eaf5412180ffbd294e555f2ca",
    5: "f6cbde7546f6189b161fbe754489740daaa8797007bda0ec58f4dc3a8d0592d6",
  },
  journal: "wal",
  erases: true,
  // Otherwise the next check would take the new bytes for damage.
  beforeMigration: dropChecksum,
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

/** A condition on the file `f`: its symbols are parts of an outline (headings, keys, selectors). Ranking leaves those out. */
export const OUTLINED = `f.language in (${LANGUAGE_NAMES.filter(isOutline)
  .map((language) => `'${language}'`)
  .join(", ")})`;
