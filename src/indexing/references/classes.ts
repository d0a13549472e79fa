/**
 * Types and their members: own, external (`func (s *Server) Run()`, `void Foo::bar()`, extensions) and inherited ones, and
 * the types that signatures declare for values and results.
 *
 * A type can have several parts (`VisibleNames.partsOf`). Bases and types of types are bounded, so that cycles end.
 */
import type { ReferenceFact, SymbolFact } from "../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, distinct, isSymbol, memoized, type Resolution } from "./confidence.ts";
import { aliasedType, declaredType, returnType } from "./declared-types.ts";
import type { ExternalMembers } from "./external-members.ts";
import {
  CLASS_KINDS,
  choose,
  type FileSymbols,
  fitsRole,
  type Role,
  type SymbolRef,
  scopesOf,
} from "./file-symbols.ts";
import { ownerOf } from "./member-owner.ts";
import type { VisibleNames } from "./visible-names.ts";
import { CANDIDATES_MAX } from "./visible-names.ts";

/** Limits on the classes searched above a class, and on the types between a symbol and its class. */
const BASES_MAX = 32;
export const TYPES_MAX = 6;

/** Resolves a dotted name, seen from a symbol of a file. */
export type ResolvePath = (
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
  role: Role,
  depth: number,
) => Resolution;

/** `isDeclared`: the signature declares a type, known or unknown. */
export type DeclaredTypes = { readonly types: readonly SymbolRef[]; readonly isDeclared: boolean };

const NO_REFS: readonly SymbolRef[] = [];
const UNDECLARED: DeclaredTypes = { types: NO_REFS, isDeclared: false };

export type Classes = {
  /** A member of a type or its bases: the type first, then its bases, breadth first. */
  inherited(start: readonly SymbolRef[], name: string, role: Role, skipOwn: boolean, depth: number): Candidates | null;
  /** The type around a symbol: the innermost one, or the owner of an external member. */
  enclosing(file: FileSymbols, scope: number | null): SymbolRef | null;
  /** The type that owns an external member, or null. */
  owner(file: FileSymbols, symbol: number): SymbolRef | null;
  /** The declared type of a value, or of the result of a call. */
  typeOf(target: SymbolRef, depth: number): DeclaredTypes;
  /** The types that a name refers to. */
  classNamed(file: FileSymbols, scope: number | null, name: string, depth: number): readonly SymbolRef[];
};

