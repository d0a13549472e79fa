/**
 * Detects changed bytes in a database file, which SQLite itself does not notice, with a checksum file beside it.
 *
 * The checksum is deleted before a change and written after it, so a writer that dies leaves none, and a missing checksum says
 * nothing. It has a hash for each chunk of the file: a small change reads only the chunks that it wrote, and leaves the hashes of all others
 * as they are, so damage in them is still found. Callers hold the lock of the database.
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { Schema } from "./db.ts";
import { openDatabase } from "./open.ts";
import { readSmallFile } from "./small-file.ts";

const Checksum = z.strictObject({ bytes: z.int().nonnegative(), hashes: z.array(z.string()) });
type Checksum = z.infer<typeof Checksum>;

export const CHECKSUM_SUFFIX = ".seal";

/** The checksum of a database of more than 100 GB. */
const CHECKSUM_BYTES_MAX = 16 * 1024 * 1024;

/** "unknown": there is no checksum, the write-ahead log holds changes, or the file cannot be read: opening it tells why. */
export type ChecksumState = "whole" | "broken" | "unknown";

export function checksumState(path: string): ChecksumState {
  const checksum = readChecksum(path + CHECKSUM_SUFFIX);
  if (checksum === null || fileSize(path) === null || fileSize(`${path}-wal`)) return "unknown";
  if (fileSize(path) !== checksum.bytes) return "broken";
  try {
    const { hashes } = checksumOf(path);
    const isSame = hashes.length === checksum.hashes.length && hashes.every((hash, at) => hash === checksum.hashes[at]);
    return isSame ? "whole" : "broken";
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return "unknown";
  }
}

/** Whether a complete state was once left and no change has begun since. */
export const hasChecksum = (path: string): boolean => readChecksum(path + CHECKSUM_SUFFIX) !== null;

/** Deletes the checksum; call before a change. Throws `io` when it cannot be deleted: then nothing may be changed. */
export function dropChecksum(path: string): void {
  try {
    rmSync(path + CHECKSUM_SUFFIX, { force: true, recursive: true });
  } catch (error) {
    const next = "check its permissions, or choose another folder with --data-dir";
    throw new Failed(
      { code: "io", message: systemErrorWords(error), where: path + CHECKSUM_SUFFIX, next },
      { cause: error },
    );
  }
}

/**
 * Deletes the checksum, and returns it if it is of the file without a write-ahead log: after one transaction and no checkpoint,
 * `writeChecksum` needs to read only what that wrote.
 */
export function takeChecksum(path: string): Checksum | null {
  const checksum = fileSize(`${path}-wal`) ? null : readChecksum(path + CHECKSUM_SUFFIX);
  dropChecksum(path);
  return checksum?.bytes === fileSize(path) ? checksum : null;
}

/**
 * Checkpoints the write-ahead log and writes the checksum; `before` is what `takeChecksum` returned. Writes none while a reader needs the
 * older state or when the disk refuses to write: without a checksum, damage is only found later.
 */
export function writeChecksum(path: string, schema: Schema, before: Checksum | null = null): void {
  try {
    const written = before === null ? null : bytesInLog(`${path}-wal`);
    const db = openDatabase(path, "write", schema, 0);
    const isMoved = db.get<{ busy: number }>("pragma wal_checkpoint(truncate)")?.busy === 0;
    db.close();
    if (!isMoved || fileSize(`${path}-wal`)) return;
    // Made anew: writing to a planted named pipe would wait for ever.
    dropChecksum(path);
    writeFileSync(path + CHECKSUM_SUFFIX, `${JSON.stringify(checksumOf(path, before, written))}\n`, { flag: "wx" });
  } catch (error) {
    if (!(error instanceof Failed) && !isSystemError(error)) throw error;
    dropChecksum(path);
  }
}

const CHUNK_BYTES = 256 * 1024;
/** The number of chunks that are read at once. */
const CHUNKS_READ = 8;

/** Of a file whose checksum was `before`, only what was `written` since is read; null for all. */
function checksumOf(path: string, before: Checksum | null = null, written: readonly number[] | null = null): Checksum {
  const descriptor = openSync(path, "r");
  try {
    const { size: bytes } = fstatSync(descriptor);
    const length = Math.ceil(bytes / CHUNK_BYTES);
    const known = before === null || written === null ? [] : before.hashes.slice(0, length);
    const changed = new Set(written?.map((offset) => Math.floor(offset / CHUNK_BYTES)));
    // The last chunk of a file of another size was shorter, or longer.
    if (before?.bytes !== bytes) changed.add(known.length - 1);
    const isDue = (at: number): boolean => at < length && (known[at] === undefined || changed.has(at));
    const hashes: string[] = [];
    const chunks = new Uint8Array(Math.min(CHUNKS_READ * CHUNK_BYTES, bytes));
    while (hashes.length < length) {
      const from = hashes.length;
      let to = from;
      while (to < from + CHUNKS_READ && isDue(to)) to += 1;
      if (to === from) hashes.push(known[from] ?? "");
      else {
        const place = { offset: 0, length: (to - from) * CHUNK_BYTES, position: from * CHUNK_BYTES };
        const read = readSync(descriptor, chunks, { ...place, length: Math.min(place.length, bytes - place.position) });
        for (let at = 0; at < read; at += CHUNK_BYTES)
          hashes.push(Bun.hash.xxHash64(chunks.subarray(at, Math.min(at + CHUNK_BYTES, read))).toString(16));
        if (read === 0) break;
      }
    }
    return { bytes, hashes };
  } finally {
    closeSync(descriptor);
  }
}

/** The layout of a write-ahead log (sqlite.org/fileformat2.html): a header, then frames of a header and a page. */
const LOG_HEADER_BYTES = 32;
const PAGE_SIZE_AT = 8;
const FRAME_HEADER_BYTES = 24;
/** A longer log is a large part of the file. */
const FRAMES_MAX = 20_000;

/** Where in its database the pages of a log belong; null for a log without any, or with too many. */
function bytesInLog(path: string): readonly number[] | null {
  const size = fileSize(path) ?? 0;
  if (size <= LOG_HEADER_BYTES) return null;
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    readSync(descriptor, header, { position: 0 });
    const pageBytes = header.readUInt32BE(PAGE_SIZE_AT);
    const frames = Math.floor((size - LOG_HEADER_BYTES) / (FRAME_HEADER_BYTES + pageBytes));
    if (frames > FRAMES_MAX) return null;
    return Array.from({ length: frames }, (_, at) => {
      readSync(descriptor, header, { length: 4, position: LOG_HEADER_BYTES + at * (FRAME_HEADER_BYTES + pageBytes) });
      return (header.readUInt32BE(0) - 1) * pageBytes;
    });
  } finally {
    closeSync(descriptor);
  }
}

function readChecksum(path: string): Checksum | null {
  try {
    const text = readSmallFile(path, CHECKSUM_BYTES_MAX);
    return text === null ? null : Checksum.parse(JSON.parse(text));
  } catch {
    return null; // Unreadable is the same as missing.
  }
}

/** The size, times, inode and device of a file, which differ whenever its bytes may; null while its write-ahead log holds changes. */
export function statKey(path: string): { readonly statKey: string; readonly changedMs: number } | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || fileSize(`${path}-wal`)) return null;
  return { statKey: `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino} ${stat.dev}`, changedMs: stat.ctimeMs };
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

/** The size of a regular file in bytes; null where there is none. */
export function fileSize(path: string): number | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
}
