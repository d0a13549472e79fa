/** The sessions of a data folder: lists them, and archives finished ones in the log. */
import { rmSync } from "node:fs";
import { nextTurn } from "../../concurrency/next-turn.ts";
import { sessionDamage } from "../../db/check/session.ts";
import { type DataFile, dataFiles } from "../../db/data-folder/data-files.ts";
import type { DataPaths } from "../../db/data-folder/paths.ts";
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { archiveSession, WHY_IT_STAYS } from "../../db/session/archive.ts";
import { type SessionSummary, sessionSummary } from "../../db/session/session.ts";
import { heldBy, takeIndexLock } from "../../db/sqlite/lock.ts";
import { Failed } from "../../failure.ts";
import { SESSION_SHAPES } from "../../retrieval/record/selection-json.ts";
import { storedOptions } from "../../retrieval/record/stored-options.ts";
import { expandTaskId } from "../../retrieval/record/task-id-prefix.ts";
import type { Purpose } from "../../task/query.ts";
import { lockHolder } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { bytesOf } from "./storage.ts";

/** "unfinished": its last round can be continued. "empty": no round was ever begun. */
type SessionState = "finished" | "unfinished" | "in use" | "empty" | "damaged";

/**
 * `task` is its text, null when the log does not have it; `lastUsed` is an ISO time, null when unknown; `why` says what is
 * wrong with a damaged one.
 */
export type StoredSession = {
  readonly taskId: string;
  readonly task: string | null;
  /** What its packages are for, where the task says so. */
  readonly purpose: Purpose | null;
  readonly rounds: number;
  readonly state: SessionState;
  readonly lastUsed: string | null;
  readonly bytes: number;
  readonly why: string | null;
};

/** Every session, the last used first. */
export function storedSessions(paths: DataPaths, log: Pick<LogReader, "latestRun"> | null): readonly StoredSession[] {
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
  log: Pick<LogReader, "latestRun"> | null,
): StoredSession {
  const summary = sessionSummary(file.path);
  const isHeld = files.some(({ kind, path }) => kind === "claim" && heldBy(path) !== null);
  const rounds = summary.ok ? summary.rounds : [];
  const run = log?.latestRun(taskId) ?? null;
  const times = rounds.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt ?? startedAt]);
  return {
    taskId,
    task: run?.task ?? null,
    purpose: run === null ? null : (storedOptions(run)?.settings.for ?? null),
    rounds: rounds.length,
    state: isHeld ? "in use" : stateOf(summary),
    lastUsed: times.toSorted().at(-1) ?? null,
    bytes: bytesOf(files.filter(({ kind }) => kind === "session")),
    why: summary.ok ? null : summary.why,
  };
}

function stateOf(summary: SessionSummary): SessionState {
  if (!summary.ok) return "damaged";
  const last = summary.rounds.at(-1);
  return last === undefined ? "empty" : last.status === "finished" ? "finished" : "unfinished";
}

/** `tasks` are ids or their beginnings, none for every session; with `olderThanDays`, only sessions unused for that long. */
export type ArchiveRequest = {
  readonly tasks: readonly string[];
  readonly olderThanDays: number | null;
  readonly dryRun: boolean;
};

/** `stayed` were selected and cannot be archived; `younger` counts those left out for their age. */
export type ArchiveReport = {
  readonly archived: readonly { readonly taskId: string; readonly bytes: number }[];
  readonly stayed: readonly { readonly taskId: string; readonly why: string }[];
  readonly younger: number;
};

const DAY_MS = 86_400_000;

/**
 * Moves finished sessions into the log. Throws a usage failure for a task without a session, `locked` while another cra
 * is indexing, and `io` when the log cannot be written: then the remaining sessions are unchanged.
 */
export async function archiveSessions(
  { paths, log, environment }: Workspace,
  { tasks, olderThanDays, dryRun }: ArchiveRequest,
  signal: AbortSignal,
): Promise<ArchiveReport> {
  const nowMs = Date.now();
  const named = namedAmong(storedSessions(paths, log.read()), tasks);
  // A session without a readable time is selected too, so that it is checked and named.
  const isYoung = ({ lastUsed }: StoredSession): boolean =>
    olderThanDays !== null && Math.max(0, nowMs - Date.parse(lastUsed ?? "")) < olderThanDays * DAY_MS;
  const selected = named.filter((session) => !isYoung(session));
  const stayed: { taskId: string; why: string }[] = [];
  const archived: { taskId: string; bytes: number }[] = [];
  const younger = named.length - selected.length;
  if (selected.length === 0) return { archived, stayed, younger };
  if (dryRun) {
    for (const session of selected) {
      const why = WHY_STATE_STAYS[session.state] ?? session.why;
      if (why === null) archived.push({ taskId: session.taskId, bytes: session.bytes });
      else stayed.push({ taskId: session.taskId, why });
    }
    return { archived, stayed, younger };
  }
  const now = new Date(nowMs).toISOString();
  const lock = await takeIndexLock(paths.lock, { ...lockHolder(environment), startedAt: now }, 0);
  try {
    const into = log.write();
    for (const { taskId } of selected) {
      await nextTurn();
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

/**
 * Deletes a session and its draft: a finished one is archived, of another one nothing is kept but the log. Throws a usage
 * failure for a task without a session and for one in use.
 */
export async function deleteSession(workspace: Workspace, taskId: string, signal: AbortSignal): Promise<void> {
  const { paths, log } = workspace;
  const [session] = namedAmong(storedSessions(paths, log.read()), [taskId]);
  if (session?.state === "finished") {
    const { archived, stayed } = await archiveSessions(
      workspace,
      { tasks: [taskId], olderThanDays: null, dryRun: false },
      signal,
    );
    if (archived.length === 0) throw inUse(taskId, stayed[0]?.why ?? WHY_IT_STAYS.held);
    return;
  }
  if (session?.state === "in use") throw inUse(taskId, WHY_IT_STAYS.held);
  for (const { path, kind, task } of dataFiles(paths))
    if (task === taskId && (kind === "session" || kind === "claim")) rmSync(path, { force: true });
}

const inUse = (taskId: string, why: string): Failed =>
  new Failed({ code: "usage", message: `the session of task ${taskId} is kept: ${why}`, next: "try again later" });

/** Why a session in this state stays; null when archiving decides. */
const WHY_STATE_STAYS: Readonly<Record<SessionState, string | null>> = {
  finished: null,
  unfinished: WHY_IT_STAYS.unfinished,
  "in use": WHY_IT_STAYS.held,
  empty: WHY_IT_STAYS.empty,
  damaged: null,
};

function namedAmong(all: readonly StoredSession[], typed: readonly string[]): readonly StoredSession[] {
  if (typed.length === 0) return all;
  const known = all.map(({ taskId }) => taskId);
  const ids = new Set(typed.map((id) => expandTaskId(known, id)));
  for (const id of ids)
    if (!known.includes(id))
      throw new Failed({ code: "usage", message: `task ${id} has no session`, next: "see: cra sessions" });
  return all.filter(({ taskId }) => ids.has(taskId));
}

const claimsOn = (paths: DataPaths, taskId: string): readonly string[] =>
  dataFiles(paths).flatMap(({ kind, path, task }) => (kind === "claim" && task === taskId ? [path] : []));