export function classTable(external: ExternalMembers, groups: VisibleNames, resolvePath: ResolvePath): Classes {
  const cachedBases = memoized<ReferenceFact | SymbolFact, readonly SymbolRef[]>(NO_REFS);
  const cachedTypes = memoized<SymbolFact, DeclaredTypes>({ types: NO_REFS, isDeclared: true });

  const cachedOwners = new Map<FileSymbols, Map<string, SymbolRef | null>>();
  const owner = (file: FileSymbols, symbol: number): SymbolRef | null => {
    const fact = file.facts.symbols[symbol];
    const name = fact === undefined ? null : ownerOf(file.facts, fact);
    if (fact === undefined || name === null) return null;
    const owners = cachedOwners.getOrInsertComputed(file, () => new Map<string, SymbolRef | null>());
    const key = fact.parent === null ? name : `${fact.parent}\0${name}`;
    const known = owners.get(key);
    if (known !== undefined) return known;
    owners.set(key, null);
    const found = resolvePath(file, fact.parent, name.split("."), "type", 0);
    const [only, ...others] = found === null || found === "external" ? [] : found.targets.filter(isSymbol);
    const type = only === undefined || others.length > 0 ? null : only;
    owners.set(key, type);
    return type;
  };

  const cachedExternal = new Map<string, readonly (SymbolRef & { readonly type: SymbolRef })[]>();
  /** External members of a name, each with its type. */
  const ownedMembers = (name: string): readonly (SymbolRef & { readonly type: SymbolRef })[] => {
    const known = cachedExternal.get(name);
    if (known !== undefined) return known;
    cachedExternal.set(name, []);
    const found = external(name).flatMap((ref) => {
      const type = owner(ref.file, ref.symbol);
      return type === null ? [] : [{ ...ref, type }];
    });
    cachedExternal.set(name, found);
    return found;
  };

  const externalMembersOf = (parts: readonly SymbolRef[], name: string): readonly SymbolRef[] => {
    const members = ownedMembers(name);
    if (members.length === 0) return members;
    return parts.flatMap((part) =>
      members.filter(({ type }) => type.file === part.file && type.symbol === part.symbol),
    );
  };

  /** A member of any part of a type, inside or external. */
  const member = (ref: SymbolRef, name: string, role: Role): readonly SymbolRef[] => {
    const { file } = ref;
    const fact = file.facts.symbols[ref.symbol];
    if (fact?.kind === "namespace" && file.rules.parts !== "none") {
      // A namespace can have very many parts, so its members are found by path.
      const own = choose(file, file.named(ref.symbol, name), role);
      return own !== null ? [{ file, symbol: own }] : groups.around(file, `${fact.qualifiedName}.${name}`, role);
    }
    const parts = groups.partsOf(ref);
    const far = externalMembersOf(parts, name);
    // A class in a header only declares its external members.
    if (far.length === 0 || file.rules.parts !== "included") {
      for (const part of parts) {
        const symbol = choose(part.file, part.file.named(part.symbol, name), role);
        if (symbol !== null) return [{ file: part.file, symbol }];
      }
    }
    if (far.length === 0) return far;
    const seen = far.filter((other) => file.isTest || !other.file.isTest);
    const fitting = seen.filter((other) => fitsRole(other.file, other.symbol, role));
    const candidates = [...new Map((fitting.length > 0 ? fitting : seen).map((other) => [other.file, other])).values()];
    return candidates.length > CANDIDATES_MAX ? [] : candidates;
  };

  const inherited = (
    start: readonly SymbolRef[],
    name: string,
    role: Role,
    skipOwn: boolean,
    depth: number,
  ): Candidates | null => {
    let level = distinct(start);
    const seen: SymbolRef[] = [];
    for (let height = 0; level.length > 0; height++) {
      const above: SymbolRef[] = [];
      const found: SymbolRef[] = [];
      const asked: SymbolRef[] = [];
      for (const ref of level) {
        const isVisibleTo = seen.some(({ file, symbol }) => file === ref.file && symbol === ref.symbol);
        if (isVisibleTo || seen.length >= BASES_MAX) continue;
        seen.push(ref);
        asked.push(ref);
        const own = height === 0 && skipOwn ? [] : member(ref, name, role);
        // All starts are candidates; among bases the first match wins.
        if (own.length > 0 && height > 0) return { targets: own, confidence: CONFIDENCE.inherited };
        found.push(...own);
      }
      if (found.length === 0) for (const ref of asked) above.push(...basesOf(ref, depth));
      if (found.length > 0) return { targets: distinct(found), confidence: CONFIDENCE.self };
      level = above;
    }
    return null;
  };

  const cachedBasesOf = memoized<SymbolFact, readonly SymbolRef[]>(NO_REFS);
  /** The direct bases of a class; for a type alias, its target. */
  const basesOf = (ref: SymbolRef, depth: number): readonly SymbolRef[] => {
    const fact = ref.file.facts.symbols[ref.symbol];
    return fact === undefined ? [] : cachedBasesOf(ref.file, fact, () => findBases(ref, depth));
  };

  const findBases = (ref: SymbolRef, depth: number): readonly SymbolRef[] =>
    groups.partsOf(ref).flatMap(({ file, symbol }) => {
      const fact = file.facts.symbols[symbol];
      const named = (file.bases.get(symbol) ?? []).flatMap((base) =>
        cachedBases(file, base, () => findBase(file, symbol, base, depth)),
      );
      if (fact?.kind !== "type_alias" || !file.rules.nominal) return named;
      const name = aliasedType(fact.signature, fact.name, file.rules);
      const aliased = name === null ? [] : cachedBases(file, fact, () => classNamed(file, symbol, name, depth + 1));
      return [...named, ...aliased];
    });

  /** The class that an `inherit` reference names. */
  const findBase = (file: FileSymbols, symbol: number, base: ReferenceFact, depth: number): readonly SymbolRef[] => {
    const outer = file.facts.symbols[symbol]?.parent ?? null;
    const path = base.qualifier === null ? [base.name] : [...base.qualifier.split("."), base.name];
    const found = resolvePath(file, outer, path, "type", depth + 1);
    if (found === null || found === "external") return [];
    return found.targets.filter(isSymbol).filter((target) => target.file !== file || target.symbol !== symbol);
  };

  const classNamed = (file: FileSymbols, scope: number | null, name: string, depth: number): readonly SymbolRef[] => {
    if (name === "Self" || name === "this" || (file.rules.nominal && file.scoping.selfNames.includes(name))) {
      const own = enclosing(file, scope);
      return own === null ? [] : [own];
    }
    const found = resolvePath(file, scope, name.split("."), "type", depth + 1);
    if (found === null || found === "external") return [];
    return distinct(
      found.targets.flatMap((target): readonly SymbolRef[] => {
        if (!isSymbol(target)) return [];
        const kind = target.file.facts.symbols[target.symbol]?.kind;
        const isType =
          kind !== undefined && (CLASS_KINDS.has(kind) || (kind === "type_alias" && target.file.rules.nominal));
        return isType ? [target] : typeOf(target, depth + 1).types;
      }),
    );
  };

  const typeOf = ({ file, symbol }: SymbolRef, depth: number): DeclaredTypes => {
    const fact = file.facts.symbols[symbol];
    if (fact === undefined || depth > TYPES_MAX) return UNDECLARED;
    return cachedTypes(file, fact, () => {
      const name = declaredTypeName(file, fact);
      return name === null ? UNDECLARED : { types: classNamed(file, symbol, name, depth), isDeclared: true };
    });
  };

  const enclosing = (file: FileSymbols, scope: number | null): SymbolRef | null => {
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

/** The name of the type that a symbol's signature declares, or null. */
function declaredTypeName({ rules }: FileSymbols, { kind, signature, name }: SymbolFact): string | null {
  const isCallable = kind === "function" || kind === "method";
  return isCallable ? returnType(signature, name, rules) : declaredType(signature, name, rules);
}
