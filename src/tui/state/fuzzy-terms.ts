/**
 * Parses a query of fzf's search syntax; a property test compares the result with fzf.
 *
 * Case is ignored unless a term contains a capital letter.
 */

/** `text` is in lower case unless the term is `caseSensitive`. */
export type MatchTerm = {
  readonly kind: "fuzzy" | "exact" | "prefix" | "suffix" | "equal";
  readonly inverse: boolean;
  readonly caseSensitive: boolean;
  readonly text: string;
};

/** Sets of alternatives: one of each set must match. Null for a query that only fzf parses: non-ASCII or escaped. */
export function termsOf(query: string): readonly (readonly MatchTerm[])[] | null {
  if (!/^[\x20-\x7e]*$/.test(query) || query.includes("\\")) return null;
  const sets: MatchTerm[][] = [];
  // A bar adds the next term to the previous set; an empty term does not change that.
  let opens = true;
  let afterBar = false;
  for (const word of query.split(" ").filter((part) => part !== "")) {
    const last = sets.at(-1);
    if (word === "|" && last !== undefined && !afterBar) {
      opens = false;
      afterBar = true;
      continue;
    }
    afterBar = false;
    const term = termOf(word);
    if (term === null) continue;
    if (opens || last === undefined) sets.push([term]);
    else last.push(term);
    opens = true;
  }
  return sets;
}

function termOf(word: string): MatchTerm | null {
  const lower = word.toLowerCase();
  const caseSensitive = lower !== word;
  let text = word;
  const inverse = text.startsWith("!");
  let kind: MatchTerm["kind"] = inverse ? "exact" : "fuzzy";
  if (inverse) text = text.slice(1);
  if (text !== "$" && text.endsWith("$")) {
    kind = "suffix";
    text = text.slice(0, -1);
  }
  if (text.startsWith("'")) {
    kind = inverse ? "fuzzy" : "exact";
    text = text.slice(1);
  } else if (text.startsWith("^")) {
    kind = kind === "suffix" ? "equal" : "prefix";
    text = text.slice(1);
  }
  return text === "" ? null : { kind, inverse, caseSensitive, text };
}
