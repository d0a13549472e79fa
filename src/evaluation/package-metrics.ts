/**
 * How much of the expected code a package contains, and how much of the package that is.
 *
 * A package shows a file if it has any text of it. It contains lines only in a whole file or in the bodies of definitions,
 * several of them together if necessary. A class is contained if its own lines are, without its members.
 */
import { type LineRange, mergeRanges } from "../text/ranges.ts";
import { fileRecall, type Share, shareOf } from "./file-metrics.ts";
import type { PackageName } from "./metric-names.ts";
import type { GoldLines, PackageAnswer, PackedSpan } from "./model.ts";

/** What a package should contain. */
export type Expected = {
  readonly files: readonly string[];
  readonly testFiles: readonly string[];
  /** For each expected definition, the places where it may be (`symbolPlaces`). */
  readonly symbolPlaces: readonly (readonly GoldLines[])[];
  readonly lines: readonly GoldLines[];
  /** Lines strictly within a definition that it may be shown without. */
  readonly foreign: readonly GoldLines[];
};

const isFull = ({ kind }: PackedSpan): boolean => kind === "whole" || kind === "body";

/**
 * The metrics of one package. `net`: its budget excludes the section of the task.
 *
 * `token_efficiency` is the tokens of expected files and definitions ÷ all tokens; counts of parts do not add up exactly,
 * so it is at most 1. It is 0 for a package without text.
 */
export function packageMetrics(
  answer: PackageAnswer,
  expected: Expected,
  { net }: { readonly net: boolean },
): Readonly<Record<PackageName, Share>> {
  const lines = mergedLines(answer.spans.filter(isFull));
  const files = packedFiles(answer);
  const testRecall = fileRecall(files, expected.testFiles);
  return {
    file_recall: fileRecall(files, expected.files),
    symbol_recall: shareOf(expected.symbolPlaces, (places) =>
      places.some((place) => holds(lines, place, expected.foreign)),
    ),
    line_coverage: lineCoverage(lines, expected.lines),
    token_efficiency: tokenEfficiency(answer, expected),
    budget_use: answer.budget <= 0 ? null : Math.min(1, usedTokens(answer, net) / answer.budget),
    test_any: testRecall === null ? null : Math.ceil(testRecall),
    test_recall: testRecall,
  };
}

const usedTokens = ({ tokens, taskTokens }: PackageAnswer, net: boolean): number =>
  net ? Math.max(0, tokens - taskTokens) : tokens;

/** The files with text in the package. */
export const packedFiles = ({ spans }: PackageAnswer): ReadonlySet<string> => new Set(spans.map(({ path }) => path));

/**
 * The share of full spans that contain a line of an expected definition (for a class, of its members too); 0 without
 * spans, null without expected definitions. A span without tokens is counted with another one, and is ignored.
 */
export function symbolPrecision({ spans }: PackageAnswer, { symbolPlaces }: Expected): Share {
  if (symbolPlaces.length === 0) return null;
  const places = symbolPlaces.flat();
  const full = spans.filter((span) => isFull(span) && span.tokens > 0);
  return shareOf(full, (span) => places.some((place) => overlap(span, place))) ?? 0;
}

function tokenEfficiency({ spans, tokens }: PackageAnswer, { files, symbolPlaces }: Expected): Share {
  if (files.length === 0 && symbolPlaces.length === 0) return null;
  const sought = new Set(files);
  const places = symbolPlaces.flat();
  const spent = spans
    .filter((span) => sought.has(span.path) || places.some((place) => overlap(span, place)))
    .reduce((sum, span) => sum + span.tokens, 0);
  return tokens <= 0 ? 0 : Math.min(1, spent / tokens);
}

const overlap = (a: GoldLines, b: GoldLines): boolean => a.path === b.path && a.start <= b.end && b.start <= a.end;

type LinesOfFiles = ReadonlyMap<string, readonly LineRange[]>;

function mergedLines(lines: readonly GoldLines[]): LinesOfFiles {
  const byFile = Map.groupBy(lines, ({ path }) => path);
  return new Map(
    [...byFile].map(([path, own]) => [
      path,
      mergeRanges(own.map(({ start, end }) => ({ startLine: start, endLine: end }))),
    ]),
  );
}

/** Whether the package contains the own lines of a definition. */
function holds(lines: LinesOfFiles, place: GoldLines, foreign: readonly GoldLines[]): boolean {
  const { path, start, end } = place;
  const inside = foreign.filter(
    (other) => other.path === path && other.start >= start && other.end <= end && other.end - other.start < end - start,
  );
  const shown = mergeRanges([
    ...(lines.get(path) ?? []),
    ...inside.map((other) => ({ startLine: other.start, endLine: other.end })),
  ]);
  return shown.some(({ startLine, endLine }) => startLine <= start && end <= endLine);
}

/** The share of expected lines, each counted once, that the package contains; null if none is expected. */
function lineCoverage(lines: LinesOfFiles, expected: readonly GoldLines[]): Share {
  let sought = 0;
  let found = 0;
  for (const [path, ranges] of mergedLines(expected)) {
    for (const range of ranges) {
      sought += range.endLine - range.startLine + 1;
      for (const { startLine, endLine } of lines.get(path) ?? []) {
        found += Math.max(0, Math.min(endLine, range.endLine) - Math.max(startLine, range.startLine) + 1);
      }
    }
  }
  return sought === 0 ? null : found / sought;
}
