/**
 * The precision stage: which symbols of the scoped files the task needs, and how much of each.
 *
 * It sorts symbols into tiers (`symbol-tiers.ts`), adds companions (`companions.ts`) and constants (`read-constants.ts`), and finds matching lines outside any
 * symbol. Every symbol of a scoped file gets a decision.
 */

import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import { termsIn } from "../../text/terms/identifiers.ts";
import { reordered } from "../judging/definition-order.ts";
import { judgeSymbols } from "../judging/judge-symbols.ts";
import type { Decision } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { DefinitionScore } from "../model/scores.ts";
import type { PlacedSnippet, PlacedSymbol, ScopedFile, Selection } from "../model/selection.ts";
import type { Stage, StageInput, StageOutcome } from "../model/stage.ts";
import { roundScore } from "../ranking/score.ts";
import { exactTask } from "../scope/exact-task.ts";
import { testedByChanges } from "../scope/tested-by-changes.ts";
import { testSymbols } from "../scope/tests-in-sources.ts";
import { BOOSTING_MAX, boostCallees } from "./callee-boost.ts";
import { withCallers } from "./changed-callers.ts";
import { withReaders } from "./changed-readers.ts";
import { BRINGING_MAX, companionsOf, placeCompanions } from "./companions.ts";
import { COVERED_FILES_MAX, type LikelyTest, likelyTests, placeTests, TEST_FILES_MAX } from "./likely-tests.ts";
import { looseLines } from "./loose-lines.ts";
import { linesOfMap } from "./map-lines.ts";
import { signaturesOfMap } from "./map-signatures.ts";
import { withMembers } from "./named-members.ts";
import { likelyTargets, needsCallers, shapedFor } from "./purpose.ts";
import { READERS_MAX, withConstants } from "./read-constants.ts";
import { withRemainingLines, withRemainingUsers } from "./remaining-users.ts";
import { linesFor } from "./symbol-lines.ts";
import { applySymbolRequests } from "./symbol-requests.ts";
import { placedInOrder, placeSymbols, RELEVANT_SHARE_MIN, testsAmong } from "./symbol-tiers.ts";
import { withTested } from "./tested-definitions.ts";
import { untestedChanges } from "./untested-changes.ts";

export const precisionStage: Stage = {
  name: "precision",
  run: precise,
};

async function* precise(input: StageInput): AsyncGenerator<PipelineEvent, StageOutcome> {
  const { kb, selection } = input;
  const fileIds = selection.files.map(({ file }) => file.id);
  const symbols = [...kb.symbolsIn(fileIds), ...namedOutline(input)];
  const scores = symbolScores(input);
  const tests = testsAmong(selection.files);
  const likely = likelyTests(selection.files, kb.testsOf(coveredFiles(selection.files)));
  const found = selection.isMap
    ? signaturesOfMap(kb, symbols, fileIds)
    : placeCandidates(input, { symbols, scores, tests, likely });
  const { placed, leftOut, reasons } = applySymbolRequests(found, symbols, input.symbolRequests);
  const pathOf = new Map(selection.files.map(({ file }) => [file.id, file.path]));
  for (const { symbol, tier, score, why } of placed)
    yield {
      event: "symbol_placed",
      stage: "precision",
      path: pathOf.get(symbol.fileId) ?? "",
      name: symbol.qualifiedName,
      kind: symbol.kind,
      line: symbol.startLine,
      tier,
      score,
      reason: why,
    };
  const loose = selection.isMap
    ? linesOfMap(kb, symbols, selection.files)
    : looseLines(input, found, placed, symbols, likely);
  const snippets = withRemainingLines(loose, input.remaining ?? [], selection.files);
  const whyOut = (symbol: SymbolRow): string =>
    reasons.get(symbol.id) ?? whyNot(scores.get(symbol.id) ?? 0, tests.has(symbol.fileId));
  const decided = (of: readonly PlacedSymbol[]): readonly Decision[] => [
    ...decisions(symbols, of, scores, pathOf, whyOut),
    ...snippets.map((snippet) => snippetDecision(snippet, pathOf)),
  ];
  // The model judges the symbols before requests are applied, so that a request does not change its questions.
  const judged = yield* judgeSymbols(
    input,
    found,
    pathOf,
    (of) => applySymbolRequests(of, symbols, input.symbolRequests).placed,
  );
  return {
    selection: {
      ...selection,
      symbols: judged?.placed ?? placed,
      ...(judged === null ? {} : { definitions: reordered(selection.definitions, evidenceIn(judged.placed)) }),
      snippets,
      ...(leftOut.length > 0 ? { leftOut } : {}),
    },
    decisions: decided(placed),
    judgement: judged === null ? null : { verdicts: judged.verdicts, decisions: decided(judged.placed) },
    notices: untestedChanges(input, placed),
  };
}

