/**
 * Parses a text and runs its language's queries. Only this module handles syntax trees.
 *
 * Invariants: every tree is deleted, and a cancelled parser is reset (else its next parse would continue with the old
 * text). No tree is walked node by node, because calls into WebAssembly are expensive. A syntax error is not a failure:
 * the tree contains what could be parsed.
 */

import { conflictSides } from "../../languages/conflict-sides.ts";
import type { LanguageStyle } from "../../languages/syntax.ts";
import { TOO_MUCH_WORK } from "../facts/facts.ts";
import { CLOSE_TO_LIMIT } from "../facts/text-facts.ts";
import { type LoadedGrammar, loadGrammar } from "../parse/load-grammar.ts";
import type { Matches } from "./match.ts";
import type { Reading } from "./run-query.ts";

/**
 * `workMax`: how much work a file may be, as the runtime counts it. `isFresh`: nothing was parsed before on this thread. A used
 * runtime has memory at hand that a fresh one asks for, which changes the count a little, so it does not decide close to the limit.
 * `factsMax`: facts kept of each kind.
 */
export type ParseLimits = { readonly workMax: number; readonly isFresh: boolean; readonly factsMax: number };

/** The part of the limit that is too close. Counts were seen to differ by a thirtieth of this. */
export const CLOSE_PART = 0.01;

/** `parsed`: the text as it was parsed, with blanks for what the grammar cannot read. */
type Found = { readonly matches: Matches; readonly parsed: string } | { readonly problem: string };

/** Runs the queries of a language that has a grammar. Rejects if the runtime itself fails. */
export async function findMatches(
  text: string,
  language: string,
  { clean, mend }: Pick<LanguageStyle, "clean" | "mend">,
  { workMax, isFresh }: ParseLimits,
): Promise<Found> {
  const grammar = await loadGrammar(language);
  const close = isFresh ? 0 : workMax * CLOSE_PART;
  const meter = workMeter(grammar, workMax + close);
  const cleaned = clean === null ? text : clean(text);
  let best = read(cleaned, grammar, meter);
  if (best === null) return { problem: TOO_MUCH_WORK };
  for (const mended of best.errors === 0 ? [] : mendedTexts(cleaned, mend)) {
    const other = read(mended, grammar, meter);
    if (other !== null && other.errors < best.errors) best = other;
    if (other === null || best.errors === 0) break;
  }
  const sum = meter.sum();
  if (sum > workMax - close && sum <= workMax + close) return { problem: CLOSE_TO_LIMIT };
  return { matches: best.matches, parsed: cleaned };
}

/** What a text with errors may have been meant to be, which is not always known. */
function mendedTexts(text: string, mend: LanguageStyle["mend"]): readonly string[] {
  const sides = conflictSides(text);
  const texts = [text, ...sides].flatMap((one, at) => [...(at === 0 ? [] : [one]), mend?.(one) ?? one]);
  return [...new Set(texts)].filter((one) => one !== text);
}

/** `isTooMuch` stays true once it was true. `addRead`: the parser has asked for a part of the text. */
type WorkMeter = { isTooMuch(): boolean; addRead(): void; sum(): number };

/** The work that counts for each time a parser goes back: it reads a part of the text again, which takes as long. */
const WORK_PER_READ = 4_000;

function workMeter({ work }: LoadedGrammar, workMax: number): WorkMeter {
  let seen = work();
  let sum = 0;
  return {
    isTooMuch() {
      const now = work();
      // The count has 32 bits, and is looked at long before it comes round.
      sum += (now - seen) >>> 0;
      seen = now;
      return sum > workMax;
    },
    addRead() {
      sum += WORK_PER_READ;
    },
    sum: () => sum,
  };
}

/** Parses and queries once; null if it was too much work. */
function read(text: string, { parser, run }: LoadedGrammar, { isTooMuch, addRead }: WorkMeter): Reading | null {
  const input = (from: number): string => {
    addRead();
    return text.slice(from);
  };
  const tree = parser.parse(input, null, { progressCallback: isTooMuch });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    const reading = run(tree, text, isTooMuch);
    return isTooMuch() ? null : reading;
  } finally {
    tree.delete();
  }
}
