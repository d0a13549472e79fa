/**
 * A run's decisions summed up: one row for each file that it considered.
 *
 * Pure, on what the log holds. Order: by rank, then files that were considered and stayed out of scope, best first.
 */
import type { LoggedDecision } from "../db/raw-log.ts";

/**
 * `rank` counts from 1 and is null out of scope. `shown`: something of it is in the package, which takes about
 * `tokens`. `reason` is what brought the file in, or what kept it out.
 */
export type FileVerdict = {
  readonly path: string;
  readonly rank: number | null;
  readonly tier: string;
  readonly score: number;
  readonly shown: boolean;
  readonly tokens: number;
  readonly reason: string;
};

export function fileVerdicts(decisions: readonly LoggedDecision[]): readonly FileVerdict[] {
  const byPath = Map.groupBy(decisions, ({ path }) => path);
  const scoped = decisions.filter(({ stage, symbol }) => stage === "scope" && symbol === null);
  // The scope stage records the files that it takes by rank.
  const ranks = new Map(scoped.filter(({ included }) => included).map(({ path }, index) => [path, index + 1]));
  return scoped.map(({ path, tier, score, reason }) => {
    const rest = byPath.get(path) ?? [];
    const items = rest.filter(({ stage }) => stage === "budget");
    const shown = items.filter(({ included }) => included);
    const isScoped = ranks.has(path);
    return {
      path,
      rank: ranks.get(path) ?? null,
      tier,
      score,
      shown: shown.length > 0,
      tokens: shown.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      reason: !isScoped || shown.length > 0 ? reason : (items.find(isOnFile)?.reason ?? UNFINISHED),
    };
  });
}

const isOnFile = ({ symbol, kind }: LoggedDecision): boolean => symbol === null && kind === null;
/** A run that was stopped has no verdict of the budget. */
const UNFINISHED = "the run ended before it came to this file";
