/** Where a run is recorded: in the log and in its task's session, or nowhere if these may not be written. */
import { deniedAt, whyUnwritable } from "../../db/data-folder/unwritable.ts";
import { openRawLog } from "../../db/raw-log/open-raw-log.ts";
import type { RawLog } from "../../db/raw-log/raw-log.ts";
import { redactedLog } from "../../db/raw-log/redacted.ts";
import { openSession, sessionPath } from "../../db/session/session.ts";
import type { Notice } from "../../notice.ts";
import { NO_LOG, NO_SESSION, type RunSession } from "../../retrieval/record/record-run.ts";
import type { RetrieveDeps } from "../../retrieval/retrieve.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type Records = Pick<RetrieveDeps, "log" | "openSession">;

/** `log` answers for earlier runs; the caller closes it. `why` the run is not recorded; null when it is. */
type OpenRecords = Records & { readonly log: RawLog; readonly why: string | null };

export function openRecords({ paths, redactor }: Workspace, onDamage: (notice: Notice) => void): OpenRecords {
  const why = whyUnwritable(paths);
  const log = redactedLog(openRawLog(paths.raw, onDamage, why === null ? "append" : "read"), redactor);
  if (why === null) return { log, openSession: (taskId) => writableSession(paths.sessions, taskId), why };
  const { lastRound: _, runs: __, decisions: ___, ...appends } = NO_LOG;
  return { log: { ...log, ...appends }, openSession: () => NEXT_ROUND, why };
}

/** The session, or none where it alone is somebody else's: the log has what it would say. */
const writableSession = (sessions: string, taskId: string): RunSession =>
  deniedAt(sessionPath(sessions, taskId)) === null ? openSession(sessions, taskId) : NEXT_ROUND;

/** The log restores what earlier rounds asked for and showed. */
const NEXT_ROUND: RunSession = { ...NO_SESSION, begin: (_, after = 0) => ({ round: after + 1, continued: false }) };

/** The time of day in milliseconds since the epoch, for one run: it goes on evenly, also when the system's clock is set. */
export function steadyClock(): () => number {
  const startedAt = Date.now();
  const startedMs = performance.now();
  return () => startedAt + Math.round(performance.now() - startedMs);
}
