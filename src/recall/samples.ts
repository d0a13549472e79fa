/**
 * Tells most texts apart by a few short samples of one, looked for in the other near where they would be.
 *
 * Each sample is 32 characters, so that one machine word holds a column of the search (G. Myers, 1999). Texts that are
 * alike to nine tenths have most of them, with an edit here and there; other texts have none. A text that is short has
 * no samples: comparing it whole costs as little.
 */

const SAMPLE = 32;
const SAMPLES = 4;
/** So many must be found, each with at most so many edits. */
const FOUND_MIN = 2;
const EDITS_MAX = 10;
/** Texts below this are compared whole. */
const LENGTH_MIN = 160;

/** Characters share places by their last bits, so that a table is small; that only makes texts more alike. */
const PLACES = 64;
const HIGHEST = 1 << (SAMPLE - 1);

/** Where each sample begins, and for each character the places in the sample that hold it, as bits. */
export type Samples = readonly { readonly start: number; readonly masks: Int32Array }[];

export function samplesOf(units: Uint16Array): Samples {
  if (units.length < LENGTH_MIN) return [];
  return Array.from({ length: SAMPLES }, (_, index) => {
    const start = Math.floor(((units.length - SAMPLE) * (2 * index + 1)) / (2 * SAMPLES));
    const masks = new Int32Array(PLACES);
    for (let at = 0; at < SAMPLE; at += 1) {
      const place = (units[start + at] ?? 0) % PLACES;
      masks[place] = (masks[place] ?? 0) | (1 << at);
    }
    return { start, masks };
  });
}

/** Whether enough samples of one text, of length `length`, are in another that is `apartMax` characters apart at most. */
export function seemsSame(samples: Samples, length: number, units: Uint16Array, apartMax: number): boolean {
  // What moves a place to one side must be made up for behind it, but for the difference in length.
  const shiftMax = (apartMax + Math.abs(length - units.length)) >> 1;
  let found = 0;
  for (const [index, { start, masks }] of samples.entries()) {
    const from = Math.max(0, start - shiftMax);
    const to = Math.min(units.length, start + SAMPLE + shiftMax);
    if (isIn(masks, units, from, to)) found += 1;
    if (found >= FOUND_MIN) return true;
    if (found + samples.length - 1 - index < FOUND_MIN) return false;
  }
  return true;
}

/** Whether a sample ends anywhere in a stretch with few enough edits. */
function isIn(masks: Int32Array, units: Uint16Array, from: number, to: number): boolean {
  let more = -1;
  let less = 0;
  let edits = SAMPLE;
  for (let at = from; at < to; at += 1) {
    const equal = masks[(units[at] ?? 0) & (PLACES - 1)] ?? 0;
    const vertical = equal | less;
    const horizontal = ((((equal & more) + more) | 0) ^ more) | equal;
    let up = less | ~(horizontal | more);
    let down = more & horizontal;
    if ((up & HIGHEST) !== 0) edits += 1;
    else if ((down & HIGHEST) !== 0) edits -= 1;
    if (edits <= EDITS_MAX) return true;
    up <<= 1;
    down <<= 1;
    more = down | ~(vertical | up);
    less = up & vertical;
  }
  return false;
}
