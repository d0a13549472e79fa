/** Moves a damaged database aside. cra never deletes its data unasked. */
import { lstatSync, renameSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { dropChecksum } from "./checksum.ts";
import { COMPANIONS } from "./companions.ts";
import { CHECK_FOLDER } from "./failures.ts";

/**
 * Moves the file and what SQLite keeps beside it to the first free `<path>.bad-<n>` and returns that path. Nothing may have it open.
 * Throws `io` where nothing may be moved.
 */
export function quarantine(path: string): string {
  let number = 1;
  while (exists(`${path}.bad-${number}`)) number += 1;
  const movedTo = `${path}.bad-${number}`;
  // SQLite would replay a log or journal that stayed behind into the new file, and the checksum would be that of the old one.
  dropChecksum(path);
  try {
    for (const suffix of [...COMPANIONS, ""]) if (exists(path + suffix)) renameSync(path + suffix, movedTo + suffix);
  } catch (error) {
    const message = `it is damaged and cannot be moved aside: ${systemErrorWords(error)}`;
    throw new Failed({ code: "io", message, where: path, next: CHECK_FOLDER }, { cause: error });
  }
  return movedTo;
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
