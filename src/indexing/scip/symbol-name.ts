/**
 * Takes the name out of a SCIP symbol: of `scip-python python shop 1.0 cart/Cart#sum().` it is `sum`.
 *
 * The last descriptor holds it. Its suffix says what kind of thing it is, and names with other than plain characters stand between
 * backticks, where a backtick is written twice.
 */

/** `kind`: a type, a method, a term such as a constant or a field, or something that is no definition of a name. */
export type SymbolName = { readonly name: string; readonly kind: "type" | "method" | "term" | "other" };

const NOTHING: SymbolName = { name: "", kind: "other" };
const LAST = /(`(?:[^`]|``)+`|[^`/#.:!()[\]\s]+)(#|\.|\([^()]*\)\.)$/;

/** Local symbols have no name; neither has a file, a parameter or a type parameter. */
export function symbolName(symbol: string): SymbolName {
  if (isLocal(symbol)) return NOTHING;
  // A name is a small part of a long symbol, and the pattern may look at all that it is given.
  const [, quoted = "", suffix = ""] = LAST.exec(symbol.slice(-NAME_MAX)) ?? [];
  const name = quoted.startsWith("`") ? quoted.slice(1, -1).replaceAll("``", "`") : quoted;
  if (name === "") return NOTHING;
  return { name, kind: suffix === "#" ? "type" : suffix === "." ? "term" : "method" };
}

/** Local symbols mean the same only within one file. */
export const isLocal = (symbol: string): boolean => symbol.startsWith("local ");

/** Longer names are not read. */
const NAME_MAX = 1_000;

/** Names that indexers give to what has none of its own. The text there is something else. */
export const isInvented = (name: string): boolean => /^(?:<.*>|__init__|default|exports)$/.test(name);

/** Constructors; `new Cart()` refers to one where it means the class. */
export const isConstructor = (name: string): boolean => /^<(?:constructor|init)>$/.test(name);
