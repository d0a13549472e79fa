/** States of the interface to draw: every screen and overlay, on a package that the program has made. */
import { NO_CONSTRAINTS } from "../../../src/retrieval/model/refinement.ts";
import { coverageText } from "../../../src/tui/reducers/coverage.ts";
import { NO_DECISIONS } from "../../../src/tui/state/decisions.ts";
import { symbolKey } from "../../../src/tui/state/marks.ts";
import type { ReviewState } from "../../../src/tui/state/review-state.ts";
import type { EntryState, Overlay, RunState, State } from "../../../src/tui/state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../../../src/tui/state/text-field.ts";
import { DRY_RUN, FILES, ROUND, TASK, WIDER } from "./sample-round.ts";

const REVIEW: ReviewState = {
  round: ROUND,
  files: FILES,
  visible: FILES.map((_, at) => at),
  filter: EMPTY_FIELD,
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
  budget: null,
  notes: "",
  pane: "list",
  preview: { top: 0, loaded: null },
  reasonShown: true,
  symbols: null,
  dryRun: { result: DRY_RUN, requested: 4, answered: 4, isAwaited: false },
};

/** Before the wider coverage is applied. */
const WIDENED = { decisions: { ...NO_DECISIONS, coverage: 0.9 }, dryRun: { ...REVIEW.dryRun, result: WIDER } };

const ENTRY: EntryState = {
  task: EMPTY_FIELD,
  focus: "task",
  history: [TASK, "Speed up the invoice export", "Why are two mails sent for one order?"],
  historyAt: null,
  ownText: "",
  sessions: [
    { taskId: "3fa8c1d2e4b6", task: TASK, rounds: 2, lastUsed: "2026-03-01T10:12:44.000Z", unsaved: true },
    {
      taskId: "99ab00cd12ef",
      task: "Speed up the invoice export",
      rounds: 1,
      lastUsed: "2026-02-27T08:00:00.000Z",
      unsaved: false,
    },
    { taskId: "0c44d1aa77fe", task: null, rounds: 7, lastUsed: null, unsaved: false },
  ],
  sessionAt: 0,
};

