/**
 * Large contents in a store, in packed chunks that are named by their hash: equal chunks are stored and sent once.
 *
 * Whoever reads checks every chunk and the whole against the hash that it was asked for. Chunks lie in the database, or in a bucket.
 */
import { createHash } from "node:crypto";
import { zstdCompressSync } from "bun";
import { z } from "zod";
import { unpackZstd } from "../text/zstd.ts";
import type { Bucket } from "./bucket.ts";
import { type Connection, storeRefused, textList } from "./connection.ts";
import { MARK_MS } from "./facts.ts";
import { NOW } from "./schema.ts";

/** A stored content: the hex SHA-256 of its bytes, and how many they are. */
export type BlobName = { readonly hash: string; readonly bytes: number };

/** What was sent or received, as packed bytes. */
export type Transfer = { chunks: number; bytes: number };

export type BlobStore = {
  /** Stores a content that comes in chunks of at most `CHUNK_BYTES`; only the last may be shorter than `CHUNK_BYTES_MIN`. */
  put(chunks: Iterable<Uint8Array>, sent: Transfer): Promise<BlobName>;
  /** Stores many contents of one chunk each. */
  putSmall(contents: readonly { readonly hash: string; readonly bytes: Uint8Array }[], sent: Transfer): Promise<void>;
  /** The chunks of a content, in order. Throws `store-refused` when one is missing or another than it was, at the latest after the last. */
  get(name: BlobName, received: Transfer): AsyncGenerator<Uint8Array>;
  /** Contents of one chunk each, by hash, as far as they exist. Throws `store-refused` for a damaged one. */
  getSmall(hashes: readonly string[], received: Transfer): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The hashes of the chunks of a content; null if it is not stored. */
  chunksOf(name: BlobName): Promise<readonly string[] | null>;
};

export const CHUNK_BYTES = 64 * 1024;
export const CHUNK_BYTES_MIN = 4 * 1024;
/** A chunk that does not become smaller has some bytes more. */
const PACKED_BYTES_MAX = CHUNK_BYTES + 1024;
/** Chunks in one statement: at most 4 MiB. */
const CHUNKS_AT_ONCE = 64;
const LEVEL = 3;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const Hash = z.object({ hash: z.string() });
const Chunk = z.object({ hash: z.string(), outside: z.boolean(), packed: z.instanceof(Uint8Array).nullable() });
const Blob = z.object({ bytes: z.coerce.number(), chunks: z.string() });

export function blobStore(connection: Connection, bucket: Bucket | null): BlobStore {
  const place: Place = { connection, bucket };
  return {
    put: (chunks, sent) => putBlob(place, chunks, sent),
    putSmall: (contents, sent) => putChunks(place, contents, sent),
    get: (name, received) => readBlob(place, name, received),
    async getSmall(hashes, received) {
      const found = new Map<string, Uint8Array>();
      for (let at = 0; at < hashes.length; at += CHUNKS_AT_ONCE)
        for (const [hash, bytes] of await fetchChunks(place, hashes.slice(at, at + CHUNKS_AT_ONCE), received))
          found.set(hash, bytes);
      return found;
    },
    chunksOf: (name) => chunksOf(connection, name),
  };
}

/** Where chunks lie: in the database, or in a bucket. */
type Place = { readonly connection: Connection; readonly bucket: Bucket | null };
type RawChunk = { readonly hash: string; readonly bytes: Uint8Array };

async function putBlob(place: Place, chunks: Iterable<Uint8Array>, sent: Transfer): Promise<BlobName> {
  const whole = createHash("sha256");
  const list: string[] = [];
  let bytes = 0;
  let waiting: RawChunk[] = [];
  for (const chunk of chunks) {
    whole.update(chunk);
    bytes += chunk.length;
    const hash = sha256(chunk);
    list.push(hash);
    waiting.push({ hash, bytes: chunk });
    if (waiting.length < CHUNKS_AT_ONCE) continue;
    await putChunks(place, waiting, sent);
    waiting = [];
  }
  const hash = whole.digest("hex");
  // A small content is one chunk, however it was cut.
  if (bytes <= CHUNK_BYTES) waiting = [{ hash, bytes: Buffer.concat(waiting.map((chunk) => chunk.bytes)) }];
  await putChunks(place, waiting, sent);
  if (bytes > CHUNK_BYTES) await insertBlob(place.connection, { hash, bytes }, list);
  return { hash, bytes };
}

async function putChunks({ connection, bucket }: Place, all: readonly RawChunk[], sent: Transfer): Promise<void> {
  for (let at = 0; at < all.length; at += CHUNKS_AT_ONCE) {
    const some = new Map(all.slice(at, at + CHUNKS_AT_ONCE).map((chunk) => [chunk.hash, chunk.bytes]));
    const known = await keptOf(connection, "chunks", [...some.keys()]);
    const missing = [...some].filter(([hash]) => !known.has(hash)).sort(([a], [b]) => (a < b ? -1 : 1));
    if (missing.length === 0) continue;
    const packed = missing.map(([hash, bytes]) => ({ hash, bytes: bytes.length, packed: pack(bytes) }));
    if (bucket !== null) await Promise.all(packed.map((chunk) => bucket.put(chunk.hash, chunk.packed)));
    await insertChunks(connection, bucket === null ? packed : packed.map((chunk) => ({ ...chunk, packed: null })));
    sent.chunks += packed.length;
    sent.bytes += packed.reduce((sum, chunk) => sum + chunk.packed.length, 0);
  }
}

