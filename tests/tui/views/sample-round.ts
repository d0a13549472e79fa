/** A finished round to draw: a package that the program has made, with more files in scope than it has room for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ContextPackage } from "../../../src/retrieval/model/package-schema.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { filesOfRound } from "../../../src/tui/state/lists/file-list.ts";
import type { DryRun, Round } from "../../../src/tui/state/review-state.ts";
import { shippedFiles } from "../../../src/tui/state/shipped.ts";

const PACKAGE = ContextPackage.parse(
  JSON.parse(readFileSync(join(import.meta.dir, "../../golden/package/bug-with-names.json"), "utf8")),
);

export const TASK = "Cart.add_item accepts a negative quantity\n\nAdding -1 of an item makes the total negative.";

/** Files that the package shows, then more in scope that it has no room for. */
const IN_SCOPE = [
  ...PACKAGE.provenance.files.map(({ path, tier, score, terms }) => ({ path, tier, score, terms })),
  ...Array.from({ length: 67 }, (_, at) => ({
    path: `${["shop", "web/components/checkout", "services/inventory/internal/reservations", "tests"][at % 4]}/${["order", "discount-rules", "stock_reservation_repository", "i18n"][at % 3]}_${at}.${["py", "tsx", "go"][at % 3]}`,
    tier: ["ranked", "dependency", "co_change", "metadata"][at % 4] ?? "ranked",
    score: 0.08 - at / 1_000,
    terms: [{ signal: "content_match", value: 0.08 - at / 1_000, weight: 1, share: 0.08 - at / 1_000 }],
  })),
].map((file, at) => ({ ...file, rank: at + 1 }));

/** The files as the index has them: the lines that the package shows, and some more. */
const OUTLINES = PACKAGE.files.map(({ path, symbols }, at) => ({
  path,
  text: "line\n".repeat(40 + 7 * at),
  symbols: [
    ...symbols.map(({ start_line, end_line }) => ({ startLine: start_line, endLine: end_line })),
    ...Array.from({ length: at }, (_, more) => ({ startLine: 900 + more, endLine: 900 + more })),
  ],
}));

/** Numbers of every width. */
const tokensOf = (path: string): number =>
  PACKAGE.files
    .filter((file) => file.path === path)
    .flatMap(({ symbols }) => symbols)
    .reduce((sum, { tokens }, at) => sum + tokens + at * 1_111, 0);

export const ROUND: Round = {
  taskId: "3fa8c1d2e4b6",
  number: 2,
  latest: 2,
  package: {
    ...PACKAGE,
    token_count: 24_310,
    budget: 28_672,
    provenance: {
      ...PACKAGE.provenance,
      budget: {
        ...PACKAGE.provenance.budget,
        stop: {
          coverage: "auto",
          reason: "enough",
          expected_share: 0.86,
          next: [{ path: "shop/order_0.py", item: "Order.total", tokens: 391, expected_share: 0.004, coverage: 0.87 }],
        },
      },
      changes: {
        since_round: 1,
        added: [
          { path: "shop/tax.py", item: null, detail: "body", before: "none" },
          { path: "shop/tax.py", item: "rate_for", detail: "body", before: "none" },
        ],
        dropped: [{ path: "web/components/checkout/order_summary.tsx", item: null, detail: "none", before: "excerpt" }],
        promoted: [{ path: "shop/cart.py", item: "Cart.total", detail: "body", before: "signature" }],
        demoted: [{ path: "shop/price.py", item: "Price.format", detail: "signature", before: "body" }],
        left_out: 0,
      },
    },
  },
  scores: IN_SCOPE,
  ships: shippedFiles(PACKAGE, OUTLINES, () => 0).map((file) => ({ ...file, tokens: tokensOf(file.path) })),
  diffTokens: null,
  notApplied: null,
  constraints: NO_CONSTRAINTS,
  command:
    "cra retrieve --budget 28672 --accept shop/cart.py --accept shop/price.py --reject web/format.ts --missing-symbol shop/tax.py:rate_for 'Cart.add_item accepts a negative quantity'",
  isRecorded: true,
  levels: [
    { coverage: 0.7, tokens: 9_812 },
    { coverage: "auto", tokens: 23_901 },
    { coverage: 0.9, tokens: 26_020 },
    { coverage: 1, tokens: 61_300 },
  ],
};

export const FILES = filesOfRound(ROUND);

export const DRY_RUN: DryRun = {
  tokens: 22_940,
  budget: 28_672,
  exact: true,
  enters: [],
  leaves: [],
  nextOut: { path: "web/format.ts", item: "formatMoney", tokens: 214 },
  nextIn: { path: "shop/order_0.py", item: "Order.total", tokens: 391 },
  rejecting: {
    path: "shop/cart.py",
    frees: 1_240,
    enters: [{ path: "shop/order_0.py", item: "Order.total", tokens: 391 }],
  },
};

/** What a wider coverage gives. */
export const WIDER: DryRun = {
  ...DRY_RUN,
  tokens: 26_412,
  enters: [
    { path: "shop/order_0.py", item: "Order.total", tokens: 391 },
    { path: "shop/tax.py", item: "rate_for", tokens: 120 },
    { path: "web/components/checkout/discount-rules_1.tsx", item: null, tokens: 1_204 },
    { path: "shop/mail.py", item: "send", tokens: 387 },
  ],
};
