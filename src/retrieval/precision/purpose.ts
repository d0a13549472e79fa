/**
 * What a package is for gives it its shape, before anything is packed.
 *
 * To fix or review, the likeliest targets come with their callers and tests, as in a review of changes: what a change can break, and what
 * shows it. To plan, all but the best definitions are shown by their signatures, so that more of the structure is in it.
 * To explain, documentation counts more (`ranking/path-penalty.ts`), and the best of it is shown first.
 */
import { canExplain, roleOf } from "../../languages/file-role.ts";
import type { Purpose, TaskQuery } from "../../task/query.ts";
import type { PlacedSymbol, ScopedFile } from "../model/selection.ts";

/** Definitions whose callers belong to a fix or review. */
const TARGETS_MAX = 3;
/** Tests that a fix or review shows whatever they are worth: of the likeliest files, a few each. */
const TESTS_MAX = 4;
const TEST_FILES_MAX = 2;
/** Documents that an explanation shows first. */
const DOCS_MAX = 2;
/** Bodies of a plan besides what the task names, and its signatures. */
const PLAN_BODIES_MAX = 3;
const PLAN_SIGNATURES_MAX = 60;

export const needsCallers = (purpose: Purpose | null): boolean => purpose === "fix" || purpose === "review";

/** The definitions that the task is likeliest about. */
export const likelyTargets = (placed: readonly PlacedSymbol[], tests: ReadonlySet<number>): ReadonlySet<number> =>
  new Set(
    placed
      .filter(({ tier, symbol }) => tier === "primary" && !tests.has(symbol.fileId))
      .toSorted(byScore)
      .slice(0, TARGETS_MAX)
      .map(({ symbol }) => symbol.id),
  );

/** The documentation that an explanation shows whatever it is worth. `files` are those in scope, the best first. */
export const explainingDocs = (files: readonly ScopedFile[], purpose: Purpose | null): ReadonlySet<number> =>
  new Set(
    purpose !== "explain"
      ? []
      : files
          .filter((scoped) => isExplaining(scoped) && (scoped.tier === "seed" || scoped.match?.length !== 0))
          .slice(0, DOCS_MAX)
          .map(({ file }) => file.id),
  );

/** Files by rank; of an explanation the documentation first. */
export const inShownOrder = (
  files: readonly ScopedFile[],
  { given }: Pick<TaskQuery, "given">,
): readonly ScopedFile[] => {
  if (given.purpose !== "explain") return files;
  return [...files.filter(isExplaining), ...files.filter((scoped) => !isExplaining(scoped))];
};

const isExplaining = ({ file }: ScopedFile): boolean => roleOf(file) === "docs" && canExplain(file);

/** The placed symbols in the shape of the purpose, in the same order. */
export function shapedFor(placed: readonly PlacedSymbol[], purpose: Purpose | null): readonly PlacedSymbol[] {
  if (needsCallers(purpose)) return withTests(placed);
  return purpose === "plan" ? bySignature(placed) : placed;
}

function withTests(placed: readonly PlacedSymbol[]): readonly PlacedSymbol[] {
  const shown = new Set(
    placed
      .filter(({ testOrder }) => testOrder !== undefined && testOrder < TEST_FILES_MAX)
      .toSorted((a, b) => (a.testOrder ?? 0) - (b.testOrder ?? 0) || byScore(a, b))
      .slice(0, TESTS_MAX)
      .map(({ symbol }) => symbol.id),
  );
  return placed.map((one) => (shown.has(one.symbol.id) ? { ...one, isCaller: true } : one));
}

function bySignature(placed: readonly PlacedSymbol[]): readonly PlacedSymbol[] {
  const primary = placed.filter(({ tier, floor }) => tier === "primary" && !floor).toSorted(byScore);
  const signatures = new Set(
    primary.slice(PLAN_BODIES_MAX, PLAN_BODIES_MAX + PLAN_SIGNATURES_MAX).map(({ symbol }) => symbol.id),
  );
  const others = new Set(primary.slice(PLAN_BODIES_MAX + PLAN_SIGNATURES_MAX).map(({ symbol }) => symbol.id));
  return placed.map((one) => {
    if (signatures.has(one.symbol.id)) return { ...one, requested: "signature" };
    return others.has(one.symbol.id) ? { ...one, tier: "supporting" } : one;
  });
}

/** Equal ones stay in order of rank and line, in which symbols are placed: ids of files tell which was stored first. */
const byScore = (a: PlacedSymbol, b: PlacedSymbol): number => b.score - a.score;
