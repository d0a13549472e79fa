/**
 * What a rule is: literals that every match holds, and the search for the secret around one of them.
 *
 * Only letters and digits are boundaries of a key, so that `KEY_AKIA…` and `ghp_…_old` hold one.
 */
import type { SecretMatch } from "./redactor.ts";

export type Rule = {
  readonly kind: string;
  /** Each begins with three characters or more, in lower case if `anyCase`. `?` stands for any character. */
  readonly markers: readonly string[];
  readonly anyCase: boolean;
  /** Whether no white space or quote is between the marker and the secret's end. */
  readonly isWord: boolean;
  /** The secret around the marker at `at`. */
  readonly find: (text: string, at: number) => SecretMatch["spans"] | null;
};

/** A rule that is one pattern, which matches from its marker on. */
export type PatternRule = Rule & { readonly source: string };

/** Whether a value can be a key rather than a placeholder. `text` and `at` are around it. */
export type Check = (value: string, text: string, at: number) => boolean;

type Pattern = Omit<PatternRule, "find" | "source"> & { readonly written: () => string; readonly isKey: Check };

/**
 * A pattern that matches from its marker on. It hides the group `secret`, or all; with a group `head` in a look-behind it
 * also hides what is before the marker.
 */
function patternRule({ kind, markers, anyCase, isWord, written, isKey }: Pattern): PatternRule {
  let pattern: RegExp | null = null;
  return {
    kind,
    markers,
    anyCase,
    isWord,
    get source() {
      return written();
    },
    find(text, at) {
      pattern ??= new RegExp(written(), anyCase ? "diy" : "dy");
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null) return null;
      const { head, secret } = match.indices?.groups ?? {};
      const [start] = head ?? secret ?? [match.index];
      const [, end] = secret ?? [0, match.index + match[0].length];
      return isKey(text.slice(start, end), text, at) ? [{ start, end }] : null;
    },
  };
}

/** A key that begins with one of these literals. */
export const token = (kind: string, prefixes: readonly string[], rest: string, isKey: Check = isVaried): PatternRule =>
  patternRule({
    kind,
    markers: prefixes,
    anyCase: false,
    isWord: true,
    // Put together when it is first needed: every process loads the rules.
    written: () =>
      `(?<![A-Za-z0-9])(?:${prefixes.map((prefix) => RegExp.escape(prefix.replace(/\?.*/, ""))).join("|")})${rest}(?![A-Za-z0-9])`,
    isKey,
  });

/** A pattern that matches from one of its markers on. */
export const shape = (kind: string, markers: readonly string[], source: string, isKey: Check = isVaried): PatternRule =>
  patternRule({ kind, markers, anyCase: false, isWord: true, written: () => source, isKey });

/** The same for markers in any case, which the secret follows at once. */
export const anyCaseShape = (kind: string, markers: readonly string[], source: string, isKey: Check): PatternRule =>
  patternRule({ kind, markers, anyCase: true, isWord: true, written: () => source, isKey });

/** The same where something may be between the marker and the secret. */
export const distantShape = (kind: string, markers: readonly string[], source: string, isKey: Check): PatternRule =>
  patternRule({ kind, markers, anyCase: true, isWord: false, written: () => source, isKey });

/** A value without a form of its own, assigned to a name with one of these words in it. */
export const named = (
  kind: string,
  words: readonly string[],
  value: string,
  isKey: Check,
  markers = words,
): PatternRule =>
  distantShape(
    kind,
    markers,
    `(?:${words.join("|")})[\\w .-]{0,40}?${ASSIGNED}(?<secret>${value})(?![A-Za-z0-9])`,
    isKey,
  );

/** Between a name and its value in code, settings, JSON, XML and prose. */
const ASSIGNED = "[\"'`\\])]{0,2}\\s{0,4}(?:[:?]{1,3}=|=>|->|\\|\\||[:=,(>|])\\s{0,4}[\"'`]{0,3}";

const VARIED_AMONG = 20;
const VARIED_MIN = 7;
/** Whether enough different characters are near the end, and it is no example of a documentation. */
export const isVaried = (value: string): boolean =>
  new Set(value.slice(-VARIED_AMONG)).size >= VARIED_MIN && !/EXAMPLE(?:KEY)?$/i.test(value);
