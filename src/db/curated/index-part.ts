/**
 * A copy of an index in the making: a file beside the index that is then renamed or removed.
 *
 * A run that is killed leaves its copy. Its age tells it from the copy of a run that goes on, which may hold no lock.
 */
import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CHECKSUM_SUFFIX } from "../sqlite/checksum.ts";
import { COMPANIONS } from "../sqlite/companions.ts";

const SUFFIXES = [...COMPANIONS, CHECKSUM_SUFFIX, ""];
/** A run writes to its copy far more often. */
const STALE_MS = 3_600_000;

/** A new name for a copy of the index at `path`. */
export const partPath = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);

/** Removes a copy with the files that SQLite has beside it. */
export function removePart(part: string): void {
  for (const suffix of SUFFIXES) rmSync(part + suffix, { force: true });
}

/** Removes copies of the index at `path` that nobody has written to for an hour. */
export function removeStaleParts(path: string, nowMs: number): void {
  const own = new RegExp(
    `^(${RegExp.escape(`.${basename(path)}.`)}[0-9a-f]{12}\\.tmp)(?:-wal|-shm|-journal|\\.[a-z]+)?$`,
  );
  const folder = dirname(path);
  const parts = Map.groupBy(readdirSync(folder), (name) => own.exec(name)?.[1] ?? "");
  for (const [part, names] of parts) {
    if (part === "") continue;
    const writtenMs = names.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (Math.max(...writtenMs) < nowMs - STALE_MS) removePart(join(folder, part));
  }
}
