/** Facts before token counting, and the facts of a file that is not parsed. */

import { linesOf } from "../../text/lines.ts";
import type { FileFacts } from "./facts.ts";
import type { UncountedSymbol } from "./symbols.ts";

export type UncountedFacts = Omit<FileFacts, "tokenCount" | "symbols"> & {
  readonly symbols: readonly UncountedSymbol[];
};

/** The facts of a file that is treated as text, and the problem that caused it. */
export function textFacts(text: string, problem: string | null): UncountedFacts {
  const nothing = {
    namespace: null,
    doc: null,
    symbols: [],
    comments: [],
    imports: [],
    references: [],
    exportedAs: {},
    commentLines: [],
  };
  return { parsed: false, problem, lineCount: linesOf(text).count, ...nothing };
}

/** The `problem` of a file so close to the limit that only a fresh parser can tell; never stored. */
export const CLOSE_TO_LIMIT = "close to the limit of work";
