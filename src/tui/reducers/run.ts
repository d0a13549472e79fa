/** A run: how it starts, how pipeline events change it, and how it is stopped. `rounds.ts` handles its end. */
import type { ProgressStep } from "../../app/workspace/environment.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { withChosen, withConsidered } from "../state/lists/file-list.ts";
import type { Pace, RunState, StageState, State } from "../state/state.ts";
import { become, type Outcome, type Reducers } from "./reducer.ts";

const REPLY_CHARS_MAX = 4_000;
const NOTICES_MAX = 50;

export function startRun(state: State, kind: RunState["kind"], id: number): State {
  return {
    ...state,
    screen: "run",
    overlay: null,
    run: {
      id,
      kind,
      status: "running",
      startedAt: state.now,
      endedAt: state.now,
      taskId: state.taskId,
      round: (state.review?.round?.latest ?? 0) + 1,
      budget: null,
      refresh: null,
      stages: [],
      files: [],
      cursor: 0,
      judgement: null,
      notices: [],
      failure: null,
    },
  };
}

/** Whether a run has not ended. */
export const isRunning = (run: RunState | null): run is RunState =>
  run !== null && (run.status === "running" || run.status === "cancelling");

/** Asks the run to stop. */
export function cancelRun(state: State): Outcome {
  const { run } = state;
  if (run?.status !== "running") return become(state);
  return become({ ...state, run: { ...run, status: "cancelling" } }, { do: "cancel", run: run.id });
}

export const RUN_REDUCERS = {
  "run.cancel": cancelRun,
} as const satisfies Reducers;

/** Applies pipeline events. Events after a request to stop still belong to the partial result. */
export function applyEvents(state: State, id: number, events: readonly PipelineEvent[]): Outcome {
  const { run } = state;
  if (!isRunning(run) || run.id !== id) return become(state);
  const considered = events.filter((event) => event.event === "file_considered");
  const placed = events.filter((event) => event.event === "symbol_placed");
  const files = withChosen(withConsidered(run.files, considered), placed);
  const next = events.reduce((before, event) => applyEvent(before, event, state.now), {
    ...run,
    files,
    cursor: followed(run, files),
  });
  return become({ ...state, run: next, taskId: next.taskId });
}

/** Keeps the cursor on its file in the new list; a cursor at the top stays there. */
function followed({ cursor, files: before }: RunState, files: RunState["files"]): number {
  const path = before[cursor]?.path;
  return cursor === 0 || files === before ? cursor : files.findIndex((file) => file.path === path);
}

export function applyRefreshStep(state: State, id: number, step: ProgressStep): Outcome {
  const { run } = state;
  return become(
    isRunning(run) && run.id === id
      ? { ...state, run: { ...run, refresh: trackPace(run.refresh, step, state.now) } }
      : state,
  );
}

/** Adds to a step when its phase started. */
export const trackPace = (before: Pace | null, step: ProgressStep, now: number): Pace =>
  before?.phase === step.phase && before.done <= step.done
    ? { ...step, since: before.since, from: before.from }
    : { ...step, since: now, from: step.done };

/** Advances the times of an unfinished run. */
export const tickRun = (run: RunState, now: number): RunState =>
  isRunning(run) ? { ...withRunningStage(run, { endedAt: now }), endedAt: now } : run;

/** Changes the stage that is running. */
export const withRunningStage = (run: RunState, change: Partial<StageState>): RunState => ({
  ...run,
  stages: run.stages.map((stage) => (stage.status === "running" ? { ...stage, ...change } : stage)),
});

function applyEvent(run: RunState, event: PipelineEvent, now: number): RunState {
  switch (event.event) {
    case "run_started":
      return {
        ...run,
        taskId: event.task_id,
        round: event.round,
        budget: event.budget,
        refresh: null,
        stages: event.stages.map((name) => waitingStage(name, now)),
      };
    case "stage_started":
      // Stages run one after another, so the running one is done.
      return withStage(withRunningStage(run, { status: "done", endedAt: now }), event.stage, now, () => ({
        status: "running",
        startedAt: now,
        endedAt: now,
      }));
    case "stage_finished":
      return withStage(run, event.stage, now, () => ({ status: "done", endedAt: now, counts: event.counts }));
    case "file_considered":
    case "symbol_placed":
      return withStage(run, event.stage, now, ({ considered }) => ({ considered: considered + 1 }));
    case "judgement_started":
      return {
        ...withJudgingStage(run, event.stage, now),
        judgement: {
          stage: event.stage,
          model: event.model,
          candidates: event.candidates,
          call: event.call,
          calls: event.calls,
          leftMs: event.left_ms,
          text: "",
          heardAt: now,
          status: "asked",
        },
      };
    case "judgement_waiting":
      return withJudgingStage(run, event.stage, now);
    case "judgement_text": {
      if (run.judgement === null) return run;
      const text = (run.judgement.text + event.text).slice(-REPLY_CHARS_MAX).toWellFormed();
      return { ...run, judgement: { ...run.judgement, text, heardAt: now } };
    }
    case "judgement_finished":
      return run.judgement === null ? run : { ...run, judgement: { ...run.judgement, status: event.status } };
    case "notice":
      return {
        ...run,
        notices: [...run.notices, { code: event.code, message: event.message }].slice(-NOTICES_MAX),
      };
    case "package":
      return run;
  }
}

/** A model call before the announced stages, such as task analysis, is shown as a stage before them. */
function withJudgingStage(run: RunState, name: string, now: number): RunState {
  if (run.stages.some((stage) => stage.name === name)) return run;
  return { ...run, stages: [{ ...waitingStage(name, now), status: "running" }, ...run.stages] };
}

const waitingStage = (name: string, now: number): StageState => ({
  name,
  status: "waiting",
  startedAt: now,
  endedAt: now,
  considered: 0,
  counts: {},
});

/** Changes a stage; one that was not announced is added at the end. */
function withStage(
  run: RunState,
  name: string,
  now: number,
  change: (stage: StageState) => Partial<StageState>,
): RunState {
  const isKnown = run.stages.some((stage) => stage.name === name);
  const stages = isKnown ? run.stages : [...run.stages, waitingStage(name, now)];
  return { ...run, stages: stages.map((stage) => (stage.name === name ? { ...stage, ...change(stage) } : stage)) };
}
