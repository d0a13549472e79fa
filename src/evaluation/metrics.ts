/** Measures the answer to one case: every metric, by name. */

import { ITEM_TIERS } from "../retrieval/model/tiers.ts";
import { CURVE_METRICS } from "./curve-points.ts";
import { filePrecision, fileRankMetrics, fileRecall, ranksOf, type Share } from "./file-metrics.ts";
import {
  type AmountName,
  COUNTINGS,
  FILE_RANK_NAMES,
  LABELLED_BUDGETS,
  type MetricName,
  PACKAGE_NAMES,
  SYMBOL_RANK_NAMES,
  VIEWS,
} from "./metric-names.ts";
import type { CaseAnswer, CaseResult, EvaluationCase, Metrics } from "./model.ts";
import { type Expected, packageMetrics, packedFiles, symbolPrecision } from "./package-metrics.ts";
import { scoredSymbols, symbolPlaces, symbolRankMetrics, symbolRanks } from "./symbol-metrics.ts";

export function resultOf(evaluated: EvaluationCase, answer: CaseAnswer): CaseResult {
  const { id, repo, language, source, answerLeak, exactness } = evaluated;
  return { id, repo, language, source, answerLeak, exactness, metrics: measure(evaluated, answer) };
}

/**
 * Measures an answer. `packages` count at their budgets (`PACKAGE_BUDGETS`); those of the tokenizer `approximate` exclude
 * the section of the task. The metrics of a missing package are absent.
 */
export function measure(evaluated: EvaluationCase, answer: CaseAnswer): Metrics {
  const files = [...new Set(evaluated.expectedFiles)];
  const gold = scoredSymbols(evaluated);
  const expected: Expected = {
    files,
    testFiles: evaluated.expectedTestFiles,
    symbolPlaces: symbolPlaces(answer.namedSymbols, gold, files),
    lines: evaluated.expectedLines,
    foreign: answer.foreign,
  };
  const scores: Partial<Record<MetricName, number>> = {};
  const amounts: Partial<Record<AmountName, number>> = { tokens: answer.main.tokens };
  const put = (name: MetricName, share: Share): void => {
    if (share !== null) scores[name] = share;
  };

  for (const view of VIEWS) {
    const hidden = view === "" ? NOTHING : unexpectedTests(answer, files);
    const visible = ({ path }: { readonly path: string }): boolean => !hidden.has(path);
    const ofFiles = fileRankMetrics(ranksOf(answer.rankedFiles.filter(visible), files));
    const ofSymbols = symbolRankMetrics(symbolRanks(answer.rankedSymbols.filter(visible), gold, files));
    for (const name of FILE_RANK_NAMES) put(`${name}${view}`, ofFiles[name]);
    for (const name of SYMBOL_RANK_NAMES) put(`${name}${view}`, ofSymbols[name]);
  }

  const main = packageMetrics(answer.main, expected, { net: false });
  for (const name of PACKAGE_NAMES) put(name, main[name]);
  for (const counting of COUNTINGS) {
    const net = counting === "_approximate";
    for (const { budget, label } of LABELLED_BUDGETS) {
      const packed = answer.packages.find((one) => one.budget === budget && (one.tokenizer === "approximate") === net);
      if (packed === undefined) continue;
      if (!net) amounts[`tokens@${label}`] = packed.tokens;
      const own = packageMetrics(packed, expected, { net });
      for (const name of PACKAGE_NAMES) put(`${name}@${label}${counting}`, own[name]);
    }
  }

  for (const packed of answer.curve) {
    amounts[`tokens@${packed.label}`] = packed.tokens;
    const own = packageMetrics(packed, expected, { net: false });
    for (const name of CURVE_METRICS) put(`${name}@${packed.label}`, own[name]);
  }

  const scope = new Set(answer.scopeFiles);
  const shown = packedFiles(answer.main);
  put("file_precision", filePrecision(shown, files));
  put("file_precision_tests", filePrecision(shown, [...files, ...evaluated.expectedTestFiles]));
  put("symbol_precision", symbolPrecision(answer.main, expected));
  put("scope_recall", fileRecall(scope, files));
  put("scope_precision", filePrecision(scope, files));
  putTierShares(answer, put);
  return { scores, amounts, fileRanks: ranksOf(answer.rankedFiles, files), ms: answer.ms };
}

/** Counts of parts can exceed the count of the whole text a little. A package without text has no shares. */
function putTierShares({ main, tierTokens }: CaseAnswer, put: (name: MetricName, share: Share) => void): void {
  const ofTiers = ITEM_TIERS.reduce((sum, tier) => sum + tierTokens[tier], 0);
  const all = Math.max(main.tokens, ofTiers);
  if (all <= 0) return;
  for (const tier of ITEM_TIERS) put(`${tier}_share`, tierTokens[tier] / all);
  put("rest_share", (all - ofTiers) / all);
}

const NOTHING: ReadonlySet<string> = new Set();

/** The files that the view without tests omits; expected tests stay. */
function unexpectedTests({ rankedFiles }: CaseAnswer, expected: readonly string[]): ReadonlySet<string> {
  const sought = new Set(expected);
  return new Set(rankedFiles.filter(({ path, isTest }) => isTest && !sought.has(path)).map(({ path }) => path));
}
