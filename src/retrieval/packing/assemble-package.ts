/**
 * Assembles the context package that shows a fit.
 *
 * Files come by rank; symbols in source order within primary, supporting and type context. The same fit gives the same bytes.
 */

import type { DependencyRow } from "../../db/curated/knowledge-base.ts";
import type { IndexMeta } from "../../db/curated/meta.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { TaskQuery } from "../../task/query.ts";
import type { Budget, Coverage } from "../model/budget.ts";
import { SCHEMA_VERSION } from "../model/package-ids.ts";
import type { ContextPackage, StopJson } from "../model/package-schema.ts";
import { provisionalJson } from "../model/provisional.ts";
import type { ScopedFile } from "../model/selection.ts";
import { inShownOrder } from "../precision/purpose.ts";
import { roundScore } from "../ranking/score.ts";
import type { FileReasons } from "../reasons/file-reasons.ts";
import { REASON_SHARE, type ShownReasons } from "../reasons/shown-reasons.ts";
import { assembleFile, type FileTexts, withReason } from "./file-json.ts";
import type { Shown } from "./fitting/knapsack.ts";
import type { Fit } from "./fitting/packer.ts";
import { EDGE_SHARE, ONE_EDGE_TOKENS_MIN } from "./fitting/packing-order.ts";
import { fullTokens, type Item } from "./items/items.ts";
import { redactions } from "./redaction-notice.ts";
import type { Stop } from "./worth/stop.ts";

/** An edge takes a line of the dependency map and an entry in the list of its file. */
const EDGE_TOKENS = 24;

/** What a package says about how it was made. `taskCut` is the task's text if it is shown cut. */
type RunFacts = {
  readonly taskId: string;
  readonly task: TaskQuery;
  readonly taskCut: string | null;
  readonly craVersion: string;
  readonly meta: IndexMeta;
  readonly weights: Readonly<Record<string, number>>;
  readonly budget: Budget;
  readonly tokenizer: string;
};

/** The facts of a package, independent of the fit. */
export type PackageFacts = FileTexts & {
  readonly run: RunFacts;
  readonly files: readonly ScopedFile[];
  readonly items: readonly Item[];
  readonly stop: Stop;
  readonly dependencies: readonly DependencyRow[];
  readonly reasons: FileReasons;
  /** Chooses the reasons that the text shows, for the files by rank, within a number of tokens. */
  readonly shownReasons: ShownReasons;
  readonly warnings: readonly string[];
  /** Why the package is a map; null when it is none. */
  readonly map: string | null;
};

/** Its counts are 0 until `withCounts` fills them in. `reasonTokens` is the room for reasons, by default a share of the estimate. */
export function assemble(
  facts: PackageFacts,
  fit: Fit,
  reasonTokens = Math.floor(Math.min(fit.target, fit.estimate) * REASON_SHARE),
): ContextPackage {
  const { run } = facts;
  const byFile = Map.groupBy(fit.shown, ({ item }) => item.fileId);
  const scoped = inShownOrder(facts.files, run.task).filter(({ file }) => byFile.has(file.id));
  const edges = edgesBetween(scoped, facts.dependencies);
  const assembled = scoped.map((file) => assembleFile(facts, file, byFile.get(file.file.id) ?? []));
  const reasons = facts.shownReasons(
    scoped.map(({ file }) => file.id),
    reasonTokens,
  );
  const provisional = provisionalJson(run.meta);
  const files = assembled.map(({ json }, at) => withReason(json, reasons.get(scoped[at]?.file.id ?? -1) ?? null));
  return {
    schema_version: SCHEMA_VERSION,
    task_id: run.taskId,
    task_query: {
      raw_description: run.task.raw,
      task_type: run.task.taskType,
      keywords: [...run.task.keywords],
      file_hints: distinct([...run.task.given.paths, ...run.task.fileHints.map(({ text }) => text)]),
      symbol_hints: distinct([...run.task.given.symbols, ...run.task.symbolHints.map(({ text }) => text)]),
      error_patterns: [...run.task.errorPatterns],
      concepts: [...run.task.concepts],
    },
    files,
    dependency_edges: edges,
    token_count: 0,
    budget: run.budget.tokens,
    provenance: {
      cra_version: run.craVersion,
      index: { content_hash: run.meta.contentHash, head: run.meta.head },
      ...(provisional === null ? {} : { provisional }),
      weights: { ...run.weights },
      task_cut: run.taskCut,
      ...(run.task.proposed === undefined ? {} : { proposed_words: [...run.task.proposed] }),
      ...(facts.map === null ? {} : { map: facts.map }),
      edges_shown: Math.min(edges.length, edgesWithin(fit.target)),
      files: scoped.map(({ file, tier, relation, score }, at) => ({
        path: file.path,
        tier,
        relation,
        reasons: [...(facts.reasons.get(file.id) ?? [])],
        blank_lines: assembled[at]?.blank ?? [],
        score: score.total,
        terms: score.terms.map(({ signal, value, weight }) => ({
          signal,
          value,
          weight,
          share: roundScore(value * weight),
        })),
      })),
      symbols: fit.shown.map(({ item, detail }) => ({
        path: item.path,
        qualified_name: item.label,
        tier: item.tier,
        detail,
        why: item.why,
      })),
      budget: {
        tokenizer: run.tokenizer,
        exact: run.tokenizer !== "approximate",
        max_lines: run.budget.maxLines,
        floor: 0,
        before: 0,
        after: 0,
        use: 0,
        ...ledger(facts.stop.relevant, fit.shown),
        stop: stopJson(facts.stop, run.budget.coverage, fit),
      },
    },
    warnings: [
      ...facts.warnings,
      ...[...cutBodies(fit), ...redactions(run.taskCut ?? run.task.raw, files)].map(noticeSentence),
    ],
  };
}

