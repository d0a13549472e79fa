/**
 * Rows of memories, experiences and values, and what they stand for.
 *
 * Invariant: what is read is held against its schema, as somebody may have edited the file; the order of fields is
 * that of the schema, so that the same entry always gives the same JSON.
 */
import { Failed } from "../../failure.ts";
import { type Checked, checked, type Entry, problemWords } from "../../memory/entry.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import { ExperienceSchema, MemorySchema, ValueSchema } from "../../memory/experience.ts";
import type { Value as Bound, Db } from "../sqlite/db.ts";
import { MEMORY_SCHEMA } from "./schema.ts";

/** Without `number`, which the table gives. */
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

type Row<Column extends string> = { readonly [Name in Column]: Bound } & { readonly number: number };
export type MemoryRow = Row<(typeof MEMORY_COLUMNS)[number]>;
export type ExperienceRow = Row<(typeof EXPERIENCE_COLUMNS)[number]>;
export type ValueRow = Row<(typeof VALUE_COLUMNS)[number]>;

export const boundMemory = (memory: Memory): readonly Bound[] => MEMORY_COLUMNS.map((column) => memory[column]);

export const boundExperience = (experience: Experience): readonly Bound[] => {
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

export const boundValue = (value: Value): readonly Bound[] => [
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

/** What a row of a table says, or what is wrong with it. */
export const memoryIn = ({ number: _, ...row }: MemoryRow): Checked<Memory> => checked(MemorySchema, row);

export const experienceIn = (row: ExperienceRow): Checked<Experience> =>
  checked(ExperienceSchema, {
    id: row.id,
    domain: row.domain,
    strategy: row.strategy,
    goal: row.goal,
    iterations: fromJson(row.iterations),
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

export const valueIn = ({ number: _, ...row }: ValueRow): Checked<Value> =>
  checked(ValueSchema, {
    ...row,
    domains: fromJson(row.domains),
    strategies: fromJson(row.strategies),
    experience_ids: fromJson(row.experience_ids),
  });

/** Null where all is null; half of it is for the schema to refuse. */
const together = (fields: Readonly<Record<string, Bound>>): unknown =>
  Object.values(fields).every((value) => value === null) ? null : fields;

function fromJson(json: Bound): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return undefined; // The schema refuses it.
  }
}

/** What is in a row; throws `memory-damaged` for one that no cra has written. */
export const memoryFrom = (db: Db, row: MemoryRow): Memory => sound(db, row.id, memoryIn(row));
export const experienceFrom = (db: Db, row: ExperienceRow): Experience => sound(db, row.id, experienceIn(row));
export const valueFrom = (db: Db, row: ValueRow): Value => sound(db, row.id, valueIn(row));

/** The same as an entry. */
export const memoryEntry = (db: Db, row: MemoryRow): Entry => ({ type: "memory", ...memoryFrom(db, row) });
export const experienceEntry = (db: Db, row: ExperienceRow): Entry => ({
  type: "experience",
  ...experienceFrom(db, row),
});

function sound<T>(db: Db, id: Bound, result: Checked<T>): T {
  if (result.ok) return result.value;
  throw new Failed(MEMORY_SCHEMA.damaged(db.path, `${String(id)}: ${problemWords(result.problem)}`));
}
