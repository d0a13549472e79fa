/**
 * The review: marks, filter, panes.
 *
 * Pure. Whatever is decided can be undone, and nothing but a decision changes decisions. Not here: symbols of a file
 * (`symbols.ts`), and asking for the next round (`rounds.ts`).
 */
import { isRequestPath } from "../../retrieval/model/request-names.ts";
import { type Decisions, type FileMark, markFiles, redone, undone } from "../state/decisions.ts";
import { decisionFor, markOf, nextMark, pathOfKey } from "../state/marks.ts";
import { become, type Outcome, told } from "../state/outcome.ts";
import { decisionsProblem } from "../state/refinement-request.ts";
import { currentFile, type ListedFile, type ReviewState, type State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { chosen, moved, refiltered } from "../state/visible-files.ts";
import type { Deed, Deeds } from "./command-table.ts";

/** A deed that needs a review. */
export const inReview =
  (deed: (review: ReviewState, state: State) => Outcome): Deed =>
  (state) =>
    state.review === null ? become(state) : deed(state.review, state);

export const withReview = (state: State, review: ReviewState): Outcome => become({ ...state, review });

/** The review after other decisions; files that only they name come and go with them. */
export const redecided = (review: ReviewState, decisions: Decisions): ReviewState =>
  decisions === review.decisions ? review : refiltered({ ...review, decisions });

type Marks = readonly (readonly [path: string, mark: FileMark | null])[];

/**
 * The review with the marks that a request can carry, as one step. The user is told at once of those that it cannot, and
 * of marks that are too many, which stay.
 */
function marked(
  state: State,
  review: ReviewState,
  marks: Marks,
): { readonly state: State; readonly review: ReviewState } {
  const decisions = markFiles(review.decisions, marks);
  if (decisions === review.decisions) return { state, review };
  const isSayable = ([path, mark]: Marks[number]): boolean => mark === null || isRequestPath(path);
  const [path, ...others] = marks.filter((mark) => !isSayable(mark)).map(([name]) => name);
  if (path === undefined) {
    const problem = decisionsProblem(decisions);
    return { state: problem === null ? state : told(state, "error", problem), review: redecided(review, decisions) };
  }
  const names = others.length === 0 ? path : `${path} and ${others.length} more`;
  return {
    state: told(state, "error", `${names} cannot be marked: a request takes no name with control characters.`),
    review: redecided(review, markFiles(review.decisions, marks.filter(isSayable))),
  };
}

/** Marks the chosen files, which is one step, and ends a range. `moves`: without one, on to the next file. */
function marking(markFor: (review: ReviewState, file: ListedFile) => FileMark | null, moves: boolean): Deed {
  return inReview((review, state) => {
    const files = chosen(review);
    const { state: next, review: after } = marked(
      state,
      review,
      files.map((file) => [file.path, markFor(review, file)]),
    );
    const ended = { ...after, rangeFrom: null };
    return withReview(next, moves && review.rangeFrom === null ? moved(ended, ended.cursor + 1) : ended);
  });
}

const listedFiles = ({ files, visible }: ReviewState): readonly ListedFile[] =>
  visible.flatMap((at) => files[at] ?? []);

const everyListed = (markFor: (review: ReviewState, path: string) => FileMark | null): Deed =>
  inReview((review, state) => {
    const marks = listedFiles(review).map(({ path }) => [path, markFor(review, path)] as const);
    const { state: next, review: after } = marked(state, review, marks);
    return withReview(next, after);
  });

/** What the chosen files become: what comes next for the first of them. Undefined when none is chosen. */
const cycled = (review: ReviewState): FileMark | null | undefined => {
  const first = chosen(review)[0];
  if (first === undefined) return undefined;
  return nextMark(review, first.path);
};

const INVERTED = { accepted: "rejected", rejected: "accepted" } as const;

/** Goes back or forth, and to the first thing that this changed. */
const through = (step: (decisions: Decisions) => Decisions | null, nothing: string): Deed =>
  inReview((review, state) => {
    const decisions = step(review.decisions);
    if (decisions === null) return become(told(state, "info", nothing));
    const change = (decisions.undo.length < review.decisions.undo.length ? decisions.redo : decisions.undo).at(-1)?.[0];
    const path = change === undefined ? null : change.of === "file" ? change.key : pathOfKey(change.key);
    const next = refiltered({ ...review, decisions, rangeFrom: null }, path);
    const isSeen = currentFile(next)?.path === path;
    return withReview(
      isSeen || path === null ? state : told(state, "info", `${path}: changed, and not in the list.`),
      next,
    );
  });

export const REVIEW_DEEDS = {
  "mark.cycle": inReview((review, state) => {
    const target = cycled(review);
    if (target === undefined) return become(state);
    return marking((asked, { path }) => decisionFor(asked, path, target), true)(state, "review");
  }),
  "mark.accept": marking((review, { path }) => decisionFor(review, path, "accepted"), false),
  "mark.reject": marking((review, { path }) => decisionFor(review, path, "rejected"), false),
  "mark.clear": marking(() => null, false),

  "mark.all": inReview((review, state) => {
    const isAll = listedFiles(review).every(({ path }) => markOf(review, path) === "accepted");
    return everyListed((asked, path) => (isAll ? null : decisionFor(asked, path, "accepted")))(state, "review");
  }),
  "mark.invert": everyListed((review, path) => {
    const mark = markOf(review, path);
    return mark === null ? null : decisionFor(review, path, INVERTED[mark]);
  }),
  "mark.range": inReview((review, state) =>
    withReview(state, {
      ...review,
      rangeFrom: review.rangeFrom === null && review.visible.length > 0 ? review.cursor : null,
    }),
  ),
  "mark.undo": through(undone, "There is nothing to undo."),
  "mark.redo": through(redone, "There is nothing to do again."),

  "filter.open": inReview((_review, state) => become({ ...state, overlay: { is: "filter" } })),
  "filter.keep": (state) => become({ ...state, overlay: null }),

  "pane.switch": inReview((review, state) =>
    withReview(state, { ...review, pane: review.pane === "list" ? "preview" : "list" }),
  ),
  "reason.toggle": inReview((review, state) => withReview(state, { ...review, reasonShown: !review.reasonShown })),

  "changes.open": inReview((review, state) =>
    review.round?.package.provenance.changes
      ? become({ ...state, overlay: { is: "changes", top: 0 } })
      : become(told(state, "info", "Nothing to compare with: this is the first round.")),
  ),

  "file.edit": inReview((review, state) => {
    const file = currentFile(review);
    if (file === null) return become(state);
    return become(state, { do: "edit-file", path: file.path, line: firstLine(review, file.path) });
  }),
  "copy.path": inReview((review, state) => {
    const file = currentFile(review);
    return file === null ? become(state) : become(state, { do: "copy", text: file.path, what: "the path" });
  }),
} as const satisfies Deeds;

/** The line that an editor opens at: the chosen symbol's, else the first that the package shows. */
function firstLine({ round, symbols }: ReviewState, path: string): number {
  const symbol = symbols?.path === path ? symbols.rows?.[symbols.cursor] : undefined;
  if (symbol !== undefined) return symbol.startLine;
  const file = round?.package.files.find((one) => one.path === path);
  const starts = [...(file?.symbols ?? []), ...(file?.snippets ?? [])].map(({ start_line }) => start_line);
  return starts.length === 0 ? 1 : Math.min(...starts);
}

/** Leaves what was begun, one thing at a time: a range, then the filter. Null when there was nothing. */
export function reviewLeft(review: ReviewState): ReviewState | null {
  if (review.rangeFrom !== null) return { ...review, rangeFrom: null };
  if (review.filter.text !== "") return refiltered({ ...review, filter: EMPTY_FIELD });
  return null;
}
