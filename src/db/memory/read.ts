/** Reads entries by id, by id prefix and by filters. Lists are ordered newest first, then by id. */
import { Failed } from "../../failure.ts";
import type { Entry } from "../../memory/entry.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import { inOrder } from "../../text/order.ts";
import type { Db, SqlValue } from "../sqlite/db.ts";
import { matchExpression, queryWords } from "../sqlite/full-text.ts";
import {
  type ExperienceRow,
  experienceEntry,
  type MemoryRow,
  memoryEntry,
  toExperience,
  toMemory,
  toValue,
  type ValueRow,
} from "./rows.ts";
import { AXIS_SEARCH } from "./schema.ts";
import type { EntryFilter } from "./store.ts";
import { findEntry } from "./write.ts";

const NAMED_MAX = 4;

/** The entry with this id, or the only one whose id starts with it. Throws a usage failure for several. */
export function entryByPrefix(db: Db, prefix: string): Entry | null {
  if (prefix === "") return null;
  // "~" sorts after every character of an id.
  const ids = db.all<{ id: string }>(
    `select id from memories where id >= ?1 and id < ?1 || '~'
     union all select id from experiences where id >= ?1 and id < ?1 || '~' order by id limit ?2`,
    prefix,
    NAMED_MAX,
  );
  const found = ids.find(({ id }) => id === prefix) ?? ids[0];
  if (found === undefined) return null;
  if (ids.length > 1 && found.id !== prefix) {
    const named = ids.slice(0, NAMED_MAX - 1).map(({ id }) => id);
    const message = `several ids start with ${prefix}: ${named.join(", ")}${ids.length === NAMED_MAX ? ", …" : ""}`;
    throw new Failed({ code: "usage", message, next: "type more of the id" });
  }
  return findEntry(db, found.id)?.entry ?? null;
}

/** Filtering by a field of one type leaves out the other type. A damaged row goes to `onDamaged`; without it, it is thrown. */
export function listEntries(db: Db, filter: EntryFilter, onDamaged?: (damage: Failed) => void): readonly Entry[] {
  const { type, category, domain, strategy, outcome, confidence, text, limit = Number.MAX_SAFE_INTEGER } = filter;
  const match = text === undefined ? undefined : matchExpression(queryWords(text), "all");
  // A text without words matches nothing.
  if (match === null || limit < 1) return [];
  const isOfExperiences = [domain, strategy, outcome, confidence].some((wanted) => wanted !== undefined);
  const memories = (): readonly Entry[] =>
    rows<MemoryRow>(db, "memories", limit, [
      ...given("category = ?", category),
      ...given("number in (select rowid from memory_search where memory_search match ?)", match),
    ]).flatMap((row) => entryIn(() => memoryEntry(db, row), onDamaged));
  const experiences = (): readonly Entry[] =>
    rows<ExperienceRow>(db, "experiences", limit, [
      ...given("domain = ?", domain),
      ...given("strategy = ?", strategy),
      ...given("coalesce(outcome_status, 'open') = ?", outcome),
      ...given("confidence = ?", confidence),
      ...given(`number in (select rowid from ${AXIS_SEARCH.full} where ${AXIS_SEARCH.full} match ?)`, match),
    ]).flatMap((row) => entryIn(() => experienceEntry(db, row), onDamaged));
  return [
    ...(type === "experience" || isOfExperiences ? [] : memories()),
    ...(type === "memory" || category !== undefined ? [] : experiences()),
  ]
    .sort((a, b) => inOrder(b.created_at, a.created_at) || inOrder(a.id, b.id))
    .slice(0, limit);
}

function entryIn(read: () => Entry, onDamaged?: (damage: Failed) => void): readonly Entry[] {
  try {
    return [read()];
  } catch (error) {
    if (onDamaged === undefined || !(error instanceof Failed)) throw error;
    onDamaged(error);
    return [];
  }
}

type Condition = readonly [sql: string, value: SqlValue];

const given = (sql: string, value: string | undefined): readonly Condition[] =>
  value === undefined ? [] : [[sql, value]];

const rows = <Row>(
  db: Db,
  table: "memories" | "experiences",
  limit: number,
  conditions: readonly Condition[],
): readonly Row[] =>
  db.all<Row>(
    `select * from ${table} where true${conditions.map(([sql]) => ` and ${sql}`).join("")}
     order by created_at desc, id limit ?`,
    ...conditions.map(([, value]) => value),
    limit,
  );

const byId = <Row>(db: Db, table: string, ids: readonly string[]): readonly Row[] =>
  db.all<Row>(`select * from ${table} where id in (select value from json_each(?1)) order by id`, JSON.stringify(ids));

export const memoriesById = (db: Db, ids: readonly string[]): readonly Memory[] =>
  byId<MemoryRow>(db, "memories", ids).map((row) => toMemory(db, row));

export const experiencesById = (db: Db, ids: readonly string[]): readonly Experience[] =>
  byId<ExperienceRow>(db, "experiences", ids).map((row) => toExperience(db, row));

export const valuesById = (db: Db, ids: readonly string[]): readonly Value[] =>
  byId<ValueRow>(db, "experience_values", ids).map((row) => toValue(db, row));
