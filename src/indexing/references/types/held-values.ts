/**
 * Types that hold a value of another type, read from their text: what `?` gives of `Result<Cart, Error>` and `await` of `Task<Cart>`.
 *
 * A language names such types and what opens them (`NameRules.holders`). What is not listed is no way to the value.
 */
import type { Holder, NameRules } from "../../../languages/name-rules.ts";
import { declaredType, parameterType, returnType } from "../declarations/declared-types.ts";
import { CLASS_KINDS, type FileSymbols, type SymbolRef, scopesOf } from "../declarations/file-symbols.ts";

/** A type as it is written, and where its names are looked up. */
export type TypeText = { readonly file: FileSymbols; readonly scope: number | null; readonly type: string };

/** A holder that a type is, with the text of the type of its value. */
type Held = { readonly holder: Holder; readonly value: string };
const NONE: readonly Held[] = [];

/** Types within types that are looked into, such as `Arc` of `Arc<Mutex<Cart>>`. */
const WRAPPERS_MAX = 6;

/** What stands before the name of a type, besides the keywords that are its language's wrappers. */
const BEFORE_NAME = /^(?:[\s&*]|'\w+)*/;
const GENERIC = /^((?:[\p{L}_$][\p{L}\p{N}_$]*(?:::|\.))*)([\p{L}_$][\p{L}\p{N}_$]*)\s*([<[]?)/u;
const LIFETIME = /^\s*'\w+\s*$/;
/** `Future<Output = Cart>` */
const NAMED_ARGUMENT = /^\s*\w+\s*=(?!>)/;

/** The holders that a type is, also inside of wrappers: `Box<Option<Cart>>`. A pair is one for each of its values. */
function heldIn(text: string, rules: NameRules): readonly Held[] {
  let type = text;
  for (let count = 0; count < WRAPPERS_MAX && rules.holders.length > 0; count += 1) {
    type = type.slice(BEFORE_NAME.exec(type)?.[0].length ?? 0);
    const [all, , name = "", open] = GENERIC.exec(type) ?? [];
    if (all === undefined) return NONE;
    const isWrapper = rules.wrappers.has(name);
    if (open === "") {
      // A keyword: `mut Option<Cart>`
      if (!isWrapper) return NONE;
      type = type.slice(all.length);
      continue;
    }
    const values = typeArguments(type.slice(all.length), open === "[" ? "]" : ">");
    const [first] = values;
    if (first === undefined) return NONE;
    const holders = rules.holders.filter(({ types }) => types.has(name));
    if (holders.length > 0)
      return holders.map((holder) => ({ holder, value: holder.holds === "last" ? (values.at(-1) ?? first) : first }));
    if (!isWrapper) return NONE;
    type = first;
  }
  return NONE;
}

/** The type after a step from a holder: of its value, or the holder itself if the step keeps it; null if it is neither. */
export function afterStep(text: string, step: string, rules: NameRules): string | null {
  const held = heldIn(text, rules);
  const opened = held.find(({ holder }) => holder.opened.has(step));
  if (opened !== undefined) return opened.value;
  return held.some(({ holder }) => holder.kept.has(step)) ? text : null;
}

/** Whether a type holds a value. */
export const isHolder = (type: string, rules: NameRules): boolean => heldIn(type, rules).length > 0;

/** Whether a name may be a step from a holder of the language. */
export const isStep = (name: string, { holders }: NameRules): boolean =>
  holders.some(({ opened, kept }) => opened.has(name) || kept.has(name));

/** The arguments that begin a text, up to the bracket that closes them, without lifetimes unless there is nothing else; none if they do not end. */
function typeArguments(text: string, close: string): readonly string[] {
  const found: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const isArrow = char === ">" && "-=".includes(text[at - 1] ?? " ");
    const isEnd = char === close && !isArrow;
    if (depth === 0 && (char === "," || isEnd)) {
      const argument = text.slice(start, at);
      if (!LIFETIME.test(argument) || (isEnd && found.length === 0)) found.push(argument.replace(NAMED_ARGUMENT, ""));
      if (isEnd) return found;
      start = at + 1;
    } else if ("([{<".includes(char)) depth += 1;
    else if (")]}>".includes(char) && !isArrow) depth -= 1;
  }
  return [];
}

/** The type that a symbol declares for its value or result, if it is a holder; else null. */
export function holderOf({ file, symbol }: SymbolRef): string | null {
  const { rules, facts } = file;
  const fact = rules.holders.length === 0 ? undefined : facts.symbols[symbol];
  if (fact === undefined) return null;
  const { kind, signature, name } = fact;
  const isCallable = kind === "function" || kind === "method";
  const type = (isCallable ? returnType : declaredType)(signature, name, rules, asWritten);
  if (type === null) return null;
  const isAsync = isCallable && rules.asynchronous !== "" && /\basync\s+(?:unsafe\s+)?fn\b/.test(signature);
  const held = isAsync ? `${rules.asynchronous}<${type}>` : type;
  return isHolder(held, rules) ? held : null;
}

/** The type of a parameter of a function around, as it is written, and the function; null if there is no such parameter. */
export function parameterAround(file: FileSymbols, scope: number | null, name: string): TypeText | null {
  for (const symbol of scopesOf(file.facts, scope)) {
    const { signature = "", kind } = file.facts.symbols[symbol] ?? {};
    if (kind === undefined || CLASS_KINDS.has(kind)) continue;
    const type = parameterType(signature, name, file.rules, asWritten);
    if (type !== undefined) return type === null ? null : { file, scope: symbol, type };
  }
  return null;
}

const asWritten = (text: string): string => text;
