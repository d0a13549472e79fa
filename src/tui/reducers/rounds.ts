/**
 * From one round to the next: the budget, the note, refining, and what comes of a run that has ended.
 *
 * Pure. A finished round takes the decisions over as what is held; one that failed or was stopped leaves them as they
 * were. Not here: the request itself (`refinement-request.ts`).
 */
import { NO_CONSTRAINTS } from "../../retrieval/model/refinement.ts";
import type { Action } from "../state/actions.ts";
import { hasNoDecisions, NO_DECISIONS } from "../state/decisions.ts";
import { applyFilter } from "../state/file-list.ts";
import { earlierFileMark } from "../state/marks.ts";
import { filesOfRound } from "../state/ranked-list.ts";
import { problemOf, requestOf } from "../state/refinement-request.ts";
import { currentFile, type ReviewState, type Round, type RunState, type State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../state/text-field.ts";
import { become, type Outcome, type Reducers, withMessage } from "./reducer.ts";
import { inReview, withReview } from "./review.ts";
import { interruptHint, isRunning, startRun } from "./run.ts";

/** Tokens that a budget may be. */
const BUDGET_MAX = 10_000_000;

export const ROUNDS_REDUCERS = {
  "package.refine": inReview((review, state) =>
    review.round !== null && hasNothingToRefine(review)
      ? become(withMessage(state, "info", "Nothing to refine: mark a file, add one, or change the budget."))
      : requestRound(state, review),
  ),

  "notes.open": inReview((review, state) =>
    become({ ...state, overlay: { is: "notes", value: fieldOf(review.notes) } }),
  ),
  "notes.set": inReview((review, state) =>
    state.overlay?.is === "notes"
      ? become({ ...state, overlay: null, review: { ...review, notes: state.overlay.value.text.trim() } })
      : become(state),
  ),

  "budget.open": inReview((review, state) =>
    become({
      ...state,
      overlay: { is: "budget", value: fieldOf(String(budgetOf(state, review) ?? "")), problem: null },
    }),
  ),
  "budget.set": inReview((review, state) => {
    const { overlay } = state;
    if (overlay?.is !== "budget") return become(state);
    const typed = overlay.value.text.replace(/[\s,_]/g, "");
    const tokens = Number(typed);
    const floor = review.round?.package.provenance.budget.floor ?? 1;
    const problem =
      !/^\d+$/.test(typed) || tokens < 1 || tokens > BUDGET_MAX
        ? `A budget is a whole number of tokens from 1 to ${BUDGET_MAX}.`
        : tokens < floor && review.round !== null
          ? `The smallest budget that works for this task is ${floor}.`
          : null;
    if (problem !== null) return become({ ...state, overlay: { ...overlay, problem } });
    const isChange = tokens !== (review.round?.package.budget ?? state.run?.budget);
    return become({ ...state, overlay: null, review: { ...review, budget: isChange ? tokens : null } });
  }),
} as const satisfies Reducers;

/** Whether another round would be the same. A note is not interpreted, so by itself it changes nothing. */
export const hasNothingToRefine = ({ decisions, budget }: ReviewState): boolean =>
  hasNoDecisions(decisions) && budget === null;

/** Asks for the next round with all that was decided; for the first, where none has finished. */
export function requestRound(state: State, review: ReviewState): Outcome {
  const request = requestOf(review);
  const problem = problemOf(request);
  if (problem !== null) return become(withMessage(state, "error", problem));
  const run = (state.run?.id ?? 0) + 1;
  const { budget } = review;
  if (review.round === null)
    return become(startRun(state, "retrieve", run), { do: "retrieve", run, task: state.task, request, budget });
  const { taskId } = review.round;
  return become(startRun(state, "refine", run), { do: "refine", run, taskId, request, budget });
}

/** The budget of the next round as far as it is known. */
export const budgetOf = ({ run }: Pick<State, "run">, { budget, round }: ReviewState): number | null =>
  budget ?? round?.package.budget ?? run?.budget ?? null;

/** A review of files, with nothing decided. */
export function reviewOf(files: ReviewState["files"], round: Round | null): ReviewState {
  return applyFilter({
    round,
    partial: round === null,
    files,
    visible: [],
    filter: EMPTY_FIELD,
    cursor: 0,
    rangeFrom: null,
    decisions: NO_DECISIONS,
    held: round?.constraints ?? NO_CONSTRAINTS,
    budget: null,
    notes: "",
    pane: "list",
    previewTop: 0,
    reasonShown: true,
    loaded: null,
    symbols: null,
    whatIf: null,
    whatIfId: 0,
    whatIfAnswered: 0,
  });
}

/** The review of a new round; what is a matter of looking stays as it was. */
function nextReview(before: ReviewState | null, round: Round): ReviewState {
  const fresh = reviewOf(filesOfRound(round), round);
  if (before === null) return fresh;
  const { filter, pane, reasonShown, whatIfId } = before;
  const kept = { ...fresh, filter, pane, reasonShown, whatIfId, whatIfAnswered: whatIfId };
  const path = currentFile(before)?.path ?? null;
  if (path === null || earlierFileMark(round.constraints, path) !== "rejected") return applyFilter(kept, path);
  // What was rejected stands at the end of the list now, which is not where somebody goes on.
  return applyFilter({ ...kept, cursor: before.cursor }, null);
}

type EndAction = Extract<Action, { is: "finished" | "cancelled" | "failed" }>;

/** A run has ended. Another than the newest changes nothing. */
export function endRun(state: State, action: EndAction): Outcome {
  const { run } = state;
  if (!isRunning(run) || run.id !== action.run) return become(state);
  switch (action.is) {
    case "finished": {
      const review = nextReview(state.review, action.round);
      const showsChanges = run.kind === "refine" && action.round.package.provenance.changes;
      const next: State = {
        ...state,
        run: ended(run, "done", state.now),
        screen: "review",
        overlay: showsChanges ? { is: "changes", top: 0 } : null,
        review,
        taskId: action.round.taskId,
        message: null,
      };
      const between = roundsBetween(state.review?.round?.number ?? 0, action.round.number);
      return become(run.kind === "refine" && between !== null ? withMessage(next, "info", between) : next);
    }
    case "cancelled":
      return become(
        withMessage(
          stopped(state, ended(run, "cancelled", state.now)),
          "info",
          state.interrupted ? `Stopped. ${interruptHint(state)}` : "Stopped.",
        ),
      );
    case "failed": {
      const failed = { ...ended(run, "failed", state.now), failure: action.message };
      return become(withMessage(stopped(state, failed), "error", action.message));
    }
  }
}

/** Says which rounds somebody else made after the known one; null when there are none. */
function roundsBetween(known: number, now: number): string | null {
  if (now <= known + 1) return null;
  const which = now === known + 2 ? `Round ${known + 1} was` : `Rounds ${known + 1} to ${now - 1} were`;
  return `${which} made elsewhere; this is round ${now}.`;
}

const ended = (run: RunState, status: RunState["status"], now: number): RunState => ({
  ...run,
  status,
  endedAt: now,
  stages: run.stages.map((stage) =>
    stage.status === "running" ? { ...stage, status: "stopped", endedAt: now } : stage,
  ),
});

/** Back to the review; to what the run had found, when there was none; to the task, when that is nothing. */
function stopped(state: State, run: RunState): State {
  const before = state.review;
  if (before !== null && (before.round !== null || run.files.length === 0))
    return { ...state, run, screen: "review", overlay: null };
  if (run.files.length === 0) return { ...state, run, screen: "entry", overlay: null };
  const found = reviewOf(run.files, null);
  const review =
    before === null
      ? found
      : applyFilter({ ...found, decisions: before.decisions, budget: before.budget, notes: before.notes });
  return { ...state, run, screen: "review", overlay: null, review };
}

/** An answer to the newest question, or to an older one while that is open. */
export function whatIfAnswered(state: State, { id, whatIf }: Extract<Action, { is: "dry-run-finished" }>): Outcome {
  const { review } = state;
  if (review === null || id > review.whatIfId || id <= review.whatIfAnswered) return become(state);
  return withReview(state, { ...review, whatIf, whatIfAnswered: id });
}
