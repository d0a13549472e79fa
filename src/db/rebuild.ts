/**
 * Opens the index for indexing, whatever state its file is in.
 *
 * A damaged file is moved aside, never deleted, and a new one is begun. A file of a newer version is left
 * alone (`index-newer`). Not here: noticing damage later on (`indexing/index-repo.ts`).
 */
import { lstatSync } from "node:fs";
import { Failed, type Notice } from "../failure.ts";
import { CURATED_SCHEMA } from "./curated-schema.ts";
import { type CuratedWriter, curatedWriter } from "./curated-write.ts";
import { type Db, openDatabase } from "./open.ts";
import { setAside } from "./set-aside.ts";

/**
 * `thorough` looks for damage in every page first (about 5 ms per MiB): right for an index run that was asked
 * for, too slow for a refresh before every retrieval. `notice` tells that a damaged index was moved aside.
 */
export function openOrRebuildCurated(
  path: string,
  { thorough }: { readonly thorough: boolean },
): { readonly writer: CuratedWriter; readonly notice: Notice | null } {
  try {
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
  const sizeOf = (file: string): number | undefined => lstatSync(file, { throwIfNoEntry: false })?.size;
  // A file whose every page still waits in the log is whole.
  if (sizeOf(path) === 0 && !sizeOf(`${path}-wal`))
    throw new Failed({ code: "index-damaged", path, why: "it is empty" });
  const db = openDatabase(path, "write", CURATED_SCHEMA);
  if (!thorough) return db;
  try {
    const verdict = db.get<{ quick_check: string }>("pragma quick_check(1)")?.quick_check;
    if (verdict !== "ok")
      throw new Failed({ code: "index-damaged", path, why: verdict?.split("\n").at(-1) ?? "unknown" });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
