/**
 * The test files in scope, the likeliest to belong to the task first.
 *
 * A test belongs to the task when it covers one of its best files, or when it matches the task by itself. On the development
 * cases something of a test file that the fix changed is among the first two files for 67 % of the tasks, among the first
 * three for 72 %; by coverage alone for 49 and 52 %.
 */

import type { ReferenceRow, SymbolRow, TestSourceRow } from "../../db/curated/knowledge-base.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import { byPath } from "../../text/order.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import { unpenalized } from "../model/scores.ts";
import type { PlacedSymbol, ScopedFile } from "../model/selection.ts";
import { roundScore } from "../ranking/score.ts";
import { enclosingTests } from "./enclosing-tests.ts";
import { RELEVANT_TEST_SHARE_MIN } from "./symbol-tiers.ts";

/** What a test's own match with the task counts beside what it covers. */
const OWN_MATCH = 0.7;
/** Less likely tests do not belong to the task: they neither match it nor cover one of its best files. */
const LIKELIHOOD_MIN = 0.15;
/**
 * Nor do those far behind the likeliest: the second must be half as likely, and each further one a tenth more. Against .3 for all
 * it loses none of the tests that the fixes of 48 development cases change, and a fourth of a file for each case.
 */
const LIKELIHOOD_SHARE_MIN = 0.5;
const LIKELIHOOD_SHARE_STEP = 0.1;
/** A test that imports a file without using or naming it covers another one. */
export const IMPORT_ALONE = "import";
/** A link to a file further down says little. */
export const COVERED_FILES_MAX = 30;

/** `source` is the path of the best file that the test covers, null when it covers none of them. */
export type LikelyTest = { readonly fileId: number; readonly likelihood: number; readonly source: string | null };

/** Those that belong to the task. `links` are those of tests to the files in scope. A likelihood is comparable within one task only. */
export function likelyTests(files: readonly ScopedFile[], links: readonly TestSourceRow[]): readonly LikelyTest[] {
  const best = Math.max(0, ...files.map(({ score }) => unpenalized(score)));
  const byId = new Map(files.map((scoped) => [scoped.file.id, scoped]));
  const byTest = Map.groupBy(
    links.filter(({ by }) => by !== IMPORT_ALONE),
    ({ test }) => test,
  );
  return files
    .filter(({ file }) => file.isTest)
    .map((scoped) => {
      const [covered] = covering(byTest.get(scoped.file.id) ?? [], byId);
      const own = best > 0 ? unpenalized(scoped.score) / best : 0;
      return {
        fileId: scoped.file.id,
        likelihood: (covered?.worth ?? 0) + OWN_MATCH * own,
        source: covered?.path ?? null,
        rank: scoped.rank,
      };
    })
    .sort((a, b) => b.likelihood - a.likelihood || a.rank - b.rank)
    .filter(({ likelihood }, place, [likeliest]) => {
      const share = place === 0 ? 0 : Math.min(1, LIKELIHOOD_SHARE_MIN + LIKELIHOOD_SHARE_STEP * (place - 1));
      return likelihood >= Math.max(LIKELIHOOD_MIN, share * (likeliest?.likelihood ?? 0));
    })
    .map(({ fileId, likelihood, source }) => ({ fileId, likelihood, source }));
}

/** The files that a test covers, best first: those that rank high and to which the link is strong. */
export const covering = (
  links: readonly TestSourceRow[],
  files: ReadonlyMap<number, ScopedFile>,
): readonly { readonly path: string; readonly worth: number }[] =>
  links
    .flatMap(({ source, score }) => {
      const known = files.get(source);
      return known === undefined ? [] : [{ path: known.file.path, worth: score / (known.rank + 1) }];
    })
    .sort((a, b) => b.worth - a.worth || byPath(a, b));

/** How many test files show tests that do not match the task by their own names. */
export const TEST_FILES_MAX = 3;
/** How many of those tests each. */
const TESTS_PER_FILE_MAX = 4;

type TestInput = {
  readonly likely: readonly LikelyTest[];
  readonly placed: readonly PlacedSymbol[];
  /** The symbols of the likeliest test files, and what they refer to. */
  readonly candidates: readonly SymbolRow[];
  readonly references: readonly ReferenceRow[];
  /** Relative to the best definition, by symbol id. */
  readonly scores: ReadonlyMap<number, number>;
};

/** The placed symbols with those of test files marked by the order of their files, and the tests of the likeliest files added. */
export function placeTests({ likely, placed, candidates, references, scores }: TestInput): readonly PlacedSymbol[] {
  const orderOf = new Map(likely.map(({ fileId }, order) => [fileId, order]));
  const sources = new Map(likely.map(({ fileId, source }) => [fileId, source]));
  const primary = new Map(
    placed
      .filter(({ tier, symbol }) => tier === "primary" && !orderOf.has(symbol.fileId))
      .map((one) => [one.symbol.id, one]),
  );
  const known = new Set(placed.map(({ symbol }) => symbol.id));
  const inside = enclosingTests(candidates);
  const tested = new Map<number, PlacedSymbol>();
  for (const { caller, callee, confidence } of references) {
    const target = primary.get(callee);
    const test = inside.get(caller)?.id ?? caller;
    const before = tested.get(test);
    if (target === undefined || confidence < CONFIDENCE_MIN) continue;
    if (before === undefined || target.score > before.score) tested.set(test, target);
  }
  const added = [...Map.groupBy(candidates, ({ fileId }) => fileId).values()].flatMap((own) =>
    own
      .filter(
        ({ id, kind }) =>
          !(known.has(id) || inside.has(id) || isContainerKind(kind)) && (tested.has(id) || (scores.get(id) ?? 0) > 0),
      )
      .map((symbol): PlacedSymbol => {
        const target = tested.get(symbol.id);
        const own = (scores.get(symbol.id) ?? 0) + TESTING_SHARE * (target?.score ?? 0);
        const score = roundScore(Math.max(RELEVANT_TEST_SHARE_MIN, own));
        const why = target === undefined ? "a test that matches the task" : `tests ${target.symbol.qualifiedName}`;
        return { symbol, tier: "primary", floor: false, score, why, usedBy: [] };
      })
      .sort((a, b) => b.score - a.score || a.symbol.startLine - b.symbol.startLine)
      .slice(0, TESTS_PER_FILE_MAX),
  );
  return [...placed, ...added].map((one) => {
    const testOrder = orderOf.get(one.symbol.fileId);
    const source = sources.get(one.symbol.fileId) ?? null;
    if (testOrder === undefined) return one;
    return { ...one, testOrder, why: source === null ? one.why : `${one.why}; tests ${source}` };
  });
}

/** What a test gets of the score of the definition that it uses. */
const TESTING_SHARE = 0.1;
