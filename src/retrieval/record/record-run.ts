/**
 * Records a run in the raw log and in its task's session, the only things that retrieval writes.
 *
 * `NO_LOG` and `NO_SESSION` replace them for a run that must leave no trace.
 */

import type { DecisionRow, ModelCallRow, RawLog } from "../../db/raw-log/raw-log.ts";
import type { Session } from "../../db/session/session.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { inOrder } from "../../text/order.ts";
import type { Budget } from "../model/budget.ts";
import type { ShownItem } from "../model/changes.ts";
import type { Decision } from "../model/decision.ts";
import { noticeRow } from "../model/notice-event.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import type { Selection } from "../model/selection.ts";
import type { StageOutcome } from "../model/stage.ts";
import { type Constraints, storedConstraints } from "../requests/refinement.ts";
import { judgementOf } from "./model-verdicts.ts";
import { selectionJson } from "./selection-json.ts";

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
export type RunSession = Pick<Session, "begin" | "rounds" | "get" | "alike" | "set" | "finish" | "close">;

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
  alike: () => [],
  set: () => undefined,
  finish: () => undefined,
  close: () => undefined,
};

type RecordDeps = { readonly log: RunLog; readonly session: RunSession; readonly now: () => number };

/** `startedAt` is in milliseconds since the epoch. */
type BegunRun = Omit<Parameters<RunLog["appendTaskRun"]>[0], "startedAt" | "budget"> & {
  readonly startedAt: number;
  readonly budget: Budget;
};

/** A budget as the log stores it. */
const budgetRow = ({ tokens, maxLines, contextWindow, reservedTokens, coverage }: Budget) => ({
  tokens,
  max_lines: maxLines,
  context_window: contextWindow,
  reserved_tokens: reservedTokens,
  coverage,
});

/** A package, and the tokens of its text in the format that is printed; of JSON, as Markdown. */
type Printed = { readonly pkg: ContextPackage; readonly tokens: number };

export type RunRecorder = ReturnType<typeof recordRun>;

/** Begins the record of a run. `notices` is read when the run ends. */
export function recordRun({ log, session, now }: RecordDeps, run: BegunRun, notices: () => readonly Notice[]) {
  const { round, startedAt } = run;
  const runId = log.appendTaskRun({ ...run, budget: budgetRow(run.budget), startedAt: isoTime(startedAt) });
  const outputs: Record<string, unknown> = {};
  const progress: { stage: string; status: "finished" }[] = [];

  const decided = (stage: string, decisions: readonly Decision[]): void =>
    log.appendDecisions(
      runId,
      decisions.map((decision) => logged(stage, decision)),
    );
  const judged = (stage: string, verdicts: readonly Decision[]): void => decided(judgementOf(stage), verdicts);
  const stageTook = (stage: string, since: number, counts: Record<string, number>): void =>
    log.appendStage(runId, { stage, ms: now() - since, counts });
  const finish = (status: "finished" | "cancelled" | "failed", printed: Printed | null): void =>
    log.appendTaskResult(runId, {
      status,
      tokenCount: printed?.tokens ?? null,
      files: printed?.pkg.files.length ?? null,
      notices: notices().map(noticeRow),
      ms: now() - startedAt,
      finishedAt: isoTime(now()),
    });

  return {
    modelCall: (call: ModelCallRow): void => log.appendModelCall(runId, call),
    judged,

    /** Records a stage's outcome; returns the counts of its decisions by tier. */
    stage(stage: string, since: number, { selection, decisions, judgement }: StageOutcome): Record<string, number> {
      const counts = countsOf(judgement?.decisions ?? decisions);
      decided(stage, decisions);
      judged(stage, judgement?.verdicts ?? []);
      stageTook(stage, since, counts);
      outputs[stage] = selectionJson(selection);
      progress.push({ stage, status: "finished" });
      session.set(round, "stage_outputs", outputs);
      session.set(round, "stage_progress", progress);
      return counts;
    },

    /** Records the packing decisions; returns their counts by tier. */
    packing(since: number, verdicts: readonly Decision[]): Record<string, number> {
      const counts = countsOf(verdicts);
      decided("budget", verdicts);
      stageTook("budget", since, counts);
      return counts;
    },

    finished(
      printed: Printed,
      selection: Selection,
      { constraints, dropped }: { readonly constraints: Constraints; readonly dropped: boolean },
      shown: readonly ShownItem[],
    ): void {
      const stored = { constraints: storedConstraints(constraints), ...(dropped ? { dropped } : {}) };
      const result = { token_count: printed.pkg.token_count, ...stored, shown };
      session.set(round, "final_context", { ...selectionJson(selection), ...result });
      session.finish(round, isoTime(now()));
      finish("finished", printed);
    },

    failed(error: unknown): void {
      try {
        finish(error instanceof Failed && error.failure.code === "cancelled" ? "cancelled" : "failed", null);
      } catch {
        // A log that cannot be written must not hide the first error.
      }
    },
  };
}

const logged = (stage: string, decision: Decision): DecisionRow => ({
  ...decision,
  stage,
  terms: decision.terms?.map(({ signal, value, weight }) => ({ signal, value, weight })) ?? null,
});

function countsOf(decisions: readonly Decision[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { tier, included } of decisions) {
    const name = included ? tier : "excluded";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => inOrder(a, b)));
}

export const isoTime = (ms: number): string => new Date(ms).toISOString();
