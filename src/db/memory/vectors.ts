/** Vectors of memories, experiences and values by embedding model: 32-bit floats, little-endian, one row each. */
import { AXES, type Axis } from "../../memory/vocabulary.ts";
import type { Db } from "../sqlite/db.ts";
import { HAS } from "./schema.ts";
import { hasFilter, matchingIds } from "./search.ts";
import type { ExperienceFilter, StoredVector, VectorKey, VectorsOf } from "./store.ts";

type HashedVector = StoredVector & { readonly textHash: string };

type Row = { id: string; textHash: string; vector: Uint8Array };

/** The axis of a stored name; null for a vector of a whole entry. */
const axisNamed = (name: string): Axis | null => AXES.find((axis) => axis === name) ?? null;

/** A view of the bytes as floats; a copy if they are not aligned. */
const numbersIn = (bytes: Uint8Array): Float32Array =>
  bytes.byteOffset % NUMBER_BYTES === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / NUMBER_BYTES)
    : new Float32Array(bytes.slice().buffer);
const NUMBER_BYTES = 4;

/** Called within a transaction. Entries that were removed meanwhile get no vector. */
export function putVectors(db: Db, model: string, rows: readonly HashedVector[]): void {
  for (const { id, axis, textHash, vector } of rows) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    db.run(PUT, model, id, axis ?? "", textHash, bytes);
  }
}

const PUT = `insert or replace into vectors(model, id, axis, text_hash, vector) select ?1, ?2, ?3, ?4, ?5
  where exists (select 1 from memories where id = ?2) or exists (select 1 from experiences where id = ?2)
    or exists (select 1 from experience_values where id = ?2)`;

/** Rows read at a time: faster than one by one, in little memory. */
const ROWS_AT_ONCE = 100;

/** The vectors of one kind, by id. */
export const eachVector = (db: Db, model: string, of: VectorsOf): Iterable<HashedVector> =>
  of.type === "experience" && hasFilter(of) ? matchingVectors(db, model, of) : allVectors(db, model, of);

function* allVectors(db: Db, model: string, { type, axis }: VectorsOf): Generator<HashedVector> {
  // Ids of one type share a prefix, and "~" sorts after every character of an id.
  for (let after: string = PREFIX[type]; ; ) {
    const rows = db.all<Row>(
      `select id, text_hash as textHash, vector from vectors
       where model = ?1 and id > ?2 and id < ?3 and axis = ?4 order by id limit ${ROWS_AT_ONCE}`,
      model,
      after,
      `${PREFIX[type]}~`,
      axis ?? "",
    );
    for (const { id, textHash, vector } of rows) yield { id, axis, textHash, vector: numbersIn(vector) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = last.id;
  }
}

/** Reads only the matching rows, since vectors are most of the file. */
function* matchingVectors(db: Db, model: string, where: ExperienceFilter): Generator<HashedVector> {
  const ids = matchingIds(db, where);
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const rows = db.all<Row>(
      `select id, text_hash as textHash, vector from vectors
       where model = ?1 and id in (select value from json_each(?2)) and axis = ?3 order by id`,
      model,
      JSON.stringify(ids.slice(at, at + ROWS_AT_ONCE)),
      where.axis,
    );
    for (const { id, textHash, vector } of rows) yield { id, axis: where.axis, textHash, vector: numbersIn(vector) };
  }
}

const PREFIX = { memory: "mem-", experience: "exp-", value: "val-" } as const;

/** The number of dimensions of a model's vectors; null without vectors. */
export const dimensionsOf = (db: Db, model: string): number | null =>
  db.get<{ dimensions: number }>("select length(vector) / 4 as dimensions from vectors where model = ? limit 1", model)
    ?.dimensions ?? null;

/** Keys without a vector of a model: values first, then the newest entries. */
export function unembedded(db: Db, model: string, limit: number): readonly VectorKey[] {
  const kinds = [
    "select '~' as at, id, '' as axis from experience_values",
    "select created_at as at, id, '' as axis from memories",
    ...AXES.map((axis) => `select created_at as at, id, '${axis}' as axis from experiences where ${HAS[axis]}`),
  ];
  return db
    .all<{ id: string; axis: string }>(
      `select id, axis from (${kinds.join(" union all ")}) k
       where not exists (select 1 from vectors v indexed by vectors_id where v.model = ?1 and v.id = k.id and v.axis = k.axis)
       order by at desc, id, axis limit ?2`,
      model,
      limit,
    )
    .map(({ id, axis }) => ({ id, axis: axisNamed(axis) }));
}
