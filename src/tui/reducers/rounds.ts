/**
 * From one round to the next: budget, note, refining, and the review after a run has ended or a session was resumed.
 *
 * A finished round turns the decisions into constraints; a run that failed or was stopped leaves them unchanged.
 */

import { NO_CONSTRAINTS, type StandingChoice } from "../../retrieval/requests/refinement.ts";
import { readTokens } from "../../text/tokens/token-amount.ts";
import { firstKey } from "../keys/bindings.ts";
import { keyName } from "../keys/key-names.ts";
import type { Action } from "../state/actions.ts";
import { chooseBudget, NO_DECISIONS } from "../state/decisions.ts";
import { type Draft, decidesAnything, restoredField, restoredReview } from "../state/draft.ts";
import { applyFilter, filesOfRound } from "../state/lists/file-list.ts";
import { earlierFileMark } from "../state/marks.ts";
import { hasNothingToRefine, problemOf, requestAgain, requestOf } from "../state/refinement-request.ts";
import { currentFile, EMPTY_PREVIEW, isEarlier, type ReviewState, type Round } from "../state/review-state.ts";
import type { RunState, State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../state/text-field.ts";
import { OPEN_CHANGES } from "./changes.ts";
import { coverageText } from "./coverage.ts";
import { isFinalDue, withIndexBehind } from "./index-update.ts";
import { interruptHint } from "./interrupt-and-quit.ts";
import {
  become,
  inReview,
  type Outcome,
  type Reducer,
  type Reducers,
  say,
  withMessage,
  withReview,
} from "./reducer.ts";
import { newsText } from "./round-news.ts";
import { isRunning, startRun, withRunningStage } from "./run.ts";

/** In tokens. */
const BUDGET_MAX = 10_000_000;

export const ROUNDS_REDUCERS = {
  "package.refine": inReview((review, state) =>
    review.round !== null && hasNothingToRefine(review) && !isEarlier(review) && !isFinalDue(state, review)
      ? say(state, "info", nothingText(review))
      : requestRound(state, review),
  ),

  "constraints.keep": standing("keep"),
  "constraints.drop": standing("drop"),

  "notes.open": inReview((review, state) =>
    become({ ...state, overlay: { is: "notes", value: fieldOf(review.notes) } }),
  ),
  "notes.set": inReview((review, state) =>
    state.overlay?.is === "notes"
      ? become({ ...state, overlay: null, review: { ...review, notes: state.overlay.value.text.trim() } })
      : become(state),
  ),

  "budget.open": inReview((review, state) => {
    const budget = review.decisions.budget ?? review.round?.package.budget ?? state.run?.budget ?? "";
    return become({ ...state, overlay: { is: "budget", value: fieldOf(String(budget)), problem: null } });
  }),
  "budget.set": inReview((review, state) => {
    const { overlay } = state;
    if (overlay?.is !== "budget") return become(state);
    const typed = overlay.value.text.replace(/[\s,_]/g, "");
    const tokens = readTokens(typed) ?? 0;
    const problem = budgetProblem(tokens, review.round);
    if (problem !== null) return become({ ...state, overlay: { ...overlay, problem } });
    const isChange = tokens !== (review.round?.package.budget ?? state.run?.budget);
    return become({
      ...state,
      overlay: null,
      review: { ...review, decisions: chooseBudget(review.decisions, isChange ? tokens : null) },
    });
  }),
} as const satisfies Reducers;

function nothingText({ notes }: ReviewState): string {
  const [edit, run] = [firstKey("task.new", "review"), keyName(firstKey("task.run", "entry"), true)];
  const nothing = notes === "" ? "Nothing to refine" : "A note alone changes nothing";
  return `${nothing}: mark a file, add one, or change the coverage or the budget. After an edit, ${edit} and ${run} run the task again.`;
}

/** A round that applies or forgets what earlier ones asked for, besides its own decisions. */
function standing(choice: StandingChoice): Reducer {
  return inReview((review, state) =>
    review.round === null || review.round.notApplied === null
      ? say(state, "info", "Earlier rounds asked for nothing that this one does not apply.")
      : requestRound(state, review, choice),
  );
}

function budgetProblem(tokens: number, round: Round | null): string | null {
  if (tokens < 1 || tokens > BUDGET_MAX)
    return `The budget must be a whole number of tokens from 1 to ${BUDGET_MAX}, such as 8000 or 8k.`;
  const floor = round?.package.provenance.budget.floor ?? 1;
  return tokens < floor ? `The smallest budget for this task is ${floor} tokens.` : null;
}

/**
 * Requests the next round with all decisions, or the first round if none has finished. `choice`: what to do with what earlier
 * rounds asked for.
 */
export function requestRound(state: State, review: ReviewState, choice?: StandingChoice): Outcome {
  const request = requestOf(review);
  const problem = problemOf(request);
  if (problem !== null) return say(state, "error", problem);
  const run = (state.run?.id ?? 0) + 1;
  const { round } = review;
  const { budget, coverage } = review.decisions;
  if (round !== null && !round.isRecorded && choice === undefined) {
    const effect = { do: "retrieve", run, task: state.task, ...requestAgain(round, review) } as const;
    return become(startRun(state, "retrieve", run), effect);
  }
  if (round !== null && isEarlier(review)) {
    const { taskId, number } = round;
    const effect = { do: "return", run, taskId, round: number, request, budget, coverage } as const;
    return become(startRun(state, "refine", run), effect);
  }
  if (review.round === null || (review.round.number === 1 && isFinalDue(state, review))) {
    const effect = { do: "retrieve", run, task: state.task, request, budget, coverage } as const;
    return become(startRun(state, "retrieve", run), effect);
  }
  const { taskId } = review.round;
  return become(startRun(state, "refine", run), {
    do: "refine",
    run,
    taskId,
    request,
    budget,
    coverage,
    ...(choice === undefined ? {} : { standing: choice }),
  });
}

/** A review of files without decisions. */
export function reviewOf(files: ReviewState["files"], round: Round | null): ReviewState {
  return applyFilter({
    round,
    files,
    visible: [],
    filter: EMPTY_FIELD,
    cursor: 0,
    rangeFrom: null,
    decisions: NO_DECISIONS,
    constraints: round?.constraints ?? NO_CONSTRAINTS,
    notes: "",
    shows: { leftOut: false, reasons: true },
    pane: "list",
    preview: EMPTY_PREVIEW,
    symbols: null,
    dryRun: { result: null, requested: 0, answered: 0, isAwaited: false },
  });
}

/** The review of a new round, with the filter, the panes and the current file of the review before. */
function nextReview(before: ReviewState | null, round: Round): ReviewState {
  const fresh = reviewOf(filesOfRound(round), round);
  if (before === null) return fresh;
  const { filter, pane, shows } = before;
  const preview = { ...fresh.preview, wrap: before.preview.wrap, query: before.preview.query };
  const { requested } = before.dryRun;
  const next = {
    ...fresh,
    filter,
    pane,
    shows,
    preview,
    dryRun: { ...fresh.dryRun, requested, answered: requested },
  };
  const path = currentFile(before)?.path ?? null;
  if (path === null || earlierFileMark(round.constraints, path) !== "rejected") return applyFilter(next, path);
  // A rejected file moves to the end of the list, where nobody wants to continue.
  return applyFilter({ ...next, cursor: before.cursor }, null);
}

type EndAction = Extract<Action, { is: "finished" | "cancelled" | "failed" }>;

/** Ends the run. The end of an older run changes nothing. */
export function endRun(state: State, action: EndAction): Outcome {
  const { run } = state;
  if (!isRunning(run) || run.id !== action.run) return become(state);
  switch (action.is) {
    case "finished":
      return withIndexBehind(withRound(state, run, action));
    case "cancelled": {
      const hint = state.input.interrupted ? ` ${interruptHint(state)}` : "";
      return say(afterStop(state, ended(run, "cancelled", state.now)), "info", `Stopped.${hint}`);
    }
    case "failed": {
      const failed = { ...ended(run, "failed", state.now), failure: action.message };
      return say(afterStop(state, failed), "error", action.message);
    }
  }
}

/** Shows a finished round, and the changes if it refined an earlier one. */
function withRound(state: State, run: RunState, { round, draft }: Extract<EndAction, { is: "finished" }>): State {
  const isRefinement = run.kind === "refine";
  const left = draft === undefined ? null : leftReview(state.review, round, draft);
  const next: State = {
    ...state,
    run: ended(run, "done", state.now),
    screen: "review",
    overlay: isRefinement && round.package.provenance.changes ? OPEN_CHANGES : null,
    review: left ?? nextReview(state.review, round),
    taskId: round.taskId,
    // The text of a review is known when its changes are.
    task: state.task === "" ? round.package.task_query.raw_description : state.task,
    message: null,
  };
  const said = newsText(run, round, state.review?.round ?? null, left !== null);
  return said === "" ? next : withMessage(next, "info", said);
}

/** The review of a task that was run again, with what was decided about the round before and never applied; null if nothing was. */
function leftReview(before: ReviewState | null, round: Round, draft: Draft): ReviewState | null {
  const isFresh = before === null || (before.round === null && hasNothingToRefine(before));
  if (!isFresh || draft.round >= round.number || !decidesAnything(draft)) return null;
  return restoredReview(nextReview(before, round), { ...draft, round: round.number, filter: "" });
}

const ended = (run: RunState, status: RunState["status"], now: number): RunState => ({
  ...withRunningStage(run, { status: "stopped", endedAt: now }),
  status,
  endedAt: now,
});

/** Returns to the review, or to a review of the partial result, or to the task if there is no result. */
function afterStop(state: State, run: RunState): State {
  const before = state.review;
  const next: State = { ...state, run, screen: "review", overlay: null };
  if (before !== null && (before.round !== null || run.files.length === 0)) return next;
  if (run.files.length === 0) return { ...next, screen: "entry" };
  const partial = reviewOf(run.files, null);
  if (before === null) return { ...next, review: partial };
  const { decisions, notes } = before;
  return { ...next, review: applyFilter({ ...partial, decisions, notes }) };
}

/** Resumes a session with its last round and its draft, unless a run is in progress. */
export function resumeSession(state: State, action: Extract<Action, { is: "resumed" }>): Outcome {
  if (isRunning(state.run)) return become(state);
  const { taskId, task, round, draft } = action;
  // Of a stopped run only decisions are left; without any there is just a task to run.
  const isPartial = draft !== null && draft.files.length + draft.symbols.length > 0;
  const fresh = round !== null ? reviewOf(filesOfRound(round), round) : isPartial ? reviewOf([], null) : null;
  const review = fresh === null || draft === null ? fresh : restoredReview(fresh, draft);
  const field = draft?.screen === "entry" ? restoredField(draft) : fieldOf(task);
  return withIndexBehind({
    ...state,
    // A session that was left from its task has a package to look at too.
    screen: review === null ? "entry" : "review",
    overlay: null,
    message: null,
    task,
    taskId,
    run: null,
    review,
    entry: { ...state.entry, task: field, focus: "task", edits: { undo: [], redo: [] } },
  });
}

/** Takes a dry run's result unless a newer one has been taken. */
export function dryRunFinished(state: State, { id, result }: Extract<Action, { is: "dry-run-finished" }>): Outcome {
  const { review } = state;
  if (review === null || id > review.dryRun.requested || id <= review.dryRun.answered) return become(state);
  const { requested, isAwaited } = review.dryRun;
  const isTold = isAwaited && id === requested;
  const next = { ...review, dryRun: { ...review.dryRun, result, answered: id, isAwaited: isAwaited && !isTold } };
  const told =
    isTold && review.round !== null
      ? withMessage(state, "info", coverageText(review.decisions.coverage, review.round, result))
      : state;
  return withReview(told, next);
}
