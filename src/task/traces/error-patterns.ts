/**
 * Finds the errors in a task: classes and numbers, error lines, quoted messages, trace lines.
 *
 * Patterns are in that order, without repeats, as written and cut if long. They serve for searching code, so a quotation
 * counts only if it can be a message: it contains a blank, or is long.
 */
import { ERROR_NUMBERS } from "../names/name-tables.ts";
import { type Section, type SectionKind, TASK_LIMITS } from "../query.ts";
import { isErrorTitle, isFrameLine } from "../sections/section-patterns.ts";

const CLASS = /(?:Error|Exception|Warning|Panic|Failure|Fault|Interrupt)$/;
const CODE = /^(?:ERR_[A-Z_\d]{2,60}|TS\d{4,5}|E\d{4})$/;
const NAMED = new Set(["StopIteration", "SystemExit", "GeneratorExit", "StopAsyncIteration"]);
const WORD = /[A-Za-z_][\w]*/g;

const MESSAGE_CHARS_MIN = 8;
const LONG_WORD = /^[\w.:-]{16,}$/;
const MESSAGE_CHARS_MAX = 200;
/** Sections in which quotes mark a quotation, not a string of code. */
export const QUOTED_KINDS: ReadonlySet<SectionKind> = new Set(["title", "prose", "inline", "error", "trace"]);

/** The error patterns of a task, at most `TASK_LIMITS.errorPatternsMax`. */
export function findErrorPatterns(sections: readonly Section[]): readonly string[] {
  const lines = sections.map(({ kind, text }) => ({ kind, text: text.slice(0, TASK_LIMITS.lineCharsMax) }));
  const telling = lines.filter(({ kind }) => kind !== "noise");
  const patterns = [
    ...telling.flatMap(({ text }) => errorNames(text)),
    ...telling.filter(statesError).map(({ text }) => text),
    ...telling.filter(({ kind }) => QUOTED_KINDS.has(kind)).flatMap(quotedMessages),
    ...telling.filter(({ kind, text }) => kind === "trace" && isFrameLine(text)).map(({ text }) => text),
  ];
  const trimmed = patterns.map((pattern) => pattern.trim().slice(0, TASK_LIMITS.errorPatternCharsMax).toWellFormed());
  return [...new Set(trimmed)].slice(0, TASK_LIMITS.errorPatternsMax);
}

const statesError = ({ kind, text }: Section): boolean => kind === "error" || (kind === "title" && isErrorTitle(text));

/** Names of error classes (`ValueError`) and numbers (`ENOENT`, `TS2345`) in a line. */
const errorNames = (line: string): readonly string[] =>
  (line.match(WORD) ?? []).filter(
    (word) =>
      word.length <= 120 &&
      (ERROR_NUMBERS.has(word) ||
        CODE.test(word) ||
        NAMED.has(word) ||
        (/^[A-Z]\w+[A-Z]/.test(word) && CLASS.test(word))),
  );

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
]);

/** The quotations of a line that can be messages. A quotation does not start after a letter, as an apostrophe does. */
function quotedMessages({ kind, text }: Section): readonly string[] {
  const found = kind === "inline" && isMessage(text.trim()) && isSentence(text) ? [text] : [];
  let at = 0;
  while (at < text.length) {
    const close = CLOSING.get(text.charAt(at));
    const end = close === undefined || /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? -1 : closingAt(text, close, at + 1);
    if (end < 0) {
      at++;
      continue;
    }
    const message = text.slice(at + 1, end);
    if (isMessage(message.trim())) found.push(message);
    at = end + 1;
  }
  return found;
}

/** The end of a quotation, or -1: the closing quote is not followed by a letter, and not too far away. */
function closingAt(text: string, close: string, from: number): number {
  for (let at = from; at < text.length && at - from <= MESSAGE_CHARS_MAX; at++) {
    if (text.charAt(at) === close && !/[\p{L}\p{N}]/u.test(text.charAt(at + 1))) return at;
  }
  return -1;
}

const isMessage = (text: string): boolean =>
  text.length <= MESSAGE_CHARS_MAX &&
  /\p{L}/u.test(text) &&
  (text.includes(" ") ? text.length >= MESSAGE_CHARS_MIN : LONG_WORD.test(text));

/** Text between backticks is code, unless it reads like a sentence. */
const isSentence = (text: string): boolean =>
  /\S \S+ \S/.test(text) && /^\p{L}/u.test(text) && !/[=;{}<>[\]|$"]/.test(text);
