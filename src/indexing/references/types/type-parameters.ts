/**
 * What a type parameter must be, read from the signature that declares it: `<T extends Cart & Open>`, `where T: Cart`, `[T <: Cart]`.
 *
 * A value of such a type has the members of its bounds. A bound may be a parameter too, so parameters may be bounds of each other.
 */
import type { NameRules } from "../../../languages/name-rules.ts";
import { distinct } from "../confidence.ts";
import { typeName } from "../declarations/declared-types.ts";
import { type FileSymbols, type SymbolRef, scopeAround } from "../declarations/file-symbols.ts";
import { indexOfWord, upToComma } from "../declarations/signature-text.ts";

/** What stands between a parameter and its bound, by what opens the list. In Scala a colon asks for an instance of a type class. */
const SIGNS: Readonly<Record<"<" | "[" | "where", RegExp>> = {
  "<": /^\s*(?:extends\s|:(?!:))/,
  "[": /^\s*<:/,
  where: /^\s*:(?!:)/,
};
/** Go has no sign. */
const GO_SIGN = /^\s+(?=[\p{L}_*])/u;
const VARIANCE = /(?:\b(?:in|out|reified)|[+-])$/;
/** Type parameters that are looked at for the bounds of one. */
const PARAMETERS_MAX = 32;

/** `around`: the symbol that declares the parameter. */
type Bounds = { readonly around: number | null; readonly bounds: readonly string[] };
const UNBOUND: Bounds = { around: null, bounds: [] };

/** Finds the types that a name refers to, seen from a symbol of a file. */
export type FindTypes<Found> = (file: FileSymbols, scope: number | null, name: string, depth: number) => Found;

/**
 * Finds the types of the bounds of a type parameter, and caches them. `declared` gives null for a name that refers to nothing. A question
 * for a parameter that is being looked at gets none, so cycles end. The depth is that of the first question.
 */
export function boundTable(declared: FindTypes<readonly SymbolRef[] | null>): FindTypes<readonly SymbolRef[]> {
  const cached = new Map<FileSymbols, Map<string, readonly SymbolRef[]>>();
  return (file, scope, name, depth) => {
    const known = cached.getOrInsertComputed(file, () => new Map<string, readonly SymbolRef[]>());
    const key = keyOf(scope, name);
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    known.set(key, []);
    const types: SymbolRef[] = [];
    const parameters = new Map([[key, { scope, name }]]);
    // The loop also sees the parameters that it adds.
    for (const parameter of parameters.values()) {
      const { around, bounds } = boundsAround(file, parameter.scope, parameter.name);
      for (const bound of bounds) {
        const found = declared(file, around, bound, depth + 1);
        if (found !== null) types.push(...found);
        else if (parameters.size < PARAMETERS_MAX) parameters.set(keyOf(around, bound), { scope: around, name: bound });
      }
    }
    const unique = distinct(types);
    known.set(key, unique);
    return unique;
  };
}

const keyOf = (scope: number | null, name: string): string => `${scope} ${name}`;

/** The names of the bounds of a type parameter of a symbol or of one around it, where types are declared. */
function boundsAround({ rules, facts }: FileSymbols, scope: number | null, name: string): Bounds {
  for (let around = rules.nominal ? scope : null; around !== null; around = scopeAround(facts, around)) {
    const bounds = boundsIn(facts.symbols[around]?.signature ?? "", name, rules);
    if (bounds.length > 0) return { around, bounds };
  }
  return UNBOUND;
}

/** By convention a letter. Many a list of parameters is in no signature. */
const LETTER = /^\p{Lu}\d?$/u;

/** Whether the name of a type is that of a parameter, whose values may have more members than its bounds. */
export const isTypeParameter = (file: FileSymbols, scope: number | null, name: string): boolean =>
  LETTER.test(name) || boundsAround(file, scope, name).bounds.length > 0;

/** The names of the bounds of a type parameter that a signature declares; none if it declares no such parameter. */
function boundsIn(signature: string, name: string, rules: NameRules): readonly string[] {
  for (let at = indexOfWord(signature, name); at >= 0; at = indexOfWord(signature, name, at + name.length)) {
    const list = listAround(signature, at);
    const rest = list === null ? "" : signature.slice(at + name.length);
    const isGo = rules.declares === "name type";
    const sign = list === null ? null : (isGo ? GO_SIGN : SIGNS[list]).exec(rest);
    if (sign === null || (isGo && list !== "[")) continue;
    const bounds = upToComma(rest.slice(sign[0].length)).split(/[&+]/);
    return bounds.map((bound) => typeName(bound.trim(), rules)).filter((bound) => bound !== null);
  }
  return [];
}

/** What opens the list that a parameter directly begins or continues; null if it does neither. */
function listAround(signature: string, at: number): keyof typeof SIGNS | null {
  const before = signature.slice(0, at).trimEnd().replace(VARIANCE, "").trimEnd();
  if (/\bwhere$/.test(before)) return "where";
  const last = before.at(-1);
  if (last === "<" || last === "[") return last;
  if (last !== ",") return null;
  let depth = 0;
  for (let back = before.length - 1; back >= 0; back -= 1) {
    const char = before.charAt(back);
    if (")]}".includes(char) || (char === ">" && !"-=".includes(before.charAt(back - 1)))) depth += 1;
    else if ("([{<".includes(char) && depth-- === 0) return char === "<" || char === "[" ? char : null;
  }
  return /\bwhere\b/.test(before) ? "where" : null;
}
