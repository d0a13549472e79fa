/**
 * Tells whether a database file still has the bytes that its last writer left, which SQLite itself cannot tell.
 *
 * A seal is a small file beside the database with the hash of its bytes. It is broken before a change and made anew
 * after it, so a writer that dies leaves none, and no seal says nothing. Callers hold the lock of the database.
 * Not here: damage that SQLite sees by itself (`rebuild.ts`).
 */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { Schema } from "./db.ts";
import { openDatabase } from "./open.ts";

const Seal = z.strictObject({ bytes: z.int().nonnegative(), hash: z.string() });
type Seal = z.infer<typeof Seal>;

export const SEAL_SUFFIX = ".seal";

/** "unknown": there is no seal to go by, or changes wait in the write-ahead log. */
export type SealState = "whole" | "broken" | "unknown";

export function sealState(path: string): SealState {
  const seal = readSeal(path + SEAL_SUFFIX);
  if (seal === null || sizeOf(path) === null || sizeOf(`${path}-wal`)) return "unknown";
  if (sizeOf(path) !== seal.bytes) return "broken";
  return sealOf(path).hash === seal.hash ? "whole" : "broken";
}

/** Whether a whole state was left at some time, and nobody has begun to change it since. */
export const isSealed = (path: string): boolean => readSeal(path + SEAL_SUFFIX) !== null;

/** To be called before a change. Throws `io` where it cannot be broken: then nothing may be changed. */
export function breakSeal(path: string): void {
  try {
    rmSync(path + SEAL_SUFFIX, { force: true, recursive: true });
  } catch (error) {
    const next = "check its permissions, or name another folder with --data-dir";
    throw new Failed(
      { code: "io", message: systemErrorWords(error), where: path + SEAL_SUFFIX, next },
      { cause: error },
    );
  }
}

/**
 * Moves what waits in the write-ahead log into the file and seals it. Leaves it unsealed while a reader needs the
 * older state, and where the disk takes nothing: without a seal damage is only found later.
 */
export function sealDatabase(path: string, schema: Schema): void {
  try {
    const db = openDatabase(path, "write", schema, 0);
    const isMoved = db.get<{ busy: number }>("pragma wal_checkpoint(truncate)")?.busy === 0;
    db.close();
    if (isMoved && !sizeOf(`${path}-wal`)) writeFileSync(path + SEAL_SUFFIX, `${JSON.stringify(sealOf(path))}\n`);
  } catch (error) {
    if (!(error instanceof Failed) && !isSystemError(error)) throw error;
    breakSeal(path);
  }
}

/** Enough to read fast, and little to hold. */
const CHUNK_BYTES = 4 * 1024 * 1024;

function sealOf(path: string): Seal {
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

function readSeal(path: string): Seal | null {
  try {
    return lstatSync(path).isFile() ? Seal.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
  } catch {
    return null; // Not there, or not readable: the same as no seal.
  }
}

/** What the system says of a file, which differs whenever its bytes may; null while changes wait in the write-ahead log. */
export function restingMark(path: string): { readonly mark: string; readonly changedMs: number } | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || sizeOf(`${path}-wal`)) return null;
  return { mark: `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino} ${stat.dev}`, changedMs: stat.ctimeMs };
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

function sizeOf(path: string): number | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
}
