/**
 * The locks of a data folder: at most one cra writes an index, and at most one asks a model about its files.
 *
 * Held as an immediate transaction on an empty SQLite file, so the kernel frees it when its holder dies,
 * however it dies. A small file beside it names the holder, for the message only.
 */
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Db } from "./db.ts";
import { openLockFile } from "./open.ts";

/** Who holds the lock; `startedAt` is an ISO time. */
export const LockHolder = z.strictObject({ pid: z.int(), host: z.string(), startedAt: z.string() });
export type LockHolder = z.infer<typeof LockHolder>;

/** A connection that nothing refers to is closed by the garbage collector, and the lock with it. */
const held = new Set<Db>();

export type IndexLock = { release(): void };

/** How often a waiting process tries again. */
const RETRY_MS = 50;

/**
 * Takes the lock at `path`, waiting at most `waitMs` for another holder; then throws `locked` and names it.
 * `signal` ends the waiting with its reason.
 */
export async function takeIndexLock(
  path: string,
  holder: LockHolder,
  waitMs: number,
  signal?: AbortSignal,
): Promise<IndexLock> {
  const triesMax = Math.max(1, Math.ceil(waitMs / RETRY_MS));
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const lock = tryLock(path, holder);
    if (lock !== null) return lock;
    if (tries >= triesMax) throw new Failed({ code: "locked", holder: holderOf(path) });
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
  }
}

function tryLock(path: string, holder: LockHolder): IndexLock | null {
  const lock = tryToHold(path);
  if (lock === null) return null;
  try {
    writeFileSync(holderPath(path), `${JSON.stringify(holder)}\n`);
  } catch {
    // The message is a courtesy; the lock holds without it.
  }
  return lock;
}

/** Takes a lock without waiting; null when someone alive has it. */
export function tryToHold(path: string): IndexLock | null {
  const db = openLockFile(path);
  if (!begin(db)) return null;
  held.add(db);
  return {
    release() {
      held.delete(db);
      db.close();
    },
  };
}

/** Who holds the lock at `path` at this moment, in words; null when nobody does. Leaves everything as it is. */
export function heldBy(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    const lock = tryToHold(path);
    lock?.release();
    return lock === null ? holderOf(path) : null;
  } catch (error) {
    // Where this process may write nothing, it cannot ask.
    if (error instanceof Failed && error.failure.code === "io") return null;
    throw error;
  }
}

function begin(db: Db): boolean {
  try {
    // Nothing is ever written, so nothing has to be kept for undoing it: no file comes and goes beside the lock.
    db.script("pragma journal_mode = memory; begin immediate");
    return true;
  } catch (error) {
    db.close();
    if (error instanceof Failed && error.failure.code === "locked") return false;
    throw error;
  }
}

/** The file that names who holds the lock at `path`. */
export const holderPath = (path: string): string => `${path}.holder.json`;

function holderOf(path: string): string {
  try {
    const file = holderPath(path);
    if (!lstatSync(file).isFile()) return "unknown process";
    const { pid, host, startedAt } = LockHolder.parse(JSON.parse(readFileSync(file, "utf8")));
    return `process ${pid} on ${host}, since ${startedAt}`;
  } catch {
    return "unknown process"; // It has just ended, or could not write its name.
  }
}
