/** What `cra retrieve -v` shows: the task as understood, scores, placements, what the budget cost, and what would come next. */
import type { ScoreRow, ShownRow } from "../../app/retrieval/table-rows.ts";
import { type Cell, pairs, table } from "../../present/layout.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import { whyStopped } from "../../retrieval/render/stop-text.ts";

/** Files in the scoring table. */
const FILES_SHOWN = 20;

/** The task as it was understood; empty parts are left out. */
export function taskTable({ task_query: query }: ContextPackage): string {
  const lists = [
    ["keywords", query.keywords],
    ["files", query.file_hints],
    ["symbols", query.symbol_hints],
    ["errors", query.error_patterns],
    ["concepts", query.concepts],
  ] as const;
  const rows = lists.flatMap(([name, words]) => (words.length === 0 ? [] : [[name, listed(words)] as const]));
  return titled("Task", pairs([["type", query.task_type], ...rows]));
}

/** A pasted log can name hundreds; the JSON has all. */
const WORDS_SHOWN = 30;

const listed = (words: readonly string[]): string =>
  `${words.slice(0, WORDS_SHOWN).join(", ")}${words.length > WORDS_SHOWN ? `, and ${words.length - WORDS_SHOWN} more` : ""}`;

/** The best files with each signal's share of the score; signals with no share in any of them are left out. */
export function scoringTable(scores: readonly ScoreRow[]): string {
  const best = scores.slice(0, FILES_SHOWN);
  const signals = [
    ...new Set(best.flatMap(({ terms }) => terms.filter(({ share }) => share !== 0).map(({ signal }) => signal))),
  ];
  const rows = best.map(({ rank, path, tier, score, terms }): readonly Cell[] => {
    const shares = new Map(terms.map(({ signal, share }) => [signal, share]));
    return [rank, score.toFixed(4), tier, ...signals.map((signal) => share(shares.get(signal))), path];
  });
  return titled(
    `Best ${best.length} files, with the share of each signal`,
    table(["rank", "score", "tier", ...signals, "path"], rows),
  );
}

/** Why each file of the package is in it. */
export function reasonsTable({ files, provenance }: ContextPackage): string {
  const whys = new Map(provenance.files.map(({ path, reasons }) => [path, reasons.join("; ")]));
  return titled(
    "Reasons",
    table(
      ["rank", "path", "why"],
      files.map(({ relevance_rank, path }): readonly Cell[] => [relevance_rank, path, whys.get(path) ?? ""]),
    ),
  );
}

/** How many symbols each stage put in each tier. */
export function countsTable(counts: ReadonlyMap<string, Readonly<Record<string, number>>>): string {
  const rows = [...counts].flatMap(([stage, tiers]) =>
    Object.entries(tiers).map(([tier, count]): readonly Cell[] => [stage, tier, count]),
  );
  return titled("Placed by stage and tier", table(["stage", "tier", "count"], rows));
}

/** Included items with their tokens; demoted and evicted ones with the tokens they would have taken. */
export function budgetLedger(
  { task_id, token_count, budget: limit, provenance }: ContextPackage,
  shown: readonly ShownRow[],
  location: string,
): string {
  const all = `cra explain ${task_id}${location} -v`;
  const { before, after, use, floor, tokenizer, exact, demoted, evicted } = provenance.budget;
  const sizes = `relevant material ${before}, package ${after}`;
  const summary = [
    `Budget: ${token_count} of ${limit} tokens (${tokenizer}${exact ? "" : ", estimated"})`,
    `  ${after === token_count ? `${sizes},` : `as Markdown: ${sizes};`} use ${(use * 100).toFixed(1)}%, smallest budget ${floor}`,
  ].join("\n");
  const lost = [
    ...demoted.map((row): readonly Cell[] => ["demoted", row.tier, row.tokens, row.path, row.item]),
    ...evicted.map((row): readonly Cell[] => ["evicted", row.tier, row.tokens, row.path, row.item]),
  ];
  const included = shown.map((row): readonly Cell[] => [row.detail, row.tier, row.tokens, row.path, row.item]);
  return [
    titled("Tokens by tier, without headings and the task", tiersTable(shown)),
    titled("Included", ledger(["shown as", "tier", "tokens", "path", "item"], included, all)),
    `${summary}\n${ledger(["what", "tier", "tokens", "path", "item"], lost, all)}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Where packing stopped and why, and what would come next. */
export function nextTable({ token_count, budget, provenance }: ContextPackage): string {
  const { stop } = provenance.budget;
  if (stop === undefined) return "";
  const rows = stop.next.map(({ tokens, expected_share, coverage, path, item }): readonly Cell[] => [
    tokens,
    percent(expected_share, 2),
    coverage ?? "a larger budget",
    path,
    item,
  ]);
  const shown = `coverage ${stop.coverage}, ${percent(stop.expected_share)} of what is expected to matter`;
  return `Stopped at ${token_count} of ${budget} tokens (${shown}): ${whyStopped(stop)}\n${titled(
    "Next",
    table(["tokens", "expected", "from coverage", "path", "item"], rows),
  )}`;
}

/** `84.4 %` */
const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;

function tiersTable(shown: readonly ShownRow[]): string {
  const rows = [...Map.groupBy(shown, ({ tier }) => tier)].map(([tier, own]): readonly Cell[] => [
    tier,
    own.length,
    own.reduce((sum, { tokens }) => sum + tokens, 0),
  ]);
  return table(["tier", "items", "tokens"], rows);
}

function ledger(heading: readonly string[], rows: readonly (readonly Cell[])[], all: string): string {
  const hidden = rows.length - LEDGER_ROWS_MAX;
  const more = hidden > 0 ? `and ${hidden} more; to see all: ${all}\n` : "";
  return `${table(heading, rows.slice(0, LEDGER_ROWS_MAX))}${more}`;
}

const LEDGER_ROWS_MAX = 30;

const share = (value: number | undefined): string => (value === undefined || value === 0 ? "." : value.toFixed(3));
const titled = (title: string, text: string): string => (text === "" ? "" : `${title}\n${text}`);
