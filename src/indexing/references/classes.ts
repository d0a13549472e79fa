/**
 * Types and their members: what a class holds, what stands outside of it and belongs to it, what it inherits,
 * and the types that signatures tell of values and results.
 *
 * A type can be in parts (`Groups.partsOf`), and have members that are defined elsewhere under its name
 * (`func (s *Server) Run()`, `void Foo::bar()`, extensions): those are found by what their owner means where they
 * stand. Bases and types of types are bounded, so that cycles end.
 */
import type { ReferenceFact, SymbolFact } from "../../syntax/facts/facts.ts";
import { CONFIDENCE, distinct, type Found, type Guess, isPlace, keptAnswers } from "./confidence.ts";
import { aliasedType, declaredType, returnType } from "./declared-types.ts";
import type { OutsideNames } from "./external-members.ts";
import {
  CLASS_KINDS,
  chosen,
  type FileSymbols,
  fits,
  listed,
  type Place,
  scopesOf,
  type Want,
} from "./file-symbols.ts";
import { ownerOf } from "./member-owners.ts";
import type { Groups } from "./visible-names.ts";
import { CANDIDATES_MAX } from "./visible-names.ts";

/** How many classes above a class are asked, and how many types lead to a type. */
const BASES_MAX = 32;
export const TYPES_MAX = 6;

/** Looks up a dotted name, as seen from a symbol of a file. */
export type Dotted = (
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
  want: Want,
  depth: number,
) => Found;

/** Types, and whether any is told, known or not. */
export type Told = { readonly types: readonly Place[]; readonly isTold: boolean };

const NO_PLACES: readonly Place[] = [];
const UNTOLD: Told = { types: NO_PLACES, isTold: false };

export type Classes = {
  /** A member of a type or of what stands above it. The type itself comes first, then its bases, breadth first. */
  inherited(start: readonly Place[], name: string, want: Want, skipOwn: boolean, depth: number): Guess | null;
  /** The type that a place in a file belongs to: the innermost around it, or the owner of a member outside of it. */
  enclosing(file: FileSymbols, scope: number | null): Place | null;
  /** The type that owns a symbol which stands outside of it, or null. */
  owner(file: FileSymbols, symbol: number): Place | null;
  /** What a signature says that a symbol is, or gives when it is called; `isTold` when it says anything. */
  typeOf(target: Place, depth: number): Told;
  /** The types that a name stands for. */
  classNamed(file: FileSymbols, scope: number | null, name: string, depth: number): readonly Place[];
};

