/** Reads the small files beside databases. Anybody who can write to the folder may have put something else in their place. */
import { lstatSync, readFileSync } from "node:fs";

/** The text of a regular file of at most `bytesMax` bytes; null for anything else. Throws what the system says of one that cannot be read. */
export function readSmallFile(path: string, bytesMax: number): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= bytesMax ? readFileSync(path, "utf8") : null;
}
