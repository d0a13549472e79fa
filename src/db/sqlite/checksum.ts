/**
 * Detects changed bytes in a database file, which SQLite itself does not notice, with a checksum file beside it.
 *
 * The checksum is deleted before a change and written after it, so a writer that dies leaves none, and a missing checksum says
 * nothing. Callers hold the lock of the database.
 */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { Schema } from "./db.ts";
import { openDatabase } from "./open.ts";

const Checksum = z.strictObject({ bytes: z.int().nonnegative(), hash: z.string() });
type Checksum = z.infer<typeof Checksum>;

export const CHECKSUM_SUFFIX = ".seal";

/** "unknown": there is no checksum, or the write-ahead log holds changes. */
export type ChecksumState = "whole" | "broken" | "unknown";

export function checksumState(path: string): ChecksumState {
  const checksum = readChecksum(path + CHECKSUM_SUFFIX);
  if (checksum === null || sizeOf(path) === null || sizeOf(`${path}-wal`)) return "unknown";
  if (sizeOf(path) !== checksum.bytes) return "broken";
  return checksumOf(path).hash === checksum.hash ? "whole" : "broken";
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
 * Checkpoints the write-ahead log and writes the checksum. Writes none while a reader needs the older state or when the disk
 * refuses to write: without a checksum, damage is only found later.
 */
export function writeChecksum(path: string, schema: Schema): void {
  try {
    const db = openDatabase(path, "write", schema, 0);
    const isMoved = db.get<{ busy: number }>("pragma wal_checkpoint(truncate)")?.busy === 0;
    db.close();
    if (isMoved && !sizeOf(`${path}-wal`))
      writeFileSync(path + CHECKSUM_SUFFIX, `${JSON.stringify(checksumOf(path))}\n`);
  } catch (error) {
    if (!(error instanceof Failed) && !isSystemError(error)) throw error;
    dropChecksum(path);
  }
}

const CHUNK_BYTES = 4 * 1024 * 1024;

function checksumOf(path: string): Checksum {
  const descriptor = openSync(path, "r");
  try {
    const { size: bytes } = fstatSync(descriptor);
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, bytes));
    let hash = 0n;
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk))
      hash = Bun.hash.xxHash64(chunk.subarray(0, length), hash);
    return { bytes, hash: hash.toString(16) };
  } finally {
    closeSync(descriptor);
  }
}

function readChecksum(path: string): Checksum | null {
  try {
    return lstatSync(path).isFile() ? Checksum.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
  } catch {
    return null; // Unreadable is the same as missing.
  }
}

/** The size, times, inode and device of a file, which differ whenever its bytes may; null while its write-ahead log holds changes. */
export function statKey(path: string): { readonly statKey: string; readonly changedMs: number } | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || sizeOf(`${path}-wal`)) return null;
  return { statKey: `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino} ${stat.dev}`, changedMs: stat.ctimeMs };
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

function sizeOf(path: string): number | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
}
