/**
 * Finds the names of symbols in a word: CamelCase, snake_case, dotted and `::` names, calls.
 *
 * Judges by spelling and context alone. Plain English, products ("GitHub") and builtins are left out. A dotted name is one
 * name, without the `self` or `this` before it.
 */
import { IDENTIFIER, NAME_SEPARATOR } from "../../text/terms/identifiers.ts";
import { CODE_STOP_WORDS, STOP_WORDS } from "../../text/terms/stop-words.ts";
import { endsLikeFile, type WordContext } from "./file-names.ts";
import {
  BUILTIN_CALLS,
  BUILTIN_ERRORS,
  BUILTIN_OWNERS,
  ERROR_NUMBERS,
  HOST_ENDINGS,
  LITERALS,
  PRODUCTS,
  RECEIVERS,
} from "./name-tables.ts";

/** A name as written, and the part of it that can be a module: all of it, the part before a `#`, or none. */
type SymbolName = { readonly text: string; readonly module: string | null };

const NAME_CHARS_MAX = 120;
const NAMES = new RegExp(`${IDENTIFIER}(?:(?:${NAME_SEPARATOR.source})${IDENTIFIER})*`, "gu");
/** A name in a namespace of PHP. Windows has small letters or a drive in most of its paths, and strings have them behind a backslash. */
const NAMESPACED = /^\\?[A-Z]\w+(?:\\[A-Z]\w+)+(?:::\$?\w+|\\[a-z]\w+)?$/;
/** The Rust compiler adds a hash to the names in a stack trace. */
const RUST_HASH = /::h[0-9a-f]{16}$/;
const SHOUTED_PLURAL = /^[A-Z]{2,}s$/;
const INNER_CAPITAL = /[\p{Ll}0-9]\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const INNER_UNDERSCORE = /[\p{L}\p{N}_]_[\p{L}\p{N}_]|^_+\p{L}/u;

/** Whether an identifier is spelt like code: an inner capital or an underscore. */
export const isSpeltLikeCode = (name: string): boolean =>
  (INNER_CAPITAL.test(name) && !SHOUTED_PLURAL.test(name)) || INNER_UNDERSCORE.test(name);

/** Whether a word with backslashes is a name and no path. */
export const isNamespaced = (word: string): boolean => NAMESPACED.test(word);

/** The names of symbols in a word, in order. `word` has no punctuation around it. */
export function symbolsIn(word: string, context: WordContext): readonly SymbolName[] {
  const found: SymbolName[] = [];
  for (const match of word.matchAll(NAMES)) {
    const text = match[0];
    if (text.length > NAME_CHARS_MAX) continue;
    const last = match.index + text.length === word.length;
    const here = { ...context, called: context.called && last, alone: context.alone && text.length === word.length };
    const name = NAME_SEPARATOR.test(text) ? compoundName(text, here) : simpleName(text, here);
    if (name !== null) found.push(name);
  }
  return found;
}

function simpleName(text: string, context: WordContext): SymbolName | null {
  const name = text.replace(/^\$+/, "");
  const lower = name.toLowerCase();
  if (name.length < 2 || LITERALS.has(lower) || BUILTIN_ERRORS.has(name) || ERROR_NUMBERS.has(name)) return null;
  if (context.alone) return { text: name, module: null };
  // A line of underscores is a rule.
  if (isEmphasis(name) || !/[^_$]/.test(name)) return null;
  if (isSpeltLikeCode(name)) return PRODUCTS.has(lower) ? null : { text: name, module: null };
  if (!context.called || CODE_STOP_WORDS.has(lower) || BUILTIN_CALLS.has(lower)) return null;
  if (!context.asCode && STOP_WORDS.has(lower)) return null;
  return { text: name, module: null };
}

/** `_word_` and `__Word__` are Markdown's emphasis; `__init__` is a name. */
const isEmphasis = (name: string): boolean => /^_[^_]+_$/.test(name) || /^__[A-Z]\w*__$/.test(name);

function compoundName(text: string, context: WordContext): SymbolName | null {
  const own = text
    .replace(/^(?:self|this|cls|super)(?:\.|::)/, "")
    .replace(/^\$+/, "")
    .replace(RUST_HASH, "");
  const parts = own.split(NAME_SEPARATOR);
  const first = parts[0] ?? "";
  if (parts.length === 1) return simpleName(own, { ...context, called: true });
  if (parts.every((part) => part.length === 1) || /^v\d+$/.test(first)) return null;
  if (!context.asCode && isProse(own, parts)) return null;
  if (context.asCode && !context.alone && BUILTIN_OWNERS.has(first)) return null;
  if ((!context.called && endsLikeFile(own)) || BUILTIN_ERRORS.has(parts.at(-1) ?? "")) return null;
  return { text: own, module: RECEIVERS.has(text.split(".")[0] ?? "") ? null : moduleIn(own, context.called) };
}

/** A call of two parts is a method, and a constant (`Code.TIMEOUT`) a member: neither names a module. */
function moduleIn(name: string, called: boolean): string | null {
  const module = name.replace(/#.*/, "");
  const parts = module.split(NAME_SEPARATOR);
  const isConstant = /^[A-Z][A-Z\d_]+$/.test(parts.at(-1) ?? "");
  return parts.length < (called || isConstant ? 3 : 2) ? null : module;
}

/** Host names, products, and sentences without the blank between them ("works.The"). */
function isProse(name: string, parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? "";
  if (HOST_ENDINGS.has(last.toLowerCase()) || PRODUCTS.has(name.toLowerCase())) return true;
  return parts.some((part, at) => at > 0 && /^[A-Z]/.test(part) && STOP_WORDS.has(part.toLowerCase()));
}
