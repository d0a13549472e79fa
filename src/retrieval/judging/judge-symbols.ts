/**
 * Asks the model how much of each placed symbol the task needs, and weighs the symbols by its answers.
 *
 * An answer changes how likely a symbol matters (`evidence`), which packing and its stop use; it takes nothing away. What only
 * supports others becomes primary if it is likely enough.
 */
import { answersOf, capped, type FactorLimits, factorsOf } from "../../judgement/evidence.ts";
import { type PrecisionClass, precisionKey, precisionQuestion } from "../../judgement/precision.ts";
import type { Decision } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { StageJudge, Verdicts } from "../model/judging.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import type { StageInput } from "../model/stage.ts";
import { SYMBOL_TIERS } from "../model/tiers.ts";
import { symbolProbability } from "./definition-order.ts";
import { judgedBy } from "./judged-by.ts";

/** The symbols after the verdicts, and a row for each that was judged. */
type JudgedSymbols = { readonly placed: readonly PlacedSymbol[]; readonly verdicts: readonly Decision[] };

/** How many symbols are right, at most; on the development cases there are 2 on average. */
const RIGHT_MAX = 3;

/** From this probability on, a symbol that only supports others is primary. */
const PRIMARY_MIN = 0.3;

/**
 * What a verdict does to the worth of a symbol. Most judges that are trusted less know nothing. What a doubtful one adds costs
 * tokens, but what it takes away would be missed.
 */
const ON_WORTH: FactorLimits = { max: 20, changesFrom: 0.5, takesFrom: 0.8 };

/** Null if no model judged. `asRequested` overrides verdicts on the symbols that a refinement names. */
export async function* judgeSymbols(
  { kb, task, judge }: Pick<StageInput, "kb" | "task" | "judge">,
  placed: readonly PlacedSymbol[],
  pathOf: ReadonlyMap<number, string>,
  asRequested: (placed: readonly PlacedSymbol[]) => readonly PlacedSymbol[],
): AsyncGenerator<PipelineEvent, JudgedSymbols | null> {
  if (judge === null || placed.length === 0) return null;
  const docs = new Map(
    kb
      .docstringsIn([...new Set(placed.map(({ symbol }) => symbol.fileId))])
      .flatMap(({ symbolId, content }) => (symbolId === null ? [] : [[symbolId, firstLine(content)]])),
  );
  const best = bestFirst(placed);
  const verdicts = yield* judge.ask(
    precisionQuestion(
      task.raw,
      best.map(({ symbol }) => ({
        id: symbol.id,
        path: pathOf.get(symbol.fileId) ?? "",
        qualifiedName: symbol.qualifiedName,
        kind: symbol.kind,
        signature: symbol.signature,
        doc: docs.get(symbol.id) ?? "",
      })),
    ),
  );
  if (verdicts === null) return null;
  const weighed = weighSymbols(best, verdicts, judge);
  const after = asRequested(placed.map((one) => weighed.get(one.symbol.id) ?? one));
  const now = new Map(after.map((one) => [one.symbol.id, one]));
  return {
    placed: after,
    verdicts: placed.flatMap(({ symbol, score }): readonly Decision[] => {
      const verdict = verdicts.get(precisionKey(symbol.id));
      if (verdict === undefined) return [];
      const current = now.get(symbol.id);
      return [
        {
          path: pathOf.get(symbol.fileId) ?? "",
          symbol: symbol.qualifiedName,
          line: symbol.startLine,
          kind: symbol.kind,
          tier: verdict.class,
          included: current !== undefined,
          detail: "none",
          score: current?.score ?? score,
          terms: null,
          tokens: symbol.bodyTokens,
          reason: judgedBy(judge.model, verdict),
        },
      ];
    }),
  };
}

/** The symbols that the verdicts change, by id. */
function weighSymbols(
  best: readonly PlacedSymbol[],
  verdicts: Verdicts<PrecisionClass>,
  { model, weigh }: StageJudge,
): ReadonlyMap<number, PlacedSymbol> {
  const priors = capped(
    best.map(({ score }, at) => symbolProbability(at, score)),
    RIGHT_MAX,
  );
  const weighed = weigh(
    best.map(({ symbol }, at) => ({
      prior: priors[at] ?? 0,
      answers: answersOf(verdicts.get(precisionKey(symbol.id)), "primary", ["supporting", "type_context"]),
    })),
  );
  const factors = factorsOf(weighed, priors, ON_WORTH);
  return new Map(
    best.flatMap((one, at) => {
      const [evidence, posterior] = [factors[at] ?? 1, weighed.posteriors[at] ?? 0];
      if (!verdicts.has(precisionKey(one.symbol.id)) || evidence === 1) return [];
      const tier = posterior >= PRIMARY_MIN ? "primary" : one.tier;
      const why = evidence > 1 ? `${one.why}; judged primary by ${model}` : one.why;
      return [[one.symbol.id, { ...one, tier, why, evidence }] as const];
    }),
  );
}

/** By tier, then by score, because a question has room for a limited number; equal ones stay in order of rank and line. */
const bestFirst = (placed: readonly PlacedSymbol[]): readonly PlacedSymbol[] =>
  placed.toSorted(
    (a, b) =>
      Number(b.floor) - Number(a.floor) ||
      SYMBOL_TIERS.indexOf(a.tier) - SYMBOL_TIERS.indexOf(b.tier) ||
      b.score - a.score,
  );

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";
