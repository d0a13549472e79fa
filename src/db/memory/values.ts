/**
 * Values: what many experiences have in common, stored as a whole generation.
 *
 * Invariant: no value names an experience that was taken out. Not here: how they are made.
 */
import type { Value } from "../../memory/experience.ts";
import type { Db } from "../sqlite/db.ts";
import { indexedText } from "../sqlite/full-text.ts";
import { boundValue, VALUE_COLUMNS, type ValueRow, valueFrom } from "./rows.ts";

/** All, by axis and the largest first. */
export const allValues = (db: Db): readonly Value[] =>
  db
    .all<ValueRow>("select * from experience_values order by axis, cluster_size desc, id")
    .map((row) => valueFrom(db, row));

const PUT = `insert into experience_values(number, ${VALUE_COLUMNS.join(", ")})
  values (?, ${VALUE_COLUMNS.map(() => "?").join(", ")})`;

/**
 * Within a transaction: these are the values now, but for those of experiences that were taken out while they were made.
 * Vectors stay of those that are still there.
 */
export function replaceValues(db: Db, made: readonly Value[]): void {
  const named = JSON.stringify(made.flatMap(({ experience_ids }) => experience_ids));
  const gone = new Set(
    db
      .all<{ id: string }>(
        "select distinct value as id from json_each(?1) where value not in (select id from experiences)",
        named,
      )
      .map(({ id }) => id),
  );
  const values = made.filter(({ experience_ids }) => !experience_ids.some((id) => gone.has(id)));
  db.run("insert into value_search(value_search) values ('delete-all')");
  db.run("delete from experience_values");
  values.forEach((value, at) => {
    db.run(PUT, at + 1, ...boundValue(value));
    db.run("insert into value_search(rowid, text) values (?, ?)", at + 1, indexedText(value.text));
  });
  db.run("delete from vectors where id glob 'val-*' and id not in (select id from experience_values)");
}

/** Within a transaction: takes out the values that were made of an experience, as they may repeat it word for word. */
export function forgetValuesOf(db: Db, experienceId: string): void {
  const made = "exists (select 1 from json_each(experience_ids) where value = ?)";
  const values = db.all<{ number: number; id: string }>(
    `select number, id from experience_values where ${made}`,
    experienceId,
  );
  for (const { number, id } of values) {
    db.run("delete from value_search where rowid = ?", number);
    db.run("delete from experience_values where number = ?", number);
    db.run("delete from vectors where id = ?", id);
  }
}
