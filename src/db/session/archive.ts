/**
 * Moves a session into the raw log: a copy that was read back and looked at, and only then the file goes.
 *
 * Invariants: nobody can begin a round meanwhile, as this holds the right to write, and who waited for it finds the
 * file gone and begins anew (`session.ts`); whatever fails or is killed leaves the file, the copy, or both, and a
 * second try keeps nothing twice. Not here: which sessions are to go (`sessions.ts`).
 */
import { closeSync, fsyncSync, lstatSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { checkSession, type SessionShapes } from "../check/session.ts";
import type { RawLog } from "../raw-log/raw-log.ts";
import type { Db } from "../sqlite/db.ts";
import { heldBy } from "../sqlite/lock.ts";
import { openDatabase } from "../sqlite/open.ts";
import { DRAFT_SUFFIX } from "./drafts.ts";
import { type Round, SESSION_SCHEMA, sessionPath } from "./session.ts";

/** `claims` are the claims on its rounds, held or left behind; `token` is 12 hexadecimal digits that no other run has. */
export type Archiving = {
  readonly log: Pick<RawLog, "appendSessionArchive" | "sessionArchives">;
  readonly logPath: string;
  readonly shapes: SessionShapes;
  readonly claims: () => readonly string[];
  readonly now: string;
  readonly token: string;
};

/** What became of a session: the bytes of the copy, or why the session stays. */
export type Archived = { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly why: string };

export const WHY_IT_STAYS = {
  held: "it is in use",
  empty: "it has no round",
  unfinished: "it has an unfinished round, which can be continued",
} as const;

/** A larger one is no session that cra wrote, and would have to be held in memory. */
const BYTES_MAX = 256 * 2 ** 20;

/**
 * Archives one session. A session that is damaged, in use or unfinished stays, with the reason. Throws `io` or `locked`
 * when the log takes nothing, and `io` when the file cannot be removed.
 */
export function archiveSession(sessions: string, taskId: string, archiving: Archiving): Archived {
  const path = sessionPath(sessions, taskId);
  const db = held(path);
  if (db instanceof Failed) return { ok: false, why: db.message };
  try {
    const claims = archiving.claims();
    const why = whyNot(db, claims);
    if (why !== null) return { ok: false, why };
    const { log, now: createdAt, shapes, logPath, token } = archiving;
    const session = db.bytes();
    log.appendSessionArchive({ taskId, session, createdAt });
    flush(`${logPath}-wal`);
    const copy = keptAs(log, taskId, session);
    if (copy === null) return { ok: false, why: "the log gives back another copy than it was given" };
    const damage = damageOf(copy, join(dirname(path), `.${taskId}.sqlite.${token}.tmp`), shapes);
    if (damage !== null) return { ok: false, why: `its copy is damaged (${damage})` };
    // Its write-ahead log goes after the file: alone that is ignored, but a file alone would lack what is in it.
    const draft = join(sessions, `${taskId}${DRAFT_SUFFIX}`);
    for (const gone of [path, `${path}-wal`, `${path}-shm`, ...claims, draft]) remove(gone);
    return { ok: true, bytes: session.byteLength };
  } finally {
    db.rollback();
    db.close();
  }
}

/** One write of a round takes less; who writes longer is at work on it, and the session stays. */
const BUSY_MS = 200;

/** The session with the right to write it, or why that cannot be had. */
function held(path: string): Db | Failed {
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

/** Asked while nobody else can write. */
function whyNot(db: Db, claims: readonly string[]): string | null {
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

/** What the log now holds of it; null when that is not what it was given. */
function keptAs(log: Archiving["log"], taskId: string, session: Uint8Array): Uint8Array | null {
  for (const kept of log.sessionArchives(taskId)) if (Buffer.compare(kept.session, session) === 0) return kept.session;
  return null;
}

/** What is wrong with a session of these bytes, which are written to `path` for a moment. */
function damageOf(bytes: Uint8Array, path: string, shapes: SessionShapes): string | null {
  try {
    onDisk(path, "free some space, or check the permissions of the folder that it is in", () =>
      writeFileSync(path, bytes, { flag: "wx", mode: 0o600 }),
    );
    const findings = checkSession(path, shapes, null, () => undefined);
    return findings.find(({ severity }) => severity === "error")?.what ?? null;
  } finally {
    rmSync(path, { force: true });
  }
}

/** A commit that a power cut can undo is no ground to remove anything. */
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
  onDisk(path, "check the permissions of the folder that it is in", () => rmSync(path, { force: true }));

/** What the disk refuses is a failure that says where, and what to do next. */
function onDisk(where: string, next: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Failed({ code: "io", message: systemErrorWords(error), where, next }, { cause: error });
  }
}
