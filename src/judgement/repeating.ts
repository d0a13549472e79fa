/** Recognizes a model that repeats itself: it would go on until its limit. */

/** The longest text that is repeated, in characters, and how often it must be. A short one is repeated for longer. */
const PERIOD_MAX = 120;
const TIMES_MIN = 5;
const CHARS_MIN = 60;

/** Whether the text ends with the same characters over and over. */
export function isRepeating(text: string): boolean {
  for (let period = 1; period <= PERIOD_MAX; period += 1) {
    const length = Math.max(CHARS_MIN, period * TIMES_MIN);
    if (length > text.length) return false;
    let at = text.length - 1;
    const start = text.length - length + period;
    while (at >= start && text[at] === text[at - period]) at -= 1;
    if (at < start) return true;
  }
  return false;
}
