/**
 * The files that SQLite keeps beside a database.
 *
 * SQLite opens what lies under their names: it waits for a named pipe in place of a journal for ever, and a journal can name another
 * file, which some versions of SQLite delete after they have rolled back.
 */
import { closeSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";

/** What follows the name of the database in theirs. */
export const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** Why SQLite may not open the database at `path` with the log and the journal beside it; null if it may. */
export function companionProblem(path: string): string | null {
  // Of the shared memory SQLite itself follows no link and waits for no pipe.
  for (const suffix of ["-wal", "-journal"] as const) {
    const stat = lstatSync(path + suffix, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const name = basename(path) + suffix;
    if (!stat.isFile()) return `${name} is not a regular file`;
    if (suffix === "-journal" && namesOther(path + suffix)) return `${name} names another file, as cra's never do`;
  }
  return null;
}

/** A journal that names another file ends with these bytes (sqlite.org/fileformat2.html). */
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");

function namesOther(journal: string): boolean {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(journal, "r");
    const end = Buffer.alloc(JOURNAL_MAGIC.length);
    const position = fstatSync(descriptor).size - end.length;
    return position >= 0 && readSync(descriptor, end, { position }) > 0 && end.equals(JOURNAL_MAGIC);
  } catch {
    return false; // Its writer has just deleted it, or SQLite may not read it either.
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
