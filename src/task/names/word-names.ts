/**
 * Finds the names of files and symbols in one word of a task.
 *
 * Takes the punctuation of sentences and Markdown's marks off a word, then asks `file-names.ts` and `symbol-names.ts`.
 */
import { fileNamedBy, isEnding, type WordContext } from "./file-names.ts";
import { SOURCE_ENDINGS } from "./name-tables.ts";
import { isNamespaced, isSpeltLikeCode, symbolsIn } from "./symbol-names.ts";
import { type Word, wordsIn } from "./words.ts";

/** `files` are names as written; a dotted name that can be a module is in both lists. */
type WordNames = { readonly files: readonly string[]; readonly symbols: readonly string[] };

const EDGE_BEFORE = /^[[\]!&%+:#?^~]+/;
const EDGE_AFTER = /(?<![.,:!?\]}~^])[.,:!?\]}~^]+$/;
/** Brackets that belong to a path (`[slug].ts`, `[id]/page.tsx`), not around a link. */
const BRACKETED = /^\[{1,2}[\w.-]{1,80}\]{1,2}[/._-]*\w/;
/** Neither a plural ("file(s)") nor where a compiler found something (`a.ts(12,3): error`). */
const CALL = /^\((?!e?s\)|\d{1,9}(?:,\d{1,9})?\)\s?:)/;
/** The kind of a change and its area, as commits begin and lists of them have it in each entry: `test(events): cover close`. */
const CHANGE_KIND = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|tests?)\([\w@$.,/ -]{1,60}\)!?:\s/;
const ENTRY_START = /^[\s>]*(?:[*+-]\s+|\d{1,3}[.)]\s+)?["'`]?$/;
const CALL_CHARS_MAX = 80;
/** A definition or heading in a file: `tests/test_auth.py::TestLogin::test_ok` of a test runner, `src/cart.ts:total`, `setup.md#windows`. */
const IN_FILE = /^([\w./\\@+~$[\]-]{1,200}\.(\w{1,7}))(?:(::)|[:#])(?!L\d)([\p{L}_$][\w:$-]{0,120})/u;
/** What compilers write behind a path. */
const NO_MEMBERS: ReadonlySet<string> = new Set(["error", "warning", "note", "in"]);

/** Elixir and Erlang write the number of parameters behind a function: `Shop.Cart.add/2`, `add_item!/1`. */
const WITH_ARITY = /^((?:\w{1,80}\.){0,20}[\p{L}_]\w{0,80})[?!]?\/\d{1,2}$/u;

/** The context of a word of `text`. `alone`: the word is all of the text, between backticks. */
export function contextOf(word: Word, text: string, { asCode, alone }: Omit<WordContext, "called">): WordContext {
  const end = word.at + word.text.length;
  return { asCode, alone, called: /[\p{L}\p{M}\p{N}_$]$/u.test(word.text) && isCalled(text, word.at, end) };
}

/** Whether what is between two places of a text is called there. */
export function isCalled(text: string, start: number, end: number): boolean {
  if (text[end] !== "(" || !CALL.test(text.slice(end, end + 24))) return false;
  return !(CHANGE_KIND.test(text.slice(start, end + CALL_CHARS_MAX)) && ENTRY_START.test(text.slice(0, start)));
}

/** The names in a word. */
export function namesIn(word: string, context: WordContext): WordNames {
  const bare = withoutEdges(word);
  const inFile = placeInFile(bare, context);
  if (inFile !== null) return inFile;
  const file = fileNamedBy(bare, context);
  if (file !== null) return { files: [file], symbols: [] };
  const counted = WITH_ARITY.exec(bare)?.[1] ?? "";
  if (counted !== "" && (context.asCode || /^\p{Lu}\w*\./u.test(counted) || isSpeltLikeCode(counted)))
    return /^[A-Z\d]+$/.test(counted) ? NO_NAMES : symbolNames(counted, { ...context, alone: false, called: true });
  if ((/[/\\]/.test(bare) && !isNamespaced(bare)) || /\w@/.test(bare)) return NO_NAMES;
  if (isEnding(bare) && !context.called) return NO_NAMES;
  const isPerson = bare.startsWith("@") && !context.asCode && !context.called && !bare.includes(".");
  return isPerson ? NO_NAMES : symbolNames(bare, context);
}

function placeInFile(word: string, context: WordContext): WordNames | null {
  const [, path = "", ending = "", scope, member = ""] = IN_FILE.exec(word) ?? [];
  if (path === "" || fileNamedBy(path, { ...context, called: false }) === null) return null;
  const isMember = scope !== undefined || (SOURCE_ENDINGS.has(ending.toLowerCase()) && !NO_MEMBERS.has(member));
  return { files: [path], symbols: isMember ? [member] : [] };
}

const NO_NAMES: WordNames = { files: [], symbols: [] };

function symbolNames(word: string, context: WordContext): WordNames {
  const symbols = symbolsIn(word, context);
  return { files: symbols.flatMap(({ module }) => module ?? []), symbols: symbols.map(({ text }) => text) };
}

/** Whether a line contains a path, a name that is spelt like code or called, or anything between backticks. */
export function namesCode(line: string): boolean {
  if (/`[^`]+`/.test(line)) return true;
  return wordsIn(line).some((word) => {
    const { files, symbols } = namesIn(word.text, contextOf(word, line, { asCode: false, alone: false }));
    return files.length > 0 || symbols.length > 0;
  });
}

/** A word without the punctuation after it. */
export const withoutEnd = (word: string): string => word.replace(EDGE_AFTER, "");

/** Takes off the punctuation of a sentence, brackets and Markdown's emphasis, but no part of a path or glob. */
function withoutEdges(word: string): string {
  const bare = withoutStart(withoutEnd(word));
  const rest = word.slice(word.lastIndexOf(bare) + bare.length);
  const closed = isOpen(bare, "{", "}", rest) ? `${bare}}` : isOpen(bare, "[", "]", rest) ? `${bare}]` : bare;
  const plain = closed.startsWith("*") && closed.endsWith("*") ? closed.replace(/^\*+|\*+$/g, "") : closed;
  return withoutStart(plain).replace(/(?<=\.\w{1,7})\*\*$|(?<![.,:!?])[.,:!?]+$/, "");
}

const withoutStart = (word: string): string => (BRACKETED.test(word) ? word : word.replace(EDGE_BEFORE, ""));

/** Whether the last bracket of a word is open, and the removed text starts with its closing bracket. */
const isOpen = (word: string, open: string, close: string, rest: string): boolean =>
  rest.startsWith(close) && word.lastIndexOf(open) > word.lastIndexOf(close);
