/**
 * Vectors of texts by their words, for comparing texts without a model.
 *
 * Terms are those of the index (`text/terms/identifiers.ts`), stemmed and hashed to a fixed number of dimensions with a sign each,
 * so that collisions cancel out on average. A term weighs 1 + ln(count), times ln(1 + texts / texts with the term); stop words
 * weigh a tenth. Vectors have length 1; a text without terms has the zero vector. The order of texts does not matter.
 */

import { termsIn } from "../text/terms/identifiers.ts";
import { stem } from "../text/terms/stem.ts";
import { STOP_WORDS } from "../text/terms/stop-words.ts";
import { termHash } from "../text/terms/term-hashes.ts";

const DIMENSIONS = 512;
/** Only the beginning of a text is read. */
const TEXT_CHARS_MAX = 20_000;
const STOP_WORD_WEIGHT = 0.1;

/** The distance (1 - cosine) of unrelated texts is about this, seldom less. */
export const TEXT_VECTORS_UNRELATED = 0.75;

/** Texts processed between two yields. */
const TEXTS_AT_ONCE = 25;

/** A vector for each text, in order. Yields regularly, so that the caller can stop. */
export function* textVectors(texts: readonly string[]): Generator<void, readonly Float32Array[]> {
  const counted: ReadonlyMap<string, number>[] = [];
  const textsWith = new Map<string, number>();
  for (const text of texts) {
    const counts = countsOf(text.slice(0, TEXT_CHARS_MAX));
    for (const term of counts.keys()) textsWith.set(term, (textsWith.get(term) ?? 0) + 1);
    if (counted.push(counts) % TEXTS_AT_ONCE === 0) yield;
  }
  const rarity = (term: string): number => Math.log(1 + texts.length / (textsWith.get(term) ?? 1));
  const vectors: Float32Array[] = [];
  for (const counts of counted) if (vectors.push(vectorOf(counts, rarity)) % TEXTS_AT_ONCE === 0) yield;
  return vectors;
}

/** The inner product, the cosine of unit vectors. Four sums, because each addition waits for the previous one. */
export function dot(a: Float32Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = a.length - (a.length % 4);
  for (let at = 0; at < whole; at += 4) {
    first += (a[at] ?? 0) * (b[at] ?? 0);
    second += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
    third += (a[at + 2] ?? 0) * (b[at + 2] ?? 0);
    fourth += (a[at + 3] ?? 0) * (b[at + 3] ?? 0);
  }
  for (let at = whole; at < a.length; at += 1) first += (a[at] ?? 0) * (b[at] ?? 0);
  return first + second + third + fourth;
}

/** The unit vector of the same direction; the zero vector stays zero. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((number) => number / length);
}

/** The weight of each term of a text, before its rarity. */
function countsOf(text: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const isStopWord = new Map<string, boolean>();
  for (const term of termsIn(text)) {
    const stemmed = stem(term);
    times.set(stemmed, (times.get(stemmed) ?? 0) + 1);
    if (!isStopWord.has(stemmed)) isStopWord.set(stemmed, STOP_WORDS.has(term));
  }
  return new Map(
    [...times].map(([term, count]) => [
      term,
      (1 + Math.log(count)) * (isStopWord.get(term) === true ? STOP_WORD_WEIGHT : 1),
    ]),
  );
}

function vectorOf(counts: ReadonlyMap<string, number>, rarity: (term: string) => number): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [term, weight] of counts) {
    const hash = termHash(term);
    const index = hash % DIMENSIONS;
    const sign = (hash >>> 16) & 1 ? 1 : -1;
    vector[index] = (vector[index] ?? 0) + sign * weight * rarity(term);
  }
  return unit(vector);
}
