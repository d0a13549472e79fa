/** Stores the values derived from experiences, replaced as a whole. No value refers to a removed experience. */
import type { Value } from "../../memory/experience.ts";
import type { Db } from "../sqlite/db.ts";
import { indexedText } from "../sqlite/full-text.ts";
import { toValue, VALUE_COLUMNS, type ValueRow, valueParams } from "./rows.ts";

/** All values, by axis, largest first. */
export const allValues = (db: Db): readonly Value[] =>
  db
    .all<ValueRow>("select * from experience_values order by axis, cluster_size desc, id")
    .map((row) => toValue(db, row));

const PUT = `insert into experience_values(number, ${VALUE_COLUMNS.join(", ")})
  values (?, ${VALUE_COLUMNS.map(() => "?").join(", ")})`;

/**
 * Replaces all values, within a transaction. Values of experiences that were removed meanwhile are dropped; vectors of values
 * that remain are kept.
 */
export function replaceValues(db: Db, computed: readonly Value[]): void {
  const named = JSON.stringify(computed.flatMap(({ experience_ids }) => experience_ids));
  const gone = new Set(
    db
      .all<{ id: string }>(
        "select distinct value as id from json_each(?1) where value not in (select id from experiences)",
        named,
      )
      .map(({ id }) => id),
  );
  const values = computed.filter(({ experience_ids }) => !experience_ids.some((id) => gone.has(id)));
  db.run("insert into value_search(value_search) values ('delete-all')");
  db.run("delete from experience_values");
  values.forEach((value, at) => {
    db.run(PUT, at + 1, ...valueParams(value));
    db.run("insert into value_search(rowid, text) values (?, ?)", at + 1, indexedText(value.text));
  });
  db.run("delete from vectors where id glob 'val-*' and id not in (select id from experience_values)");
}

/** Deletes the values derived from an experience, since they may quote it. Called within a transaction. */
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