export function classTable(outside: OutsideNames, groups: Groups, dotted: Dotted): Classes {
  const keptBases = keptAnswers<ReferenceFact | SymbolFact, readonly Place[]>(NO_PLACES);
  const keptTypes = keptAnswers<SymbolFact, Told>({ types: NO_PLACES, isTold: true });

  const keptOwners = new Map<FileSymbols, Map<string, Place | null>>();
  const owner = (file: FileSymbols, symbol: number): Place | null => {
    const fact = file.facts.symbols[symbol];
    const name = fact === undefined ? null : ownerOf(file.facts, fact);
    if (fact === undefined || name === null) return null;
    const owners = listed(keptOwners, file, () => new Map<string, Place | null>());
    const key = fact.parent === null ? name : `${fact.parent}\0${name}`;
    const known = owners.get(key);
    if (known !== undefined) return known;
    owners.set(key, null);
    const found = dotted(file, fact.parent, name.split("."), "type", 0);
    const [only, ...others] = found === null || found === "outside" ? [] : found.targets.filter(isPlace);
    const type = only === undefined || others.length > 0 ? null : only;
    owners.set(key, type);
    return type;
  };

  const keptOutside = new Map<string, readonly (Place & { readonly type: Place })[]>();
  /** Members of a name outside of their types, with those. */
  const membersOutside = (name: string): readonly (Place & { readonly type: Place })[] => {
    const known = keptOutside.get(name);
    if (known !== undefined) return known;
    keptOutside.set(name, []);
    const found = outside(name).flatMap((place) => {
      const type = owner(place.file, place.symbol);
      return type === null ? [] : [{ ...place, type }];
    });
    keptOutside.set(name, found);
    return found;
  };

  const outsideOf = (parts: readonly Place[], name: string): readonly Place[] => {
    const members = membersOutside(name);
    if (members.length === 0) return members;
    return parts.flatMap((part) =>
      members.filter(({ type }) => type.file === part.file && type.symbol === part.symbol),
    );
  };

  /** A member that any part of one type has, in it or outside of it. */
  const member = (place: Place, name: string, want: Want): readonly Place[] => {
    const { file } = place;
    const fact = file.facts.symbols[place.symbol];
    if (fact?.kind === "namespace" && file.rules.parts !== "none") {
      // A namespace can have very many parts; what stands in any of them is known by its path.
      const own = chosen(file, file.named(place.symbol, name), want);
      return own !== null ? [{ file, symbol: own }] : groups.around(file, `${fact.qualifiedName}.${name}`, want);
    }
    const parts = groups.partsOf(place);
    const far = outsideOf(parts, name);
    // A class in a header only declares what stands outside of it.
    if (far.length === 0 || file.rules.parts !== "included") {
      for (const part of parts) {
        const symbol = chosen(part.file, part.file.named(part.symbol, name), want);
        if (symbol !== null) return [{ file: part.file, symbol }];
      }
    }
    if (far.length === 0) return far;
    const seen = far.filter((other) => file.isTest || !other.file.isTest);
    const fitting = seen.filter((other) => fits(other.file, other.symbol, want));
    const candidates = [...new Map((fitting.length > 0 ? fitting : seen).map((other) => [other.file, other])).values()];
    return candidates.length > CANDIDATES_MAX ? [] : candidates;
  };

  const inherited = (
    start: readonly Place[],
    name: string,
    want: Want,
    skipOwn: boolean,
    depth: number,
  ): Guess | null => {
    let level = distinct(start);
    const seen: Place[] = [];
    for (let height = 0; level.length > 0; height++) {
      const above: Place[] = [];
      const found: Place[] = [];
      const asked: Place[] = [];
      for (const place of level) {
        const isSeen = seen.some(({ file, symbol }) => file === place.file && symbol === place.symbol);
        if (isSeen || seen.length >= BASES_MAX) continue;
        seen.push(place);
        asked.push(place);
        const own = height === 0 && skipOwn ? [] : member(place, name, want);
        // Several starts are candidates for one name; among bases the first that has it is meant.
        if (own.length > 0 && height > 0) return { targets: own, confidence: CONFIDENCE.inherited };
        found.push(...own);
      }
      if (found.length === 0) for (const place of asked) above.push(...basesOf(place, depth));
      if (found.length > 0) return { targets: distinct(found), confidence: CONFIDENCE.self };
      level = above;
    }
    return null;
  };

  const keptAbove = keptAnswers<SymbolFact, readonly Place[]>(NO_PLACES);
  /** The classes directly above a class; for a type alias, what it stands for. */
  const basesOf = (place: Place, depth: number): readonly Place[] => {
    const fact = place.file.facts.symbols[place.symbol];
    return fact === undefined ? [] : keptAbove(place.file, fact, () => findBases(place, depth));
  };

  const findBases = (place: Place, depth: number): readonly Place[] =>
    groups.partsOf(place).flatMap(({ file, symbol }) => {
      const fact = file.facts.symbols[symbol];
      const named = (file.bases.get(symbol) ?? []).flatMap((base) =>
        keptBases(file, base, () => findBase(file, symbol, base, depth)),
      );
      if (fact?.kind !== "type_alias" || !file.rules.nominal) return named;
      const name = aliasedType(fact.signature, fact.name, file.rules);
      const meant = name === null ? [] : keptBases(file, fact, () => classNamed(file, symbol, name, depth + 1));
      return [...named, ...meant];
    });

  /** The class that an `inherit` use of a class means. */
  const findBase = (file: FileSymbols, symbol: number, base: ReferenceFact, depth: number): readonly Place[] => {
    const outer = file.facts.symbols[symbol]?.parent ?? null;
    const path = base.qualifier === null ? [base.name] : [...base.qualifier.split("."), base.name];
    const found = dotted(file, outer, path, "type", depth + 1);
    if (found === null || found === "outside") return [];
    return found.targets.filter(isPlace).filter((target) => target.file !== file || target.symbol !== symbol);
  };

  const classNamed = (file: FileSymbols, scope: number | null, name: string, depth: number): readonly Place[] => {
    if (name === "Self" || name === "this" || (file.rules.nominal && file.scoping.selfNames.includes(name))) {
      const own = enclosing(file, scope);
      return own === null ? [] : [own];
    }
    const found = dotted(file, scope, name.split("."), "type", depth + 1);
    if (found === null || found === "outside") return [];
    return distinct(
      found.targets.flatMap((target): readonly Place[] => {
        if (!isPlace(target)) return [];
        const kind = target.file.facts.symbols[target.symbol]?.kind;
        const isType =
          kind !== undefined && (CLASS_KINDS.has(kind) || (kind === "type_alias" && target.file.rules.nominal));
        return isType ? [target] : typeOf(target, depth + 1).types;
      }),
    );
  };

  const typeOf = ({ file, symbol }: Place, depth: number): Told => {
    const fact = file.facts.symbols[symbol];
    if (fact === undefined || depth > TYPES_MAX) return UNTOLD;
    return keptTypes(file, fact, () => {
      const name = toldType(file, fact);
      return name === null ? UNTOLD : { types: classNamed(file, symbol, name, depth), isTold: true };
    });
  };

  const enclosing = (file: FileSymbols, scope: number | null): Place | null => {
    for (const symbol of scopesOf(file.facts, scope)) {
      const kind = file.facts.symbols[symbol]?.kind ?? "variable";
      if (CLASS_KINDS.has(kind) || (kind === "namespace" && file.rules.parts === "package")) return { file, symbol };
      const outer = owner(file, symbol);
      if (outer !== null) return outer;
    }
    return null;
  };

  return { inherited, enclosing, owner, typeOf, classNamed };
}

/** The name of the type that a symbol's signature tells, or null. */
function toldType({ rules }: FileSymbols, { kind, signature, name }: SymbolFact): string | null {
  const isCallable = kind === "function" || kind === "method";
  return isCallable ? returnType(signature, name, rules) : declaredType(signature, name, rules);
}
