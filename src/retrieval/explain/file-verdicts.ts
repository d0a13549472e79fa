/**
 * Sums up a run's logged decisions: one row for each file that it considered.
 *
 * Order: by rank, then the files that stayed out of scope, best first.
 */
import type { LoggedDecision } from "../../db/raw-log/raw-log.ts";
import { judgementOf } from "../record/model-verdicts.ts";

/** A model's verdict on a file: its class, whether the file stayed in scope, and why. */
export type FileJudgement = { readonly class: string; readonly included: boolean; readonly reason: string };

/**
 * `tier` is the file's tier before a model judged it. `rank` counts from 1 and is null out of scope. `judged` is null
 * without a verdict. `shown`: part of the file is in the package and takes about `tokens`. `reason` says why the file is in
 * or out.
 */
export type FileVerdict = {
  readonly path: string;
  readonly rank: number | null;
  readonly tier: string;
  readonly score: number;
  readonly judged: FileJudgement | null;
  readonly shown: boolean;
  readonly tokens: number;
  readonly reason: string;
};

export function fileVerdicts(decisions: readonly LoggedDecision[]): readonly FileVerdict[] {
  const byPath = Map.groupBy(decisions, ({ path }) => path);
  const onFiles = decisions.filter(({ symbol }) => symbol === null);
  const scoped = onFiles.filter(({ stage }) => stage === "scope");
  const judgements = new Map(
    onFiles.filter(({ stage }) => stage === judgementOf("scope")).map((row) => [row.path, judgementIn(row)]),
  );
  // The scope stage records the files that it takes by rank; those that the model leaves out take none.
  const kept = scoped.filter(({ included, path }) => included && (judgements.get(path)?.included ?? true));
  const ranks = new Map(kept.map(({ path }, index) => [path, index + 1]));
  return scoped.map(({ path, tier, score, included, reason }) => {
    const rest = byPath.get(path) ?? [];
    const items = rest.filter(({ stage }) => stage === "budget");
    const shown = items.filter((item) => item.included);
    const judged = judgements.get(path) ?? null;
    const isScoped = ranks.has(path);
    const whyNot = included && !isScoped ? judged?.reason : undefined;
    return {
      path,
      rank: ranks.get(path) ?? null,
      tier,
      score,
      judged,
      shown: shown.length > 0,
      tokens: shown.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      reason: !isScoped || shown.length > 0 ? (whyNot ?? reason) : (items.find(isOnFile)?.reason ?? UNFINISHED),
    };
  });
}

const judgementIn = ({ tier, included, reason }: LoggedDecision): FileJudgement => ({ class: tier, included, reason });

const isOnFile = ({ symbol, kind }: LoggedDecision): boolean => symbol === null && kind === null;
/** A stopped run has no packing decisions. */
export const UNFINISHED = "the run ended before it came to this file";
