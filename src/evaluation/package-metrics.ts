/**
 * How much of what is expected a package holds, and how much of the package that is.
 *
 * A package shows a file when any text of it is in it, a signature too. It holds lines only when they stand there in
 * full: in a whole file or in a definition's body, several of them together if need be. A class and its like is held
 * when its own lines are, whatever becomes of its members.
 */
import { type LineRange, mergeRanges } from "../text/ranges.ts";
import { fileRecall, type Share, shareOf } from "./file-metrics.ts";
import type { PackageName } from "./metric-names.ts";
import type { GoldLines, PackageAnswer, PackedPiece } from "./model.ts";

/** What a package is held against. */
export type Expected = {
  readonly files: readonly string[];
  /** The lines each expected definition may stand in (`symbolPlaces`). */
  readonly symbolPlaces: readonly (readonly GoldLines[])[];
  readonly lines: readonly GoldLines[];
  /** Lines strictly inside of a definition that it need not be shown with. */
  readonly foreign: readonly GoldLines[];
};

const isFull = ({ kind }: PackedPiece): boolean => kind === "whole" || kind === "body";

/**
 * The metrics of one package. `net`: its budget does not count the task's section.
 *
 * `token_efficiency` is the tokens of pieces of expected files and definitions ÷ all tokens of the text. Counts of
 * pieces do not add up to the token, so it is held at 1. A package without text is worth 0.
 */
export function packageMetrics(
  answer: PackageAnswer,
  expected: Expected,
  { net }: { readonly net: boolean },
): Readonly<Record<PackageName, Share>> {
  const lines = fullLines(answer.pieces);
  return {
    file_recall: fileRecall(packedFiles(answer), expected.files),
    symbol_recall: shareOf(expected.symbolPlaces, (places) =>
      places.some((place) => holds(lines, place, expected.foreign)),
    ),
    line_coverage: lineCoverage(lines, expected.lines),
    token_efficiency: tokenEfficiency(answer, expected),
    budget_use: answer.budget <= 0 ? null : Math.min(1, usedTokens(answer, net) / answer.budget),
  };
}

const usedTokens = ({ tokens, taskTokens }: PackageAnswer, net: boolean): number =>
  net ? Math.max(0, tokens - taskTokens) : tokens;

/** The files of which some text is in the package. */
export const packedFiles = ({ pieces }: PackageAnswer): ReadonlySet<string> => new Set(pieces.map(({ path }) => path));

/**
 * Of the pieces that stand in full, the share that holds a line of an expected definition (of a class, its members'
 * lines too); 0 when there are none.
 * Null when no definition is expected. A piece without tokens goes with another one, and counts for nothing here.
 */
export function symbolPrecision({ pieces }: PackageAnswer, { symbolPlaces }: Expected): Share {
  if (symbolPlaces.length === 0) return null;
  const places = symbolPlaces.flat();
  const full = pieces.filter((piece) => isFull(piece) && piece.tokens > 0);
  return shareOf(full, (piece) => places.some((place) => overlap(piece, place))) ?? 0;
}

function tokenEfficiency({ pieces, tokens }: PackageAnswer, { files, symbolPlaces }: Expected): Share {
  if (files.length === 0 && symbolPlaces.length === 0) return null;
  const sought = new Set(files);
  const places = symbolPlaces.flat();
  const spent = pieces
    .filter((piece) => sought.has(piece.path) || places.some((place) => overlap(piece, place)))
    .reduce((sum, piece) => sum + piece.tokens, 0);
  return tokens <= 0 ? 0 : Math.min(1, spent / tokens);
}

const overlap = (a: GoldLines, b: GoldLines): boolean => a.path === b.path && a.start <= b.end && b.start <= a.end;

type LinesOfFiles = ReadonlyMap<string, readonly LineRange[]>;

const fullLines = (pieces: readonly PackedPiece[]): LinesOfFiles => mergedLines(pieces.filter(isFull));

function mergedLines(lines: readonly GoldLines[]): LinesOfFiles {
  const byFile = Map.groupBy(lines, ({ path }) => path);
  return new Map(
    [...byFile].map(([path, own]) => [
      path,
      mergeRanges(own.map(({ start, end }) => ({ startLine: start, endLine: end }))),
    ]),
  );
}

/** Whether the own lines of a definition stand in full. */
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

/** The share of expected lines, each counted once, that stand in full; null when none is expected. */
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
