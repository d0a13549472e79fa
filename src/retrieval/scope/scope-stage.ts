/**
 * The scope stage: which files the task is about. Seeds, the files related to them, and the best of the rest by score.
 *
 * Every file keeps the strongest tier that brings it in, with the relation in words. Seeds and their direct imports and
 * importers are always in. A vague task, or one that matches nothing, gets a map of the repository, with a notice.
 */
import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import { isShort } from "../../task/searched-task.ts";
import { judgeFiles } from "../judging/judge-files.ts";
import { positionsById } from "../lexical/file-positions.ts";
import { type Decision, onFile } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { FileScore } from "../model/scores.ts";
import type { ScopedFile, Seed } from "../model/selection.ts";
import type { Stage, StageInput, StageOutcome, StageRun } from "../model/stage.ts";
import { FILE_TIERS, type FileTier } from "../model/tiers.ts";
import { isOfTheWhole } from "../model/vagueness.ts";
import { matchReasons } from "../ranking/match-reasons.ts";
import { uncountedTerms } from "../ranking/uncounted-signals.ts";
import { loadSignals } from "../ranking/weights.ts";
import { isOnlyReview } from "../requests/changes-task.ts";
import type { SymbolRequests } from "../requests/symbol-requests.ts";
import { callersOfChanges } from "./callers-of-changes.ts";
import { withDefinitions } from "./defined-changes.ts";
import { coChangeNeighbours, dependencyNeighbours, metadataMatches, type Relations } from "./expansion.ts";
import { ranked } from "./rank-ahead.ts";
import { mapFiles, suggestions } from "./repository-map.ts";
import { pickSeeds } from "./seeds.ts";
import { skippedNotice } from "./skipped-paths.ts";
import { filesTestedByChanges, testedByChanges } from "./tested-by-changes.ts";
import { unknownPaths } from "./unknown-paths.ts";

/** This many of the files that come first or score best bring their tests, and this many tests in all. */
const COVERED_FILES = 10;
const TESTS_OF_BEST = 4;
/** Decisions are recorded for this many times the scope size, best first. */
const CONSIDERED_FACTOR = 4;

export const scopeStage: Stage = {
  name: "scope",
  isUnmovedBy,
  run: scope,
};

/** Symbol requests only add files, and keep them regardless of a model's verdict. */
function isUnmovedBy({ files }: SymbolRequests, { input, outcome }: StageRun): boolean {
  const inScope = new Set(outcome.selection.files.map(({ file }) => file.id));
  return (
    [...files.keys()].every((id) => inScope.has(id)) &&
    [...input.symbolRequests.files.keys()].every((id) => files.has(id))
  );
}

function pickedSeeds({ anchors, files, kb, task }: StageInput): ReturnType<typeof pickSeeds> {
  const { seeds, notices: picked } = pickSeeds(anchors, files, isShort(task));
  const notices = picked.map((notice) =>
    notice.code === "hint-unknown" ? (skippedNotice(notice.hint, kb) ?? notice) : notice,
  );
  return { seeds: withDefinitions(seeds, kb, files), notices: [...notices, ...unknownPaths(task, anchors, kb)] };
}

