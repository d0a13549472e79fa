/** Measures the answer to one case: every metric, by name. */
import { filePrecision, fileRankMetrics, fileRecall, ranksOf, type Share } from "./file-metrics.ts";
import {
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
  const { id, repo, language, source, answerLeak } = evaluated;
  return { id, repo, language, source, answerLeak, metrics: measure(evaluated, answer) };
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
    symbolPlaces: symbolPlaces(answer.namedSymbols, gold, files),
    lines: evaluated.expectedLines,
    foreign: answer.foreign,
  };
  const scores: Partial<Record<MetricName, number>> = {};
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
      const own = packageMetrics(packed, expected, { net });
      for (const name of PACKAGE_NAMES) put(`${name}@${label}${counting}`, own[name]);
    }
  }

  const scope = new Set(answer.scopeFiles);
  put("file_precision", filePrecision(packedFiles(answer.main), files));
  put("symbol_precision", symbolPrecision(answer.main, expected));
  put("scope_recall", fileRecall(scope, files));
  put("scope_precision", filePrecision(scope, files));
  return { scores, fileRanks: ranksOf(answer.rankedFiles, files), ms: answer.ms };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The files that the view without tests omits; expected tests stay. */
function unexpectedTests({ rankedFiles }: CaseAnswer, expected: readonly string[]): ReadonlySet<string> {
  const sought = new Set(expected);
  return new Set(rankedFiles.filter(({ path, isTest }) => isTest && !sought.has(path)).map(({ path }) => path));
}
