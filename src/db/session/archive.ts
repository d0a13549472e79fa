/**
 * Moves a finished session into the raw log: writes a copy, reads it back, checks it, and only then deletes the file.
 *
 * A write transaction keeps others from starting a round meanwhile; whoever waited for it finds the file gone and starts a new one
 * (`session.ts`). A failure or kill leaves the file, the copy, or both, and a retry stores nothing twice.
 */
import { closeSync, fsyncSync, lstatSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failed } from "../../failure.ts";
import type { RawLog } from "../raw-log/raw-log.ts";
import type { Db } from "../sqlite/db.ts";
import { onDisk } from "../sqlite/failures.ts";
import { heldBy } from "../sqlite/lock.ts";
import { openDatabase } from "../sqlite/open.ts";
import { DRAFT_SUFFIX } from "./drafts.ts";
import { type Round, SESSION_SCHEMA, sessionPath } from "./session.ts";

/** `claims` returns the lock files of its rounds, held or left behind; `token` is 12 hexadecimal digits unique to this run. */
export type ArchiveOptions = {
  readonly log: Pick<RawLog, "appendSessionArchive" | "sessionArchives">;
  readonly logPath: string;
  /** What is wrong with the session file at a path; null when it is sound. */
  readonly damageIn: (path: string) => string | null;
  readonly claims: () => readonly string[];
  readonly now: string;
  readonly token: string;
};

/** The bytes of the copy, or why the session stays. */
type ArchiveResult = { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly why: string };

export const WHY_IT_STAYS = {
  held: "it is in use",
  empty: "it has no round",
  unfinished: "it has an unfinished round, which can be continued",
} as const;

/** A larger file cannot be a session of cra, and it would have to be held in memory. */
const BYTES_MAX = 256 * 2 ** 20;

/**
 * Archives one session. A damaged, used or unfinished session stays, with the reason. Throws `io` or `locked` when the log
 * cannot be written, and `io` when the file cannot be deleted.
 */
export function archiveSession(sessions: string, taskId: string, archiving: ArchiveOptions): ArchiveResult {
  const path = sessionPath(sessions, taskId);
  const db = lockedSession(path);
  if (db instanceof Failed) return { ok: false, why: db.message };
  try {
    const claims = archiving.claims();
    const why = reasonToKeep(db, claims);
    if (why !== null) return { ok: false, why };
    const { log, now: createdAt, damageIn, logPath, token } = archiving;
    const session = db.bytes();
    log.appendSessionArchive({ taskId, session, createdAt });
    flush(`${logPath}-wal`);
    const copy = readBack(log, taskId, session);
    if (copy === null) return { ok: false, why: "the log returned another copy than was written" };
    const damage = damageOf(copy, join(dirname(path), `.${taskId}.sqlite.${token}.tmp`), damageIn);
    if (damage !== null) return { ok: false, why: `its copy is damaged (${damage})` };
    // The write-ahead log is deleted after the file: alone it is ignored, but the file alone would lack its contents.
    const draft = join(sessions, `${taskId}${DRAFT_SUFFIX}`);
    for (const gone of [path, `${path}-wal`, `${path}-shm`, ...claims, draft]) remove(gone);
    return { ok: true, bytes: session.byteLength };
  } finally {
    db.rollback();
    db.close();
  }
}

/** A round's write takes less. A longer one means that the session is in use. */
const BUSY_MS = 200;

/** The session with a write transaction open, or the reason it cannot be had. */
function lockedSession(path: string): Db | Failed {
  let db: Db | null = null;
  try {
    db = openDatabase(path, "write", SESSION_SCHEMA, BUSY_MS);
    db.begin();
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Failed) return error;
    throw error;
  }
}

/** Called while nobody else can write. */
function reasonToKeep(db: Db, claims: readonly string[]): string | null {
  if (db.isMoved()) return "another cra has just archived it";
  if (claims.some((path) => heldBy(path) !== null)) return WHY_IT_STAYS.held;
  const last = db.get<Pick<Round, "status">>("select status from rounds order by round desc limit 1");
  if (last === null) return WHY_IT_STAYS.empty;
  if (last.status !== "finished") return WHY_IT_STAYS.unfinished;
  const size = db.get<{ bytes: number }>(
    "select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()",
  );
  return (size?.bytes ?? 0) > BYTES_MAX ? "it is too large" : null;
}

/** The copy as the log returns it; null when it differs. */
function readBack(log: ArchiveOptions["log"], taskId: string, session: Uint8Array): Uint8Array | null {
  for (const kept of log.sessionArchives(taskId)) if (Buffer.compare(kept.session, session) === 0) return kept.session;
  return null;
}

/** What is wrong with these bytes as a session, which are written to `path` temporarily. */
function damageOf(bytes: Uint8Array, path: string, damageIn: ArchiveOptions["damageIn"]): string | null {
  try {
    onDisk(path, "free some space, or check the permissions of its folder", () =>
      writeFileSync(path, bytes, { flag: "wx", mode: 0o600 }),
    );
    return damageIn(path);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Flushes the log: a power cut must not undo the copy after the session is deleted. */
function flush(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  onDisk(path, "check the disk and its free space", () => {
    const file = openSync(path, "r+");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

const remove = (path: string): void =>
  onDisk(path, "check the permissions of its folder", () => rmSync(path, { force: true }));
