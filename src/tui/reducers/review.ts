/**
 * The review screen: marks, undo, filter and panes.
 *
 * Every decision can be undone, and nothing but a decision changes decisions.
 */
import { isRequestPath } from "../../retrieval/requests/request-names.ts";
import { type Decisions, type FileMark, markFiles, redone, undone } from "../state/decisions.ts";
import { previewRows } from "../state/layout/layout.ts";
import { applyFilter, moveCursor, selectedFiles } from "../state/lists/file-list.ts";
import { symbolsListed } from "../state/lists/filtered-lists.ts";
import { decisionFor, fileMarkOf, nextFileMark, pathOfKey } from "../state/marks.ts";
import { lookedAtLine } from "../state/preview/preview-search.ts";
import { decisionsProblem } from "../state/refinement-request.ts";
import { currentFile, isShipped, type ListedFile, type ReviewState } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { grouped } from "../styling/numbers.ts";
import { withCoverage } from "./coverage.ts";
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

/** The review with other decisions; files that only decisions name come and go with them. */
export const withDecisions = (review: ReviewState, decisions: Decisions): ReviewState =>
  decisions === review.decisions ? review : applyFilter({ ...review, decisions });

type MarkFor = (review: ReviewState, path: string) => FileMark | null;

/**
 * Marks files in one undo step. Files whose names a request cannot carry are skipped with an error; too many marks are
 * kept with an error.
 */
function withMarks(state: State, review: ReviewState, files: readonly ListedFile[], markFor: MarkFor): Outcome {
  const marks = files.map(({ path }) => [path, markFor(review, path)] as const);
  const decisions = markFiles(review.decisions, marks);
  if (decisions === review.decisions) return withReview(state, review);
  const isAllowed = ([path, mark]: (typeof marks)[number]): boolean => mark === null || isRequestPath(path);
  const [path, ...others] = marks.filter((mark) => !isAllowed(mark)).map(([name]) => name);
  if (path === undefined) {
    const problem = decisionsProblem(decisions);
    const next = problem === null ? state : withMessage(state, "error", problem);
    return withReview(next, withDecisions(review, decisions));
  }
  const names = others.length === 0 ? path : `${path} and ${others.length} more`;
  return withReview(
    withMessage(state, "error", `${names} cannot be marked: a request cannot contain control characters.`),
    withDecisions(review, markFiles(review.decisions, marks.filter(isAllowed))),
  );
}

/** Marks the selected files and ends a range. `advance`: without a range, moves on to the next file. */
const markSelected = (markFor: MarkFor, advance = false): Reducer =>
  inReview((before, state) => {
    const outcome = withMarks(state, before, selectedFiles(before), markFor);
    const review = { ...(outcome.state.review ?? before), rangeFrom: null };
    const isAdvancing = advance && before.rangeFrom === null;
    return withReview(outcome.state, isAdvancing ? moveCursor(review, review.cursor + 1) : review);
  });

const listedFiles = ({ files, visible }: ReviewState): readonly ListedFile[] =>
  visible.map((at) => files[at]).filter((file) => file !== undefined);

const markListed = (markFor: MarkFor): Reducer =>
  inReview((review, state) => withMarks(state, review, listedFiles(review), markFor));

const INVERTED = { accepted: "rejected", rejected: "accepted" } as const;

/** Goes one step through the undo history, and moves the cursor to the first changed file. */
const travel = (step: (decisions: Decisions) => Decisions | null, nothing: string): Reducer =>
  inReview((review, state) => {
    const decisions = step(review.decisions);
    if (decisions === null) return say(state, "info", nothing);
    const change = (decisions.undo.length < review.decisions.undo.length ? decisions.redo : decisions.undo).at(-1)?.[0];
    if (change?.of === "budget") {
      const tokens = decisions.budget ?? review.round?.package.budget ?? state.run?.budget ?? 0;
      const next = withMessage(state, "info", `The budget of the next round is ${grouped(tokens)} tokens.`);
      return withReview(next, { ...review, decisions, rangeFrom: null });
    }
    if (change?.of === "coverage") return withCoverage(state, { ...review, decisions, rangeFrom: null });
    const path = change === undefined ? null : change.of === "file" ? change.key : pathOfKey(change.key);
    const next = applyFilter({ ...review, decisions, rangeFrom: null }, path);
    const isListed = path === null || currentFile(next)?.path === path;
    return withReview(
      isListed ? state : withMessage(state, "info", `Changed ${path}, which is not in the list.`),
      next,
    );
  });

export const REVIEW_REDUCERS = {
  "mark.cycle": inReview((review, state) => {
    const first = selectedFiles(review)[0];
    if (first === undefined) return become(state);
    const mark = nextFileMark(review, first.path);
    return markSelected((marked, path) => decisionFor(marked, path, mark), true)(state, "review");
  }),
  "mark.accept": markSelected((review, path) => decisionFor(review, path, "accepted")),
  "mark.reject": markSelected((review, path) => decisionFor(review, path, "rejected")),
  "mark.clear": markSelected(() => null),

  "mark.all": inReview((review, state) => {
    const listed = listedFiles(review);
    const areAccepted = listed.every(({ path }) => fileMarkOf(review, path) === "accepted");
    return withMarks(state, review, listed, (marked, path) =>
      areAccepted ? null : decisionFor(marked, path, "accepted"),
    );
  }),
  "mark.invert": markListed((review, path) => {
    const mark = fileMarkOf(review, path);
    return mark === null ? null : decisionFor(review, path, INVERTED[mark]);
  }),
  "mark.range": inReview((review, state) =>
    withReview(state, {
      ...review,
      rangeFrom: review.rangeFrom === null && review.visible.length > 0 ? review.cursor : null,
    }),
  ),
  "mark.undo": travel(undone, "Nothing to undo."),
  "mark.redo": travel(redone, "Nothing to redo."),

  "leftout.toggle": inReview((review, state) => {
    const { round, shows, files } = review;
    if (round === null) return become(state);
    if (!shows.leftOut && files.every(isShipped)) return say(state, "info", "Nothing that matches is left out.");
    return withReview(state, applyFilter({ ...review, shows: { ...shows, leftOut: !shows.leftOut } }));
  }),
  "pane.right": inReview((review, state) => withReview(state, { ...review, pane: "preview" })),

  "pane.switch": inReview((review, state) =>
    withReview(state, { ...review, pane: review.pane === "list" ? "preview" : "list" }),
  ),
  "reason.toggle": inReview((review, state) =>
    withReview(state, { ...review, shows: { ...review.shows, reasons: !review.shows.reasons } }),
  ),

  "file.edit": inReview((review, state) => {
    const file = currentFile(review);
    if (file === null) return become(state);
    if (file.kind === "diff") return say(state, "info", "The diff is not a file: go to one of the files below it.");
    return become(state, { do: "edit-file", path: file.path, line: lineToEdit(review, state) });
  }),
  "copy.path": inReview((review, state) => {
    const file = currentFile(review);
    return file === null || file.kind === "diff"
      ? become(state)
      : become(state, { do: "copy", text: file.path, what: "the path" });
  }),
} as const satisfies Reducers;

/** The line to open in an editor: that of the selected symbol, else the one that the preview is at. */
function lineToEdit(review: ReviewState, { size }: State): number {
  const { symbols } = review;
  const symbol = symbols === null ? undefined : symbolsListed(symbols)[symbols.cursor]?.row;
  return symbol?.startLine ?? lookedAtLine(review, previewRows(size, review)) ?? 1;
}
