/**
 * Tells whether a word names a file: a path, a glob, a file name, a folder.
 *
 * Judges by the word and its context, never by a repository. A slash is not enough ("and/or", "text/html"): it takes an
 * ending, a known first folder, a relative start, or backticks around it.
 */
import { STOP_WORDS } from "../../text/terms/stop-words.ts";
import { RANGE_SIGN } from "./lines-in-words.ts";
import {
  MEDIA_TYPES,
  MEMBER_ENDINGS,
  MEMBER_OWNERS,
  OPAQUE_ENDINGS,
  PRODUCTS,
  ROOT_FOLDERS,
  SOURCE_ENDINGS,
  TEXT_ENDINGS,
  WHOLE_FILE_NAMES,
} from "./name-tables.ts";

/** `alone`: the word is all there is between two backticks. `called`: a `(` follows it. */
export type WordContext = { readonly asCode: boolean; readonly alone: boolean; readonly called: boolean };

const LOCATION = new RegExp(String.raw`(?:(?::L?|#L)\d+(?::\d+)?(?:${RANGE_SIGN}L?\d+)?|:\d+:in|:\[\d+)$`);
const PATH_CHARS = /^(?:[A-Za-z]:)?[\p{L}\p{N}_@.,\-+~$[\](){}*!?^/\\]+$/u;
const GLOB_SIGN = /\*\*\/|\/\*|\*\.[A-Za-z{]/;
const DOTTED_FILE = /^\.[a-z][a-z\d]*(?:rc|ignore|attributes|config)(?:\.[a-z]+)?$/;

/** The file, folder or pattern that a word names, as written, or null. `word` has no punctuation around it. */
export function fileNamedBy(word: string, context: WordContext): string | null {
  const name = word.replace(LOCATION, "").replace(/^(?:file:\/\/(?:\/(?=[A-Za-z]:))?|\w+@(?=.*\/))/, "");
  if (!PATH_CHARS.test(name) || !/\p{L}/u.test(name)) return null;
  if (name.includes("*")) return isGlob(name) ? name : null;
  if (name.includes("/")) return isPath(name, context) ? name : null;
  if (name.includes("\\")) return hasEnding(name, SOURCE_ENDINGS, TEXT_ENDINGS) ? name : null;
  return isFileName(name, context) ? name : null;
}

/** Whether a word ends like a file of a kind that this project knows, text or not. */
export const endsLikeFile = (word: string): boolean =>
  hasEnding(word, SOURCE_ENDINGS, TEXT_ENDINGS, OPAQUE_ENDINGS) &&
  !MEMBER_ENDINGS.has(endingOf(word)) &&
  !MEMBER_OWNERS.has(stemOf(word).toLowerCase());

/** Whether a word is the ending of files alone (`.log`), and no member of something left out. */
export const isEnding = (word: string): boolean => /^\.[a-z]\w*$/.test(word) && endsLikeFile(word);

/** `tests/test_*.py` and `*.{ts,tsx}`, but not a comment, a pointer (`*http.Request`) or arithmetic. */
const isGlob = (name: string): boolean =>
  (GLOB_SIGN.test(name) || hasEnding(name, SOURCE_ENDINGS, TEXT_ENDINGS)) && !/^\/\*|\*\/$/.test(name);

function isPath(name: string, context: WordContext): boolean {
  const parts = name.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const first = (parts[0] ?? "").toLowerCase();
  if (name.includes("//") || parts.length === 0 || !parts.some((part) => /\p{L}/u.test(part))) return false;
  if (hasEnding(name, SOURCE_ENDINGS, TEXT_ENDINGS)) return true;
  if (context.called || MEDIA_TYPES.has(first)) return false;
  if (/^\.{1,2}\/|^~\//.test(name)) return true;
  if (name.startsWith("/")) return false;
  if (parts.length + (name.endsWith("/") ? 1 : 0) < 2) return false;
  if (ROOT_FOLDERS.has(first))
    return !parts.slice(1).some((part) => ROOT_FOLDERS.has(part.toLowerCase()) && !context.asCode);
  if (parts.some((part) => STOP_WORDS.has(part.toLowerCase()) || !/^[\p{L}_@.[]/u.test(part))) return false;
  if (!parts.some((part) => /\p{Ll}/u.test(part))) return false;
  return context.alone || (!context.asCode && (parts.length > 2 || name.includes("_")));
}

function isFileName(name: string, context: WordContext): boolean {
  if (WHOLE_FILE_NAMES.has(name) || DOTTED_FILE.test(name)) return true;
  const stem = stemOf(name);
  if (!/[\p{L}_]/u.test(stem) || context.called || MEMBER_ENDINGS.has(endingOf(name))) return false;
  if (!context.asCode && isProduct(name)) return false;
  if (SOURCE_ENDINGS.has(endingOf(name))) return stem.length > 1 || endingOf(name).length > 1;
  return TEXT_ENDINGS.has(endingOf(name)) && !MEMBER_OWNERS.has(stem.toLowerCase());
}

/** "Express.js" is a product, `express.js` a file; "node.js" is written either way. */
const isProduct = (name: string): boolean =>
  PRODUCTS.has(name.toLowerCase()) && (/^\p{Lu}/u.test(name) || name === "node.js");

const stemOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(".")));

const endingOf = (name: string): string => {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
};

const hasEnding = (name: string, ...tables: readonly { has(ending: string): boolean }[]): boolean =>
  tables.some((table) => table.has(endingOf(name)));
