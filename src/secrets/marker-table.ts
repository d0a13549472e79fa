/**
 * The table by which the literals of rules are found, as plain data: the bundler makes it, since every process needs it and
 * making it takes longer than most searches.
 *
 * Four characters in a row select a slot by the lower five bits of each, which serve both cases of a letter.
 */
import { base64Forms, LETTERS, URL_LETTERS } from "./base64.ts";

export type MarkerTable = {
  /** Slots and what they are used for, in turn. All lists are flat: they load in a tenth of the time. */
  readonly uses: readonly number[];
  /** Hashes of the first three characters in a slot, whose bits all count. */
  readonly exact: readonly number[];
  /** In turn: the slot of a literal's rarest characters, its rule, which of the rule's markers it is, where in it they begin. */
  readonly literals: readonly number[];
  /** In turn: the bits of four letters, in ascending order, and how many letters of a literal in base64 are before them. */
  readonly encoded: readonly number[];
};

/** What a slot is used for: a literal; one of three characters, with any that follows; four letters of base64. */
export const PLAIN = 1;
export const SHORT = 2;
export const BASE64 = 4;

export const WINDOW = 4;
export const SLOTS = 1 << 18;
export const EXACT_BITS = 16;

/** The lower five bits of four characters, but for the first two of them. */
export const slotOf = (a: number, b: number, c: number, d: number): number =>
  (((a & 31) << 15) | ((b & 31) << 10) | ((c & 31) << 5) | (d & 31)) & (SLOTS - 1);

/** The slots of three characters follow each other: the first has 0 for the fourth character. */
export const SHORT_SLOTS = 32;
export const shortKey = (slot: number): number => SLOTS + (slot >> 5);

/** A hash of all bits of three characters. */
export const exactOf = (a: number, b: number, c: number): number =>
  Math.imul((a << 14) | (b << 7) | c, 0x9e3779b1) >>> (32 - EXACT_BITS);

export const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;

type Marked = { readonly markers: readonly string[]; readonly anyCase: boolean };

/** The table for the markers of these rules; `others` are found only in base64. */
export function markerTable(rules: readonly Marked[], others: readonly string[]): MarkerTable {
  const uses = new Map<number, number>();
  const exact = new Set<number>();
  const literals: number[] = [];
  const encoded = new Map<number, number>();
  const use = (slot: number, what: number): unknown => uses.set(slot, (uses.get(slot) ?? 0) | what);
  const addBase64 = (text: string): void =>
    base64Forms(text, (bits, lettersBefore) => {
      encoded.set(bits, lettersBefore);
      for (const letters of [LETTERS, URL_LETTERS]) {
        const [a = 0, b = 0, c = 0, d = 0] = [18, 12, 6, 0].map((shift) => letters.charCodeAt((bits >> shift) & 63));
        use(slotOf(a, b, c, d), BASE64);
        exact.add(exactOf(a, b, c));
      }
    });
  for (const [rule, { markers, anyCase }] of rules.entries())
    for (const [at, marker] of markers.entries()) {
      const text = literalOf(marker);
      const isShort = text.length < WINDOW;
      const window = rarestWindow(text);
      const [a = 0, b = 0, c = 0, d = 0] = Array.from(text.slice(window, window + WINDOW), (one) => one.charCodeAt(0));
      const slot = slotOf(a, b, c, d);
      use(slot, isShort ? SHORT : PLAIN);
      literals.push(isShort ? shortKey(slot) : slot, rule, at, window);
      for (const one of anyCase ? [a, upper(a)] : [a])
        for (const two of anyCase ? [b, upper(b)] : [b])
          for (const three of anyCase ? [c, upper(c)] : [c]) exact.add(exactOf(one, two, three));
      // In base64 the case of a letter matters.
      const spellings = anyCase ? [text, text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1)] : [text];
      spellings.forEach(addBase64);
    }
  others.forEach(addBase64);
  return {
    uses: [...uses].flat(),
    exact: [...exact],
    literals,
    encoded: [...encoded].sort(([a], [b]) => a - b).flat(),
  };
}

const upper = (unit: number): number => (isLower(unit) ? unit - 0x20 : unit);

/** A marker up to its first unknown character. */
export const literalOf = (marker: string): string => marker.replace(/\?.*/, "");

/** Where the four rarest characters of a literal are. */
function rarestWindow(text: string): number {
  let [best, most] = [0, 0];
  for (let from = 0; from + WINDOW <= text.length; from += 1) {
    let sum = 0;
    for (const letter of text.slice(from, from + WINDOW)) sum += rarity(letter);
    if (sum > most) {
      best = from;
      most = sum;
    }
  }
  return best;
}

/** The letters of English by frequency; what is no letter is rarer. */
const BY_FREQUENCY = "etaoinsrhldcumfpgwybvkxjqz";
function rarity(letter: string): number {
  const place = BY_FREQUENCY.indexOf(letter.toLowerCase());
  return place < 0 ? BY_FREQUENCY.length : place;
}
