/**
 * Caches vectors of texts by model and text key, so each text is embedded once, whichever index or branch it is in.
 *
 * Numbers are stored as signed bytes: a quarter of the size, with cosines off by less than 0.01. Vectors stored together form one row,
 * a block, so reading all of them takes a few hundred steps. A damaged block counts as missing. The file may be deleted at any time,
 * and an unusable one is.
 */
import { lstatSync, rmSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { COMPANIONS } from "../sqlite/companions.ts";
import type { Db, Schema } from "../sqlite/db.ts";
import { CHECK_FOLDER, onDisk } from "../sqlite/failures.ts";
import { openDatabase } from "../sqlite/open.ts";
import { dropOtherModels } from "./drop-other-models.ts";

const V1 = `
create table blocks (
  number integer primary key, model text not null, dimensions integer not null check (dimensions > 0),
  keys blob not null, lengths blob not null, numbers blob not null, sum integer not null
) strict;
create index blocks_model on blocks(model);
`;

export const VECTOR_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726136, // "cra6"
  migrations: [V1],
  journal: "delete",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

/** A block of vectors. Vector n has key `keys[n]`, norm `lengths[n]` and the numbers from index n × `dimensions` on. */
export type VectorBlock = {
  readonly dimensions: number;
  readonly keys: Float64Array;
  readonly lengths: Float32Array;
  readonly numbers: Int8Array;
};

export type VectorCache = {
  keys(model: string): ReadonlySet<number>;
  /** The number of dimensions of a model's vectors; null without vectors. */
  dimensions(model: string): number | null;
  /** All undamaged blocks of a model. */
  blocks(model: string): Iterable<VectorBlock>;
  /** All vectors must have the dimensions of those stored before. */
  put(model: string, rows: readonly { readonly key: number; readonly vector: Float32Array }[]): void;
  /** Deletes damaged blocks, so that their texts are embedded again. */
  mend(): void;
  dropVectors(model: string): void;
  /** Deletes the vectors of other weights of a model than those that `storedAs` names. */
  dropOtherVectors(name: string, storedAs: string): void;
  /** If there are more than `most` vectors, deletes all but those of this model and these keys. */
  shrink(most: number, model: string, keys: ReadonlySet<number>): void;
  close(): void;
};

/** Opens the cache. "write" creates the file if needed and replaces an unusable one. */
export function openVectorCache(path: string, access: "read" | "write"): VectorCache {
  try {
    return vectorCache(access === "write" ? openDatabase(path, "write", VECTOR_CACHE_SCHEMA) : readable(path));
  } catch (error) {
    const isUseless =
      error instanceof Failed && (error.failure.code === "index-damaged" || error.failure.code === "index-newer");
    if (!isUseless) throw error;
    if (access === "read") return vectorCache(nothing());
    onDisk(path, CHECK_FOLDER, () => {
      for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true, recursive: true });
    });
    return vectorCache(openDatabase(path, "write", VECTOR_CACHE_SCHEMA));
  }
}

const readable = (path: string): Db =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? nothing()
    : openDatabase(path, "read", VECTOR_CACHE_SCHEMA);

const nothing = (): Db => openDatabase(":memory:", "write", VECTOR_CACHE_SCHEMA);

/** Blocks read at a time, few to save memory. */
const BLOCKS_AT_ONCE = 4;

const vectorCache = (db: Db): VectorCache => ({
  keys(model) {
    const known = new Set<number>();
    for (const { keys } of db.all<{ keys: Uint8Array }>("select keys from blocks where model = ?", model))
      for (const key of keysIn(keys)) known.add(key);
    return known;
  },
  dimensions: (model) =>
    db.get<{ dimensions: number }>("select dimensions from blocks where model = ? limit 1", model)?.dimensions ?? null,
  blocks: (model) => blocksOf(db, model),
  put: (model, rows) => db.transaction(() => put(db, model, rows)),
  mend() {
    const damaged = db.all<{ number: number }>("select number from blocks").filter(({ number }) => {
      const row = db.get<BlockRow>(`${BLOCKS_SQL} where number = ?`, number);
      return row !== null && !isWholeBlock(row);
    });
    db.transaction(() =>
      db.runAll(
        "delete from blocks where number = ?",
        damaged.map(({ number }) => [number]),
      ),
    );
  },
  dropVectors: (model) => void db.run("delete from blocks where model = ?", model),
  dropOtherVectors: (name, storedAs) => dropOtherModels(db, "blocks", name, storedAs),
  shrink: (most, model, keys) =>
    db.transaction(() => {
      const stored = db.get<{ vectors: number }>("select coalesce(sum(length(keys)), 0) / 8 as vectors from blocks");
      if ((stored?.vectors ?? 0) <= most) return;
      const last = db.get<{ number: number }>("select coalesce(max(number), 0) as number from blocks")?.number ?? 0;
      for (const block of blocksOf(db, model, last)) add(db, model, only(block, keys));
      db.run("delete from blocks where number <= ?", last);
    }),
  close: () => db.close(),
});

