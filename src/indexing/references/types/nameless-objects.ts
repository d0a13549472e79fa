/**
 * Members of nameless objects of Kotlin and Scala, used inside them: `object : Table("cart") { val id = integer("id") }`, `val cart = new
 * Cart { open() }`. Such an object is no symbol, so what it extends is known from the function or value around it.
 */

import { type Candidates, CONFIDENCE, isSymbol, weaker } from "../confidence.ts";
import { CLASS_KINDS, type FileSymbols, type Role, type SymbolRef, scopesOf } from "../declarations/file-symbols.ts";
import { type Classes, TYPES_MAX } from "./classes.ts";
import type { ResolvePath } from "./resolve-path.ts";

/** A value of Scala that is made of a class. */
const MADE = /=\s*new\s/;

/** The member that an unqualified name means in a nameless object; null if there is none. */
export function memberOfNameless(
  resolvePath: ResolvePath,
  classes: Classes,
  file: FileSymbols,
  scope: number | null,
  name: string,
  role: Role,
): Candidates | null {
  if (file.family !== "jvm" || role !== "call") return null;
  for (const symbol of scopesOf(file.facts, scope)) {
    const fact = file.facts.symbols[symbol];
    if (fact === undefined || CLASS_KINDS.has(fact.kind)) return null;
    const types = file.rules.extensions === "imported" ? basesAt(resolvePath, file, symbol) : [];
    const made = types.length === 0 && MADE.test(fact.signature) ? classes.typeOf({ file, symbol }, 0).types : types;
    const member = made.length === 0 ? null : classes.inherited(made, name, role, false, 0);
    if (member !== null) return weaker(member, member.targets, CONFIDENCE.typed);
  }
  return null;
}

/** What the nameless objects in a function or value extend. */
const basesAt = (resolvePath: ResolvePath, file: FileSymbols, symbol: number): readonly SymbolRef[] =>
  (file.bases.get(symbol) ?? []).flatMap(({ name, qualifier }) => {
    const path = qualifier === null ? [name] : [...qualifier.split("."), name];
    const found = resolvePath(file, symbol, path, "type", TYPES_MAX - 1);
    return found === null || found === "external" ? [] : found.targets.filter(isSymbol);
  });
