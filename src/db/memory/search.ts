/**
 * Full-text search over what is remembered, for any words a user types.
 *
 * Any of the words will do; what holds more and rarer ones of them comes first (BM25), ties end on time and id, so the
 * order is total. Without words: the newest; of values the largest. Not here: how relevant that makes an answer.
 */
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Domain, Strategy } from "../../memory/vocabulary.ts";
import type { Value as Bound, Db } from "../sqlite/db.ts";
import { matchExpression, queryWords } from "../sqlite/full-text.ts";
import { type ExperienceRow, experienceFrom, type MemoryRow, memoryFrom, type ValueRow, valueFrom } from "./rows.ts";
import { AXIS_SEARCH, HAS } from "./schema.ts";
import type { ExperienceWhere, Ranked } from "./store.ts";

/** A table, its full-text table, conditions on its rows with their values, and the order of rows that rank the same. */
type Search = {
  readonly table: string;
  readonly fullText: string;
  readonly where: readonly (readonly [condition: string, ...values: readonly Bound[]])[];
  readonly order: string;
};

export function searchMemories(db: Db, words: readonly string[], limit: number): readonly Ranked<Memory>[] {
  const from: Search = { table: "memories", fullText: "memory_search", where: [], order: NEWEST };
  return hits<MemoryRow>(db, from, words, limit).map(({ rank, ...row }) => ({ rank, entry: memoryFrom(db, row) }));
}

export function searchExperiences(
  db: Db,
  words: readonly string[],
  where: ExperienceWhere,
  limit: number,
): readonly Ranked<Experience>[] {
  const fullText = AXIS_SEARCH[where.axis];
  const from: Search = { table: "experiences", fullText, where: conditions(where), order: NEWEST };
  return hits<ExperienceRow>(db, from, words, limit).map(({ rank, ...row }) => ({
    rank,
    entry: experienceFrom(db, row),
  }));
}

const conditions = ({ axis, domain, strategy, outcome }: ExperienceWhere): Search["where"] => [
  [HAS[axis]],
  ...given("domain = ?", domain),
  ...given("strategy = ?", strategy),
  ...given("outcome_status = ?", outcome),
];

/** Whether more is asked of an experience than to have something on an axis. */
export const isFilter = ({ domain, strategy, outcome }: Partial<ExperienceWhere>): boolean =>
  domain !== undefined || strategy !== undefined || outcome !== undefined;

/** The ids of all experiences that fit, in their order. */
export function fittingIds(db: Db, where: ExperienceWhere): readonly string[] {
  const asked = conditions(where);
  const sql = `select id from experiences where ${asked.map(([condition]) => condition).join(" and ")} order by id`;
  return db.all<{ id: string }>(sql, ...asked.flatMap(([, ...values]) => values)).map(({ id }) => id);
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
  return hits<ValueRow>(db, from, words, limit).map(({ rank, ...row }) => ({ rank, entry: valueFrom(db, row) }));
}

const NEWEST = "created_at desc, id";

const given = (condition: string, value: string | undefined): Search["where"] =>
  value === undefined ? [] : [[condition, value]];

/** Rows with their ranks, the best first; rank 0 where there are no words. */
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
  if (match === null)
    return db.all(
      `select *, 0 as rank from ${table} where true${conditions} order by ${order} limit ?`,
      ...values,
      limit,
    );
  // The rank is rounded before it orders, so that ties between equal texts end on time and id.
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
