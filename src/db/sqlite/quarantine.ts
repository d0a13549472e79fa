/** Moves a damaged database aside. cra never deletes its data unasked. */
import { lstatSync, renameSync } from "node:fs";
import { dropChecksum } from "./checksum.ts";

/** Moves the file and its write-ahead log to the first free `<path>.bad-<n>` and returns that path. Nothing may have it open. */
export function quarantine(path: string): string {
  let number = 1;
  while (exists(`${path}.bad-${number}`)) number += 1;
  const movedTo = `${path}.bad-${number}`;
  // SQLite would replay a log that stayed behind into the new file, and the checksum would be that of the old one.
  dropChecksum(path);
  for (const suffix of ["-wal", "-shm", ""]) if (exists(path + suffix)) renameSync(path + suffix, movedTo + suffix);
  return movedTo;
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