export const BLOCKS_SQL = "select number, model, dimensions, keys, lengths, numbers, sum from blocks";

export type BlockRow = {
  readonly number: number;
  readonly model: string;
  readonly dimensions: number;
  readonly keys: Uint8Array;
  readonly lengths: Uint8Array;
  readonly numbers: Uint8Array;
  readonly sum: number;
};

/** Whether a row matches its checksum. */
export const isWholeBlock = ({ model, dimensions, keys, lengths, numbers, sum }: BlockRow): boolean =>
  keys.length % 8 === 0 &&
  lengths.length * 2 === keys.length &&
  numbers.length * 8 === keys.length * dimensions &&
  sum === sumOf(model, [keys, lengths, numbers]);

const sumOf = (model: string, parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, part) => Bun.hash.crc32(part, sum), Bun.hash.crc32(model));

function* blocksOf(db: Db, model: string, last: number = Number.MAX_SAFE_INTEGER): Generator<VectorBlock> {
  for (let after = 0; ; ) {
    const rows = db.all<BlockRow>(
      `${BLOCKS_SQL} where model = ?1 and number > ?2 and number <= ?3 order by number limit ${BLOCKS_AT_ONCE}`,
      model,
      after,
      last,
    );
    for (const row of rows) if (isWholeBlock(row)) yield blockIn(row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < BLOCKS_AT_ONCE) return;
    after = end.number;
  }
}

const blockIn = ({ dimensions, keys, lengths, numbers }: BlockRow): VectorBlock => ({
  dimensions,
  keys: keysIn(keys),
  lengths: new Float32Array(lengths.slice().buffer),
  numbers: new Int8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
});

/** A copy, because SQLite's bytes may be unaligned. */
const keysIn = (bytes: Uint8Array): Float64Array => new Float64Array(bytes.slice().buffer);

function put(db: Db, model: string, rows: Parameters<VectorCache["put"]>[1]): void {
  const dimensions = rows[0]?.vector.length ?? 0;
  const numbers = new Int8Array(rows.length * dimensions);
  const lengths = new Float32Array(rows.length);
  for (const [at, { vector }] of rows.entries()) {
    let largest = 0;
    for (let index = 0; index < dimensions; index += 1) largest = Math.max(largest, Math.abs(vector[index] ?? 0));
    let squares = 0;
    for (let index = 0; index < dimensions; index += 1) {
      const rounded = largest === 0 ? 0 : Math.round(((vector[index] ?? 0) / largest) * 127);
      numbers[at * dimensions + index] = rounded;
      squares += rounded * rounded;
    }
    lengths[at] = Math.sqrt(squares);
  }
  add(db, model, { dimensions, keys: Float64Array.from(rows, ({ key }) => key), lengths, numbers });
}

function add(db: Db, model: string, { dimensions, keys, lengths, numbers }: VectorBlock): void {
  if (keys.length === 0) return;
  const parts = [keys, lengths, numbers].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const [first, second, third] = parts;
  if (first === undefined || second === undefined || third === undefined) return;
  db.run(
    "insert into blocks(model, dimensions, keys, lengths, numbers, sum) values (?, ?, ?, ?, ?, ?)",
    model,
    dimensions,
    first,
    second,
    third,
    sumOf(model, parts),
  );
}

/** The vectors of a block with these keys. */
function only({ dimensions, keys, lengths, numbers }: VectorBlock, kept: ReadonlySet<number>): VectorBlock {
  const positions = [...keys.keys()].filter((at) => kept.has(keys[at] ?? 0));
  const chosen = new Int8Array(positions.length * dimensions);
  for (const [to, at] of positions.entries())
    chosen.set(numbers.subarray(at * dimensions, (at + 1) * dimensions), to * dimensions);
  return {
    dimensions,
    keys: Float64Array.from(positions, (at) => keys[at] ?? 0),
    lengths: Float32Array.from(positions, (at) => lengths[at] ?? 0),
    numbers: chosen,
  };
}