const RUN: RunState = {
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

const BASE: State = {
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
  input: { chord: null, queue: [], interrupted: false, mouse: false },
};

const CHORD = { ...BASE.input, chord: "g" };
const entry = (change: Partial<EntryState>, rest: Partial<State> = {}): State => ({
  ...BASE,
  entry: { ...ENTRY, ...change },
  ...rest,
});
const run = (change: Partial<RunState>, rest: Partial<State> = {}): State => ({
  ...BASE,
  screen: "run",
  run: { ...RUN, ...change },
  ...rest,
});
const SHOWN: State = { ...BASE, screen: "review" };
const review = (change: Partial<ReviewState>, rest: Partial<State> = {}): State => {
  return { ...SHOWN, review: { ...REVIEW, ...change }, ...rest };
};
const over = (overlay: Overlay, change: Partial<ReviewState> = {}): State => review(change, { overlay });

/** Every screen and overlay by name. */
export const SAMPLES = {
  "entry-empty": entry({}),
  "entry-typed": entry({ task: fieldOf(TASK) }),
  "entry-sessions": entry({ focus: "sessions", sessionAt: 1 }),
  "entry-indexing": entry(
    { task: fieldOf(TASK), sessions: [] },
    {
      index: {
        status: "indexing",
        files: null,
        headline: "",
        step: { phase: "parse", done: 300, total: 1_204, since: 1_950, from: 0 },
        startedAt: 950,
      },
    },
  ),
  "run-stages": run({}),
  "run-refreshing": run({
    refresh: { phase: "parse", done: 412, total: 1_204, since: 2_450, from: 100 },
    stages: [],
    files: [],
    notices: [],
  }),
  "run-model": run(
    {
      judgement: {
        stage: "precision",
        model: "qwen3:8b",
        candidates: 24,
        call: 1,
        calls: 3,
        text: '{"verdicts": [{"id": 1, "class": "needed", "why": "add_item checks nothing"}, {"id": 2, "class": "rela',
        heardAt: 3_100,
        status: "asked",
      },
    },
    { project: { ...BASE.project, model: "qwen3:8b" } },
  ),
  "run-analysis": run(
    {
      stages: [
        { name: "analysis", status: "running", startedAt: 1_100, endedAt: 3_400, considered: 0, counts: {} },
        ...RUN.stages.map((stage) => ({ ...stage, status: "waiting" as const, considered: 0, counts: {} })),
      ],
      files: [],
      notices: [],
      judgement: {
        stage: "analysis",
        model: "qwen3:8b",
        candidates: 1,
        call: 1,
        calls: 1,
        text: '{"task_type": "bug_fix", "words": ["cart", "tax"',
        heardAt: 3_100,
        status: "asked",
      },
    },
    { project: { ...BASE.project, model: "qwen3:8b" } },
  ),
  "run-cancelled": run({
    status: "cancelled",
    endedAt: 3_200,
    stages: RUN.stages.map((stage) => (stage.status === "running" ? { ...stage, status: "stopped" } : stage)),
  }),
  "run-failed": run({
    status: "failed",
    endedAt: 3_200,
    files: [],
    failure: "the index is damaged; run: cra index --rebuild",
  }),
  review: review({}),
  "review-enough": review({ decisions: NO_DECISIONS }),
  "review-wider": review(WIDENED, { message: { kind: "info", text: coverageText(0.9, ROUND, WIDER), at: 0 } }),
  "review-wider-later": review(WIDENED),
  "review-preview": review({ pane: "preview", cursor: 0, preview: { top: 6, loaded: null } }),
  "review-no-reason": review({ reasonShown: false, cursor: 1 }),
  "review-range": review({ cursor: 4, rangeFrom: 2 }),
  "review-filter": review({ filter: fieldOf("cart"), visible: [0, 1, 4], cursor: 1 }, { overlay: { is: "filter" } }),
  "review-message": review(
    {},
    { message: { kind: "error", text: "the marks are too many for one round", at: 0 }, input: CHORD },
  ),
  "review-note": review({}, { message: { kind: "info", text: "Nothing to refine: mark a file.", at: 0 } }),
  "review-symbols-added": review({
    decisions: { ...NO_DECISIONS, symbols: new Map([[symbolKey("shop/cart.py", "Cart.total"), "missing"]]) },
  }),
  "review-long-message": review(
    {},
    {
      message: {
        kind: "error",
        text: "the budget of 900 tokens is below the floor: what was accepted takes 1,021 tokens at least in its shortest form; raise the budget or accept less",
        at: 0,
      },
    },
  ),
  "review-edge": review({ dryRun: { ...REVIEW.dryRun, result: { ...DRY_RUN, tokens: 27_900 } } }),
  "review-partial": review({
    round: null,
    dryRun: { ...REVIEW.dryRun, result: null },
    constraints: NO_CONSTRAINTS,
    decisions: NO_DECISIONS,
  }),
  symbols: review({
    decisions: { ...NO_DECISIONS, symbols: new Map([[symbolKey("shop/cart.py", "Cart.total"), "signature"]]) },
    symbols: {
      path: "shop/cart.py",
      cursor: 1,
      rows: [
        {
          qualifiedName: "Cart",
          kind: "class",
          startLine: 8,
          endLine: 40,
          tokens: 310,
          tier: "primary",
          detail: "body",
          why: "ranked by search",
        },
        {
          qualifiedName: "Cart.add_item",
          kind: "method",
          startLine: 12,
          endLine: 20,
          tokens: 96,
          tier: "primary",
          detail: "body",
          why: "the task names it",
        },
        {
          qualifiedName: "Cart.total",
          kind: "method",
          startLine: 22,
          endLine: 30,
          tokens: 71,
          tier: "supporting",
          detail: "signature",
          why: "used by Cart.add_item",
        },
        {
          qualifiedName: "CartError",
          kind: "class",
          startLine: 1,
          endLine: 3,
          tokens: null,
          tier: null,
          detail: null,
          why: "",
        },
      ],
    },
  }),
  finder: over({
    is: "finder",
    query: fieldOf("tax"),
    answered: "tax",
    rows: [
      { found: { path: "shop/tax.py", name: null, kind: "file" }, at: [5, 6, 7] },
      { found: { path: "shop/tax.py", name: "rate_for", kind: "function" }, at: [] },
      { found: { path: "services/inventory/internal/tax_rules.go", name: "TaxRules.Apply", kind: "method" }, at: [] },
    ],
    matches: 3,
    of: 8_412,
    cursor: 1,
  }),
  palette: over({ is: "palette", query: fieldOf(""), cursor: 2 }),
  history: entry({}, { overlay: { is: "history", query: EMPTY_FIELD, cursor: 0 } }),
  help: over({ is: "help", top: 0 }),
  budget: over({ is: "budget", value: fieldOf("900"), problem: "a budget is at least 1,021 tokens for this task" }),
  notes: over({ is: "notes", value: fieldOf("the tax rules are missing") }),
  save: over({ is: "save", format: "markdown", path: fieldOf("context.md"), status: "exists", problem: null }),
  changes: over({ is: "changes", top: 0 }, { decisions: NO_DECISIONS }),
  "changes-coming": over({ is: "changes", top: 0 }, WIDENED),
  command: over({ is: "command", top: 0 }),
  quit: over({ is: "quit" }),
} as const satisfies Record<string, State>;
