/**
 * Parses a text and runs its language's queries. Only this module handles syntax trees.
 *
 * Invariants: every tree is deleted, and a cancelled parser is reset (else its next parse would continue with the old
 * text). No tree is walked node by node, because calls into WebAssembly are expensive. A syntax error is not a failure:
 * the tree contains what could be parsed.
 */

import type { LanguageStyle } from "../../languages/syntax.ts";
import { TOOK_TOO_LONG } from "../facts/text-facts.ts";
import { type LoadedGrammar, loadGrammar } from "../parse/load-grammar.ts";
import type { Matches } from "./match.ts";
import type { Reading } from "./run-query.ts";

/** `timeMsMax`: time limit for one file, in milliseconds of `now`. `factsMax`: facts kept of each kind. */
export type ParseLimits = {
  readonly timeMsMax: number;
  readonly factsMax: number;
  now(): number;
};

type Found = { readonly matches: Matches } | { readonly problem: string };

/** Runs the queries of a language that has a grammar. Rejects if the runtime itself fails. */
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

/** Steps of the parser between two readings of the clock, because reading it takes longer than a step. */
const STEPS = 32;

/** Calls `isLate` at the first step and every few steps after it, and stays true once that was true. */
function everyFewSteps(isLate: () => boolean): () => boolean {
  let steps = 0;
  let late = false;
  return () => {
    if (!late && steps % STEPS === 0) late = isLate();
    steps += 1;
    return late;
  };
}

/** Parses and queries once; null if `stop` ended it. */
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
