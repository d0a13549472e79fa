/**
 * Full-text search in the memory store, for any words that a user types.
 *
 * Any word matches; more and rarer words rank higher (BM25), and ties end on time and id. Without words, the newest entries come
 * first, for values the largest. Text in which no word is indexed, such as a single letter, matches nothing.
 */
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Domain, Strategy } from "../../memory/vocabulary.ts";
import type { Db, SqlValue } from "../sqlite/db.ts";
import { matchExpression, queryWords } from "../sqlite/full-text.ts";
import { type ExperienceRow, type MemoryRow, toExperience, toMemory, toValue, type ValueRow } from "./rows.ts";
import { AXIS_SEARCH, HAS } from "./schema.ts";
import type { ExperienceFilter, Ranked } from "./store.ts";

/** A table, its full-text table, conditions on its rows with their values, and the order of ties. */
type Search = {
  readonly table: string;
  readonly fullText: string;
  readonly where: readonly (readonly [condition: string, ...values: readonly SqlValue[]])[];
  readonly order: string;
};

export function searchMemories(db: Db, words: readonly string[], limit: number): readonly Ranked<Memory>[] {
  const from: Search = { table: "memories", fullText: "memory_search", where: [], order: NEWEST };
  return hits<MemoryRow>(db, from, words, limit).map(({ rank, ...row }) => ({ rank, entry: toMemory(db, row) }));
}

export function searchExperiences(
  db: Db,
  words: readonly string[],
  where: ExperienceFilter,
  limit: number,
): readonly Ranked<Experience>[] {
  const fullText = AXIS_SEARCH[where.axis];
  const from: Search = { table: "experiences", fullText, where: conditions(where), order: NEWEST };
  return hits<ExperienceRow>(db, from, words, limit).map(({ rank, ...row }) => ({
    rank,
    entry: toExperience(db, row),
  }));
}

const conditions = ({ axis, domain, strategy, outcome }: ExperienceFilter): Search["where"] => [
  [HAS[axis]],
  ...given("domain = ?", domain),
  ...given("strategy = ?", strategy),
  ...given("outcome_status = ?", outcome),
];

/** Whether a filter has any condition besides the axis. */
export const hasFilter = ({ domain, strategy, outcome }: Partial<ExperienceFilter>): boolean =>
  domain !== undefined || strategy !== undefined || outcome !== undefined;

/** The ids of all experiences that pass a filter, in order. */
export function matchingIds(db: Db, where: ExperienceFilter): readonly string[] {
  const filters = conditions(where);
  const sql = `select id from experiences where ${filters.map(([condition]) => condition).join(" and ")} order by id`;
  return db.all<{ id: string }>(sql, ...filters.flatMap(([, ...values]) => values)).map(({ id }) => id);
}

export function searchValues(
  db: Db,
  words: readonly string[],
  { domain, strategy }: { readonly domain?: Domain; readonly strategy?: Strategy },
  limit: number,
): readonly Ranked<Value>[] {
  const where: Search["where"] = [
    ...given("exists (select 1 from json_each(domains) where value = ?)", domain),
    ...given("exists (select 1 from json_each(strategies) where value = ?)", strategy),
  ];
  const from: Search = { table: "experience_values", fullText: "value_search", where, order: "cluster_size desc, id" };
  return hits<ValueRow>(db, from, words, limit).map(({ rank, ...row }) => ({ rank, entry: toValue(db, row) }));
}

const NEWEST = "created_at desc, id";

const given = (condition: string, value: string | undefined): Search["where"] =>
  value === undefined ? [] : [[condition, value]];

/** Rows with their ranks, best first; the rank is 0 without words. */
function hits<Row>(
  db: Db,
  { table, fullText, where, order }: Search,
  words: readonly string[],
  limit: number,
): readonly (Row & { readonly rank: number })[] {
  if (limit < 1) return [];
  const conditions = where.map(([condition]) => ` and ${condition}`).join("");
  const values = where.flatMap(([, ...bound]) => bound);
  const match = matchExpression(queryWords(words.join(" ")), "any", "whole");
  if (match === null && words.length > 0) return [];
  if (match === null)
    return db.all(
      `select *, 0 as rank from ${table} where true${conditions} order by ${order} limit ?`,
      ...values,
      limit,
    );
  // The rank is rounded before sorting, so that equal texts tie and end on time and id.
  return db.all(
    `select t.*, m.rank from
       (select rowid, round(-bm25(${fullText}), 6) as rank from ${fullText} where ${fullText} match ?) m
       join ${table} t on t.number = m.rowid
     where true${conditions} order by m.rank desc, ${order} limit ?`,
    match,
    ...values,
    limit,
  );
}