async function* scope(input: StageInput): AsyncGenerator<PipelineEvent, StageOutcome> {
  const { kb, task, files, options } = input;
  const notices: Notice[] = [];
  const picked = pickedSeeds(input);
  notices.push(...picked.notices);
  const seedIds = picked.seeds.map((seed) => seed.fileId);
  const weights = await loadSignals(options.weights);
  const ranking = await ranked({ kb, files, task, anchors: input.anchors, seeds: seedIds, weights }, input.pause);
  const tiers = expand(input, picked.seeds, notices);
  addRemaining(input, tiers);
  for (const { fileId } of ranking.files.slice(0, options.scopeSize))
    if (!tiers.has(fileId)) tiers.set(fileId, { tier: "ranked", relation: "", strength: 0 });
  for (const [fileId, path] of testsOfBest(kb, files, [...firstSeeds(picked.seeds), ...ranking.files]))
    if (!tiers.has(fileId)) tiers.set(fileId, { tier: "dependency", relation: `tests ${path}`, strength: 0 });
  // A review of files that are not indexed has no words, and needs no other file.
  const vague = tiers.size === 0 && !isOnlyReview(task) && !isOfTheWhole(input.vague) ? "unknown" : input.vague;
  const seeds = vague === null ? picked.seeds : [];
  const best = vague === "general" ? ranking.files.map(({ fileId }) => fileId) : [];
  const map = vague === null ? [] : mapFiles(kb, files, best, isOfTheWhole(vague));
  if (vague !== null) {
    tiers.clear();
    for (const { file, relation } of map) tiers.set(file.id, { tier: "ranked", relation, strength: 0 });
    if (files.length > 0) notices.push({ code: "task-vague", vague, ask: suggestions(kb, files, map) });
  }
  for (const [id, name] of input.symbolRequests.files)
    if (!tiers.has(id)) tiers.set(id, { tier: "ranked", relation: `holds ${name}, which was asked for`, strength: 0 });
  const { definitions, text } = ranking;
  const scores = new Map(
    [...tiers.keys()].flatMap((id) => {
      const score = ranking.scoreOf(id);
      return score === null ? [] : [[id, score] as const];
    }),
  );
  const searched = { raw: task.raw, keywords: [...task.keywords, ...(task.proposed ?? [])] };
  const matches = matchReasons({ ...input, task: searched, ranking: { definitions, matched: text.matched } }, [
    ...tiers.keys(),
  ]);
  const uncounted = await uncountedTerms(
    { kb, files: files.filter(({ id }) => tiers.has(id)), task, anchors: input.anchors, seeds: seedIds, text },
    options.weights,
  );
  const scoped = inRankOrder(files, tiers, scores, orderedFirst(seeds, map)).map((found): ScopedFile => {
    const match = matches.get(found.file.id) ?? [];
    const terms = [...found.score.terms, ...(uncounted.get(found.file.id) ?? [])];
    const relation = found.relation || match.join("; ") || relationOf(found.score);
    return { ...found, score: { ...found.score, terms }, match, relation };
  });
  for (const { file, tier, score, relation } of scoped)
    yield {
      event: "file_considered",
      stage: "scope",
      path: file.path,
      tier,
      score: score.total,
      tokens: file.tokenCount,
      reason: relation,
    };
  const inScope = new Set(scoped.map(({ file }) => file.id));
  return yield* judgeFiles(input, {
    selection: {
      seeds,
      files: scoped,
      symbols: [],
      snippets: [],
      definitions: definitions.filter((definition) => inScope.has(definition.fileId)),
      ...(vague === null ? {} : { isMap: true }),
    },
    decisions: [
      ...scoped.map(included),
      ...ranking.files
        .slice(0, options.scopeSize * CONSIDERED_FACTOR)
        .filter((score) => !inScope.has(score.fileId))
        .map((score) => leftOut(score, options.scopeSize)),
    ],
    judgement: null,
    notices,
  });
}

/** The reason of a file without a significant word of the task. */
const relationOf = ({ terms }: FileScore): string =>
  terms.some(({ signal }) => signal === "history_match")
    ? "changed by commits with messages like the task"
    : "shares only common words with the task";

type Entry = { readonly tier: FileTier; readonly relation: string; readonly strength: number };

/** The files of the first four tiers by id, strongest tier first. */
function expand(input: StageInput, seeds: readonly Seed[], notices: Notice[]): Map<number, Entry> {
  const { kb, files, options, task } = input;
  const positions = positionsById(files);
  const pathOf = (id: number): string => files[positions.get(id) ?? -1]?.path ?? "";
  const entries = new Map<number, Entry>(
    seeds.map((seed) => [seed.fileId, { tier: "seed", relation: seed.reason, strength: 0 }]),
  );
  const add = (tier: FileTier, relations: Relations): void => {
    for (const [id, { words, strength }] of relations)
      if (positions.has(id) && !entries.has(id)) entries.set(id, { tier, relation: words, strength });
  };
  add("dependency", filesTestedByChanges(testedByChanges(seeds, kb, files)));
  const seedSet = new Set(seeds.map((seed) => seed.fileId));
  let frontier: ReadonlySet<number> = seedSet;
  for (let hop = 1; hop <= options.depth && frontier.size > 0; hop += 1) {
    const edges = kb
      .dependenciesOf([...frontier])
      .filter(({ source, target }) => positions.has(source) && positions.has(target));
    const found = dependencyNeighbours(frontier, edges, new Set(entries.keys()), hop, pathOf);
    add("dependency", found);
    frontier = new Set(found.keys());
  }
  add("dependency", callersOfChanges(seeds, kb, files, positions));
  if (seedSet.size > 0)
    add("co_change", coChangeNeighbours(seedSet, kb.coChangesOf([...seedSet]), new Set(entries.keys()), pathOf));
  const metadata = kb.fileMetadata();
  if (metadata.length > 0) add("metadata", metadataMatches(metadata, new Set(task.concepts), new Set(entries.keys())));
  else if (files.length > 0) notices.push({ code: "enrichment-missing" });
  return entries;
}

