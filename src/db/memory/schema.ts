/**
 * The migrations of the memory store. The list only grows: a released migration never changes.
 *
 * It uses a rollback journal instead of a write-ahead log, so that reading never writes a file. Full-text tables are contentless, one
 * per searched text, with stemming. Lists are JSON texts, times ISO texts.
 */
import type { Axis } from "../../memory/vocabulary.ts";
import type { Schema } from "../sqlite/db.ts";

/** The full-text table of each axis; its rowids are the numbers of experiences. */
export const AXIS_SEARCH = {
  full: "full_search",
  strategy: "strategy_search",
  surprise: "surprise_search",
  root_cause: "root_cause_search",
} as const satisfies Record<Axis, string>;

/** SQL conditions: whether an experience has a text on an axis, in agreement with `axisText`. */
export const HAS = {
  full: "true",
  strategy: "outcome_status is not null",
  surprise: "surprise is not null",
  root_cause: "root_cause_category is not null",
} as const satisfies Record<Axis, string>;

const fullText = (name: string): string => `
create virtual table ${name} using fts5(
  text, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 0 tokenchars '_$'"
);`;

const V1 = `
create table memories (
  number integer primary key, id text not null unique, content text not null, category text not null,
  importance real not null, created_at text not null
) strict;
create index memories_newest on memories(created_at desc, id);
create table experiences (
  number integer primary key, id text not null unique, domain text not null, strategy text not null,
  goal text not null, iterations text not null, outcome_status text, outcome_result text, surprise text,
  root_cause_category text, root_cause_description text, lesson_what_worked text, lesson_takeaway text,
  confidence text not null, task_id text, created_at text not null, updated_at text not null
) strict;
create index experiences_newest on experiences(created_at desc, id);
create table experience_values (
  number integer primary key, id text not null unique, axis text not null, cluster_id text not null,
  cluster_size integer not null, text text not null, similarity_to_centroid real not null, domains text not null,
  strategies text not null, experience_ids text not null
) strict;
create table vectors (
  model text not null, id text not null, axis text not null, text_hash text not null,
  vector blob not null check (length(vector) > 0 and length(vector) % 4 = 0), primary key (model, id, axis)
) strict, without rowid;
create index vectors_id on vectors(id);
${["memory_search", "value_search", ...Object.values(AXIS_SEARCH)].map(fullText).join("")}
`;

export const MEMORY_SCHEMA: Schema = {
  applicationId: 0x63726135, // "cra5"
  migrations: [V1],
  journal: "delete",
  damaged: (path, why) => ({ code: "memory-damaged", path, why }),
};
