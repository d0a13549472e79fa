/** Checks where an export may be written: to a new file, or over an older export. */
import { closeSync, openSync, readSync } from "node:fs";
import { beginsExport } from "../../db/export/format.ts";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { isTaken } from "./write-file.ts";

/** Throws when the file exists and is not an export, or cannot be written. */
export function checkExportTarget(path: string): void {
  if (!isTaken(path) || beginsExport(startOf(path))) return;
  const message = `--export: ${path} exists and is not an export`;
  throw new Failed({ code: "usage", message, next: "name another file, or remove it" });
}

function startOf(path: string): Uint8Array {
  const start = new Uint8Array(64);
  try {
    const handle = openSync(path, "r");
    try {
      return start.subarray(0, readSync(handle, start));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new Failed({ code: "io", where: path, message: systemErrorWords(error), next: "name another file" });
  }
}