async function* readBlob(place: Place, name: BlobName, received: Transfer): AsyncGenerator<Uint8Array> {
  const { connection } = place;
  const refused = (why: string) => storeRefused(connection.shown, why);
  const hashes = await chunksOf(connection, name);
  const short = name.hash.slice(0, 12);
  if (hashes === null) throw refused(`${short} is missing`);
  const whole = createHash("sha256");
  let bytes = 0;
  for (let at = 0; at < hashes.length; at += CHUNKS_AT_ONCE) {
    const some = hashes.slice(at, at + CHUNKS_AT_ONCE);
    const found = await fetchChunks(place, [...new Set(some)], received);
    for (const hash of some) {
      const chunk = found.get(hash);
      bytes += chunk?.length ?? 0;
      if (chunk === undefined || bytes > name.bytes) throw refused(`a chunk of ${short} is missing or too large`);
      whole.update(chunk);
      yield chunk;
    }
  }
  if (bytes !== name.bytes || whole.digest("hex") !== name.hash) throw refused(`${short} is not what it was`);
}

async function fetchChunks(
  { connection, bucket }: Place,
  hashes: readonly string[],
  received: Transfer,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await connection.rows(
    Chunk,
    `select hash, packed is null as outside,
       case when octet_length(packed) <= ${PACKED_BYTES_MAX} then packed end as packed
     from cra.chunks where hash = any($1::text[])`,
    [textList(hashes)],
  );
  const found = new Map<string, Uint8Array>();
  await Promise.all(
    rows.map(async ({ hash, outside, packed: own }) => {
      if (outside && bucket === null)
        throw storeRefused(connection.shown, "its chunks are in a bucket", "name the bucket: --bucket");
      const packed = outside ? ((await bucket?.get(hash, PACKED_BYTES_MAX)) ?? null) : own;
      if (packed === null && outside) return;
      const bytes = packed === null ? null : unpack(packed);
      if (packed === null || bytes === null || sha256(bytes) !== hash)
        throw storeRefused(connection.shown, `chunk ${hash.slice(0, 12)} is damaged`);
      received.chunks += 1;
      received.bytes += packed.length;
      found.set(hash, bytes);
    }),
  );
  return found;
}

async function chunksOf(connection: Connection, { hash, bytes }: BlobName): Promise<readonly string[] | null> {
  if (bytes <= CHUNK_BYTES) return [hash];
  const listMax = 64 * (Math.ceil(bytes / CHUNK_BYTES_MIN) + 1);
  const [row] = await connection.rows(
    Blob,
    "select bytes, chunks from cra.blobs where hash = $1::text and octet_length(chunks) <= $2::int",
    [hash, listMax],
  );
  if (row === undefined) return null;
  const hashes = row.chunks.match(/[0-9a-f]{64}/g) ?? [];
  if (row.bytes !== bytes || hashes.length * 64 !== row.chunks.length)
    throw storeRefused(connection.shown, `the list of the chunks of ${hash.slice(0, 12)} is damaged`);
  return hashes;
}

const pack = (bytes: Uint8Array): Uint8Array => zstdCompressSync(bytes, { level: LEVEL });

function unpack(packed: Uint8Array): Uint8Array | null {
  try {
    return unpackZstd(packed, CHUNK_BYTES);
  } catch {
    return null; // Whoever asked refuses it.
  }
}

/** Which of these exist. They cannot be pruned for a day. */
async function keptOf(connection: Connection, table: "chunks" | "blobs", hashes: readonly string[]) {
  const listed = [textList(hashes)];
  await connection.run(
    `with due as (select hash from cra.${table} where hash = any($1::text[]) and used_at < ${NOW} - ${MARK_MS}
       order by hash for update)
     update cra.${table} c set used_at = ${NOW} from due where c.hash = due.hash`,
    listed,
  );
  const rows = await connection.rows(Hash, `select hash from cra.${table} where hash = any($1::text[])`, listed);
  return new Set(rows.map(({ hash }) => hash));
}

type PackedChunk = { readonly hash: string; readonly bytes: number; readonly packed: Uint8Array | null };

async function insertChunks(connection: Connection, chunks: readonly PackedChunk[]): Promise<void> {
  const places = chunks.map(
    (_, row) => `($${3 * row + 1}::text, $${3 * row + 2}::int, $${3 * row + 3}::bytea, ${NOW})`,
  );
  await connection.run(
    `insert into cra.chunks(hash, bytes, packed, used_at) values ${places.join(", ")} on conflict do nothing`,
    chunks.flatMap(({ hash, bytes, packed }) => [hash, bytes, packed]),
  );
}

async function insertBlob(connection: Connection, { hash, bytes }: BlobName, list: readonly string[]): Promise<void> {
  if ((await keptOf(connection, "blobs", [hash])).has(hash)) return;
  await connection.run(
    `insert into cra.blobs(hash, bytes, chunks, used_at) values ($1::text, $2::bigint, $3::text, ${NOW})
     on conflict do nothing`,
    [hash, bytes, list.join("")],
  );
}

/** Pieces of bytes at fixed places, so that equal pages of two databases are equal chunks. */
export function* evenChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Pieces of lines that end where the hash of a line says so, so that a new line changes one piece. */
export function* lineChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let bytes = 0;
  for (const text of lines) {
    const line = Buffer.from(`${text}\n`);
    if (bytes + line.length > CHUNK_BYTES && bytes > 0) {
      yield Buffer.concat(piece);
      [piece, bytes] = [[], 0];
    }
    piece.push(line);
    bytes += line.length;
    if (bytes < CHUNK_BYTES_MIN || (Bun.hash.crc32(line) & LINE_MASK) !== 0) continue;
    yield Buffer.concat(piece);
    [piece, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(piece);
}

/** A piece ends at one line of 128. */
const LINE_MASK = 127;
