/** How well single lines match a task. Snippets and excerpts show the best lines of a text. */
import type { TaskQuery } from "../../task/query.ts";
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { stem } from "../../text/terms/stem.ts";
import { CODE_STOP_WORDS, STOP_WORDS } from "../../text/terms/stop-words.ts";
import { termPrefilter } from "./term-prefilter.ts";

/** The rest of a longer line is not looked at. */
const SCORED_CHARS_MAX = 2000;

/** What a word weighs that has the stem of a keyword, as a share of the keyword as it is written. */
const STEM_SHARE = 0.5;

/** What a word weighs in the definition that it is the name of, as a share: it decides where no line has another. */
const OWN_SHARE = 0.1;

/** How well a line matches a task, 0 for no match. `own` are the stems of the name of the definition around it. */
export type LineScorer = (line: string, own?: ReadonlySet<string>) => number;

/**
 * Scores a line by the distinct keywords of the task in it; earlier keywords weigh up to twice as much. A word that only has the stem of
 * a keyword counts for a share of it, and words of one stem count once.
 */
export function lineScorer({ keywords }: Pick<TaskQuery, "keywords">): LineScorer {
  const weights = new Map(keywords.map((word, index) => [word, 1 + 1 / (1 + index / 4)]));
  const stems = new Map<string, number>();
  for (const [word, weight] of weights) stems.getOrInsert(stem(word), STEM_SHARE * weight);
  const canHold = termPrefilter([...keywords, ...stems.keys()]);
  const matchOf = (term: string): readonly Match[] => {
    // Stemming costs more than this look at the first characters.
    if (!canHold(term, 0, term.length)) return [];
    const stemmed = stem(term);
    const weight = weights.get(term) ?? (isStopWord(term) ? undefined : stems.get(stemmed));
    return weight === undefined ? [] : [{ stem: stemmed, weight }];
  };
  // Few identifiers contain a keyword, and most repeat, as do their terms.
  const ofTerms = new Map<string, readonly Match[]>();
  const ofIdentifiers = new Map<string, readonly Match[]>();
  const matchesIn = (identifier: string): readonly Match[] =>
    expandIdentifier(identifier).flatMap((term) => ofTerms.getOrInsertComputed(term, matchOf));
  return (line, own) => {
    if (!canHold(line, 0, Math.min(line.length, SCORED_CHARS_MAX))) return 0;
    const held = new Map<string, number>();
    for (const identifier of identifiersIn(line.slice(0, SCORED_CHARS_MAX)))
      for (const match of ofIdentifiers.getOrInsertComputed(identifier, matchesIn))
        held.set(match.stem, Math.max(match.weight, held.get(match.stem) ?? 0));
    let score = 0;
    for (const [word, weight] of held) score += own?.has(word) === true ? OWN_SHARE * weight : weight;
    return score;
  };
}

/** A word of a line that counts, by its stem. */
type Match = { readonly stem: string; readonly weight: number };

/** "returned" in a task says nothing about lines with `return`. */
const isStopWord = (term: string): boolean => STOP_WORDS.has(term) || CODE_STOP_WORDS.has(term);
