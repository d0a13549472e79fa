/**
 * Asks the model how much of each placed symbol the task needs, and places them by what it says.
 *
 * The floor stays, whatever it says, and so does everything when nothing would be left. What is placed too low to be
 * asked about is left out: it would take the room of what the model finds better. Not here: the question and what
 * its verdicts do (`judgement/precision.ts`), where symbols are placed without a model (`symbol-tiers.ts`).
 */

import type { Notice } from "../../failure.ts";
import { keysAsked } from "../../judgement/judge.ts";
import { applyPrecision, type PrecisionClass, precisionKey, precisionQuestion } from "../../judgement/precision.ts";
import { judgedBy, UNASKED } from "../judging/judging.ts";
import type { Decision } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { Verdicts } from "../model/judging.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import type { StageInput } from "../model/stage.ts";
import { SYMBOL_TIERS } from "../model/tiers.ts";

/** The symbols as the model places them, and a row for each that it judged or that is out for being too low. */
export type JudgedSymbols = {
  readonly placed: readonly PlacedSymbol[];
  readonly verdicts: readonly Decision[];
  readonly notices: readonly Notice[];
};

/** Null when no model judged. `asWished` has the last word on the symbols that a refinement has wishes for. */
export async function* judgedSymbols(
  { kb, task, judge, symbolRequests }: Pick<StageInput, "kb" | "task" | "judge" | "symbolRequests">,
  placed: readonly PlacedSymbol[],
  pathOf: ReadonlyMap<number, string>,
  asWished: (placed: readonly PlacedSymbol[]) => readonly PlacedSymbol[],
): AsyncGenerator<PipelineEvent, JudgedSymbols | null> {
  if (judge === null || placed.length === 0) return null;
  const docs = new Map(
    kb
      .docstringsIn([...new Set(placed.map(({ symbol }) => symbol.fileId))])
      .flatMap(({ symbolId, content }) => (symbolId === null ? [] : [[symbolId, firstLine(content)]])),
  );
  const question = precisionQuestion(
    task.raw,
    bestFirst(placed).map(({ symbol, why, tier }) => ({
      id: symbol.id,
      path: pathOf.get(symbol.fileId) ?? "",
      qualifiedName: symbol.qualifiedName,
      kind: symbol.kind,
      signature: symbol.signature,
      doc: docs.get(symbol.id) ?? "",
      why,
      tier,
    })),
  );
  const verdicts = yield* judge.ask(question);
  if (verdicts === null) return null;
  const isWished = (id: number): boolean => symbolRequests.bySymbol.has(id);
  const isWanted = ({ symbol: { id } }: PlacedSymbol): boolean => isWished(id) || symbolRequests.missing.has(id);
  const judged = applyPrecision(placed, verdicts, keysAsked(question), isWanted);
  const { overruled } = judged;
  const after = asWished(overruled ? placed : judged.placed.map(sayingWhoJudged(verdicts, judge.model)));
  const unasked = new Set(judged.unasked.map(({ symbol }) => symbol.id));
  return {
    placed: after,
    verdicts: rowsOf(placed, after, verdicts, { overruled, unasked, isWished, model: judge.model, pathOf }),
    notices: overruled ? [{ code: "judgement-overruled", stage: question.stage, model: judge.model }] : [],
  };
}

/** A question holds only so many: by tier, then by score. */
const bestFirst = (placed: readonly PlacedSymbol[]): readonly PlacedSymbol[] =>
  placed.toSorted(
    (a, b) =>
      Number(b.floor) - Number(a.floor) ||
      SYMBOL_TIERS.indexOf(a.tier) - SYMBOL_TIERS.indexOf(b.tier) ||
      b.score - a.score ||
      a.symbol.id - b.symbol.id,
  );

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";

/** The model's own words stay out of the package: they may repeat what a repository says to whoever reads on. */
const sayingWhoJudged =
  (verdicts: Verdicts<PrecisionClass>, model: string) =>
  (placed: PlacedSymbol): PlacedSymbol =>
    verdicts.get(precisionKey(placed.symbol.id))?.class === placed.tier
      ? { ...placed, why: `${placed.why}; judged ${WORDS[placed.tier]} by ${model}` }
      : placed;

const WORDS: Readonly<Record<PrecisionClass, string>> = {
  primary: "primary",
  supporting: "supporting",
  type_context: "a type to know",
  excluded: "not needed",
};

function rowsOf(
  placed: readonly PlacedSymbol[],
  after: readonly PlacedSymbol[],
  verdicts: Verdicts<PrecisionClass>,
  how: {
    readonly overruled: boolean;
    readonly unasked: ReadonlySet<number>;
    readonly isWished: (id: number) => boolean;
    readonly model: string;
    readonly pathOf: ReadonlyMap<number, string>;
  },
): readonly Decision[] {
  const now = new Map(after.map((symbol) => [symbol.symbol.id, symbol]));
  return placed.flatMap(({ symbol, score }): readonly Decision[] => {
    const verdict = verdicts.get(precisionKey(symbol.id));
    const stands = now.get(symbol.id);
    const row = {
      path: how.pathOf.get(symbol.fileId) ?? "",
      symbol: symbol.qualifiedName,
      line: symbol.startLine,
      kind: symbol.kind,
      included: stands !== undefined,
      detail: "none" as const,
      score: stands?.score ?? score,
      terms: null,
      tokens: symbol.bodyTokens,
    };
    if (verdict === undefined) return how.unasked.has(symbol.id) ? [{ ...row, ...UNASKED }] : [];
    const isWished = how.isWished(symbol.id);
    const held = !isWished && stands !== undefined && stands.tier !== verdict.class;
    const stays = how.overruled ? "then nothing would be left" : "the task names it";
    return [
      {
        ...row,
        tier: verdict.class,
        reason: isWished
          ? `judged ${WORDS[verdict.class]}, but how much of it is shown was asked for`
          : held
            ? `judged ${WORDS[verdict.class]}, but ${stays}, so it stays`
            : judgedBy(how.model, verdict),
      },
    ];
  });
}
