/** A decision: the recorded verdict on one file or symbol. */
import type { ScoreTerm } from "./scores.ts";
import type { Detail } from "./tiers.ts";

/** `symbol` is null when it is on the file as a whole. */
export type Decision = {
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
  readonly kind: string | null;
  readonly tier: string;
  readonly included: boolean;
  readonly detail: Detail;
  readonly score: number;
  readonly terms: readonly ScoreTerm[] | null;
  readonly tokens: number | null;
  readonly reason: string;
};

/** What decisions on a file as a whole have in common. */
export const onFile = (path: string) => ({ path, symbol: null, line: null, kind: null, detail: "none" }) as const;
