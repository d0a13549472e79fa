/** Cuts a text that may be too long to show. */

/** The text itself, or its first characters and an ellipsis. What is left of a surrogate pair at the cut becomes U+FFFD. */
export const truncated = (text: string, charsMax: number): string =>
  text.length > charsMax ? `${text.slice(0, charsMax).toWellFormed()}…` : text;
