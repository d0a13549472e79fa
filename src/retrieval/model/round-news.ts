/** What a further round shows that the round before did not. */
import type { ShownItem } from "./changes.ts";
import type { ContextPackage } from "./package-schema.ts";

/** `part` is the package without what round `since` showed as it is now, which is `kept`; `dropped` is shown no more. */
export type RoundNews = {
  readonly since: number;
  readonly part: ContextPackage;
  readonly kept: readonly ShownItem[];
  readonly dropped: readonly ShownItem[];
};
