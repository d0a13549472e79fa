/**
 * Large contents in a store, in packed chunks that are named by their hash: equal chunks are stored and sent once. A chunk of a database may
 * be stored as a patch of another one.
 *
 * Whoever reads checks every chunk and the whole against the hash that it was asked for. Chunks lie in the database, or in a bucket.
 */
import { createHash } from "node:crypto";
import { zstdCompressSync } from "bun";
import { z } from "zod";
import type { Failed } from "../failure.ts";
import { unpackZstd } from "../text/zstd.ts";
import type { Bucket } from "./bucket.ts";
import { insertBlob, insertChunks, keptOf } from "./chunk-rows.ts";
import { type Connection, storeRefused, textList } from "./connection.ts";
import { PATCHABLE_BYTES, pageHashes, patched, patchOf } from "./page-patch.ts";

/** A stored content: the hex SHA-256 of its bytes, and how many they are. */
export type BlobName = { readonly hash: string; readonly bytes: number };

/** What was sent or received, as packed bytes. */
export type Transfer = { chunks: number; bytes: number };

export type BlobStore = {
  /** Stores a content that comes in chunks of at most `CHUNK_BYTES`; only the last may be shorter than `CHUNK_BYTES_MIN`. */
  put(chunks: Iterable<Uint8Array>, sent: Transfer): Promise<BlobName>;
  /** The same for a database, of which an earlier state may be stored: of a chunk that is like that one's only the changed pages are sent. */
  putDatabase(chunks: Iterable<Uint8Array>, earlier: BlobName | null, sent: Transfer): Promise<BlobName>;
  /** Stores many contents of one chunk each. */
  putSmall(contents: readonly { readonly hash: string; readonly bytes: Uint8Array }[], sent: Transfer): Promise<void>;
  /** The chunks of a content, in order. Throws `store-refused` when one is missing or another than it was, at the latest after the last. */
  get(name: BlobName, received: Transfer): AsyncGenerator<Uint8Array>;
  /** Contents of one chunk each, by hash, as far as they exist. Throws `store-refused` for a damaged one. */
  getSmall(hashes: readonly string[], received: Transfer): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The hashes of the chunks of a content; null if it is not stored. */
  chunksOf(name: BlobName): Promise<readonly string[] | null>;
  /** The hashes of the chunks that some of these are patches of. */
  basesOf(hashes: readonly string[]): Promise<readonly string[]>;
};

export const CHUNK_BYTES = PATCHABLE_BYTES;
export const CHUNK_BYTES_MIN = 1024;
/** A chunk that does not become smaller has some bytes more. */
const PACKED_BYTES_MAX = CHUNK_BYTES + 1024;
/** Chunks in one statement: at most 4 MiB. */
const CHUNKS_AT_ONCE = 64;
const LEVEL = 3;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const Hash = z.object({ hash: z.string() });
const Chunk = z.object({
  hash: z.string(),
  base: z.string().nullable(),
  outside: z.boolean(),
  packed: z.instanceof(Uint8Array).nullable(),
});
const Base = z.object({ hash: z.string(), base: z.string(), pages: z.instanceof(Uint8Array) });
const Blob = z.object({ bytes: z.coerce.number(), chunks: z.string() });

/** With `overwrites` everything is sent and stored whole, also what is there: it may be damaged, or lie in a bucket that is lost. */
export function blobStore(connection: Connection, bucket: Bucket | null, overwrites: boolean): BlobStore {
  const place: Place = { connection, bucket, overwrites };
  return {
    put: (chunks, sent) => putBlob(place, chunks, undefined, sent),
    putDatabase: (chunks, earlier, sent) => putBlob(place, chunks, earlier, sent),
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
    basesOf: (hashes) => basesOf(connection, hashes),
  };
}

/** Where chunks lie: in the database, or in a bucket. */
type Place = { readonly connection: Connection; readonly bucket: Bucket | null; readonly overwrites: boolean };
/** `like` is the hash of a chunk that may be nearly equal; null if there is none; undefined for what is no part of a database. */
type RawChunk = { readonly hash: string; readonly bytes: Uint8Array; readonly like?: string | null | undefined };

async function putBlob(
  place: Place,
  chunks: Iterable<Uint8Array>,
  earlier: BlobName | null | undefined,
  sent: Transfer,
): Promise<BlobName> {
  const { connection, overwrites } = place;
  const others = earlier && !overwrites ? ((await chunksOf(connection, earlier)) ?? []) : [];
  const whole = createHash("sha256");
  const list: string[] = [];
  let bytes = 0;
  let waiting: RawChunk[] = [];
  for (const chunk of chunks) {
    whole.update(chunk);
    bytes += chunk.length;
    const hash = sha256(chunk);
    waiting.push({ hash, bytes: chunk, like: earlier === undefined ? undefined : (others[list.length] ?? null) });
    list.push(hash);
    // A small content is one chunk, however it was cut.
    if (waiting.length < CHUNKS_AT_ONCE || bytes <= CHUNK_BYTES) continue;
    await putChunks(place, waiting, sent);
    waiting = [];
  }
  const hash = whole.digest("hex");
  if (bytes <= CHUNK_BYTES) waiting = [{ hash, bytes: Buffer.concat(waiting.map((chunk) => chunk.bytes)) }];
  await putChunks(place, waiting, sent);
  if (bytes > CHUNK_BYTES && (overwrites || !(await keptOf(connection, "blobs", [hash])).has(hash)))
    sent.bytes += await insertBlob(connection, { hash, bytes, chunks: list.join("") }, overwrites);
  return { hash, bytes };
}

