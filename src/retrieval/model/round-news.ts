/** What a round shows that was not shown before. */
import type { ShownItem } from "./changes.ts";
import type { ContextPackage } from "./package-schema.ts";

/**
 * `part` is the package without what was shown before as it is now, which is `kept`. `since` is the round that showed it, of which `dropped`
 * is shown no more; null where packages of other tasks did.
 */
export type RoundNews = {
  readonly since: number | null;
  readonly part: ContextPackage;
  readonly kept: readonly ShownItem[];
  readonly dropped: readonly ShownItem[];
};
