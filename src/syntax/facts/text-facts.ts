/** Facts before tokens are counted, and those of a file that is not parsed. */

import { linesOf } from "../../text/lines.ts";
import type { FileFacts } from "./facts.ts";
import type { UncountedSymbol } from "./symbols.ts";

/** Facts before tokens are counted. */
export type UncountedFacts = Omit<FileFacts, "tokenCount" | "symbols"> & {
  readonly symbols: readonly UncountedSymbol[];
};

/** The facts of a file that is text only, with the problem that made it so. */
export function textFacts(text: string, problem: string | null): UncountedFacts {
  const nothing = {
    namespace: null,
    doc: null,
    symbols: [],
    comments: [],
    imports: [],
    references: [],
    exportedAs: {},
  };
  return { parsed: false, problem, lineCount: linesOf(text).count, ...nothing };
}

/** What `problem` says of a file that needed more than its time. */
export const TOOK_TOO_LONG = "took too long";