/** What a model's verdicts did to the probability of a definition. */
function evidenceIn(placed: readonly PlacedSymbol[]): (definition: DefinitionScore) => number {
  const of = new Map(placed.map(({ symbol, evidence = 1 }) => [symbol.id, evidence]));
  return ({ symbolId }) => of.get(symbolId) ?? 1;
}

/** The symbols of the scoped files with their scores, the ids of the test files among these, and the likeliest tests. */
type Candidates = {
  readonly symbols: readonly SymbolRow[];
  readonly scores: ReadonlyMap<number, number>;
  readonly tests: ReadonlySet<number>;
  readonly likely: readonly LikelyTest[];
};

/** The scores of the ranked definitions, as shares of the best, and of what the best ones call. */
function symbolScores({ kb, selection: { definitions } }: StageInput): ReadonlyMap<number, number> {
  const best = definitions[0]?.score ?? 0;
  const ranked = new Map(definitions.map(({ symbolId, score }) => [symbolId, best > 0 ? roundScore(score / best) : 0]));
  const boosting = definitions.slice(0, BOOSTING_MAX).map(({ symbolId }) => symbolId);
  return boostCallees(ranked, kb.referencesFrom(boosting));
}

/** The symbols that belong to the task: by tier, then members and callers of what is named, companions, and tests. */
function placeCandidates(input: StageInput, candidates: Candidates): readonly PlacedSymbol[] {
  const { kb, task, selection } = input;
  const { symbols, scores, tests } = candidates;
  const { purpose = null } = task.given;
  const words = documentationWords(input);
  const placed = placeSymbols({
    task,
    files: selection.files,
    seeds: selection.seeds,
    symbols,
    scores,
    docWords: (id) => words.get(id) ?? NO_WORDS,
    referencesFrom: kb.referencesFrom,
  });
  const named = exactTask(task, selection.seeds)?.symbols ?? NONE_NAMED;
  const { seeds } = selection;
  const among = { seeds, symbols, testSymbols: () => testSymbols(kb, symbols, tests) };
  const callers = withCallers({
    ...among,
    named,
    likely: needsCallers(purpose) ? likelyTargets(placed, tests) : NONE_NAMED,
    referencesTo: kb.referencesTo,
    placed: withMembers({ named, symbols, placed }),
  });
  const readers = withReaders({ ...among, kb, placed: callers });
  const called = withRemainingUsers(readers, input.remaining ?? [], selection.files, symbols);
  const found = withTests(input, candidates, withCompanions(input, candidates, called));
  // They bring nothing along: the changed tests are what the review is about.
  const tested = testedByChanges(seeds, kb, input.files);
  return shapedFor(placedInOrder(withTested(found, tested, symbols), selection.files), purpose);
}

/** The placed symbols with the companions of the best ones and the constants that they read. No test has or is one. */
function withCompanions(
  { kb, task, selection }: StageInput,
  { symbols, tests }: Candidates,
  placed: readonly PlacedSymbol[],
): readonly PlacedSymbol[] {
  const readers = placed
    .filter(({ tier, symbol }) => tier === "primary" && !tests.has(symbol.fileId))
    .toSorted((a, b) => Number(b.floor) - Number(a.floor) || b.score - a.score)
    .slice(0, READERS_MAX);
  const files = new Set(readers.map(({ symbol }) => symbol.fileId));
  const lines = new Map([...kb.textsToMatch([...files])].map(([id, text]) => [id, text.split("\n")]));
  const siblings = Map.groupBy(
    symbols.filter(({ fileId }) => files.has(fileId)),
    ({ fileId }) => fileId,
  );
  const used = {
    symbols: symbols.filter(({ fileId }) => !tests.has(fileId)),
    linesOf: (symbol: SymbolRow): readonly string[] => {
      const text = lines.get(symbol.fileId) ?? [];
      const own = linesFor(symbol, "primary", text, siblings.get(symbol.fileId) ?? []);
      return own.flatMap(({ startLine, endLine }) => text.slice(startLine - 1, endLine));
    },
  };
  const companions = companionsOf({
    ...used,
    best: readers.slice(0, BRINGING_MAX).map(({ symbol }) => symbol),
    keywords: task.keywords,
    referencesFrom: kb.referencesFrom,
    definitionsNamed: kb.definitionsNamed,
  });
  const imports = kb.dependenciesBetween(selection.files.map(({ file }) => file.id));
  const languages = new Map(selection.files.map(({ file }) => [file.id, file.language ?? ""]));
  const familyOf = (fileId: number) => LANGUAGES.get(languages.get(fileId) ?? "")?.imports;
  return placedInOrder(
    withConstants({ ...used, readers, placed: placeCompanions(placed, companions), imports, familyOf }),
    selection.files,
  );
}

