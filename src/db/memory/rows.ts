/**
 * Converts rows of memories, experiences and values to entries and back.
 *
 * Rows are validated when read, since someone may have edited the file. Fields come in schema order, so an entry always has the
 * same JSON.
 */

import { Failed } from "../../failure.ts";
import { type Checked, checked, type Entry, problemWords } from "../../memory/entry.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import { ExperienceSchema, MemorySchema, ValueSchema } from "../../memory/experience.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Db, SqlValue } from "../sqlite/db.ts";
import { MEMORY_SCHEMA } from "./schema.ts";

/** The columns except `number`, the rowid. */
export const MEMORY_COLUMNS = ["id", "content", "category", "importance", "created_at"] as const;
export const EXPERIENCE_COLUMNS = [
  "id",
  "domain",
  "strategy",
  "goal",
  "iterations",
  "outcome_status",
  "outcome_result",
  "surprise",
  "root_cause_category",
  "root_cause_description",
  "lesson_what_worked",
  "lesson_takeaway",
  "confidence",
  "task_id",
  "created_at",
  "updated_at",
] as const;
export const VALUE_COLUMNS = [
  "id",
  "axis",
  "cluster_id",
  "cluster_size",
  "text",
  "similarity_to_centroid",
  "domains",
  "strategies",
  "experience_ids",
] as const;

type Row<Column extends string> = { readonly [Name in Column]: SqlValue } & { readonly number: number };
export type MemoryRow = Row<(typeof MEMORY_COLUMNS)[number]>;
export type ExperienceRow = Row<(typeof EXPERIENCE_COLUMNS)[number]>;
export type ValueRow = Row<(typeof VALUE_COLUMNS)[number]>;

export const memoryParams = (memory: Memory): readonly SqlValue[] => MEMORY_COLUMNS.map((column) => memory[column]);

export const experienceParams = (experience: Experience): readonly SqlValue[] => {
  const { outcome, root_cause, lesson } = experience;
  return [
    experience.id,
    experience.domain,
    experience.strategy,
    experience.goal,
    JSON.stringify(experience.iterations),
    outcome?.status ?? null,
    outcome?.result ?? null,
    experience.surprise,
    root_cause?.category ?? null,
    root_cause?.description ?? null,
    lesson?.what_worked ?? null,
    lesson?.takeaway ?? null,
    experience.confidence,
    experience.task_id,
    experience.created_at,
    experience.updated_at,
  ];
};

export const valueParams = (value: Value): readonly SqlValue[] => [
  value.id,
  value.axis,
  value.cluster_id,
  value.cluster_size,
  value.text,
  value.similarity_to_centroid,
  JSON.stringify(value.domains),
  JSON.stringify(value.strategies),
  JSON.stringify(value.experience_ids),
];

/** The entry in a row, or what is wrong with it. */
export const parseMemory = ({ number: _, ...row }: MemoryRow): Checked<Memory> => checked(MemorySchema, row);

export const parseExperience = (row: ExperienceRow): Checked<Experience> =>
  checked(ExperienceSchema, {
    id: row.id,
    domain: row.domain,
    strategy: row.strategy,
    goal: row.goal,
    iterations: parseJson(String(row.iterations)),
    outcome: together({ status: row.outcome_status, result: row.outcome_result }),
    surprise: row.surprise,
    root_cause: together({ category: row.root_cause_category, description: row.root_cause_description }),
    lesson:
      row.lesson_what_worked === null && row.lesson_takeaway === null
        ? null
        : { what_worked: row.lesson_what_worked, takeaway: row.lesson_takeaway },
    confidence: row.confidence,
    task_id: row.task_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  });

export const parseValue = ({ number: _, ...row }: ValueRow): Checked<Value> =>
  checked(ValueSchema, {
    ...row,
    domains: parseJson(String(row.domains)),
    strategies: parseJson(String(row.strategies)),
    experience_ids: parseJson(String(row.experience_ids)),
  });

/** Null if all fields are null; the schema rejects a partial object. */
const together = (fields: Readonly<Record<string, SqlValue>>): unknown =>
  Object.values(fields).every((value) => value === null) ? null : fields;

/** The entry in a row; throws `memory-damaged` for an invalid row. */
export const toMemory = (db: Db, row: MemoryRow): Memory => sound(db, row.id, parseMemory(row));
export const toExperience = (db: Db, row: ExperienceRow): Experience => sound(db, row.id, parseExperience(row));
export const toValue = (db: Db, row: ValueRow): Value => sound(db, row.id, parseValue(row));

/** The entry in a row, with its type. */
export const memoryEntry = (db: Db, row: MemoryRow): Entry => ({ type: "memory", ...toMemory(db, row) });
export const experienceEntry = (db: Db, row: ExperienceRow): Entry => ({
  type: "experience",
  ...toExperience(db, row),
});

function sound<T>(db: Db, id: SqlValue, result: Checked<T>): T {
  if (result.ok) return result.value;
  throw new Failed(MEMORY_SCHEMA.damaged(db.path, `${String(id)}: ${problemWords(result.problem)}`));
}
