/**
 * Finds entries by id and by filters.
 *
 * Invariant: the order is total: the newest first, then by id. Not here: ranking (`search.ts`).
 */
import { Failed } from "../../failure.ts";
import type { Entry } from "../../memory/entry.ts";
import { inOrder } from "../../text/order.ts";
import type { Db, Value } from "../sqlite/db.ts";
import { matchExpression, queryWords } from "../sqlite/full-text.ts";
import { type ExperienceRow, experienceEntry, type MemoryRow, memoryEntry } from "./rows.ts";
import { AXIS_SEARCH } from "./schema.ts";
import type { EntryFilter } from "./store.ts";
import { stored } from "./write.ts";

/** How many ids a message names. */
const NAMED_MAX = 4;

/** The entry with this id, or the only one whose id begins so. */
export function entryBeginning(db: Db, prefix: string): Entry | null {
  if (prefix === "") return null;
  // No character of an id comes after "~".
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
    const message = `several entries have an id that begins with ${prefix}: ${named.join(", ")}${ids.length === NAMED_MAX ? ", …" : ""}`;
    throw new Failed({ code: "usage", message, next: "type more of it" });
  }
  return stored(db, found.id)?.entry ?? null;
}

/**
 * A filter on what only one type has leaves out the other. A row that is damaged is handed to `onDamaged`, and the rest is
 * listed; without one it is thrown.
 */
export function listed(db: Db, filter: EntryFilter, onDamaged?: (damage: Failed) => void): readonly Entry[] {
  const { type, category, domain, strategy, outcome, confidence, text, limit = Number.MAX_SAFE_INTEGER } = filter;
  const match = text === undefined ? undefined : matchExpression(queryWords(text), "all");
  // A text without a word in it is nowhere.
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

type Condition = readonly [sql: string, value: Value];

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
