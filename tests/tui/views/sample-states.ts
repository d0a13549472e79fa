/** States of the interface to draw: every screen and overlay, on a package that the program has made. */
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { coverageText } from "../../../src/tui/reducers/coverage.ts";
import { NO_DECISIONS } from "../../../src/tui/state/decisions.ts";
import { symbolKey } from "../../../src/tui/state/marks.ts";
import { EMPTY_PREVIEW } from "../../../src/tui/state/review-state.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../../../src/tui/state/text-field.ts";
import { DRY_RUN, ROUND, TASK, WIDER } from "./sample-round.ts";

import { BASE, CHORD, entry, over, REVIEW, REVIEW_ALL, RUN, review, run, SESSIONS, WIDENED } from "./sample-screens.ts";

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
        leftMs: 90_000,
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
        leftMs: 90_000,
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
  "review-preview": review({ pane: "preview", cursor: 0, preview: { ...EMPTY_PREVIEW, top: 6 } }),
  "review-no-reason": review({ shows: { leftOut: false, reasons: false }, cursor: 1 }),
  "review-range": review({ cursor: 4, rangeFrom: 2 }),
  "review-left-out": REVIEW_ALL,
  "review-search": review(
    { pane: "preview", preview: { ...EMPTY_PREVIEW, query: fieldOf("item"), hit: 4, top: 0 } },
    { overlay: { is: "filter", of: "preview" } },
  ),
  "review-earlier": review({ round: { ...ROUND, latest: 3 }, decisions: NO_DECISIONS }),
  "review-filter": review(
    { filter: fieldOf("cart"), visible: [0, 1, 4], cursor: 1 },
    { overlay: { is: "filter", of: "files" } },
  ),
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
      filter: EMPTY_FIELD,
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
  changes: over({ is: "changes", cursor: 0, query: EMPTY_FIELD, isTyping: false }, { decisions: NO_DECISIONS }),
  "changes-coming": over({ is: "changes", cursor: 0, query: EMPTY_FIELD, isTyping: false }, WIDENED),
  command: over({ is: "command", top: 0 }),
  rounds: over({
    is: "rounds",
    cursor: 1,
    rows: [
      {
        round: 2,
        startedAt: "2026-03-01T10:12:44.000Z",
        finished: true,
        tokens: 24_310,
        budget: 28_672,
        asked: "accepted: shop/cart.py; rejected: web/format.ts",
      },
      { round: 1, startedAt: "2026-03-01T10:10:01.000Z", finished: true, tokens: 22_017, budget: 28_672, asked: "" },
    ],
  }),
  remember: over({ is: "remember", value: fieldOf("add_item never checks its quantity") }),
  rename: entry(
    { focus: "sessions" },
    { overlay: { is: "rename", taskId: "3fa8c1d2e4b6", value: fieldOf("negative carts") } },
  ),
  delete: entry({ focus: "sessions" }, { overlay: { is: "delete", session: SESSIONS[0] } }),
  quit: { ...run({}), overlay: { is: "quit" } },
} as const satisfies Record<string, State>;
