/**
 * Moves a damaged database out of the way: nothing that cra wrote is ever deleted unasked.
 */
import { lstatSync, renameSync } from "node:fs";
import { breakSeal } from "./checksum.ts";

/** Moves the file and its write-ahead log to the first free `<path>.bad-<n>`, and returns that. Nothing may have it open. */
export function setAside(path: string): string {
  let number = 1;
  while (exists(`${path}.bad-${number}`)) number += 1;
  const movedTo = `${path}.bad-${number}`;
  // A log that stayed behind would be played into the new file, and a seal would speak of it.
  breakSeal(path);
  for (const suffix of ["-wal", "-shm", ""]) if (exists(path + suffix)) renameSync(path + suffix, movedTo + suffix);
  return movedTo;
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
