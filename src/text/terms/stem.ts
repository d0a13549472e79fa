/**
 * A light English stemmer for words in code and issues: removes plurals, then one verb or noun ending.
 *
 * It matches the words of a task with names in code ("validating", "validated", "validation" and `validate`), without
 * being linguistically right. Words of fewer than four letters, and words with a digit or `_`, are returned unchanged.
 */

/** Tried in this order; removes the first that leaves at least three characters with a vowel. */
const SUFFIXES = [
  "ization",
  "isation",
  "ation",
  "ition",
  "ating",
  "ated",
  "ator",
  "izer",
  "iser",
  "izing",
  "ized",
  "ment",
  "able",
  "ible",
  "ing",
  "ion",
  "ate",
  "ize",
  "ise",
  "ers",
  "ed",
  "er",
  "or",
  "ly",
] as const;

const LETTERS = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

/** The stem of a lower-case word. */
export function stem(word: string): string {
  if (word.length < 4 || !LETTERS.test(word)) return word;
  return tidyEnd(cutSuffix(cutPlural(word)));
}

/** Cuts further than the stem, which also joins "registered" with "register", and "applied" with "apply". */
export function root(word: string): string {
  const one = word.length < 4 || !LETTERS.test(word) ? word : cutPlural(word);
  return one.endsWith("ply") ? tidyEnd(one) : tidyEnd(cutSuffix(stem(word)));
}

function cutPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function cutSuffix(word: string): string {
  for (const suffix of SUFFIXES) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < 3 || !VOWEL.test(rest)) continue;
    // "running" -> "run", but "calling" -> "call", "passed" -> "pass"
    return rest.length > 3 && rest.at(-1) === rest.at(-2) && !"lsz".includes(rest.slice(-1)) ? rest.slice(0, -1) : rest;
  }
  return word;
}

function tidyEnd(word: string): string {
  const bare = word.endsWith("e") && word.length > 3 ? word.slice(0, -1) : word;
  return bare.endsWith("y") && bare.length > 3 ? `${bare.slice(0, -1)}i` : bare;
}
