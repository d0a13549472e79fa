/**
 * Matching lines outside any symbol: of files that show no primary symbol, and of likely tests that show none. Lines that a stack
 * trace names are shown of any file.
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { lineScorer } from "../lexical/line-scorer.ts";
import { HEAD_LINES, looseSnippets, SMALL_FILE_LINES } from "../lexical/snippets.ts";
import type { PlacedSnippet, PlacedSymbol, ScopedFile, Selection } from "../model/selection.ts";
import type { StageInput } from "../model/stage.ts";
import { roundScore } from "../ranking/score.ts";
import { type LikelyTest, TEST_FILES_MAX } from "./likely-tests.ts";
import { explainingDocs } from "./purpose.ts";
import { hiddenLines, withoutHidden } from "./symbol-lines.ts";
import { RELEVANT_SHARE_MIN, wholeFiles } from "./symbol-tiers.ts";

/** Lines shown of a file that the task names, if nothing in it is a symbol and no line matches. */
const NAMED_LINES_MAX = 200;

/**
 * Snippets of files without a primary symbol: seeds, and files that score at least a tenth of the best. A file whose symbols
 * a request leaves out (they are in `found` but not in `placed`) shows other lines only if it is a seed.
 */
export function looseLines(
  input: StageInput,
  found: readonly PlacedSymbol[],
  placed: readonly PlacedSymbol[],
  symbols: readonly SymbolRow[],
  likely: readonly LikelyTest[],
): readonly PlacedSnippet[] {
  const { selection, kb } = input;
  const seeds = new Set(selection.seeds.map(({ fileId }) => fileId));
  const changed = new Set(selection.seeds.flatMap((seed) => (seed.changed === undefined ? [] : [seed.fileId])));
  const represented = representedBy([...placed, ...found.filter(({ symbol }) => !seeds.has(symbol.fileId))]);
  const shown = new Set(found.map(({ symbol }) => symbol.fileId));
  const bestFile = selection.files.reduce((best, { score }) => Math.max(best, score.total), 0);
  const whole = wholeFiles(selection);
  const namedFirst = new Set(selection.seeds.flatMap(({ fileId, first }) => (first === "file" ? [fileId] : [])));
  const explaining = explainingDocs(selection.files, input.task.given.purpose ?? null);
  const isKept = ({ tier, rank, file }: ScopedFile): boolean =>
    tier === "seed" || rank === 1 || explaining.has(file.id);
  const wanted = selection.files.filter(
    (scoped) =>
      !represented.has(scoped.file.id) &&
      !scoped.file.isTest &&
      isRelevant(scoped, bestFile, shown.has(scoped.file.id)),
  );
  const shownTests = new Set(
    placed.flatMap(({ testOrder, symbol }) => (testOrder === undefined ? [] : [symbol.fileId])),
  );
  const orderOf = new Map(likely.slice(0, TEST_FILES_MAX).map(({ fileId }, order) => [fileId, order]));
  const isTested = showsTestsOfChanges(selection, placed);
  const isLikely = ({ file, score }: ScopedFile): boolean =>
    orderOf.has(file.id) && !shownTests.has(file.id) && !(isTested && score.total === 0);
  const tests = selection.files.filter(
    (scoped) => scoped.file.isTest && !represented.has(scoped.file.id) && (isKept(scoped) || isLikely(scoped)),
  );
  const traced = tracedOutside(selection);
  const others = selection.files.filter(
    ({ file }) => represented.has(file.id) && (whole.has(file.id) || traced.has(file.id)),
  );
  const files = [...others, ...wanted, ...tests];
  const texts = kb.textsToMatch(files.map(({ file }) => file.id));
  const byFile = Map.groupBy(symbols, (symbol) => symbol.fileId);
  const scorer = lineScorer(input.task);
  return files.flatMap((scoped) => {
    const text = texts.get(scoped.file.id);
    if (text === undefined) return [];
    const isSeed = scoped.tier === "seed";
    const floor = isKept(scoped);
    const own = byFile.get(scoped.file.id) ?? [];
    const testOrder = orderOf.get(scoped.file.id);
    // Documentation explains by its lines that match; its beginning alone says nothing about the task.
    const isHeadShown = isSeed || scoped.rank === 1 || (floor && !explaining.has(scoped.file.id));
    const isShown = isHeadShown || bestFile === 0 || testOrder !== undefined;
    const head = own.length === 0 && namedFirst.has(scoped.file.id) ? NAMED_LINES_MAX : HEAD_LINES;
    const failed = traced.get(scoped.file.id);
    const isRepresented = represented.has(scoped.file.id);
    const isFailedAlone = isRepresented && !whole.has(scoped.file.id);
    const loose = isFailedAlone
      ? looseSnippets(text, own, NO_MATCH, 0, failed)
      : looseSnippets(text, own, scorer, isShown ? head : 0, failed);
    const isRest = isRepresented && !isFailedAlone;
    const ranges = isRest ? withoutHidden(loose, hiddenLines(own, null), text.split("\n")) : loose;
    if (ranges.length === 0) return [];
    const score = bestFile > 0 ? roundScore(scoped.score.total / bestFile) : 0;
    return [
      {
        fileId: scoped.file.id,
        ranges,
        score: Math.max(score, floor ? RELEVANT_SHARE_MIN : 0),
        floor,
        why: whyLoose(isSeed, explaining.has(scoped.file.id)),
        ...(changed.has(scoped.file.id) ? { ofChangedFile: true } : {}),
        ...(testOrder === undefined ? {} : { testOrder }),
      },
    ];
  });
}

/** The files that show one of these symbols. */
const representedBy = (symbols: readonly PlacedSymbol[]): ReadonlySet<number> =>
  new Set(
    symbols
      .filter(
        ({ tier, requested, companionOf, score }) =>
          requested !== undefined || (tier === "primary" && (companionOf === undefined || score >= RELEVANT_SHARE_MIN)),
      )
      .map(({ symbol }) => symbol.fileId),
  );

function whyLoose(isSeed: boolean, isExplaining: boolean): string {
  if (isSeed) return "lines of a file the task names";
  return isExplaining ? "documentation that matches the task" : "lines outside any symbol that match the task";
}

const NO_MATCH = (): number => 0;

/** By file: the lines outside any symbol that a stack trace names. */
function tracedOutside({ seeds }: Selection): ReadonlyMap<number, readonly number[]> {
  const lines = seeds.flatMap(({ fileId, traced = [] }) =>
    traced.flatMap(({ line, symbolId }) => (symbolId === null ? [{ fileId, line }] : [])),
  );
  const byFile = Map.groupBy(lines, ({ fileId }) => fileId);
  return new Map([...byFile].map(([fileId, of]) => [fileId, of.map(({ line }) => line)]));
}

/** Whether tests that use what was changed are shown. Beside them the beginning of one that no word matches says nothing. */
function showsTestsOfChanges({ seeds, files }: Selection, placed: readonly PlacedSymbol[]): boolean {
  const callers = new Set(placed.flatMap(({ isCaller, symbol }) => (isCaller ? [symbol.fileId] : [])));
  const isReview = seeds.some(({ changed }) => changed !== undefined);
  return isReview && files.some(({ file }) => file.isTest && callers.has(file.id));
}

/** When nothing matches the task, small files without exported symbols are shown by their lines. */
const isRelevant = ({ tier, score, file, rank }: ScopedFile, bestFile: number, hasSymbols: boolean): boolean =>
  tier === "seed" ||
  rank === 1 ||
  (bestFile > 0 ? score.total >= RELEVANT_SHARE_MIN * bestFile : !hasSymbols && file.lineCount < SMALL_FILE_LINES);
