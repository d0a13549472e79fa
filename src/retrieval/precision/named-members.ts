/**
 * The members of a class that an exact task names, where the class is all that its file holds: "fix Child" is about its
 * methods, whatever they are called. "Fix Child.run" is about that method.
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isContainerKind, isFunctionKind } from "../../syntax/facts/facts.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";

type MemberInput = {
  /** The symbols that an exact task names. */
  readonly named: ReadonlySet<number>;
  readonly placed: readonly PlacedSymbol[];
  /** All symbols of the scoped files. */
  readonly symbols: readonly SymbolRow[];
};

/** The placed symbols with the members, in no particular order. */
export function withMembers({ named, placed, symbols }: MemberInput): readonly PlacedSymbol[] {
  const owners = soleContainers(named.difference(ownersAmong(named, symbols)), symbols);
  if (owners.size === 0) return placed;
  const isMember = ({ parentId, kind }: SymbolRow): boolean =>
    parentId !== null && owners.has(parentId) && isFunctionKind(kind);
  const known = new Map(placed.map((one) => [one.symbol.id, one]));
  const members = symbols.filter(isMember).map((symbol): PlacedSymbol => {
    const owner = owners.get(symbol.parentId ?? 0)?.qualifiedName ?? "";
    const before = known.get(symbol.id);
    const score = Math.max(before?.score ?? 0, RELEVANT_SHARE_MIN);
    const why = `a member of ${owner}, which the task names`;
    const fresh = { symbol, tier: "primary" as const, floor: false, why, usedBy: [] };
    return before?.tier === "primary" ? { ...before, isMember: true } : { ...fresh, score, isMember: true };
  });
  return [...placed.filter(({ symbol }) => !isMember(symbol)), ...members];
}

/**
 * The named symbols of which a member is named too: "fix Cart.add" names Cart only to say which `add` is meant. By their names,
 * since Go and C++ define members outside of the type.
 */
export function ownersAmong(named: ReadonlySet<number>, symbols: readonly SymbolRow[]): ReadonlySet<number> {
  const known = symbols.flatMap((symbol) => (named.has(symbol.id) ? [{ id: symbol.id, meant: meantBy(symbol) }] : []));
  const owners = known.filter(({ meant }) => known.some((other) => other.meant.startsWith(`${meant}.`)));
  return new Set(owners.map(({ id }) => id));
}

/** A constructor with the name of its type is named by it. */
const meantBy = ({ name, qualifiedName }: SymbolRow): string =>
  `.${qualifiedName}`.endsWith(`.${name}.${name}`) ? qualifiedName.slice(0, -name.length - 1) : qualifiedName;

/** The named classes, and what is like one, that have a file for themselves, by id. */
function soleContainers(named: ReadonlySet<number>, symbols: readonly SymbolRow[]): ReadonlyMap<number, SymbolRow> {
  const owners = symbols.filter(({ id, kind }) => named.has(id) && isContainerKind(kind));
  const files = new Set(owners.map(({ fileId }) => fileId));
  const others = symbols.filter(
    ({ fileId, parentId, kind }) =>
      files.has(fileId) && parentId === null && (isContainerKind(kind) || isFunctionKind(kind)),
  );
  const count = Map.groupBy(others, ({ fileId }) => fileId);
  return new Map(owners.filter(({ fileId }) => count.get(fileId)?.length === 1).map((owner) => [owner.id, owner]));
}
