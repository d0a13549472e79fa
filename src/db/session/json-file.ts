/** Reads and replaces a JSON file beside the sessions. Someone may have edited it, so what is read must be validated. */
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readSmallFile } from "../sqlite/small-file.ts";

/** The value of a file of at most `bytesMax` bytes; undefined if it is missing, larger or unreadable. */
export function readJsonFile(path: string, bytesMax: number): unknown {
  try {
    const text = readSmallFile(path, bytesMax);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined; // It counts as missing.
  }
}

/** Replaces the file at once. Throws what the system says, and then keeps the one before. */
export function replaceJsonFile(path: string, value: object): void {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeFileSync(temporary, JSON.stringify(value), { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary, { force: true });
    throw error;
  }
}
