/** Records a model's verdicts as decisions, one for each thing that was judged. */

import { CANDIDATES_MAX, type Question, type Verdict } from "../../judgement/judge.ts";
import type { Notice } from "../../notice.ts";
import type { Decision } from "../model/decision.ts";
import type { StageJudge, Verdicts } from "../model/judging.ts";

/** One thing that a model may have judged. */
export type Judged<Class extends string> = {
  /** The key of its candidate. */
  readonly key: string;
  readonly decision: Omit<Decision, "tier" | "reason">;
  /** It ranked too low to be asked about, and is left out because the model chose among better ones. */
  readonly isUnasked: boolean;
  /** The reason to record if the verdict has no effect; null if it has. */
  readonly overruled: (judged: Class) => string | null;
};

const UNASKED = {
  tier: "unasked",
  reason: `not among the ${CANDIDATES_MAX} best, which were judged`,
} as const;

/** Things that the model was asked about but did not judge have no row. */
export function verdictDecisions<Class extends string>(
  all: readonly Judged<Class>[],
  verdicts: Verdicts<Class>,
  model: string,
): readonly Decision[] {
  return all.flatMap(({ key, decision, isUnasked, overruled }): readonly Decision[] => {
    const verdict = verdicts.get(key);
    if (verdict === undefined) return isUnasked ? [{ ...decision, ...UNASKED }] : [];
    return [{ ...decision, tier: verdict.class, reason: overruled(verdict.class) ?? judgedBy(model, verdict) }];
  });
}

/** The reason of a decision that a verdict made. */
export const judgedBy = (model: string, verdict: Verdict<string>): string =>
  `judged ${verdict.class.replaceAll("_", " ")} by ${model}${verdict.reason === "" ? "" : `: ${verdict.reason}`}`;

/** The notice that verdicts would have excluded everything, so that all stays; empty otherwise. */
export const overruledNotices = (
  overruled: boolean,
  { stage }: Question<string>,
  { model }: StageJudge,
): readonly Notice[] => (overruled ? [{ code: "judgement-overruled", stage, model }] : []);
