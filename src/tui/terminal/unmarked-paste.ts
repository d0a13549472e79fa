/**
 * Tells a paste of several lines from keys where the terminal does not mark it, as the Linux console does not: its text arrives as if
 * it were typed, and each line end in it would be an enter.
 */

/** The length of a line after a line end that nobody types ahead of an answer. */
const LINE_MIN = 5;
/** What arrives sooner after a part of a paste is its rest: the terminal sends the text in parts. */
const REST_MS = 100;

/** Returns a function that is called with each input that is text or enter, and says whether it is pasted. */
export function unmarkedPastes(nowMs: () => number): (input: string) => boolean {
  let restUntil = Number.NEGATIVE_INFINITY;
  return (input) => {
    const now = nowMs();
    const [, ...further] = input.split(/[\r\n]/);
    const isPaste = now < restUntil || further.some((line) => line.length >= LINE_MIN);
    if (isPaste) restUntil = now + REST_MS;
    return isPaste;
  };
}
