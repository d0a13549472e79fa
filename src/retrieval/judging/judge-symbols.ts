/**
 * Asks the model how much of each placed symbol the task needs, and changes their tiers to match.
 *
 * No verdict changes the floor, and none counts if they would exclude everything. Symbols that rank too low to be asked
 * about are left out, because they would take space from those that the model prefers.
 */

import { keysAsked } from "../../judgement/judge.ts";
import { applyPrecision, type PrecisionClass, precisionKey, precisionQuestion } from "../../judgement/precision.ts";
import type { Notice } from "../../notice.ts";
import type { Decision } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { Verdicts } from "../model/judging.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import type { StageInput } from "../model/stage.ts";
import { SYMBOL_TIERS } from "../model/tiers.ts";
import { type Judged, overruledNotices, verdictDecisions } from "./verdict-decisions.ts";

/** The symbols in their tiers after the verdicts, and a row for each that was judged, or left out for its low rank. */
type JudgedSymbols = {
  readonly placed: readonly PlacedSymbol[];
  readonly verdicts: readonly Decision[];
  readonly notices: readonly Notice[];
};

/** Null if no model judged. `asRequested` overrides verdicts on the symbols that a refinement names. */
export async function* judgeSymbols(
  { kb, task, judge, symbolRequests }: Pick<StageInput, "kb" | "task" | "judge" | "symbolRequests">,
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
  const isRequested = (id: number): boolean => symbolRequests.bySymbol.has(id);
  const isWanted = ({ symbol: { id } }: PlacedSymbol): boolean => isRequested(id) || symbolRequests.missing.has(id);
  const judged = applyPrecision(placed, verdicts, keysAsked(question), isWanted);
  const { overruled } = judged;
  const after = asRequested(overruled ? placed : judged.placed.map(sayingWhoJudged(verdicts, judge.model)));
  const unasked = new Set(judged.unasked.map(({ symbol }) => symbol.id));
  const stays = overruled ? "then nothing would be left" : "the task names it";
  const now = new Map(after.map((one) => [one.symbol.id, one]));
  const candidates = placed.map(({ symbol, score }): Judged<PrecisionClass> => {
    const current = now.get(symbol.id);
    return {
      key: precisionKey(symbol.id),
      decision: {
        path: pathOf.get(symbol.fileId) ?? "",
        symbol: symbol.qualifiedName,
        line: symbol.startLine,
        kind: symbol.kind,
        included: current !== undefined,
        detail: "none",
        score: current?.score ?? score,
        terms: null,
        tokens: symbol.bodyTokens,
      },
      isUnasked: unasked.has(symbol.id),
      overruled: (judged) => {
        if (isRequested(symbol.id)) return `judged ${WORDS[judged]}, but how much of it is shown was asked for`;
        const isHeld = current !== undefined && current.tier !== judged;
        return isHeld ? `judged ${WORDS[judged]}, but ${stays}, so it stays` : null;
      },
    };
  });
  return {
    placed: after,
    verdicts: verdictDecisions(candidates, verdicts, judge.model),
    notices: overruledNotices(overruled, question, judge),
  };
}

/** By tier, then by score, because a question has room for a limited number. */
const bestFirst = (placed: readonly PlacedSymbol[]): readonly PlacedSymbol[] =>
  placed.toSorted(
    (a, b) =>
      Number(b.floor) - Number(a.floor) ||
      SYMBOL_TIERS.indexOf(a.tier) - SYMBOL_TIERS.indexOf(b.tier) ||
      b.score - a.score ||
      a.symbol.id - b.symbol.id,
  );

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";

/** The package omits the model's own words, because they may pass on instructions from the repository to its reader. */
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
