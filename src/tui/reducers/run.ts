/**
 * A run: how it begins, what the pipeline says of it, and how it is stopped.
 *
 * Pure. Files are in the list as soon as the pipeline names them. Not here: what follows when it has ended
 * (`rounds.ts`).
 */
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { keysOf } from "../keys/bindings.ts";
import { contextOf } from "../state/key-context.ts";
import { withConsidered } from "../state/ranked-list.ts";
import type { Pace, RunState, StageState, State, Step } from "../state/state.ts";
import { become, type Outcome, type Reducers } from "./reducer.ts";

/** The end of a reply that is kept for showing. */
const REPLY_CHARS_MAX = 4_000;
/** Notices that are kept. */
const NOTICES_MAX = 50;

/** The state with a run that has just been asked for. */
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
      round: (state.review?.round?.number ?? 0) + 1,
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

/** What a second press of the key that stops does. */
export const interruptHint = (state: State): string =>
  `${keysOf("app.interrupt", contextOf(state))[0] ?? ""} once more leaves.`;

/** Whether a run has not ended. */
export const isRunning = (run: RunState | null): run is RunState =>
  run !== null && (run.status === "running" || run.status === "cancelling");

/** The state with the run asked to stop. */
export function cancelRun(state: State): Outcome {
  const { run } = state;
  if (run?.status !== "running") return become(state);
  return become({ ...state, run: { ...run, status: "cancelling" } }, { do: "cancel", run: run.id });
}

export const RUN_REDUCERS = {
  "run.cancel": cancelRun,
} as const satisfies Reducers;

/** What the pipeline said. What it says after it was asked to stop is part of the partial result. */
export function applyEvents(state: State, id: number, events: readonly PipelineEvent[]): Outcome {
  const { run } = state;
  if (!isRunning(run) || run.id !== id) return become(state);
  const considered = events.filter((event) => event.event === "file_considered");
  const files = withConsidered(run.files, considered);
  const heard = events.reduce((so, event) => applyEvent(so, event, state.now), {
    ...run,
    files,
    cursor: followed(run, files),
  });
  return become({ ...state, run: heard, taskId: heard.taskId });
}

/** The place of the file under the cursor in a longer list; a cursor at the top stays there. */
function followed({ cursor, files: before }: RunState, files: RunState["files"]): number {
  const path = before[cursor]?.path;
  return cursor === 0 || files === before ? cursor : files.findIndex((file) => file.path === path);
}

export function applyRefreshStep(state: State, id: number, step: Step): Outcome {
  const { run } = state;
  return become(
    isRunning(run) && run.id === id
      ? { ...state, run: { ...run, refresh: trackPace(run.refresh, step, state.now) } }
      : state,
  );
}

/** The step, and since when its phase goes on. */
export const trackPace = (before: Pace | null, step: Step, now: number): Pace =>
  before?.phase === step.phase && before.done <= step.done
    ? { ...step, since: before.since, from: before.from }
    : { ...step, since: now, from: step.done };

/** Time goes on for what runs. */
export function tickRun(run: RunState, now: number): RunState {
  if (!isRunning(run)) return run;
  return {
    ...run,
    endedAt: now,
    stages: run.stages.map((stage) => (stage.status === "running" ? { ...stage, endedAt: now } : stage)),
  };
}

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
      return withStage(withDone(run, now), event.stage, now, (stage) => ({
        ...stage,
        status: "running",
        startedAt: now,
        endedAt: now,
      }));
    case "stage_finished":
      return withStage(run, event.stage, now, (stage) => ({
        ...stage,
        status: "done",
        endedAt: now,
        counts: event.counts,
      }));
    case "file_considered":
    case "symbol_placed":
      return withStage(run, event.stage, now, (stage) => ({ ...stage, considered: stage.considered + 1 }));
    case "judgement_started":
      return {
        ...withAsked(run, event.stage, now),
        judgement: {
          stage: event.stage,
          model: event.model,
          candidates: event.candidates,
          call: event.call,
          calls: event.calls,
          text: "",
          heardAt: now,
          status: "asked",
        },
      };
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

/** What a model is asked about before the stages, as the task itself is, is a stage that nobody announced: the first. */
function withAsked(run: RunState, name: string, now: number): RunState {
  if (run.stages.some((stage) => stage.name === name)) return run;
  return { ...run, stages: [{ ...waitingStage(name, now), status: "running" }, ...run.stages] };
}

/** Stages follow each other: what still ran when the next begins is done. */
const withDone = (run: RunState, now: number): RunState => ({
  ...run,
  stages: run.stages.map((stage) => (stage.status === "running" ? { ...stage, status: "done", endedAt: now } : stage)),
});

const waitingStage = (name: string, now: number): StageState => ({
  name,
  status: "waiting",
  startedAt: now,
  endedAt: now,
  considered: 0,
  counts: {},
});

/** A stage that was not announced comes at the end. */
function withStage(run: RunState, name: string, now: number, change: (stage: StageState) => StageState): RunState {
  const isKnown = run.stages.some((stage) => stage.name === name);
  const stages = isKnown ? run.stages : [...run.stages, waitingStage(name, now)];
  return { ...run, stages: stages.map((stage) => (stage.name === name ? change(stage) : stage)) };
}
