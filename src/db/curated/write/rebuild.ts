/**
 * Opens the index for writing, whatever state its file is in. A damaged file is moved aside, never deleted, and a new one started.
 */
import { Failed } from "../../../failure.ts";
import type { Notice } from "../../../notice.ts";
import { checksumState, fileSize, hasChecksum, writeChecksum } from "../../sqlite/checksum.ts";
import type { Db } from "../../sqlite/db.ts";
import { openDatabase } from "../../sqlite/open.ts";
import { quarantine } from "../../sqlite/quarantine.ts";
import { CURATED_SCHEMA } from "../schema.ts";
import { type CuratedWriter, curatedWriter } from "./write.ts";

/**
 * `thorough` checks for damage first: by the checksum, or without one in every page (about 5 ms per MiB), which is too slow
 * for the refresh before a retrieval. `damage` is a problem known already. `notice` reports that a damaged index was moved
 * aside. A file of a newer version throws `index-newer`.
 */
export function openOrRebuildCurated(
  path: string,
  { thorough, damage = null }: { readonly thorough: boolean; readonly damage?: string | null },
): { readonly writer: CuratedWriter; readonly notice: Notice | null } {
  try {
    if (damage !== null) throw new Failed({ code: "index-damaged", path, why: damage });
    return { writer: curatedWriter(openSound(path, thorough)), notice: null };
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "index-damaged") throw error;
    const notice = quarantineIndex(path, error.failure.why);
    return { writer: curatedWriter(openSound(path, thorough)), notice };
  }
}

/** Moves a damaged index aside. Nothing may have it open. */
export const quarantineIndex = (path: string, why: string): Notice => ({
  code: "index-rebuilt",
  why,
  movedTo: quarantine(path),
});

function openSound(path: string, thorough: boolean): Db {
  const damaged = (why: string): Failed => new Failed({ code: "index-damaged", path, why });
  // An empty file without a checksum is new, and all pages of a valid file can still be in the log.
  if (fileSize(path) === 0 && hasChecksum(path) && !fileSize(`${path}-wal`)) throw damaged("it is empty");
  const checksum = thorough ? checksumState(path) : "unknown";
  if (checksum === "broken") throw damaged("its bytes have changed since cra wrote them");
  const isNew = fileSize(path) === null;
  const db = openDatabase(path, "write", CURATED_SCHEMA);
  if (!thorough || isNew || checksum === "whole") return db;
  try {
    const verdict = db.get<{ quick_check: string }>("pragma quick_check(1)")?.quick_check;
    if (verdict !== "ok") throw damaged(verdict?.split("\n").at(-1) ?? "unknown");
    writeChecksum(path, CURATED_SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
