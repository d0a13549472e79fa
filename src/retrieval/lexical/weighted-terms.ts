/**
 * Turns the words of a task into weighted terms, in two spaces: exact, and by stem.
 *
 * A word weighs by its section and by the number of its occurrences there. Repeats add up without limit, because
 * saturation lost in every trial. Stop words weigh less. Terms are in order of first appearance, which fixes the order of
 * all sums.
 */
import type { Section, SectionKind } from "../../task/query.ts";
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { fold } from "../../text/terms/normalize.ts";
import { UNSPACED } from "../../text/terms/scripts.ts";
import { stem } from "../../text/terms/stem.ts";
import { CODE_STOP_WORDS, STOP_WORDS } from "../../text/terms/stop-words.ts";
import { type TermTable, termTable } from "../../text/terms/term-stats.ts";

/** Measured on issues of 41 repositories; structure mattered, fine values did not. */
const SECTION_WEIGHT = {
  title: 3,
  prose: 1,
  inline: 1.5,
  code: 0.7,
  trace: 0.5,
  error: 1.7,
  noise: 0.1,
} as const satisfies Record<SectionKind, number>;

/** The weight of two adjacent words as one ("session cookie" may be `sessioncookie` in code), in sections of prose. */
const COMPOUND_WEIGHT: Partial<Record<SectionKind, number>> = { title: 2, prose: 1, inline: 1, error: 1 };
const COMPOUND_PART_MIN = 3;
/** Scripts without blanks have no words to join. */
const WORDS = new RegExp(String.raw`[[\p{L}\p{M}]--[${UNSPACED}]]+|\d+`, "gv");
/** What a word can weigh by noise alone, however often a log repeats it. */
const NOISE_MAX = 0.5;
const STOP_FACTOR = 0.2;
const CODE_STOP_FACTOR = 0.8;
/** A longer task keeps its heaviest terms. Real issues have a few hundred. */
const TERMS_MAX = 2_000;

type WeightedTerms = { readonly terms: readonly string[]; readonly weights: readonly number[] };
export type LexicalQuery = { readonly exact: WeightedTerms; readonly stems: WeightedTerms };

/**
 * What to look a query's terms up in. A word that is a term has its stem too, so only stems are searched: those of the query keep their
 * index, and after them come those that only its exact terms have.
 */
export const termTables = ({
  exact,
  stems,
}: LexicalQuery): { readonly exact: TermTable; readonly stems: TermTable } => ({
  exact: termTable(exact.terms),
  stems: termTable([...stems.terms, ...exact.terms.map(stem)]),
});

export function weighTerms(sections: readonly Section[]): LexicalQuery {
  const weights = new Map<string, number>();
  const noise = new Map<string, number>();
  let saysSomething = false;
  const add = (term: string, weight: number): void => void weights.set(term, (weights.get(term) ?? 0) + weight);
  for (const { kind, text } of sections) {
    for (const identifier of identifiersIn(text)) {
      for (const term of expandIdentifier(identifier)) {
        const before = noise.get(term) ?? 0;
        const weight = kind === "noise" ? Math.min(SECTION_WEIGHT.noise, NOISE_MAX - before) : SECTION_WEIGHT[kind];
        if (kind === "noise") noise.set(term, before + weight);
        add(term, weight);
        saysSomething ||= !STOP_WORDS.has(term);
      }
    }
    const compound = COMPOUND_WEIGHT[kind];
    if (compound !== undefined) for (const term of compoundsOf(text)) add(term, compound);
  }
  // Stop words support other words; alone they match every file.
  if (!saysSomething) weights.clear();
  const exact = new Map([...weights].map(([term, weight]) => [term, weight * wordFactor(term)]));
  const stems = new Map<string, number>();
  for (const [term, weight] of exact) stems.set(stem(term), (stems.get(stem(term)) ?? 0) + weight);
  return { exact: heaviest(exact), stems: heaviest(stems) };
}

function compoundsOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const words = line.match(WORDS) ?? [];
    return words.slice(1).flatMap((word, index) => {
      const before = words[index] ?? "";
      const long = before.length >= COMPOUND_PART_MIN && word.length >= COMPOUND_PART_MIN;
      return long ? [fold(before + word)] : [];
    });
  });
}

const wordFactor = (term: string): number =>
  (STOP_WORDS.has(term) ? STOP_FACTOR : 1) * (CODE_STOP_WORDS.has(term) ? CODE_STOP_FACTOR : 1);

/** Ties go to the terms that come first; the order of appearance is kept. */
function heaviest(weights: ReadonlyMap<string, number>): WeightedTerms {
  const entries = [...weights].map(([term, weight], index) => ({ term, weight, index }));
  const kept = entries.length <= TERMS_MAX ? entries : entries.sort((a, b) => b.weight - a.weight || a.index - b.index);
  const listed = kept.slice(0, TERMS_MAX).sort((a, b) => a.index - b.index);
  return { terms: listed.map(({ term }) => term), weights: listed.map(({ weight }) => weight) };
}
