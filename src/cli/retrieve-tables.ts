/**
 * What `cra retrieve -v` shows: how files scored, how symbols were placed, what the budget cost.
 *
 * Pure. Every number is one that the run decided by; nothing is computed anew.
 */
import type { ScoreRow } from "../app.ts";
import type { Provenance } from "../retrieval/package-schema.ts";
import { type Cell, table } from "./table.ts";

/** Files in the scoring table. */
const FILES_SHOWN = 20;

/** The best files with each signal's share of the score; signals that gave none of them anything are left out. */
export function scoringTable(scores: readonly ScoreRow[]): string {
  const best = scores.slice(0, FILES_SHOWN);
  const signals = [
    ...new Set(best.flatMap(({ terms }) => terms.filter(({ share }) => share !== 0).map(({ signal }) => signal))),
  ];
  const rows = best.map(({ path, tier, score, terms }, position): readonly Cell[] => {
    const shares = new Map(terms.map(({ signal, share }) => [signal, share]));
    return [position + 1, score.toFixed(4), tier, ...signals.map((signal) => share(shares.get(signal))), path];
  });
  return titled(
    `Best ${best.length} files, with the share of each signal`,
    table(["rank", "score", "tier", ...signals, "path"], rows),
  );
}

/** How many symbols each stage put in each tier. */
export function countsTable(counts: ReadonlyMap<string, Readonly<Record<string, number>>>): string {
  const rows = [...counts].flatMap(([stage, tiers]) =>
    Object.entries(tiers).map(([tier, count]): readonly Cell[] => [stage, tier, count]),
  );
  return titled("Placed by stage and tier", table(["stage", "tier", "count"], rows));
}

/** What went in, what was cut to a signature, what was left out, with what each would have cost. */
export function budgetLedger(budget: Provenance["budget"], tokenCount: number, limit: number): string {
  const { before, after, use, floor, tokenizer, exact } = budget;
  const summary = [
    `Budget: ${tokenCount} of ${limit} tokens (${tokenizer}${exact ? "" : ", estimated"})`,
    `  relevant material ${before}, package ${after}, use ${(use * 100).toFixed(1)}%, smallest budget ${floor}`,
  ].join("\n");
  const lost = [
    ...budget.demoted.map((row): readonly Cell[] => ["demoted", row.tier, row.tokens, row.path, row.item]),
    ...budget.evicted.map((row): readonly Cell[] => ["evicted", row.tier, row.tokens, row.path, row.item]),
  ];
  const more =
    lost.length > LEDGER_ROWS_MAX ? `and ${lost.length - LEDGER_ROWS_MAX} more; all of them: cra explain\n` : "";
  return `${summary}\n${table(["what", "tier", "tokens", "path", "item"], lost.slice(0, LEDGER_ROWS_MAX))}${more}`;
}

/** A ledger that scrolls the scores away is read by nobody. */
const LEDGER_ROWS_MAX = 30;

const share = (value: number | undefined): string => (value === undefined || value === 0 ? "." : value.toFixed(3));
const titled = (title: string, text: string): string => (text === "" ? "" : `${title}\n${text}\n`);
