/**
 * Tells which parts of paths and which lines can hold a term of a task, so that the words of all others need not be extracted.
 *
 * A word that is a term or has its stem begins with the term's first three characters, but for the ends of the shortest stems, and with all of
 * a longer term but its last character. The three are looked up first.
 */

/** Whether the characters of a text from `from` to `to` can hold a term; never false where they do. */
type TermPrefilter = (text: string, from: number, to: number) => boolean;

/** `terms` are words as they are in the task, and stems. */
export function termPrefilter(terms: readonly string[]): TermPrefilter {
  const beginnings = beginningsOf(terms);
  const longer = longerBeginnings(terms);
  const isKnown = (key: number): boolean => (((beginnings[key >>> 5] ?? 0) >>> (key & 31)) & 1) === 1;
  return (text, from, to) => {
    let before = OTHER;
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at);
      // Letters of other scripts are rare, and have rules of their own.
      if (code > LAST_ASCII) return true;
      const first = CLASSES[code] ?? OTHER;
      const goesOn = code >= LOWER_A ? isLetter(before) : isDigit(first) && isDigit(before);
      before = first;
      if (first === OTHER || goesOn) continue;
      const next = at + 1 < to ? text.charCodeAt(at + 1) : 0;
      const last = at + 2 < to ? text.charCodeAt(at + 2) : 0;
      if (next > LAST_ASCII || last > LAST_ASCII) return true;
      const second = CLASSES[next] ?? OTHER;
      const third = CLASSES[last] ?? OTHER;
      const key = keyOf(first, second, third);
      if (isKnown(key) && goesOnAsAny(text, at, to, longer.get(key))) return true;
      // Any other third character may begin the next word.
      const isOneWord = last >= LOWER_A && isLetter(second);
      if (!isOneWord && third !== OTHER && isKnown(keyOf(first, second, OTHER))) return true;
    }
    return false;
  };
}

/** The first three characters of every word that can have one of these terms, one bit each. */
function beginningsOf(terms: readonly string[]): Int32Array {
  const bits = new Int32Array(1 << (3 * CLASS_BITS - 5));
  for (const term of terms) {
    const classes = [0, 1].map((at) => classOf(term, at));
    for (const third of thirdsOf(term)) {
      const key = keyOf(classes[0] ?? OTHER, classes[1] ?? OTHER, third);
      bits[key >>> 5] = (bits[key >>> 5] ?? 0) | (1 << (key & 31));
    }
  }
  return bits;
}

/**
 * By three characters: with what a word has to go on that begins with them and holds a term. There is no row for three characters that a
 * term of at most three characters or one beyond ASCII can begin with, because such a word may go on with anything.
 */
function longerBeginnings(terms: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const term of terms) {
    if (term.length <= 3) continue;
    found.getOrInsertComputed(keyOfTerm(term), () => []).push(term.slice(0, -1));
  }
  for (const term of terms)
    if (term.length <= 3 || !PLAIN.test(term)) {
      const [first = OTHER, second = OTHER] = [classOf(term, 0), classOf(term, 1)];
      for (const third of thirdsOf(term)) found.delete(keyOf(first, second, third));
    }
  return found;
}

const PLAIN = /^[a-z0-9_$]+$/;
const keyOfTerm = (term: string): number => keyOf(classOf(term, 0), classOf(term, 1), classOf(term, 2));

/** Whether a path goes on from `at` as one of these; true without any. A closure here would take memory for each character of a path. */
function goesOnAsAny(path: string, at: number, to: number, beginnings: readonly string[] | undefined): boolean {
  if (beginnings === undefined) return true;
  for (const beginning of beginnings) if (goesOnAs(path, at, to, beginning)) return true;
  return false;
}

/** Whether a path goes on from `at` as this beginning, which has no capitals, does. */
function goesOnAs(path: string, at: number, to: number, beginning: string): boolean {
  if (at + beginning.length > to) return false;
  // The first three are the same.
  for (let next = 3; next < beginning.length; next += 1) {
    const code = path.charCodeAt(at + next);
    // Another script has rules of its own.
    if (code > LAST_ASCII) return true;
    if (LOWER[code] !== beginning.charCodeAt(next)) return false;
  }
  return true;
}

/** "axes" has the stem "ax", "flies" has "fly". Longer stems are the beginning of a word, but for the last character. */
function thirdsOf(term: string): readonly number[] {
  if (term.length < 3) return [OTHER, classOf("e", 0)];
  return term.length === 3 && /[iy]$/.test(term) ? [classOf("i", 0), classOf("y", 0)] : [classOf(term, 2)];
}

const LAST_ASCII = 127;
const LOWER_A = "a".charCodeAt(0);

/** Classes of characters: letters without case, digits, and all others as one. */
const OTHER = 0;
const DIGITS_FROM = 27;
const CLASS_BITS = 6;
const CLASSES = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) => {
  const char = String.fromCharCode(code).toLowerCase();
  return /[a-z]/.test(char)
    ? char.charCodeAt(0) - LOWER_A + 1
    : /[0-9]/.test(char)
      ? DIGITS_FROM + Number(char)
      : OTHER;
});
const LOWER = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) =>
  String.fromCharCode(code).toLowerCase().charCodeAt(0),
);
const isLetter = (own: number): boolean => own !== OTHER && own < DIGITS_FROM;
const isDigit = (own: number): boolean => own >= DIGITS_FROM;
const classOf = (term: string, at: number): number => CLASSES[term.charCodeAt(at)] ?? OTHER;
const keyOf = (first: number, second: number, third: number): number =>
  (first << (2 * CLASS_BITS)) | (second << CLASS_BITS) | third;
