/**
 * What stands in place of a secret, and how to find it again in what is shown.
 */

/** Says that something was there, and of what kind; never anything of it. */
export const marker = (kind: string): string => `[redacted: ${kind}]`;

const MARKER = /\[redacted: ([A-Za-z0-9][A-Za-z0-9 -]{0,40})\]/g;

/** The kinds that markers in a text name, each as often as it is named. */
export const markedKinds = (text: string): readonly string[] =>
  text.includes("[redacted: ") ? [...text.matchAll(MARKER)].map(([, kind = ""]) => kind) : [];
