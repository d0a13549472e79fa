/** What a function gives whose own signature declares no result. */
import type { ImportFamily } from "../../../languages/language.ts";
import type { NameRules } from "../../../languages/name-rules.ts";
import type { OutlinedFacts, OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { returnType } from "./declared-types.ts";
import type { SymbolTable } from "./symbol-table.ts";

/** What Kotlin calls on an object to get the same object. */
const SAME: ReadonlySet<string> = new Set(["apply", "also"]);

/**
 * The functions that give the object whose members they are: `fun name(name: String) = apply { this.name = name }` of a builder in
 * Kotlin.
 */
export function givingThemselves({ references }: Pick<OutlinedFacts, "references">): ReadonlySet<number> {
  const begun = new Set<number>();
  const found = new Set<number>();
  for (const { symbol, kind, name, qualifier } of references) {
    if (symbol === null || kind !== "call" || begun.has(symbol)) continue;
    begun.add(symbol);
    if (qualifier === null && SAME.has(name)) found.add(symbol);
  }
  return found;
}

/**
 * The functions that make an object of the table whose members they are, by convention of Lua: `function Cart.new()` beside `function
 * Cart:open()`. A `new` of a table without methods makes something else.
 */
function makingThemselves({ symbols }: Pick<OutlinedFacts, "symbols">): ReadonlySet<number> {
  const tableOf = ({ qualifiedName }: OutlineSymbol): string =>
    qualifiedName.slice(0, qualifiedName.lastIndexOf(".") + 1);
  const isMaker = (symbol: OutlineSymbol): boolean => symbol.name === "new" && symbol.qualifiedName !== "new";
  const tables = new Set(symbols.filter((symbol) => symbol.kind === "method" && !isMaker(symbol)).map(tableOf));
  return new Set(symbols.flatMap((symbol, index) => (isMaker(symbol) && tables.has(tableOf(symbol)) ? [index] : [])));
}

const NONE: ReadonlySet<number> = new Set();

/** The functions of a file whose result is of the type that they are in, although no signature says it. Other files see that. */
export function givingOwnType(
  family: ImportFamily | null,
  { extensions }: Pick<NameRules, "extensions">,
  facts: Pick<OutlinedFacts, "references" | "symbols">,
): ReadonlySet<number> {
  if (family === "lua") return makingThemselves(facts);
  return extensions === "imported" ? givingThemselves(facts) : NONE;
}

/** The result that another function of the same name and place declares, or null. */
export function resultOfOverload(
  { facts, named, rules }: { readonly facts: OutlinedFacts; readonly named: SymbolTable; readonly rules: NameRules },
  { name, parent, kind }: OutlineSymbol,
): string | null {
  if (rules.extensions !== "imported" || (kind !== "method" && kind !== "function")) return null;
  for (const index of named(parent, name)) {
    const other = facts.symbols[index];
    const result = other?.kind === kind ? returnType(other.signature, name, rules) : null;
    if (result !== null) return result;
  }
  return null;
}
