/**
 * Memories, experiences and values by their ids, many in one statement. What is not stored is left out.
 */
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Db } from "../sqlite/db.ts";
import { type ExperienceRow, experienceFrom, type MemoryRow, memoryFrom, type ValueRow, valueFrom } from "./rows.ts";

const byId = <Row>(db: Db, table: string, ids: readonly string[]): readonly Row[] =>
  db.all<Row>(`select * from ${table} where id in (select value from json_each(?1)) order by id`, JSON.stringify(ids));

export const memoriesById = (db: Db, ids: readonly string[]): readonly Memory[] =>
  byId<MemoryRow>(db, "memories", ids).map((row) => memoryFrom(db, row));

export const experiencesById = (db: Db, ids: readonly string[]): readonly Experience[] =>
  byId<ExperienceRow>(db, "experiences", ids).map((row) => experienceFrom(db, row));

export const valuesById = (db: Db, ids: readonly string[]): readonly Value[] =>
  byId<ValueRow>(db, "experience_values", ids).map((row) => valueFrom(db, row));
