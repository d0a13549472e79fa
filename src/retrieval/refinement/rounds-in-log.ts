/**
 * Reads from the log what earlier rounds of a task requested and showed, when the task's session was archived or lost. A log
 * that cannot be read counts as empty here.
 */

import type { LoggedDecision, RawLog } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { type RoundShown, ShownItem } from "../model/changes.ts";
import { type Constraints, isConstrained } from "../model/refinement.ts";
import { storedOptions } from "../record/stored-options.ts";

/** The last finished round before `round`; null when there is none or its decisions are unreadable. */
export function shownInLog(log: Pick<RawLog, "runs" | "decisions">, taskId: string, round: number): RoundShown | null {
  return orNull(() => {
    const last = log.runs(taskId).findLast((run) => run.round < round && run.result?.status === "finished");
    if (last === undefined) return null;
    const rows = log.decisions(taskId, { round: last.round }).filter(({ stage }) => stage === "budget");
    // Lines and whole files have no name; a package shows whole files only when it shows nothing else.
    const unnamed = rows.some(({ symbol, line }) => symbol !== null || line !== null) ? "lines" : "file";
    const shown = ShownItem.array().safeParse(
      rows.filter(isShown).map(({ path, symbol, tier, detail }) => ({ path, item: symbol ?? unnamed, tier, detail })),
    );
    return shown.success ? { round: last.round, shown: shown.data } : null;
  });
}

/** The constraints of the newest finished round before `round` that had any; null when none had. */
export const constraintsInLog = (log: Pick<RawLog, "runs">, taskId: string, round: number): Constraints | null =>
  orNull(() => {
    for (const run of log.runs(taskId).toReversed()) {
      const known =
        run.round < round && run.result?.status === "finished" ? storedOptions(run)?.constraints : undefined;
      if (known !== undefined && isConstrained(known)) return known;
    }
    return null;
  });

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** Rationale comments are not compared. */
const isShown = ({ included, kind }: LoggedDecision): boolean => included && kind !== "comment";
