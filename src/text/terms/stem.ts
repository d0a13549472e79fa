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
/** Shorter words are their own stems. */
export const CUT_MIN = 4;

/** The stem of a lower-case word. */
export function stem(word: string): string {
  return cut(word, cutToStem);
}

/** Cuts further than the stem, which also joins "registered" with "register", and "applied" with "apply". */
export function root(word: string): string {
  return cut(word, (bytes, end) => {
    const one = cutPlural(bytes, end);
    return tidyEnd(bytes, endsWith(bytes, one, PLY) ? one : cutSuffix(bytes, tidyEnd(bytes, cutSuffix(bytes, one))));
  });
}

function cut(word: string, cutEnd: (bytes: Uint8Array, end: number) => number): string {
  if (word.length < CUT_MIN || !LETTERS.test(word)) return word;
  const bytes = Buffer.from(word, "latin1");
  return bytes.toString("latin1", 0, cutEnd(bytes, bytes.length));
}

/** Makes a word of at least `CUT_MIN` letters from a to z, which ends at `end`, its stem; returns where that ends. */
export function cutToStem(word: Uint8Array, end: number): number {
  return tidyEnd(word, cutSuffix(word, cutPlural(word, end)));
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
const byteOf = (letter: string): number => letter.charCodeAt(0);

const [E, I, S, Y] = [byteOf("e"), byteOf("i"), byteOf("s"), byteOf("y")];
const PLY = bytesOf("ply");
const IES = bytesOf("ies");
const LONG_PLURALS = ["sses", "shes", "ches", "xes", "zes"].map(bytesOf);
const NO_PLURALS = ["ss", "us", "is"].map(bytesOf);
/** The suffixes that end with a letter. */
const SUFFIXES_BY_END = Array.from({ length: 256 }, (_, byte) =>
  SUFFIXES.map(bytesOf).filter((suffix) => suffix.at(-1) === byte),
);
const IS_VOWEL = Uint8Array.from({ length: 256 }, (_, byte) => (/[aeiouy]/.test(String.fromCharCode(byte)) ? 1 : 0));

function endsWith(word: Uint8Array, end: number, suffix: Uint8Array): boolean {
  const from = end - suffix.length;
  if (from < 0) return false;
  for (let at = suffix.length - 1; at >= 0; at -= 1) if (word[from + at] !== suffix[at]) return false;
  return true;
}

function cutPlural(word: Uint8Array, end: number): number {
  if (word[end - 1] !== S) return end;
  if (endsWith(word, end, IES) && end > 4) {
    word[end - 3] = Y;
    return end - 2;
  }
  for (const plural of LONG_PLURALS) if (endsWith(word, end, plural)) return end - 2;
  for (const other of NO_PLURALS) if (endsWith(word, end, other)) return end;
  return end - 1;
}

function cutSuffix(word: Uint8Array, end: number): number {
  for (const suffix of SUFFIXES_BY_END[word[end - 1] ?? 0] ?? []) {
    const rest = end - suffix.length;
    if (rest < 3 || !endsWith(word, end, suffix) || !hasVowel(word, rest)) continue;
    const last = word[rest - 1] ?? 0;
    // "running" -> "run", but "calling" -> "call", "passed" -> "pass"
    return rest > 3 && last === word[rest - 2] && !STAYS_DOUBLE.has(last) ? rest - 1 : rest;
  }
  return end;
}

const STAYS_DOUBLE: ReadonlySet<number> = new Set(["l", "s", "z"].map(byteOf));

function hasVowel(word: Uint8Array, end: number): boolean {
  for (let at = 0; at < end; at += 1) if (IS_VOWEL[word[at] ?? 0] === 1) return true;
  return false;
}

function tidyEnd(word: Uint8Array, end: number): number {
  const bare = word[end - 1] === E && end > 3 ? end - 1 : end;
  if (word[bare - 1] === Y && bare > 3) word[bare - 1] = I;
  return bare;
}