/** Headings and keys that the task or a refinement names. Ranking chooses none. */
function namedOutline({ kb, selection, symbolRequests }: StageInput): readonly SymbolRow[] {
  const ids = [...selection.seeds.flatMap((seed) => seed.symbols), ...symbolRequests.bySymbol.keys()];
  const inScope = new Set(selection.files.map(({ file }) => file.id));
  const named = kb.symbolsById([...new Set(ids)]).filter(({ fileId }) => inScope.has(fileId));
  const defined = new Set(kb.symbolsIn([...new Set(named.map(({ fileId }) => fileId))]).map(({ id }) => id));
  return named.filter(({ id }) => !defined.has(id));
}

/** The best files, whose tests belong to the task. */
const coveredFiles = (files: readonly ScopedFile[]): readonly number[] =>
  files
    .filter(({ file }) => !file.isTest)
    .slice(0, COVERED_FILES_MAX)
    .map(({ file }) => file.id);

/** The placed symbols with the tests of the likeliest test files (`likely-tests.ts`). */
function withTests(
  { kb, selection }: StageInput,
  { symbols, scores, likely }: Candidates,
  placed: readonly PlacedSymbol[],
): readonly PlacedSymbol[] {
  const files = new Set(likely.slice(0, TEST_FILES_MAX).map(({ fileId }) => fileId));
  const candidates = symbols.filter(({ fileId }) => files.has(fileId));
  return placedInOrder(
    placeTests({ likely, placed, candidates, scores, references: kb.referencesFrom(candidates.map(({ id }) => id)) }),
    selection.files,
  );
}

const NONE_NAMED: ReadonlySet<number> = new Set();
const NO_WORDS: ReadonlySet<string> = new Set();

/** The terms of each symbol's documentation and comments, in the seed files, the only ones where they count. */
function documentationWords({ kb, selection }: StageInput): ReadonlyMap<number, ReadonlySet<string>> {
  const seedIds = selection.seeds.map((seed) => seed.fileId);
  const words = new Map<number, Set<string>>();
  for (const { symbolId, content } of [...kb.docstringsIn(seedIds), ...kb.commentsIn(seedIds)]) {
    if (symbolId === null) continue;
    const known = words.getOrInsertComputed(symbolId, () => new Set());
    for (const term of termsIn(content)) known.add(term);
  }
  return words;
}

/** Why a symbol is left out that neither a relation nor search brings in. */
function whyNot(score: number, isTest: boolean): string {
  if (score === 0) return "neither named nor used, and nothing in it matches the task";
  if (score < RELEVANT_SHARE_MIN) return "neither named nor used, and ranks below a tenth of the best";
  return isTest ? "a test whose own name does not match the task" : "neither named nor used";
}

function decisions(
  symbols: readonly SymbolRow[],
  placed: Selection["symbols"],
  scores: ReadonlyMap<number, number>,
  pathOf: ReadonlyMap<number, string>,
  whyOut: (symbol: SymbolRow) => string,
): readonly Decision[] {
  const byId = new Map(placed.map((symbol) => [symbol.symbol.id, symbol]));
  return symbols.map((symbol) => {
    const own = byId.get(symbol.id);
    return {
      path: pathOf.get(symbol.fileId) ?? "",
      symbol: symbol.qualifiedName,
      line: symbol.startLine,
      kind: symbol.kind,
      tier: own?.tier ?? "excluded",
      included: own !== undefined,
      detail: "none",
      score: own?.score ?? scores.get(symbol.id) ?? 0,
      terms: null,
      tokens: symbol.bodyTokens,
      reason: own?.why ?? whyOut(symbol),
    };
  });
}

const snippetDecision = (snippet: PlacedSnippet, pathOf: ReadonlyMap<number, string>): Decision => ({
  path: pathOf.get(snippet.fileId) ?? "",
  symbol: null,
  line: snippet.ranges[0]?.startLine ?? null,
  kind: "snippet",
  tier: "primary",
  included: true,
  detail: "none",
  score: snippet.score,
  terms: null,
  tokens: null,
  reason: snippet.why,
});
