/**
 * Sorts the symbols of the scoped files into tiers.
 *
 * Primary: symbols that the task names (the floor), and symbols that score at least a tenth of the best definition.
 * Supporting: what a primary symbol uses. Type context: types that primary and supporting symbols use. All others are
 * excluded. A symbol of a test file is primary only when it is no part of a test and the task matches its own name; a relation never
 * brings a test in.
 */

import type { ReferenceRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isContainerKind } from "../../syntax/facts/facts.ts";
import type { TaskQuery, TaskType } from "../../task/query.ts";
import { expandIdentifier } from "../../text/terms/identifiers.ts";
import { SMALL_FILE_LINES } from "../lexical/snippets.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { PlacedSymbol, ScopedFile, Seed } from "../model/selection.ts";
import { SYMBOL_TIERS } from "../model/tiers.ts";
import { roundScore } from "../ranking/score.ts";
import { enclosingTests } from "./enclosing-tests.ts";

/** The smallest share of the best definition's score at which search makes a symbol relevant. */
export const RELEVANT_SHARE_MIN = 0.1;
/** The same for tests, whose scores carry a path penalty. */
export const RELEVANT_TEST_SHARE_MIN = 0.05;
/** How many symbols a seed file gives to the floor when none of them is named. */
const UNNAMED_PER_FILE_MAX = 5;
/** Words in the name of almost every test, which match nothing. */
const TEST_WORDS: ReadonlySet<string> = new Set(["test", "tests", "spec", "specs", "should"]);
/** The most named symbols in the floor: a pasted log that names everything must not exceed every budget. */
const NAMED_MAX = 40;
/** The share of its user's score that a supporting symbol gets; types that those use get it twice. */
export const SUPPORT_SHARE = 0.5;

const TYPE_KINDS: ReadonlySet<string> = new Set(["class", "interface", "type_alias", "enum"]);
const BASES: ReadonlySet<string> = new Set(["inherit", "implement"]);
const TYPE_USES: ReadonlySet<string> = new Set(["type", ...BASES]);
/** The kinds that a seed file gives to the floor when no name in it matches. */
const PROMOTED: Record<TaskType, ReadonlySet<string>> = {
  bug_fix: new Set(["function", "method"]),
  feature: new Set(["class", "interface"]),
  refactor: new Set(["class", "function", "method"]),
  test: new Set(["function", "method"]),
  investigation: new Set(["function", "method", "class"]),
};

/** Scores are relative to the best definition (1), with the callee boost; `docWords` are the terms of a symbol's documentation. */
export type TierInput = {
  readonly task: TaskQuery;
  readonly files: readonly ScopedFile[];
  readonly seeds: readonly Seed[];
  readonly symbols: readonly SymbolRow[];
  readonly scores: ReadonlyMap<number, number>;
  readonly docWords: (symbolId: number) => ReadonlySet<string>;
  readonly referencesFrom: (symbolIds: readonly number[]) => readonly ReferenceRow[];
};

/** The ids of the test files in scope. */
export const testsAmong = (files: readonly ScopedFile[]): ReadonlySet<number> =>
  new Set(files.filter(({ file }) => file.isTest).map(({ file }) => file.id));

/** The small files that come first because they are named themselves: all of their lines are meant. */
export const wholeFiles = ({ files, seeds }: Pick<TierInput, "files" | "seeds">): ReadonlySet<number> => {
  const named = new Set(seeds.flatMap(({ fileId, isPath }) => (isPath ? [fileId] : [])));
  return new Set(
    files.flatMap(({ file: { id, lineCount } }) => (named.has(id) && lineCount < SMALL_FILE_LINES ? [id] : [])),
  );
};

/** Every symbol that is not excluded, in order of (file rank, tier, score, position). */
export function placeSymbols(input: TierInput): readonly PlacedSymbol[] {
  const placed = new Map<number, PlacedSymbol>();
  for (const symbol of floorSymbols(input)) placed.set(symbol.symbol.id, symbol);
  for (const symbol of searchSymbols(input)) if (!placed.has(symbol.symbol.id)) placed.set(symbol.symbol.id, symbol);
  addRelated(input, placed);
  return placedInOrder([...placed.values()], input.files);
}

