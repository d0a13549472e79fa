/**
 * Opens the index for indexing, whatever state its file is in.
 *
 * A damaged file is moved aside, never deleted, and a new one is begun. A file of a newer version is left
 * alone (`index-newer`). Not here: noticing damage later on (`indexing/update/index-repo.ts`).
 */
import { lstatSync } from "node:fs";
import { Failed, type Notice } from "../../failure.ts";
import { isSealed, sealDatabase, sealState } from "../sqlite/checksum.ts";
import type { Db } from "../sqlite/db.ts";
import { openDatabase } from "../sqlite/open.ts";
import { setAside } from "../sqlite/quarantine.ts";
import { CURATED_SCHEMA } from "./schema.ts";
import { type CuratedWriter, curatedWriter } from "./write.ts";

/**
 * `thorough` looks for damage first: by the seal, or where there is none in every page (about 5 ms per MiB). That is
 * right for an index run that was asked for, and too slow for a refresh before every retrieval. `damage` is what is known to be wrong
 * already. `notice` tells that a damaged index was moved aside.
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
    const notice = moveAside(path, error.failure.why);
    return { writer: curatedWriter(openSound(path, thorough)), notice };
  }
}

/** Moves a damaged index aside. Nothing may have it open. */
export const moveAside = (path: string, why: string): Notice => ({
  code: "index-rebuilt",
  why,
  movedTo: setAside(path),
});

function openSound(path: string, thorough: boolean): Db {
  const damaged = (why: string): Failed => new Failed({ code: "index-damaged", path, why });
  const sizeOf = (file: string): number | null => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() ? stat.size : null;
  };
  // Without a seal it was only just begun; and a file whose every page still waits in the log is whole.
  if (sizeOf(path) === 0 && isSealed(path) && !sizeOf(`${path}-wal`)) throw damaged("it is empty");
  const seal = thorough ? sealState(path) : "unknown";
  if (seal === "broken") throw damaged("its bytes are not those that were written");
  const isNew = sizeOf(path) === null;
  const db = openDatabase(path, "write", CURATED_SCHEMA);
  if (!thorough || isNew || seal === "whole") return db;
  try {
    const verdict = db.get<{ quick_check: string }>("pragma quick_check(1)")?.quick_check;
    if (verdict !== "ok") throw damaged(verdict?.split("\n").at(-1) ?? "unknown");
    sealDatabase(path, CURATED_SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
