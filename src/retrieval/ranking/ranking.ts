/**
 * Scores every file and definition for a task. The result depends on content, paths and the task alone.
 *
 * Of several repositories each is ranked by its own statistics, as if it were asked alone, and weighed by how well it matches the
 * task as a whole.
 */
import type { FileRow, KnowledgeBase, OneRepository } from "../../db/curated/knowledge-base.ts";
import type { Anchor } from "../model/anchor.ts";
import type { DefinitionScore } from "../model/scores.ts";
import type { Steps } from "../model/steps.ts";
import { DEFINITIONS_MAX } from "./definitions.ts";
import { type RankInput, type Ranking, rankRepository, scoreFiles } from "./rank-repository.ts";
import { isNamed, repositoryWeights } from "./repository-weights.ts";
import { byTotal, roundScore, weighted } from "./score.ts";

/** Ranks files and definitions. */
export function* rank(input: RankInput): Steps<Ranking> {
  const { kb, weights } = input;
  const repositories = weights.profile === "classic" ? [] : (kb.repositories?.() ?? []);
  return yield* repositories.length < 2 ? rankRepository(input) : rankSeveral(input, repositories);
}

/** Repositories are compared by files that may be far down the list of all. */
const ALL = Number.POSITIVE_INFINITY;

function* rankSeveral(input: RankInput, repositories: readonly OneRepository[]): Steps<Ranking> {
  const { weights } = input;
  // What reads whole texts hardly tells repositories apart.
  const signals = weights.signals.filter(({ bestFilesMax }) => bestFilesMax === null);
  const together = yield* scoreFiles({ ...input, weights: { ...weights, signals } }, ALL);
  const parts = partsOf(input.files, repositories);
  const apart: Ranking[] = [];
  for (const { kb, files } of parts) {
    yield;
    const ids = new Set(files.map(({ id }) => id));
    const seeds = input.seeds.filter((id) => ids.has(id));
    apart.push(yield* rankRepository({ ...input, kb, files, seeds, anchors: anchorsIn(input.anchors, ids, kb) }, ALL));
  }
  const factors = repositoryWeights(
    together.files,
    apart.map(({ files }, at) => ({
      scores: files,
      fileCount: parts[at]?.files.length ?? 0,
      isNamed: isNamed(parts[at]?.name ?? "", input.task.raw),
    })),
  );
  const files = apart
    .flatMap((ranking, at) => ranking.files.map((score) => weighted(score, factors[at] ?? 1)))
    .filter(({ total }) => total > 0)
    .sort(byTotal);
  const byId = new Map(files.map((score) => [score.fileId, score]));
  const definitions = apart.flatMap((ranking, at) =>
    ranking.definitions.map((one): DefinitionScore => ({ ...one, score: roundScore(one.score * (factors[at] ?? 1)) })),
  );
  return {
    files,
    scoreOf: (id) => byId.get(id) ?? null,
    definitions: definitions.sort((a, b) => b.score - a.score).slice(0, DEFINITIONS_MAX),
    text: together.text,
  };
}

type Part = OneRepository & { readonly files: readonly FileRow[] };

/** The parts of each list, because other modules cache by list. */
const known = new WeakMap<readonly FileRow[], readonly Part[]>();

/** The files of each repository. One without any is left out. */
function partsOf(files: readonly FileRow[], repositories: readonly OneRepository[]): readonly Part[] {
  const before = known.get(files);
  if (before !== undefined) return before;
  const repositoryOf = new Map(repositories.flatMap(({ kb }, at) => kb.files().map(({ id }) => [id, at] as const)));
  const byRepository = Map.groupBy(files, ({ id }) => repositoryOf.get(id) ?? -1);
  const parts = repositories.flatMap((one, at) => {
    const own = byRepository.get(at);
    return own === undefined ? [] : [{ ...one, files: own }];
  });
  known.set(files, parts);
  return parts;
}

/** What the names of the task can mean in a repository. */
function anchorsIn(anchors: readonly Anchor[], ids: ReadonlySet<number>, kb: KnowledgeBase): readonly Anchor[] {
  const named = kb.symbolsById([...new Set(anchors.flatMap(({ symbols }) => symbols))]);
  const own = new Set(named.map(({ id }) => id));
  return anchors.flatMap((anchor) => {
    const files = anchor.files.filter((id) => ids.has(id));
    return files.length === 0 ? [] : [{ ...anchor, files, symbols: anchor.symbols.filter((id) => own.has(id)) }];
  });
}
