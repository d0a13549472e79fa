/**
 * What takes secrets out of what leaves the program, as those see it who are handed one.
 *
 * Not here: doing it (`redact.ts`), which loads when an app or a suspicious text first needs it.
 */

export type Redactor = {
  /** The text with each secret replaced by a marker. */
  text(text: string): string;
  /** The same for every text in a value made of plain objects and lists. */
  value<T>(value: T): T;
};

/** Shows everything: for who allows it, and where nothing is shown. */
export const SHOWS_SECRETS: Redactor = { text: (text) => text, value: (value) => value };
