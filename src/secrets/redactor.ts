/**
 * What other parts know of secrets: the interface of a redactor, the match that a rule reports, and the marker that replaces it.
 *
 * The rules themselves load only when an app or a suspicious text first needs them.
 */

export type Redactor = {
  /** The version of its rules: a text without secrets by these rules stays so. Null if it has no rules. */
  readonly rules: string | null;
  /** The text with a marker in place of each secret. */
  text(text: string): string;
  /** The same for every text in a value made of plain objects and lists. */
  value<T>(value: T): T;
};

/** Redacts nothing: for users who allow secrets, and for text that is never shown. */
export const NO_REDACTION: Redactor = { rules: null, text: (text) => text, value: (value) => value };

/** A range of a text in UTF-16 units; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** One secret. `spans` are in order and not empty; text between them may be shown, such as line breaks. */
export type SecretMatch = { readonly kind: string; readonly spans: readonly [Span, ...Span[]] };

/** The text that replaces a secret: its kind, and nothing of its value. */
export const marker = (kind: string): string => `[redacted: ${kind}]`;

const MARKER = /\[redacted: ([A-Za-z0-9][A-Za-z0-9 -]{0,40})\]/g;

/** The kinds named by the markers in a text, with repetitions. */
export const markedKinds = (text: string): readonly string[] =>
  text.includes("[redacted: ") ? [...text.matchAll(MARKER)].map(([, kind = ""]) => kind) : [];
