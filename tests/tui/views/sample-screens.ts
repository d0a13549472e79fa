/** The screens that the samples are made of: a first screen, a run and a review of a package that the program has made. */
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { NO_DECISIONS } from "../../../src/tui/state/decisions.ts";
import { EMPTY_PREVIEW, isShipped, type ReviewState } from "../../../src/tui/state/review-state.ts";
import type { EntryState, Overlay, RunState, SessionRow, State } from "../../../src/tui/state/state.ts";
import { EMPTY_FIELD } from "../../../src/tui/state/text-field.ts";
import { DRY_RUN, FILES, ROUND, TASK, WIDER } from "./sample-round.ts";

export const REVIEW: ReviewState = {
  round: ROUND,
  files: FILES,
  visible: FILES.flatMap((file, at) => (isShipped(file) ? [at] : [])),
  filter: EMPTY_FIELD,
  shows: { leftOut: false, reasons: true },
  cursor: 0,
  rangeFrom: null,
  decisions: {
    ...NO_DECISIONS,
    files: new Map([
      ["shop/price.py", "accepted"],
      ["web/cart-view.tsx", "rejected"],
    ]),
  },
  constraints: { ...NO_CONSTRAINTS, accepted_files: ["shop/cart.py"], rejected_files: ["web/format.ts"] },
  notes: "",
  pane: "list",
  preview: EMPTY_PREVIEW,
  symbols: null,
  dryRun: { result: DRY_RUN, requested: 4, answered: 4, isAwaited: false },
};

/** Before the wider coverage is applied. */
export const WIDENED = { decisions: { ...NO_DECISIONS, coverage: 0.9 }, dryRun: { ...REVIEW.dryRun, result: WIDER } };

export const SESSIONS = [
  { taskId: "3fa8c1d2e4b6", task: TASK, title: null, rounds: 2, lastUsed: "2026-03-01T10:12:44.000Z", unsaved: true },
  {
    taskId: "99ab00cd12ef",
    task: "Speed up the invoice export",
    title: "invoice export",
    rounds: 1,
    lastUsed: "2026-02-27T08:00:00.000Z",
    unsaved: false,
  },
  { taskId: "0c44d1aa77fe", task: null, title: null, rounds: 7, lastUsed: null, unsaved: false },
] as const satisfies readonly SessionRow[];

const ENTRY: EntryState = {
  task: EMPTY_FIELD,
  focus: "task",
  history: [TASK, "Speed up the invoice export", "Why are two mails sent for one order?"],
  edits: { undo: [], redo: [] },
  filter: EMPTY_FIELD,
  sessions: SESSIONS,
  sessionAt: 0,
};

export const RUN: RunState = {
  id: 1,
  kind: "retrieve",
  status: "running",
  startedAt: 1_000,
  endedAt: 1_000,
  taskId: "3fa8c1d2e4b6",
  round: 1,
  budget: 28_672,
  refresh: { phase: "parse", done: 412, total: 412, since: 0, from: 0 },
  stages: [
    {
      name: "scope",
      status: "done",
      startedAt: 1_000,
      endedAt: 1_840,
      considered: 75,
      counts: { seed: 1, dependency: 8, ranked: 66, excluded: 222 },
    },
    { name: "precision", status: "running", startedAt: 1_840, endedAt: 3_200, considered: 31, counts: {} },
    { name: "budget", status: "waiting", startedAt: 0, endedAt: 0, considered: 0, counts: {} },
  ],
  files: FILES,
  cursor: 3,
  judgement: null,
  notices: [{ code: "enrichment-missing", message: "enrichment not found; the metadata tier is skipped" }],
  failure: null,
};

export const BASE: State = {
  screen: "entry",
  overlay: null,
  size: { columns: 80, rows: 24 },
  look: { ascii: false, colour: false, screenReader: null },
  now: 3_450,
  project: { root: "/home/ada/projects/shop", model: null },
  index: { status: "ready", files: 1_204, headline: "up to date", step: null, startedAt: 0 },
  entry: ENTRY,
  run: null,
  review: null,
  task: TASK,
  taskId: "3fa8c1d2e4b6",
  format: "markdown",
  message: null,
  input: { chord: null, queue: [], interrupted: false, mouse: false, clicked: null },
};

export const CHORD = { ...BASE.input, chord: "g" };
export const entry = (change: Partial<EntryState>, rest: Partial<State> = {}): State => ({
  ...BASE,
  entry: { ...ENTRY, ...change },
  ...rest,
});
export const run = (change: Partial<RunState>, rest: Partial<State> = {}): State => ({
  ...BASE,
  screen: "run",
  run: { ...RUN, ...change },
  ...rest,
});
const SHOWN: State = { ...BASE, screen: "review" };
export const review = (change: Partial<ReviewState>, rest: Partial<State> = {}): State => {
  return { ...SHOWN, review: { ...REVIEW, ...change }, ...rest };
};
export const REVIEW_ALL = review({
  visible: FILES.map((_, at) => at),
  shows: { leftOut: true, reasons: true },
  cursor: 6,
});
export const over = (overlay: Overlay, change: Partial<ReviewState> = {}): State => review(change, { overlay });