/** `tokens`, `floor` and `relevant` are tokens of rendered text; `use` is the share used. */
export function withCounts(
  pkg: ContextPackage,
  counts: { readonly tokens: number; readonly floor: number; readonly relevant: number; readonly use: number },
): ContextPackage {
  const { tokens, floor, relevant, use } = counts;
  return {
    ...pkg,
    token_count: tokens,
    provenance: {
      ...pkg.provenance,
      budget: {
        ...pkg.provenance.budget,
        floor,
        before: relevant,
        after: tokens,
        use: roundScore(use),
      },
    },
  };
}

/** A package with the files and edges of another one, which is of the same run. */
export const withFiles = (
  pkg: ContextPackage,
  { files, dependency_edges, provenance }: ContextPackage,
): ContextPackage => ({
  ...pkg,
  files,
  dependency_edges,
  provenance: { ...pkg.provenance, files: provenance.files, edges_shown: provenance.edges_shown },
});

/** One notice for each requested body that is not shown in full. */
export const cutBodies = ({ shown }: Fit): readonly Notice[] =>
  shown.flatMap(({ item, detail }) =>
    item.bodyRequested === true && detail !== "body" && item.ranges.length > 0
      ? [{ code: "body-cut", name: `${item.path}:${item.label}`, detail }]
      : [],
  );

function edgesBetween(files: readonly ScopedFile[], rows: readonly DependencyRow[]): [string, string][] {
  const known = new Map(files.map((scoped) => [scoped.file.id, scoped]));
  const pairs = new Map<string, { from: ScopedFile; to: ScopedFile }>();
  for (const { source, target } of rows) {
    const from = known.get(source);
    const to = known.get(target);
    if (from && to && source !== target) pairs.set(`${source} ${target}`, { from, to });
  }
  return [...pairs.values()]
    .sort((a, b) => a.from.rank - b.from.rank || a.to.rank - b.to.rank)
    .map(({ from, to }) => [from.file.path, to.file.path]);
}

/** Pieces that would come next, which a package lists. */
const NEXT_MAX = 5;

/** Where packing stopped, why, and what would come next. */
function stopJson({ relevant, primary }: Stop, coverage: Coverage, { shown, complete }: Fit): StopJson {
  const relevantKeys = new Set(relevant.map(({ key }) => key));
  const details = new Map(shown.map(({ item, detail }) => [item.key, detail]));
  const beyond = primary.filter(({ item }) => !relevantKeys.has(item.key));
  const evicted = primary.filter(({ item }) => relevantKeys.has(item.key) && !details.has(item.key));
  const total = sum(primary.map(({ worth }) => worth));
  const covered = sum(primary.map(({ item, worth }) => (details.get(item.key) === "body" ? worth : 0)));
  return {
    coverage,
    reason: complete ? (beyond.length > 0 ? "enough" : "everything") : "budget",
    expected_share: total > 0 ? roundScore(covered / total) : 1,
    next: (complete ? beyond : evicted).slice(0, NEXT_MAX).map(({ item, worth, coverage: least }) => ({
      path: item.path,
      item: item.label,
      tokens: fullTokens(item),
      expected_share: total > 0 ? roundScore(worth / total) : 0,
      coverage: complete ? least : null,
    })),
  };
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/** The relevant items that are left out or cut, with their cost in full. */
function ledger(items: readonly Item[], shown: readonly Shown[]) {
  const details = new Map(shown.map(({ item, detail }) => [item.key, detail]));
  const row = (item: Item) => ({
    path: item.path,
    item: item.label,
    tier: item.tier,
    tokens: fullTokens(item),
  });
  return {
    evicted: items.filter((item) => !details.has(item.key)).map(row),
    demoted: items
      .filter((item) => item.ranges.length > 0 && ["signature", "excerpt"].includes(details.get(item.key) ?? ""))
      .map(row),
  };
}

const distinct = (list: readonly string[]): string[] => [...new Set(list)];

const edgesWithin = (tokens: number): number =>
  Math.max(Number(tokens >= ONE_EDGE_TOKENS_MIN), Math.floor((tokens * EDGE_SHARE) / EDGE_TOKENS));
