/** Where a run is recorded: in the raw log and in the task's session, or nowhere for runs that are only measured. */
import type { RawLog } from "../../db/raw-log/raw-log.ts";
import type { Session } from "../../db/session/session.ts";

export type RunLog = Pick<
  RawLog,
  | "lastRound"
  | "runs"
  | "decisions"
  | "appendTaskRun"
  | "appendStage"
  | "appendDecisions"
  | "appendModelCall"
  | "appendTaskResult"
>;
export type RunSession = Pick<Session, "begin" | "rounds" | "get" | "getMember" | "alike" | "set" | "finish" | "close">;

export const NO_LOG: RunLog = {
  lastRound: () => 0,
  runs: () => [],
  decisions: () => [],
  appendTaskRun: () => 1,
  appendStage: () => undefined,
  appendModelCall: () => undefined,
  appendTaskResult: () => undefined,
  appendDecisions: () => undefined,
};

export const NO_SESSION: RunSession = {
  begin: () => ({ round: 1, continued: false }),
  rounds: () => [],
  get: () => undefined,
  getMember: () => undefined,
  alike: () => [],
  set: () => undefined,
  finish: () => undefined,
  close: () => undefined,
};
