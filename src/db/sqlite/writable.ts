/** Whether a file or folder may be written, and what of a path exists. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false; // Whatever the reason, another folder is used.
  }
}

/** The path, or the nearest folder above it that exists. Throws the system's error where a part of the path is a file or may not be entered. */
export function nearestExisting(path: string): string {
  let at = path;
  while (dirname(at) !== at && statSync(at, { throwIfNoEntry: false }) === undefined) at = dirname(at);
  return at;
}
