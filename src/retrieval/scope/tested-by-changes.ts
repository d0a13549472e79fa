/**
 * What the tests that a review changes test, where the review changes nothing but tests: a test is judged by the definitions that it
 * exercises, and neither the diff nor the test shows them.
 *
 * A test that uses no definition of a source itself uses one through helpers of tests, or tests what the others of its class or file use.
 */
import type { FileRow, KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { roleOf } from "../../languages/file-role.ts";
import { expandIdentifier } from "../../text/terms/identifiers.ts";
import { positionsById } from "../lexical/file-positions.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { Seed } from "../model/selection.ts";
import type { Relations } from "./expansion.ts";

/** Definitions that a changed test uses, those that only the tests beside it use, and all. */
const PER_TEST_MAX = 3;
const BESIDE_MAX = 1;
const TESTED_MAX = 12;
/** Changed tests that are looked at. */
const TESTS_MAX = 40;
/** Helpers call helpers, so far. */
const HELPERS_MAX = 2;

/** A link of a test to a file that it neither imports nor is named after. */
const USE_ALONE = "reference";

/** A definition that a changed test exercises. `why` says which test. */
export type Tested = { readonly symbol: SymbolRow; readonly why: string; readonly confidence: number };

type Index = Pick<KnowledgeBase, "referencesFrom" | "symbolsById" | "symbolsIn" | "testedBy">;

/** The best of each test first. Empty when a source was changed too: that one is shown, with its callers. */
export function testedByChanges(seeds: readonly Seed[], kb: Index, files: readonly FileRow[]): readonly Tested[] {
  const positions = positionsById(files);
  const fileOf = (id: number): FileRow | undefined => files[positions.get(id) ?? -1];
  const ofTests = seeds.filter(({ changed, fileId }) => changed !== undefined && fileOf(fileId)?.isTest);
  const isTestsAlone = seeds.every(
    ({ changed, fileId }) => changed === undefined || fileOf(fileId)?.isTest || !isSource(fileOf(fileId)),
  );
  if (ofTests.length === 0 || !isTestsAlone) return [];
  const found = new Map<number, Tested>();
  for (const { symbol, circles } of changedTests(ofTests, kb).slice(0, TESTS_MAX)) {
    for (const { tests, isOwn } of circles) {
      const used = usedBy(tests, symbol, kb, fileOf);
      if (used.length === 0) continue;
      const why = `${isOwn ? "tested by" : "tested beside"} ${symbol.qualifiedName}, which was changed`;
      for (const { symbol: one, confidence } of used.slice(0, isOwn ? PER_TEST_MAX : BESIDE_MAX))
        if (!found.has(one.id) && found.size < TESTED_MAX) found.set(one.id, { symbol: one, why, confidence });
      break;
    }
  }
  return [...found.values()];
}

/** By file id, for the scope. */
export const filesTestedByChanges = (tested: readonly Tested[]): Relations =>
  new Map(
    tested
      .toReversed()
      .map(({ symbol, why, confidence }) => [
        symbol.fileId,
        { words: `${symbol.qualifiedName} is ${why}`, strength: confidence },
      ]),
  );

const isSource = (file: FileRow | undefined): boolean => file !== undefined && roleOf(file) === "source";

/** The tests whose uses count for a changed one: those of a narrower circle say more. `isOwn`: the test itself. */
type Circle = { readonly tests: readonly number[]; readonly isOwn: boolean };

function changedTests(
  seeds: readonly Seed[],
  kb: Index,
): readonly { readonly symbol: SymbolRow; readonly circles: readonly Circle[] }[] {
  const byFile = Map.groupBy(kb.symbolsIn(seeds.map(({ fileId }) => fileId)), ({ fileId }) => fileId);
  return seeds.flatMap(({ fileId, changed = [] }) => {
    const own = byFile.get(fileId) ?? [];
    const inner = Map.groupBy(own, ({ parentId }) => parentId);
    const within = (ids: readonly number[]): readonly number[] =>
      ids.length === 0 ? [] : [...ids, ...within(ids.flatMap((id) => (inner.get(id) ?? []).map((one) => one.id)))];
    const isChanged = new Set(changed);
    return own
      .filter(({ id }) => isChanged.has(id))
      .map((symbol) => ({
        symbol,
        circles: [
          { tests: within([symbol.id]), isOwn: true },
          ...(symbol.parentId === null ? [] : [{ tests: within([symbol.parentId]), isOwn: false }]),
          { tests: own.map(({ id }) => id), isOwn: false },
        ],
      }));
  });
}

/**
 * The definitions of sources that these tests use, themselves or else through helpers of tests. Those named like the changed test come
 * first, then those of the files that its file tests.
 */
function usedBy(
  tests: readonly number[],
  { qualifiedName, fileId: testId }: SymbolRow,
  kb: Index,
  fileOf: (id: number) => FileRow | undefined,
): readonly { readonly symbol: SymbolRow; readonly confidence: number }[] {
  const words = new Set(expandIdentifier(qualifiedName));
  const links = new Map(kb.testedBy([testId]).map((link) => [link.source, link.by === USE_ALONE ? 0 : link.score]));
  const linked = ({ fileId }: SymbolRow): number => links.get(fileId) ?? 0;
  const seen = new Set(tests);
  let callers = tests;
  for (let step = 0; step <= HELPERS_MAX && callers.length > 0; step += 1) {
    const uses = kb.referencesFrom(callers).filter(({ confidence }) => confidence >= CONFIDENCE_MIN);
    const byCallee = Map.groupBy(uses, ({ callee }) => callee);
    const used = kb.symbolsById([...byCallee.keys()]).map((symbol) => ({
      symbol,
      count: byCallee.get(symbol.id)?.length ?? 0,
      confidence: Math.max(...(byCallee.get(symbol.id) ?? []).map(({ confidence }) => confidence)),
      shared: new Set(expandIdentifier(symbol.name)).intersection(words).size,
    }));
    // The only definition of a name that anything may have is a guess, unless the test's file imports that file or is named after it.
    const isSure = (symbol: SymbolRow, confidence: number): boolean =>
      confidence > CONFIDENCE_MIN || linked(symbol) > 0;
    const ofSources = used.filter(({ symbol, confidence }) => {
      const file = fileOf(symbol.fileId);
      return file?.isTest === false && isSource(file) && isSure(symbol, confidence);
    });
    if (ofSources.length > 0)
      return ofSources.toSorted(
        (a, b) =>
          b.shared - a.shared ||
          linked(b.symbol) * b.count - linked(a.symbol) * a.count ||
          b.confidence - a.confidence ||
          b.count - a.count,
      );
    callers = used.flatMap(({ symbol: { id, fileId } }) => (fileOf(fileId)?.isTest && !seen.has(id) ? [id] : []));
    for (const id of callers) seen.add(id);
  }
  return [];
}