/** Adds the files that still use what was removed, which says more of them than what else brings them in. */
function addRemaining({ remaining = [], files }: StageInput, entries: Map<number, Entry>): void {
  if (remaining.length === 0) return;
  const idOf = new Map(files.map(({ id, path }) => [path, id]));
  for (const { path, why, confidence } of remaining.toReversed()) {
    const id = idOf.get(path);
    if (id !== undefined && entries.get(id)?.tier !== "seed")
      entries.set(id, { tier: "dependency", relation: why, strength: confidence });
  }
}

/** The seeds that come before all other files. Those of a longer task are ranked by score. */
const firstSeeds = (seeds: readonly Seed[]): readonly Seed[] =>
  seeds.filter(({ given, first }) => given || first !== undefined);

/**
 * The likeliest tests of the best files, best first, with the path of the file that each covers. In a language without
 * imports inside a package, this is how a test comes along with the file that the task names.
 */
function testsOfBest(
  kb: KnowledgeBase,
  files: readonly FileRow[],
  ordered: readonly { readonly fileId: number }[],
): ReadonlyMap<number, string> {
  const positions = positionsById(files);
  const placeOf = new Map<number, { readonly path: string; readonly place: number }>();
  for (const { fileId } of ordered) {
    const file = files[positions.get(fileId) ?? -1];
    if (file === undefined || file.isTest || placeOf.has(fileId)) continue;
    placeOf.set(fileId, { path: file.path, place: placeOf.size });
    if (placeOf.size === COVERED_FILES) break;
  }
  const links = kb
    .testsOf([...placeOf.keys()])
    .flatMap(({ test, source, score }) => {
      const covered = placeOf.get(source);
      return covered === undefined || !positions.has(test)
        ? []
        : [{ test, path: covered.path, likelihood: score / (covered.place + 2) }];
    })
    .sort((a, b) => b.likelihood - a.likelihood);
  const found = new Map<number, string>();
  for (const { test, path } of links) if (found.size < TESTS_OF_BEST && !found.has(test)) found.set(test, path);
  return found;
}

/**
 * The order of files that are not ranked by score: hints together in front, then the files that a short task names and those
 * with a symbol that it names; or the files of the map one by one.
 */
const orderedFirst = (
  seeds: readonly Seed[],
  map: readonly { readonly file: FileRow }[],
): ReadonlyMap<number, number> =>
  new Map([
    ...seeds.flatMap(({ fileId, given, first }): readonly (readonly [number, number])[] =>
      given ? [[fileId, 0]] : first === undefined ? [] : [[fileId, first === "file" ? 1 : 2]],
    ),
    ...map.map(({ file }, position) => [file.id, position] as const),
  ]);

/**
 * By score, after those in `first`. Files with equal scores, such as those that only a relation brings in, are in order of
 * tier, then of the strength of the relation, then of path. Files that a longer task names are not put first: a
 * mention is part of the score already, and on real issues putting them first costs 11 points of Acc@5 (84.8 to 73.9 on 46
 * cases).
 */
function inRankOrder(
  files: readonly FileRow[],
  entries: ReadonlyMap<number, Entry>,
  scores: ReadonlyMap<number, FileScore>,
  first: ReadonlyMap<number, number>,
): readonly ScopedFile[] {
  const position = ({ id }: FileRow): number => first.get(id) ?? files.length;
  return files
    .filter(({ id }) => entries.has(id))
    .flatMap((file) => {
      const entry = entries.get(file.id);
      const score = scores.get(file.id) ?? { fileId: file.id, path: file.path, total: 0, terms: [] };
      return entry ? [{ file, ...entry, score }] : [];
    })
    .sort(
      (a, b) =>
        position(a.file) - position(b.file) ||
        b.score.total - a.score.total ||
        FILE_TIERS.indexOf(a.tier) - FILE_TIERS.indexOf(b.tier) ||
        b.strength - a.strength ||
        (a.file.path < b.file.path ? -1 : 1),
    )
    .map(({ file, tier, relation, score }, index) => ({ file, tier, relation, score, rank: index + 1 }));
}

const included = ({ file, tier, relation, score }: ScopedFile): Decision => ({
  ...onFile(file.path),
  tier,
  included: true,
  score: score.total,
  terms: score.terms,
  tokens: file.tokenCount,
  reason: relation,
});

const leftOut = (score: FileScore, scopeSize: number): Decision => ({
  ...onFile(score.path),
  tier: "excluded",
  included: false,
  score: score.total,
  terms: score.terms,
  tokens: null,
  reason: `scores below the best ${scopeSize} files and is not tied to a seed`,
});