/** Placed symbols in order of (file rank, tier, score, position). */
export function placedInOrder(placed: readonly PlacedSymbol[], files: readonly ScopedFile[]): readonly PlacedSymbol[] {
  const rank = new Map(files.map((scoped) => [scoped.file.id, scoped.rank]));
  return placed
    .map((one) => ({ one, rank: rank.get(one.symbol.fileId) ?? 0, tier: SYMBOL_TIERS.indexOf(one.tier) }))
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.tier - b.tier ||
        b.one.score - a.one.score ||
        a.one.symbol.startLine - b.one.symbol.startLine ||
        a.one.symbol.id - b.one.symbol.id,
    )
    .map(({ one }) => one);
}

/** Symbols of a seed, and why they are meant. */
type Way = readonly [why: string, symbols: readonly SymbolRow[]];

/** The floor: for each seed the symbols that the task names, else the best matches in the file, else by kind. */
function floorSymbols(input: TierInput): readonly PlacedSymbol[] {
  const byFile = Map.groupBy(input.symbols, (symbol) => symbol.fileId);
  const keywords = new Set(input.task.keywords);
  const byScore = (a: SymbolRow, b: SymbolRow): number =>
    (input.scores.get(b.id) ?? 0) - (input.scores.get(a.id) ?? 0) || a.startLine - b.startLine || a.id - b.id;
  const whole = wholeFiles(input);
  const settled = new Set(input.seeds.flatMap(({ reason, symbols }) => (symbols.length > 0 ? [reason] : [])));
  let namedLeft = NAMED_MAX;
  return input.seeds.flatMap((seed) => {
    const symbols = byFile.get(seed.fileId) ?? [];
    const named = symbols.filter((symbol) => seed.symbols.includes(symbol.id));
    // Of several files that a name may mean, the one with a symbol that the task names is meant.
    if (seed.first === "file" && !seed.given && seed.symbols.length === 0 && settled.has(seed.reason)) return [];
    const missing = new Set(seed.missing);
    const changed = new Set(seed.changed);
    const file = seed.changed === undefined ? "a file the task names" : "a file that was changed";
    const matched: readonly Way[] = [
      [`its name matches the task, in ${file}`, symbols.filter((symbol) => nameMatches(symbol, keywords))],
      [
        `its documentation matches the task, in ${file}`,
        symbols.filter((symbol) => intersects(input.docWords(symbol.id), keywords)),
      ],
    ];
    const promoted = symbols.filter((symbol) => PROMOTED[input.task.taskType].has(symbol.kind));
    const isNamed = named.length > 0;
    const isMatched = !isNamed && matched.some(([, symbols]) => symbols.length > 0);
    const unmatched: Way =
      promoted.length > 0
        ? [`a ${[...PROMOTED[input.task.taskType]].join(" or ")} of ${file}`, promoted]
        : [`in ${file}`, symbols];
    const ways = isNamed ? [["the task names it", named] as const] : isMatched ? matched : [unmatched];
    const whys = new Map<SymbolRow, string>();
    for (const [why, found] of ways)
      for (const symbol of found.toSorted(byScore)) if (!whys.has(symbol)) whys.set(symbol, why);
    const count = isNamed ? Math.max(1, namedLeft) : UNNAMED_PER_FILE_MAX;
    if (isNamed) namedLeft -= Math.min(namedLeft, named.length);
    const chosen = [...whys.keys()].filter(({ id }) => missing.has(id));
    const others = [...whys.keys()].filter(({ id }) => !missing.has(id));
    const floor = [...chosen, ...others.slice(0, Math.max(0, count - chosen.length))];
    const isWhole = whole.has(seed.fileId);
    // Where nothing tells the symbols of a named file apart, all of them are meant.
    const all = isWhole
      ? symbols.filter(({ parentId }) => parentId === null)
      : seed.first === "file" && !isNamed && !isMatched
        ? others
        : [];
    return [...floor, ...all.filter((symbol) => !floor.includes(symbol))].map((symbol, at) => ({
      symbol,
      tier: "primary" as const,
      floor: isWhole || at < floor.length,
      score: Math.max(input.scores.get(symbol.id) ?? 0, RELEVANT_SHARE_MIN),
      why: missing.has(symbol.id)
        ? "asked for as missing"
        : changed.has(symbol.id)
          ? "was changed"
          : (whys.get(symbol) ?? `in ${file}`),
      usedBy: [],
    }));
  });
}

