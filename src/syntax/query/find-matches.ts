/**
 * Parses a text and runs its language's queries; the only place that touches syntax trees.
 *
 * Invariants: a tree is always deleted, a cancelled parser always reset (else its next parse would go
 * on with the old text); no tree is walked node by node, since crossing into WebAssembly is what costs.
 * An error in the text is no failure: the tree has what could be understood.
 */

import type { LanguageStyle } from "../../languages/syntax.ts";
import { TOOK_TOO_LONG } from "../facts/text-facts.ts";
import { type LoadedGrammar, loadGrammar } from "../parse/load-grammar.ts";
import type { Matches } from "./match.ts";
import type { Reading } from "./run-query.ts";

/** `timeMsMax`: how long one file may take, in milliseconds of `now`. `factsMax`: how many facts of one kind are kept. */
export type ParseLimits = {
  readonly timeMsMax: number;
  readonly factsMax: number;
  now(): number;
};

type Found = { readonly matches: Matches } | { readonly problem: string };

/** Runs the queries of a language that has a grammar. Rejects when the runtime itself breaks. */
export async function findMatches(
  text: string,
  language: string,
  { clean, mend }: Pick<LanguageStyle, "clean" | "mend">,
  limits: ParseLimits,
): Promise<Found> {
  const grammar = await loadGrammar(language);
  const deadline = limits.now() + limits.timeMsMax;
  const stop = everyFewSteps(() => limits.now() > deadline);
  const found = read(clean === null ? text : clean(text), grammar, stop);
  if (found === null) return { problem: TOOK_TOO_LONG };
  const mended = found.errors === 0 ? undefined : mend?.(text);
  const second = mended === undefined || mended === text ? null : read(mended, grammar, stop);
  const { matches } = second !== null && second.errors < found.errors ? second : found;
  return { matches };
}

/** Asking the time takes longer than a step of the parser: it is asked at every so many of them. */
const STEPS = 32;

/** True from the first time on that `isLate` is; `isLate` is asked at the first step, and at every few after it. */
function everyFewSteps(isLate: () => boolean): () => boolean {
  let steps = 0;
  let late = false;
  return () => {
    if (!late && steps % STEPS === 0) late = isLate();
    steps += 1;
    return late;
  };
}

/** One parse and one query; null when `stop` said so. */
function read(text: string, { parser, run }: LoadedGrammar, stop: () => boolean): Reading | null {
  const tree = parser.parse(text, null, { progressCallback: stop });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    const reading = run(tree, text, stop);
    return stop() ? null : reading;
  } finally {
    tree.delete();
  }
}
