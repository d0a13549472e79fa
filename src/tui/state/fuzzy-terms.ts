/**
 * Reads a query of fzf's search syntax.
 *
 * Held to the library by a property test. Letters are compared without their case, unless a term has a capital one.
 */

/** One term. `text` is as it is compared: in lower case, unless it is `caseful`. */
export type MatchTerm = {
  readonly kind: "fuzzy" | "exact" | "prefix" | "suffix" | "equal";
  readonly inverse: boolean;
  readonly caseful: boolean;
  readonly text: string;
};

/** Sets of terms: of each set one must hold. Null for a query that only the library reads: outside ASCII, or escaped. */
export function termsOf(query: string): readonly (readonly MatchTerm[])[] | null {
  if (!/^[\x20-\x7e]*$/.test(query) || query.includes("\\")) return null;
  const sets: MatchTerm[][] = [];
  // A bar joins the next term to the set before it; a word that is no term leaves that as it is.
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
  const caseful = lower !== word;
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
  return text === "" ? null : { kind, inverse, caseful, text };
}
