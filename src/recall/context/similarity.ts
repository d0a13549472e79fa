/**
 * Tells whether two texts are nearly the same: their longest common subsequence makes up at least nine tenths of both.
 *
 * The share is 2 × common / (length of one + length of the other), over lower-case characters with runs of white space as one
 * space. It is never below one minus the edit distance over the longer length; pairs at .7 or less by that measure reach .85
 * at most here.
 *
 * Cheap tests reject most pairs: lengths, character histograms, and `sketch.ts`. The rest takes the greedy search for the
 * shortest edit script (E. Myers, 1986), quadratic in the number of edits and bounded. All comparisons of one context share a
 * number of steps; once they are used up, only equal texts are the same.
 */
import { type Sketch, shareEnough, sketchOf } from "./sketch.ts";

/** From this share on, two texts are the same. */
const SAME_SHARE = 0.9;

/** The steps of all comparisons of one context: a tenth of a second, or one pair of 12,000 characters edited throughout. */
const STEPS_MAX = 3_000_000;

/** Slots of the character histogram, indexed by the last bits of a character. */
const SLOTS = 64;

/** A text prepared for many comparisons. */
export type Fingerprint = {
  readonly normal: string;
  readonly units: Uint16Array;
  readonly histogram: Uint32Array;
  readonly sketch: Sketch;
};

export function fingerprint(text: string): Fingerprint {
  const normal = text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  const units = new Uint16Array(normal.length);
  const histogram = new Uint32Array(SLOTS);
  for (let at = 0; at < normal.length; at += 1) {
    const unit = normal.charCodeAt(at);
    units[at] = unit;
    histogram[unit % SLOTS] = (histogram[unit % SLOTS] ?? 0) + 1;
  }
  return { normal, units, histogram, sketch: sketchOf(units) };
}

/** Returns a comparison whose calls share one number of steps. */
export function textComparer(): (a: Fingerprint, b: Fingerprint) => boolean {
  const steps = { left: STEPS_MAX };
  return (a, b) => {
    if (a.normal === b.normal) return true;
    const apartMax = Math.floor((1 - SAME_SHARE) * (a.units.length + b.units.length) + 1e-9);
    return (
      steps.left > 0 &&
      Math.abs(a.units.length - b.units.length) <= apartMax &&
      areNear(a.histogram, b.histogram, apartMax) &&
      shareEnough(a.sketch, b.sketch) &&
      areWithin(a.units, b.units, apartMax, steps)
    );
  };
}

/** Whether two histograms differ by at most `apartMax`. */
function areNear(a: Uint32Array, b: Uint32Array, apartMax: number): boolean {
  let apart = 0;
  for (let at = 0; at < a.length && apart <= apartMax; at += 1) apart += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return apart <= apartMax;
}

/** Whether at most `apartMax` insertions and deletions turn one text into the other; false when the steps run out. */
function areWithin(whole: Uint16Array, other: Uint16Array, apartMax: number, steps: { left: number }): boolean {
  const [a, b] = withoutEnds(whole, other);
  steps.left -= whole.length - a.length;
  const offset = apartMax + 1;
  // For each diagonal, how far along `a` an edit script of the current length reaches.
  const reach = new Int32Array(2 * offset + 1);
  for (let apart = 0; apart <= apartMax && steps.left > 0; apart += 1) {
    let taken = apart + 1;
    for (let diagonal = -apart; diagonal <= apart; diagonal += 2) {
      const above = reach[offset + diagonal + 1] ?? 0;
      const below = reach[offset + diagonal - 1] ?? 0;
      const start = diagonal === -apart || (diagonal !== apart && below < above) ? above : below + 1;
      let x = start;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[offset + diagonal] = x;
      taken += x - start;
      if (x >= a.length && x - diagonal >= b.length) return true;
    }
    steps.left -= taken;
  }
  return false;
}

/** Removes the common prefix and suffix, which no shortest edit script touches. */
function withoutEnds(a: Uint16Array, b: Uint16Array): readonly [Uint16Array, Uint16Array] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [a.subarray(start, a.length - end), b.subarray(start, b.length - end)];
}
