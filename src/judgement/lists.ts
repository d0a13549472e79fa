/**
 * The form of an answer: lists of numbers, and sometimes words.
 *
 * The schema is sent to the server and validates the reply. It is lenient about entries and strict as a whole: numbers that
 * were not given, repeated ones and unknown keys are dropped, but every list must be there, and one that names only what was
 * not given (such as the numbers of the example) is no answer.
 */
import { z } from "zod";
import { PROPOSED_CHARS_MAX, PROPOSED_MAX } from "./judge.ts";

/** Numbers by list, and proposed words. */
export type Lists = Readonly<Record<string, readonly number[] | readonly string[]>>;

/** The key of the proposed words. */
export const WORDS = "words";

/** Tokens of an answer that lists everything: a number with its comma, and the words around. */
const NUMBER_TOKENS = 3;
const AROUND_TOKENS = 24;
const WORD_TOKENS = 6;

/** The most tokens that an answer may take. */
export const listsTokens = (count: number, lists: number, takesWords: boolean): number =>
  AROUND_TOKENS + NUMBER_TOKENS * count + 12 * lists + (takesWords ? WORD_TOKENS * PROPOSED_MAX : 0);

/** The schema of an answer about the numbers from 1 to `count`. Use `io: "input"` for JSON Schema. */
export function listsSchema(lists: readonly string[], count: number, takesWords: boolean): z.ZodType<Lists> {
  const numbers = z.preprocess(numbersIn(count), z.array(z.int().min(1).max(count)).max(count));
  const words = z.preprocess(usableWords, z.array(z.string().max(PROPOSED_CHARS_MAX)).max(PROPOSED_MAX));
  const shape: Record<string, z.ZodType<readonly number[] | readonly string[]>> = Object.fromEntries(
    lists.map((name) => [name, numbers]),
  );
  if (takesWords) shape[WORDS] = lists.length === 0 ? words : words.default([]);
  return z.object(shape);
}

/** How an answer looks, in one line. */
export const formOf = (lists: readonly string[], takesWords: boolean): string =>
  `{${[...lists.map((name) => `"${name}":[numbers]`), ...(takesWords ? [`"${WORDS}":["…"]`] : [])].join(",")}}`;

/** Returns what is no list, or a list without a single given number, unchanged, so that the schema reports it. */
const numbersIn =
  (count: number) =>
  (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const given = [...new Set(value.map(asNumber))].filter((number) => number >= 1 && number <= count);
    return given.length === 0 && value.length > 0 ? "none of the numbers" : given;
  };

/** Models write numbers as texts and in brackets. */
function asNumber(value: unknown): number {
  if (typeof value === "number") return Number.isInteger(value) ? value : 0;
  const digits = typeof value === "string" ? /^\[?(\d{1,4})\]?$/.exec(value.trim()) : null;
  return digits === null ? 0 : Number(digits[1]);
}

/** Single words of letters, digits and underscores; whatever else is there is dropped, so it never fails an answer. */
function usableWords(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const words = (Array.isArray(value) ? value : []).filter(
    (word): word is string => typeof word === "string" && WORD.test(word),
  );
  return [...new Set(words)].slice(0, PROPOSED_MAX);
}

const WORD = /^(?=.*\p{L})[\p{L}\p{M}\p{N}_]{2,40}$/u;
