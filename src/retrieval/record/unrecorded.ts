/**
 * Places to record a run in that keep nothing: for runs that are only measured or only thought of.
 */
import type { RunLog, RunSession } from "../retrieve.ts";

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
