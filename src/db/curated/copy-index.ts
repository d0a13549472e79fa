/**
 * Copies the index of another work tree, so that only what differs has to be indexed here.
 *
 * The copy is used only if its bytes match the checksum of the original, which also proves that nobody wrote to that meanwhile. What a
 * model said about files is left out, because the log that records it stays with the other work tree.
 */
import { constants, copyFileSync, lstatSync, renameSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { CHECKSUM_SUFFIX, checksumState, hasChecksum, writeChecksum } from "../sqlite/checksum.ts";
import { openDatabase, openUntouched } from "../sqlite/open.ts";
import { partPath, removePart } from "./index-part.ts";
import { readStoredMeta, type StoredMeta } from "./meta.ts";
import { CURATED_SCHEMA } from "./schema.ts";

/** The description of the index at `path`; null if there is none that can be copied. Changes nothing. */
export function copyableIndex(path: string): StoredMeta | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true || !hasChecksum(path)) return null;
  try {
    const { db, version } = openUntouched(path, CURATED_SCHEMA);
    try {
      return version === CURATED_SCHEMA.migrations.length ? readStoredMeta(db) : null;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** Copies the index at `from` to `to`, where there is none, as that of the repository at `root`. False if it could not be copied whole. */
export function copyIndex(from: string, to: string, root: string): boolean {
  const part = partPath(to);
  try {
    copyFileSync(from + CHECKSUM_SUFFIX, part + CHECKSUM_SUFFIX);
    copyFileSync(from, part, constants.COPYFILE_FICLONE);
    if (checksumState(part) !== "whole") return false;
    const db = openDatabase(part, "write", CURATED_SCHEMA);
    try {
      db.transaction(() => {
        db.run("update repos set path = ?1", root);
        db.run("delete from file_metadata");
      });
    } finally {
      db.close();
    }
    renameSync(part, to);
    writeChecksum(to, CURATED_SCHEMA);
    return true;
  } catch (error) {
    // It is indexed from the start instead.
    if (error instanceof Failed || (error instanceof Error && "syscall" in error)) return false;
    throw error;
  } finally {
    removePart(part);
  }
}
