/** Tells whether a run can be recorded in a data folder, without trying: the folder need not exist. */
import { accessSync, constants } from "node:fs";
import { systemErrorWords } from "../../text/system-errors.ts";
import { nearestExisting } from "../sqlite/writable.ts";
import type { DataPaths } from "./paths.ts";

/** Which part of the data folder may not be written, and why; null when all that records a run may. A full disk is another matter. */
export function whyUnwritable({
  folder,
  raw,
  sessions,
}: Pick<DataPaths, "folder" | "raw" | "sessions">): string | null {
  for (const path of [folder, raw, sessions]) {
    const why = deniedAt(path);
    if (why !== null) return `${path}: ${why}`;
  }
  return null;
}

/** Why the path may not be written, or created if it is not there; null if it may. */
export function deniedAt(path: string): string | null {
  try {
    accessSync(nearestExisting(path), constants.W_OK);
    return null;
  } catch (error) {
    return systemErrorWords(error);
  }
}
