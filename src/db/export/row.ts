/**
 * One row of an export: what parsing found in one content, under that content's hash and language.
 *
 * A row is the hash (32 bytes), the length of the language's name (1) and the name, the length of the rest when it is
 * unpacked (4) and packed (4), and the rest, packed with zstd: the length of the facts (4), the facts as JSON, the term
 * statistics. Numbers are little-endian.
 * Invariants: what is read has the types that it says and holds together, whatever the bytes are; unpacking never gives
 * more than a row may hold. Not here: the file around the rows (`format.ts`).
 */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { factLists, factsOfLists } from "../parse-cache/facts-codec.ts";
import type { ParseKey } from "../parse-cache/parse-cache.ts";
import { areSound } from "./validate-facts.ts";

/** What parsing found in one content. */
export type FoundFacts = { readonly facts: FileFacts; readonly stats: Uint8Array };

/** Where a row stands in the bytes: all of it up to `end`, what is packed from `at`. */
export type RowPlace = ParseKey & { readonly at: number; readonly end: number; readonly rawBytes: number };

const HASH_BYTES = 32;
/** The largest row, unpacked. */
const RAW_BYTES_MAX = 64 * 1024 * 1024;
const LANGUAGE = /^[a-z0-9][a-z0-9_+#.-]{0,39}$/;

/** A row's bytes, with its unpacked length; null where the facts are none that could be read again. */
export function packRow({ hash, language }: ParseKey, { facts, stats }: FoundFacts): PackedRow | null {
  if (!LANGUAGE.test(language) || !areSound(facts, stats)) return null;
  const json = Buffer.from(JSON.stringify(factLists(facts)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const raw = Buffer.concat([length, json, stats]);
  if (raw.length > RAW_BYTES_MAX) return null;
  const packed = zstdCompressSync(raw);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(raw.length);
  sizes.writeUInt32LE(packed.length, 4);
  const head = [Buffer.from(hash, "hex"), Buffer.from([language.length]), Buffer.from(language, "latin1"), sizes];
  return { bytes: Buffer.concat([...head, packed]), rawBytes: raw.length };
}

export type PackedRow = { readonly bytes: Uint8Array; readonly rawBytes: number };

/** The row that begins at an offset; null when none does. */
export function placeRow(bytes: Buffer, start: number): RowPlace | null {
  const sizesAt = start + HASH_BYTES + 1 + (bytes[start + HASH_BYTES] ?? 0);
  if (sizesAt + 8 > bytes.length) return null;
  const hash = bytes.toString("hex", start, start + HASH_BYTES);
  const language = bytes.toString("latin1", start + HASH_BYTES + 1, sizesAt);
  const rawBytes = bytes.readUInt32LE(sizesAt);
  const at = sizesAt + 8;
  const end = at + bytes.readUInt32LE(sizesAt + 4);
  if (end > bytes.length || rawBytes > RAW_BYTES_MAX || !LANGUAGE.test(language)) return null;
  return { hash, language, at, end, rawBytes };
}

/** What is in a row; null when it is not what it should be. */
export function unpackRow(bytes: Buffer, { at, end, rawBytes }: RowPlace): FoundFacts | null {
  try {
    const raw = zstdDecompressSync(bytes.subarray(at, end), { maxOutputLength: rawBytes });
    if (raw.length !== rawBytes) return null;
    const statsAt = 4 + raw.readUInt32LE(0);
    if (statsAt > raw.length) return null;
    const facts = factsOfLists(JSON.parse(STRICT.decode(raw.subarray(4, statsAt))));
    // Copied, so that it starts where words may start and keeps nothing else alive.
    const stats = new Uint8Array(raw.subarray(statsAt));
    return facts !== null && areSound(facts, stats) ? { facts, stats } : null;
  } catch {
    return null; // Whatever is the matter with the bytes, they are no row.
  }
}

const STRICT = new TextDecoder("utf-8", { fatal: true });
