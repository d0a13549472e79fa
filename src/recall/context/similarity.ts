/**
 * Whether two texts say the same: the part of both that their longest common subsequence makes up is at least nine tenths.
 *
 * That is 2 × common / (length of one + length of the other), over characters, in lower case, with runs of white space
 * as one space. It is never below one minus the edit distance over the longer length, so pairs that are alike to .9 by
 * that measure are alike here; and pairs that are alike to .7 at most by that measure reach .85 at most here.
 *
 * Most pairs are told apart without that search: by their lengths, by how often each character is in them, and by
 * `sketch.ts`. The rest is the greedy search for the shortest edit script (E. Myers, 1986), which ends where the script
 * would be too long. It takes time with the square of that, so all comparisons of one context share a number of steps:
 * when they are used up, only equal texts are one.
 */
import { type Sketch, shareEnough, sketchOf } from "./sketch.ts";

/** From this share on two texts are one. */
const SAME_SHARE = 0.9;

/** What comparing the texts of one context may take: a tenth of a second, or one pair of 12,000 characters that is edited all over. */
const STEPS_MAX = 3_000_000;

/** Places of the histogram over characters, which share them by their last bits. */
const PLACES = 64;

/** A text, ready to be compared many times. */
export type Fingerprint = {
  readonly normal: string;
  readonly units: Uint16Array;
  readonly histogram: Uint32Array;
  readonly sketch: Sketch;
};

export function fingerprint(text: string): Fingerprint {
  const normal = text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  const units = new Uint16Array(normal.length);
  const histogram = new Uint32Array(PLACES);
  for (let at = 0; at < normal.length; at += 1) {
    const unit = normal.charCodeAt(at);
    units[at] = unit;
    histogram[unit % PLACES] = (histogram[unit % PLACES] ?? 0) + 1;
  }
  return { normal, units, histogram, sketch: sketchOf(units) };
}

/** Compares texts; all comparisons share their steps. */
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

/** Whether two histograms differ in so many things at most. */
function areNear(a: Uint32Array, b: Uint32Array, apartMax: number): boolean {
  let apart = 0;
  for (let at = 0; at < a.length && apart <= apartMax; at += 1) apart += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return apart <= apartMax;
}

/** Whether so many insertions and deletions at most make one out of the other, as far as there are steps to find out. */
function areWithin(whole: Uint16Array, other: Uint16Array, apartMax: number, steps: { left: number }): boolean {
  const [a, b] = withoutEnds(whole, other);
  steps.left -= whole.length - a.length;
  const offset = apartMax + 1;
  // On each diagonal, how far along `a` a script of the present length gets.
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

/** Without what both begin and end with, which no shortest script touches. */
function withoutEnds(a: Uint16Array, b: Uint16Array): readonly [Uint16Array, Uint16Array] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [a.subarray(start, a.length - end), b.subarray(start, b.length - end)];
}