async function putChunks(
  { connection, bucket, overwrites }: Place,
  all: readonly RawChunk[],
  sent: Transfer,
): Promise<void> {
  for (let at = 0; at < all.length; at += CHUNKS_AT_ONCE) {
    const some = new Map(all.slice(at, at + CHUNKS_AT_ONCE).map((chunk) => [chunk.hash, chunk]));
    const known = overwrites ? new Set<string>() : await keptOf(connection, "chunks", [...some.keys()]);
    const missing = [...some.values()]
      .filter(({ hash }) => !known.has(hash))
      .sort((a, b) => (a.hash < b.hash ? -1 : 1));
    if (missing.length === 0) continue;
    const bases = await patchable(
      connection,
      missing.flatMap(({ like }) => like ?? []),
    );
    const packed = missing.map((chunk) => packedChunk(chunk, bases.get(chunk.like ?? "")));
    if (bucket === null) await insertChunks(connection, packed, overwrites);
    else
      await connection.transaction(async (inside) => {
        // The rows first: pruning that removes one of these objects just now is waited for.
        const rows = packed.map((chunk) => ({ ...chunk, packed: null }));
        await insertChunks(inside, rows, overwrites);
        await Promise.all(packed.map((chunk) => bucket.put(chunk.hash, chunk.packed)));
      });
    sent.chunks += packed.length;
    sent.bytes += packed.reduce((sum, chunk) => sum + chunk.packed.length, 0);
  }
}

type PageBase = { readonly base: string; readonly pages: Uint8Array };

function packedChunk({ hash, bytes, like }: RawChunk, other: PageBase | undefined) {
  const patch = other === undefined ? null : patchOf(bytes, other.pages);
  const own = { hash, bytes: bytes.length, packed: pack(patch ?? bytes) };
  if (patch !== null && other !== undefined) return { ...own, base: other.base, pages: null };
  return { ...own, base: null, pages: like === undefined ? null : pageHashes(bytes) };
}

/** For each of these chunks one that is no patch itself, with the hashes of its pages. They cannot be pruned for a day. */
async function patchable(connection: Connection, hashes: readonly string[]): Promise<ReadonlyMap<string, PageBase>> {
  if (hashes.length === 0) return new Map();
  const rows = await connection.rows(
    Base,
    `select c.hash, b.hash as base, b.pages from cra.chunks c join cra.chunks b on b.hash = coalesce(c.base, c.hash)
     where c.hash = any($1::text[]) and b.pages is not null`,
    [textList(hashes)],
  );
  const kept = await keptOf(connection, "chunks", [...new Set(rows.map(({ base }) => base))]);
  return new Map(rows.filter(({ base }) => kept.has(base)).map((row) => [row.hash, row]));
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
  place: Place,
  hashes: readonly string[],
  received: Transfer,
  areBases = false,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { connection, bucket } = place;
  const rows = await connection.rows(
    Chunk,
    `select hash, base, packed is null as outside,
       case when octet_length(packed) <= ${PACKED_BYTES_MAX} then packed end as packed
     from cra.chunks where hash = any($1::text[])`,
    [textList(hashes)],
  );
  const damaged = (hash: string): Failed => storeRefused(connection.shown, `chunk ${hash.slice(0, 12)} is damaged`);
  const wanted = [...new Set(rows.flatMap(({ base }) => base ?? []))];
  const bases = wanted.length === 0 || areBases ? null : await fetchChunks(place, wanted, received, true);
  const found = new Map<string, Uint8Array>();
  await Promise.all(
    rows.map(async ({ hash, base, outside, packed: own }) => {
      if (outside && bucket === null)
        throw storeRefused(connection.shown, "its chunks are in a bucket", "name the bucket: --bucket");
      const packed = outside ? ((await bucket?.get(hash, PACKED_BYTES_MAX)) ?? null) : own;
      if (packed === null && outside) return;
      const read = packed === null ? null : unpack(packed);
      const other = base === null ? null : bases?.get(base);
      const bytes = base === null || read === null ? read : other ? patched(other, read) : null;
      if (packed === null || bytes === null || sha256(bytes) !== hash) throw damaged(hash);
      received.chunks += 1;
      received.bytes += packed.length;
      found.set(hash, bytes);
    }),
  );
  return found;
}

async function basesOf(connection: Connection, hashes: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let at = 0; at < hashes.length; at += BASES_AT_ONCE)
    for (const { hash } of await connection.rows(
      Hash,
      "select distinct base as hash from cra.chunks where hash = any($1::text[]) and base is not null",
      [textList(hashes.slice(at, at + BASES_AT_ONCE))],
    ))
      found.add(hash);
  return [...found];
}

const BASES_AT_ONCE = 2_000;

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
