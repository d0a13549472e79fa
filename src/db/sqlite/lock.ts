/**
 * File locks of a data folder: one for writing the index, one for asking a model about files, one per session round.
 *
 * A lock is an open transaction on an empty SQLite file, so the kernel releases it however its holder dies. A small file beside
 * it names the holder, for messages only.
 */
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Db } from "./db.ts";
import { openLockFile } from "./open.ts";
import { readSmallFile } from "./small-file.ts";

/** `startedAt` is an ISO time. */
const LockHolder = z.strictObject({ pid: z.int(), host: z.string(), startedAt: z.string() });
export type LockHolder = z.infer<typeof LockHolder>;

const HOLDER_BYTES_MAX = 4 * 1024;

/** Keeps connections referenced: the garbage collector would close them and release their locks. */
const held = new Set<Db>();

export type IndexLock = { release(): void };

const RETRY_MS = 50;

/**
 * Takes the lock at `path`. Waits at most `waitMs`, then throws `locked` with the holder; `signal` ends the wait with its reason.
 * `onWait` is called once, if there is something to wait for.
 */
export async function takeIndexLock(
  path: string,
  holder: LockHolder,
  waitMs: number,
  signal?: AbortSignal,
  onWait?: () => void,
): Promise<IndexLock> {
  const triesMax = Math.max(1, Math.ceil(waitMs / RETRY_MS));
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const lock = tryLock(path, holder);
    if (lock !== null) return lock;
    if (tries >= triesMax) throw new Failed({ code: "locked", holder: holderOf(path) });
    if (tries === 1) onWait?.();
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
  }
}

/** Takes the lock if nobody has it; null when a live process holds it. */
export function tryLock(path: string, holder: LockHolder): IndexLock | null {
  const lock = tryToHold(path);
  if (lock === null) return null;
  try {
    // Made anew: a link in its place may have been planted.
    rmSync(holderPath(path), { force: true });
    writeFileSync(holderPath(path), `${JSON.stringify(holder)}\n`, { flag: "wx" });
  } catch {
    // The lock holds without the message.
  }
  return lock;
}

/** Takes a lock without waiting; null when a live process holds it. */
export const tryToHold = (path: string): IndexLock | null => hold(path, "begin immediate");

/** Takes a lock that any number of processes can share. Waits at most `waitMs` for one that keeps it for itself; then null. */
export const tryToShare = (path: string, waitMs: number): IndexLock | null =>
  // Reading takes a shared lock on the file, which the open transaction keeps.
  withRetries(waitMs, () => hold(path, "begin; select count(*) from sqlite_schema"));

/** Takes such a lock for this process alone. Waits at most `waitMs` for those that share it; then null. */
export const tryToKeep = (path: string, waitMs: number): IndexLock | null =>
  withRetries(waitMs, () => hold(path, "begin exclusive"));

function withRetries(waitMs: number, attempt: () => IndexLock | null): IndexLock | null {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    const lock = attempt();
    if (lock !== null || waitedMs >= waitMs) return lock;
    Bun.sleepSync(RETRY_MS);
  }
}

function hold(path: string, sql: string): IndexLock | null {
  const db = openLockFile(path);
  if (!begin(db, sql)) return null;
  if (db.isMoved()) {
    // Its last holder deleted it after it was opened here: a lock on it would exclude nobody.
    db.close();
    return hold(path, sql);
  }
  held.add(db);
  return {
    release() {
      held.delete(db);
      db.close();
    },
  };
}

/** A description of the process that holds the lock at `path`; null when none does. Changes nothing. */
export function heldBy(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    const lock = tryToHold(path);
    lock?.release();
    return lock === null ? holderOf(path) : null;
  } catch (error) {
    // Without write permission the lock cannot be tested.
    if (error instanceof Failed && error.failure.code === "io") return null;
    throw error;
  }
}

function begin(db: Db, sql: string): boolean {
  try {
    // Nothing is written, so a journal in memory avoids a journal file beside the lock.
    db.script(`pragma journal_mode = memory; ${sql}`);
    return true;
  } catch (error) {
    db.close();
    if (error instanceof Failed && error.failure.code === "locked") return false;
    throw error;
  }
}

export const holderPath = (path: string): string => `${path}.holder.json`;

/** The holder that the file beside the lock at `path` names. */
export function holderOf(path: string): string {
  try {
    const text = readSmallFile(holderPath(path), HOLDER_BYTES_MAX);
    if (text === null) return UNKNOWN;
    const { pid, host, startedAt } = LockHolder.parse(JSON.parse(text));
    return `process ${pid} on ${host}, since ${startedAt}`;
  } catch {
    return UNKNOWN; // It has just ended, or could not write the file.
  }
}

const UNKNOWN = "unknown process";