/** Symbols that score high enough; those of test files only if their names match the task too. */
function searchSymbols(input: TierInput): readonly PlacedSymbol[] {
  const tests = testsAmong(input.files);
  const keywords = new Set(input.task.keywords.filter((word) => !TEST_WORDS.has(word)));
  const inside = enclosingTests(input.symbols.filter(({ fileId }) => tests.has(fileId)));
  return input.symbols.flatMap((symbol) => {
    const score = input.scores.get(symbol.id) ?? 0;
    const isTest = tests.has(symbol.fileId);
    if (score < (isTest ? RELEVANT_TEST_SHARE_MIN : RELEVANT_SHARE_MIN)) return [];
    if (isTest && (isContainerKind(symbol.kind) || inside.has(symbol.id) || !nameMatches(symbol, keywords))) return [];
    return [{ symbol, tier: "primary" as const, floor: false, score, why: "ranked by search", usedBy: [] }];
  });
}

/** Adds what primary symbols use, then the types that those use. */
function addRelated(input: TierInput, placed: Map<number, PlacedSymbol>): void {
  const tests = testsAmong(input.files);
  const known = new Map(
    input.symbols.filter((symbol) => !tests.has(symbol.fileId)).map((symbol) => [symbol.id, symbol]),
  );
  const spread = (from: readonly PlacedSymbol[], typesOnly: boolean): readonly PlacedSymbol[] => {
    const users = new Map(from.map((user) => [user.symbol.id, user]));
    // A method is read with the bases of its class.
    const owners = new Map(
      typesOnly
        ? []
        : from.toReversed().flatMap((user) => {
            const { parentId } = user.symbol;
            return parentId === null || users.has(parentId) ? [] : [[parentId, user] as const];
          }),
    );
    const related = new Map<number, PlacedSymbol>();
    for (const row of input.referencesFrom([...users.keys(), ...owners.keys()])) {
      const user = users.get(row.caller) ?? (BASES.has(row.kind) ? owners.get(row.caller) : undefined);
      const symbol = known.get(row.callee);
      if (!user || !symbol || placed.has(symbol.id) || row.confidence < CONFIDENCE_MIN) continue;
      const isType = TYPE_KINDS.has(symbol.kind) && TYPE_USES.has(row.kind);
      if (typesOnly && !isType) continue;
      const score = roundScore(user.score * row.confidence * SUPPORT_SHARE);
      const before = related.get(symbol.id);
      const usedBy = [...new Set([...(before?.usedBy ?? []), user.symbol.id])];
      const stronger = before === undefined || score > before.score;
      related.set(symbol.id, {
        symbol,
        tier: isType && before?.tier !== "supporting" ? "type_context" : "supporting",
        floor: false,
        score: stronger ? score : before.score,
        why: stronger ? `${USE_WORDS[row.kind] ?? "used"} by ${user.symbol.qualifiedName}` : before.why,
        usedBy,
      });
    }
    return [...related.values()];
  };
  const firstHand = spread(
    [...placed.values()].filter((symbol) => !tests.has(symbol.symbol.fileId)),
    false,
  );
  for (const symbol of firstHand) placed.set(symbol.symbol.id, symbol);
  for (const symbol of spread(firstHand, true)) placed.set(symbol.symbol.id, symbol);
}

const USE_WORDS: Record<string, string> = {
  call: "called",
  inherit: "inherited",
  implement: "implemented",
  type: "used as a type",
  decorate: "used as a decorator",
  use: "used",
};

const intersects = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => !a.isDisjointFrom(b);
const nameMatches = (symbol: SymbolRow, keywords: ReadonlySet<string>): boolean =>
  expandIdentifier(symbol.name).some((term) => keywords.has(term));
