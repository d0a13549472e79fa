/**
 * The sessions of a data folder: which there are, and moving those that nobody works on into the log.
 *
 * Not here: how one is moved (`db/session/archive.ts`), removing them for good (`clean.ts`).
 */

import { sessionDamage } from "../db/check/session.ts";
import { type DataFile, dataFiles } from "../db/data-folder/data-files.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import type { RawLog } from "../db/raw-log/raw-log.ts";
import { archiveSession, WHY_IT_STAYS } from "../db/session/archive.ts";
import { type SessionSummary, sessionSummary } from "../db/session/session.ts";
import { heldBy, takeIndexLock } from "../db/sqlite/lock.ts";
import { Failed } from "../failure.ts";
import { SESSION_SHAPES } from "../retrieval/record/selection-json.ts";
import { taskIdMeant } from "../retrieval/record/typed-task-id.ts";
import type { Environment } from "./app-types.ts";
import { bytesOf } from "./storage.ts";

/** "unfinished": its last round can be continued. "empty": no round was ever begun. */
export type SessionState = "finished" | "unfinished" | "in use" | "empty" | "damaged";

/**
 * A session as it stands. `task` is the text, null when the log does not know it; `lastUsed` is an ISO time, null when
 * nothing tells; `why` says what is wrong with a damaged one.
 */
export type StoredSession = {
  readonly taskId: string;
  readonly task: string | null;
  readonly rounds: number;
  readonly state: SessionState;
  readonly lastUsed: string | null;
  readonly bytes: number;
  readonly why: string | null;
};

/** Every session, the last used first. */
export function storedSessions(paths: DataPaths, log: Pick<RawLog, "latestRun"> | null): readonly StoredSession[] {
  const byTask = Map.groupBy(dataFiles(paths), ({ task, kind }) =>
    kind === "session" || kind === "claim" ? task : null,
  );
  return [...byTask]
    .flatMap(([taskId, files]) => {
      const file = files.find(isDatabase);
      return taskId === null || file === undefined ? [] : [storedSession(taskId, file, files, log)];
    })
    .sort((a, b) => {
      const [x, y] = [a.lastUsed ?? "", b.lastUsed ?? ""];
      return x > y ? -1 : x < y ? 1 : a.taskId < b.taskId ? -1 : 1;
    });
}

const isDatabase = ({ kind, path }: DataFile): boolean => kind === "session" && path.endsWith(".sqlite");

function storedSession(
  taskId: string,
  file: DataFile,
  files: readonly DataFile[],
  log: Pick<RawLog, "latestRun"> | null,
): StoredSession {
  const glance = sessionSummary(file.path);
  const isHeld = files.some(({ kind, path }) => kind === "claim" && heldBy(path) !== null);
  const rounds = glance.ok ? glance.rounds : [];
  const times = rounds.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt ?? startedAt]);
  return {
    taskId,
    task: log?.latestRun(taskId)?.task ?? null,
    rounds: rounds.length,
    state: isHeld ? "in use" : stateOf(glance),
    lastUsed: times.toSorted().at(-1) ?? null,
    bytes: bytesOf(files.filter(({ kind }) => kind === "session")),
    why: glance.ok ? null : glance.why,
  };
}

function stateOf(glance: SessionSummary): SessionState {
  if (!glance.ok) return "damaged";
  const last = glance.rounds.at(-1);
  return last === undefined ? "empty" : last.status === "finished" ? "finished" : "unfinished";
}

/**
 * `tasks` are ids or beginnings of them; none means every session. Only what was last used at least `olderThanDays`
 * ago is meant; null for whatever age.
 */
export type ArchiveWish = {
  readonly tasks: readonly string[];
  readonly olderThanDays: number | null;
  readonly dryRun: boolean;
};

/** `stayed` are sessions that were meant and could not go; `younger` counts those that were not meant for their age. */
export type ArchiveReport = {
  readonly archived: readonly { readonly taskId: string; readonly bytes: number }[];
  readonly stayed: readonly { readonly taskId: string; readonly why: string }[];
  readonly younger: number;
};

/** What archiving needs; `openLog` creates the log where there is none. */
export type ArchiveWorld = {
  readonly paths: DataPaths;
  readonly log: RawLog | null;
  readonly openLog: () => RawLog;
  readonly environment: Pick<Environment, "pid" | "host">;
};

const DAY_MS = 86_400_000;

/**
 * Moves finished sessions into the log. Throws a usage failure for a task that has no session, `locked` when another
 * cra is indexing, and `io` when the log takes nothing: then every session that is left stands as it was.
 */
export async function archiveSessions(
  { paths, log, openLog, environment }: ArchiveWorld,
  wish: ArchiveWish,
  signal: AbortSignal,
): Promise<ArchiveReport> {
  const nowMs = Date.now();
  const all = storedSessions(paths, log);
  const named = namedAmong(all, wish.tasks);
  const { olderThanDays } = wish;
  // What has no time that can be read is meant as well, so that it is looked at and named.
  const isYoung = ({ lastUsed }: StoredSession): boolean =>
    olderThanDays !== null && Math.max(0, nowMs - Date.parse(lastUsed ?? "")) < olderThanDays * DAY_MS;
  const meant = named.filter((session) => !isYoung(session));
  const stayed: { taskId: string; why: string }[] = [];
  const archived: { taskId: string; bytes: number }[] = [];
  const younger = named.length - meant.length;
  if (meant.length === 0) return { archived, stayed, younger };
  if (wish.dryRun) {
    for (const session of meant) {
      const why = STAYING[session.state] ?? session.why;
      if (why === null) archived.push({ taskId: session.taskId, bytes: session.bytes });
      else stayed.push({ taskId: session.taskId, why });
    }
    return { archived, stayed, younger };
  }
  const now = new Date(nowMs).toISOString();
  const lock = await takeIndexLock(paths.lock, { pid: environment.pid, host: environment.host, startedAt: now }, 0);
  try {
    const into = openLog();
    for (const { taskId } of meant) {
      await new Promise((resume) => setImmediate(resume));
      signal.throwIfAborted();
      const done = archiveSession(paths.sessions, taskId, {
        log: into,
        logPath: paths.raw,
        damageIn: (path) => sessionDamage(path, SESSION_SHAPES),
        claims: () => claimsOn(paths, taskId),
        now,
        token: crypto.randomUUID().replaceAll("-", "").slice(0, 12),
      });
      if (done.ok) archived.push({ taskId, bytes: done.bytes });
      else stayed.push({ taskId, why: done.why });
    }
    return { archived, stayed, younger };
  } finally {
    lock.release();
  }
}

/** What keeps a session where it is, as far as a glance tells. */
const STAYING: Readonly<Record<SessionState, string | null>> = {
  finished: null,
  unfinished: WHY_IT_STAYS.unfinished,
  "in use": WHY_IT_STAYS.held,
  empty: WHY_IT_STAYS.empty,
  damaged: null,
};

function namedAmong(all: readonly StoredSession[], typed: readonly string[]): readonly StoredSession[] {
  if (typed.length === 0) return all;
  const known = all.map(({ taskId }) => taskId);
  const ids = new Set(typed.map((id) => taskIdMeant(known, id)));
  for (const id of ids)
    if (!known.includes(id))
      throw new Failed({ code: "usage", message: `there is no session of a task ${id}`, next: "see: cra sessions" });
  return all.filter(({ taskId }) => ids.has(taskId));
}

const claimsOn = (paths: DataPaths, taskId: string): readonly string[] =>
  dataFiles(paths).flatMap(({ kind, path, task }) => (kind === "claim" && task === taskId ? [path] : []));
