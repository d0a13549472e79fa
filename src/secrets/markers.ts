/**
 * Finds the literals of the rules in a text, as they are and in base64.
 *
 * Nearly every text that leaves is searched and holds none, so this is one pass over its characters. A second table knows the
 * first three of four characters exactly, and leaves one place in a thousand characters to compare.
 */
import { bitsAt } from "./base64.ts";
import {
  BASE64,
  EXACT_BITS,
  exactOf,
  isLower,
  literalOf,
  type MarkerTable,
  PLAIN,
  SHORT,
  SHORT_SLOTS,
  SLOTS,
  shortKey,
  slotOf,
  WINDOW,
} from "./marker-table.ts";
import type { Rule } from "./rule.ts";

/** The place of a rule's literal; or, without a rule, of the four letters that one in base64 begins in. */
export type Hit = { readonly at: number; readonly end: number; readonly rule: Rule | null };

type Literal = { readonly marker: string; readonly rule: Rule; readonly window: number };

/** Returns a search for the literals of these rules, which finds every one; the table was made of the same rules. */
export function markerSearch(rules: readonly Rule[], table: MarkerTable): (text: string) => readonly Hit[] {
  const uses = new Uint8Array(SLOTS);
  for (let row = 0; row < table.uses.length; row += 2) {
    const [slot, use] = [table.uses[row] ?? 0, table.uses[row + 1] ?? 0];
    const isShort = (use & SHORT) !== 0;
    for (let one = slot; one < slot + (isShort ? SHORT_SLOTS : 1); one += 1) uses[one] = (uses[one] ?? 0) | use;
  }
  const exact = new Uint8Array(1 << EXACT_BITS);
  for (const hash of table.exact) exact[hash] = 1;
  const encoded = new Int32Array(table.encoded);
  const literals = literalsBySlot(rules, table.literals);
  return (text) => {
    const places = placesOf(text, uses);
    if (places === NOWHERE) return NOTHING;
    const hits: Hit[] = [];
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index] ?? 0;
      if (place < 0 || exact[exactAt(text, place)] !== 1) continue;
      const slot = slotAt(text, place);
      const use = uses[slot] ?? 0;
      if ((use & PLAIN) !== 0) addHits(text, place, literals.get(slot), hits);
      if ((use & SHORT) !== 0) addHits(text, place, literals.get(shortKey(slot)), hits);
      const lettersBefore = (use & BASE64) === 0 ? -1 : lettersBeforeOf(encoded, bitsAt(text, place));
      if (lettersBefore >= 0) hits.push({ at: place - lettersBefore, end: place + WINDOW, rule: null });
    }
    return hits.length > 1 ? hits.sort((a, b) => a.at - b.at) : hits;
  };
}

/** What is listed after these bits, or -1. */
function lettersBeforeOf(encoded: Int32Array, bits: number): number {
  let [low, high] = [0, encoded.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((encoded[2 * middle] ?? 0) < bits) low = middle + 1;
    else high = middle;
  }
  return encoded[2 * low] === bits ? (encoded[2 * low + 1] ?? -1) : -1;
}

function literalsBySlot(rules: readonly Rule[], rows: MarkerTable["literals"]): ReadonlyMap<number, Literal[]> {
  const literals = new Map<number, Literal[]>();
  for (let row = 0; row < rows.length; row += 4) {
    const [slot = 0, ruleAt = 0, markerAt = 0, window = 0] = rows.slice(row, row + 4);
    const rule = rules[ruleAt];
    const marker = rule?.markers[markerAt];
    if (rule === undefined || marker === undefined) continue;
    const before = literals.get(slot);
    if (before === undefined) literals.set(slot, [{ marker, rule, window }]);
    else before.push({ marker, rule, window });
  }
  return literals;
}

function addHits(text: string, place: number, literals: readonly Literal[] = NO_LITERALS, hits: Hit[]): void {
  for (const { marker, rule, window } of literals) {
    const at = place - window;
    if (isAt(text, at, marker, rule.anyCase)) hits.push({ at, end: at + literalOf(marker).length, rule });
  }
}
const NO_LITERALS: readonly Literal[] = [];

/** Where four characters, or the last three, have a slot in use. Has nothing else in its loop, which all text goes through. */
function placesOf(text: string, uses: Uint8Array): readonly number[] {
  const units = lowBytesOf(text);
  let places = NOWHERE;
  let slot = 0;
  for (let at = 0; at <= text.length; at += 1) {
    slot = ((slot << 5) | ((units[at] ?? 0) & 31)) & (SLOTS - 1);
    if (uses[slot] !== 0) {
      if (places === NOWHERE) places = [];
      places.push(at - WINDOW + 1);
    }
  }
  return places;
}

let room = Buffer.alloc(1 << 12);

/** The low byte of each UTF-16 unit of a text and a 0, until the next one: reading units from a string takes several times as long. */
function lowBytesOf(text: string): Uint8Array {
  if (text.length >= room.length) room = Buffer.alloc(2 * text.length);
  room[room.write(text, "latin1")] = 0;
  return room;
}

const NOWHERE: number[] = [];
const NOTHING: readonly Hit[] = [];

const slotAt = (text: string, at: number): number =>
  slotOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3));
const exactAt = (text: string, at: number): number =>
  exactOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));

function isAt(text: string, at: number, marker: string, anyCase: boolean): boolean {
  if (at < 0) return false;
  for (let one = 0; one < marker.length; one += 1) {
    const unit = text.charCodeAt(at + one);
    const wanted = marker.charCodeAt(one);
    if (unit === wanted || (wanted === ANY && at + one < text.length)) continue;
    if (!(anyCase && isLower(wanted) && (unit | 0x20) === wanted)) return false;
  }
  return true;
}

const ANY = "?".charCodeAt(0);
