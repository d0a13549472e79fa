/** A decision: the recorded verdict on one file or symbol. */
import type { DecisionRow } from "../../db/raw-log/raw-log.ts";
import type { ScoreTerm } from "./scores.ts";
import type { Detail } from "./tiers.ts";

/** `symbol` is null when it is on the file as a whole. */
export type Decision = Omit<DecisionRow, "stage" | "detail" | "terms"> & {
  readonly detail: Detail;
  readonly terms: readonly ScoreTerm[] | null;
};

/** What decisions on a file as a whole have in common. */
export const onFile = (path: string) => ({ path, symbol: null, line: null, kind: null, detail: "none" }) as const;
