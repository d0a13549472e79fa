/**
 * Asks the model which of the files in scope the task needs, and orders them by how likely each is needed after its answers.
 *
 * Nothing leaves the scope: a file that was not asked about keeps its place among the others, and those that the user gives
 * or a short task names stay in front.
 */
import { answersOf, capped, type FactorLimits, factorsOf, probabilityOf } from "../../judgement/evidence.ts";
import { type ScopeClass, scopeQuestion } from "../../judgement/scope.ts";
import { onFile } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { StageJudge, Verdicts } from "../model/judging.ts";
import type { DefinitionScore } from "../model/scores.ts";
import type { ScopedFile } from "../model/selection.ts";
import type { StageInput, StageOutcome } from "../model/stage.ts";
import { reordered } from "./definition-order.ts";
import { judgedBy } from "./judged-by.ts";

/** Definitions of a file that the model sees, best first. */
const SHOWN_SYMBOLS = 2;

/**
 * Logarithmic odds that a file of the scope belongs to the fix, fitted on the development cases: by its rank, and by its score as
 * a share of the best.
 */
const ODDS = { constant: -2, logRank: -1.28, share: 2.4 } as const;

/** How many files are right, at most; on the development cases there are 1.4 on average. */
const RIGHT_MAX = 1.6;

/**
 * What a file's verdict does to the probabilities of its definitions. From an even chance on instead of a tenth, judges that are
 * right in 90 % lose 7 points of the definitions at 4,000 tokens: those of the right file are then not even asked about.
 */
const ON_DEFINITIONS: FactorLimits = { max: 10, changesFrom: 0.1, takesFrom: 0.1 };

/** The outcome after the model's verdicts; the same object if there are none. */
export async function* judgeFiles(
  input: Pick<StageInput, "kb" | "task" | "judge" | "symbolRequests">,
  outcome: StageOutcome,
): AsyncGenerator<PipelineEvent, StageOutcome> {
  const { judge, task } = input;
  const { selection } = outcome;
  const { files } = selection;
  if (judge === null || files.length === 0) return outcome;
  const summaries = summariesOf(input, files, selection.definitions);
  const verdicts = yield* judge.ask(
    scopeQuestion(
      task.raw,
      files.map(({ file }) => ({ path: file.path, summary: summaries(file.id) })),
    ),
  );
  if (verdicts === null) return outcome;
  const first = new Set(selection.seeds.flatMap(({ fileId, given, first }) => (given || first ? [fileId] : [])));
  const weighed = weighFiles(files, verdicts, judge);
  const isFirst = ({ file }: ScopedFile): number => Number(first.has(file.id));
  const ordered = weighed
    .toSorted((a, b) => isFirst(b.scoped) - isFirst(a.scoped) || (isFirst(a.scoped) ? 0 : b.posterior - a.posterior))
    .map(({ scoped }, at) => ({ ...scoped, rank: at + 1 }));
  const factors = new Map(weighed.map(({ scoped, factor }) => [scoped.file.id, factor]));
  const places = new Map(ordered.map(({ file, rank }) => [file.path, rank]));
  const decisions = Map.groupBy(outcome.decisions, ({ path }) => path);
  return {
    ...outcome,
    selection: {
      ...selection,
      files: ordered,
      definitions: reordered(selection.definitions, ({ fileId }) => factors.get(fileId) ?? 1),
    },
    judgement: {
      verdicts: weighed.flatMap(({ scoped: { file, score, rank } }) => {
        const verdict = verdicts.get(file.path);
        if (verdict === undefined) return [];
        const now = places.get(file.path) ?? rank;
        const moved = now === rank ? `stays at place ${rank}` : `place ${rank} to ${now}`;
        return [
          {
            ...onFile(file.path),
            tier: verdict.class,
            included: true,
            score: score.total,
            terms: null,
            tokens: file.tokenCount,
            reason: `${judgedBy(judge.model, verdict)}, ${moved}`,
          },
        ];
      }),
      decisions: [
        ...ordered.flatMap(({ file }) => decisions.get(file.path) ?? []),
        ...outcome.decisions.filter(({ path }) => !places.has(path)),
      ],
    },
  };
}

/** `factor`: what the verdicts do to the probabilities of the file's definitions. */
type Weighed = { readonly scoped: ScopedFile; readonly posterior: number; readonly factor: number };

/** The files with their probabilities, whose order without verdicts is that of the ranks. */
function weighFiles(
  files: readonly ScopedFile[],
  verdicts: Verdicts<ScopeClass>,
  judge: StageJudge,
): readonly Weighed[] {
  const best = files.reduce((most, { score }) => Math.max(most, score.total), 0);
  let least = 1;
  const odds = files.map(({ score }, at) => {
    const share = best > 0 ? score.total / best : 0;
    const prior = probabilityOf(ODDS.constant + ODDS.logRank * Math.log(at + 1) + ODDS.share * share);
    least = Math.min(least, prior);
    return least;
  });
  const priors = capped(odds, RIGHT_MAX);
  const evidence = judge.weigh(
    files.map(({ file }, at) => ({
      prior: priors[at] ?? 0,
      answers: answersOf(verdicts.get(file.path), "relevant"),
    })),
  );
  const factors = factorsOf(evidence, priors, ON_DEFINITIONS);
  return files.map((scoped, at) => ({
    scoped,
    posterior: evidence.posteriors[at] ?? 0,
    factor: factors[at] ?? 1,
  }));
}

/** Describes each file: its purpose, then its best definitions, or if none ranks, its first exported ones. */
function summariesOf(
  { kb }: Pick<StageInput, "kb">,
  files: readonly ScopedFile[],
  definitions: readonly DefinitionScore[],
): (fileId: number) => readonly string[] {
  const ids = files.map(({ file }) => file.id);
  const purposes = new Map(kb.fileMetadata().map(({ fileId, purpose }) => [fileId, purpose]));
  const about = new Map(
    kb.docstringsIn(ids).flatMap(({ fileId, symbolId, content }) => (symbolId === null ? [[fileId, content]] : [])),
  );
  const ranked = Map.groupBy(definitions, ({ fileId }) => fileId);
  const symbols = kb.symbolsIn(ids);
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const byFile = Map.groupBy(symbols, ({ fileId }) => fileId);
  return (fileId) => {
    const best = (ranked.get(fileId) ?? []).flatMap(({ symbolId }) => byId.get(symbolId) ?? []);
    const own = best.length > 0 ? best : (byFile.get(fileId) ?? []).filter(({ parentId }) => parentId === null);
    const said = [purposes.get(fileId), about.get(fileId)].find((words) => typeof words === "string" && words !== "");
    return [said ?? "", ...own.slice(0, SHOWN_SYMBOLS).map(({ signature }) => signature)].filter(Boolean);
  };
}
