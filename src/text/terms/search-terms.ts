/** The terms by which a full-text table finds the texts that contain a name. */
import { expandIdentifier } from "./identifiers.ts";

/** Longer words are not in the table. */
const CHARS_MAX = 80;

const NAME = /^[#@~]?([A-Za-z_$][A-Za-z0-9_$]*)[?!=]?$/;

/** The term that every text with the name has; null if there is none. */
export function searchTerm(name: string): string | null {
  const word = NAME.exec(name)?.[1] ?? "";
  return word.length > CHARS_MAX ? null : (expandIdentifier(word)[0] ?? null);
}

/** The terms of the words in a file name. */
export const searchTerms = (name: string): readonly string[] => [
  ...new Set(name.split(/[^\p{L}\p{M}\p{N}_$]+/u).flatMap((word) => searchTerm(word) ?? [])),
];
