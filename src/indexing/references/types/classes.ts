/**
 * Types and their members: own, external (`func (s *Server) Run()`, `void Foo::bar()`, extensions) and inherited ones, and
 * the types that signatures declare for values and results.
 *
 * A type can have several parts (`VisibleNames.partsOf`). Bases and types of types are bounded, so that cycles end.
 */
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { ownerOf } from "../../../syntax/facts/member-owner.ts";
import { type Candidates, CONFIDENCE, distinct, memoized, type Resolution } from "../confidence.ts";
import { declaredTypeName, madeChain } from "../declarations/declared-types.ts";
import { CANDIDATES_MAX } from "../declarations/disambiguation.ts";
import { type ExternalMembers, ownerRead } from "../declarations/external-members.ts";
import {
  CLASS_KINDS,
  choose,
  type FileSymbols,
  fitsRole,
  fitsRoleExactly,
  type Role,
  type SymbolRef,
  scopeAround,
  WHOLE_FILE,
} from "../declarations/file-symbols.ts";
import type { MadeChain } from "../declarations/made-values.ts";
import { type Base, given, type MixinMembers, mixinMembers } from "../declarations/mixins.ts";
import { resultOfOverload } from "../declarations/untyped-results.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import { baseTable } from "./direct-bases.ts";
import { type ResolvePath, symbolsIn } from "./resolve-path.ts";
import { boundTable, type FindTypes } from "./type-parameters.ts";

/** Limits on the classes searched above a class, and on the types between a symbol and its class. */
const BASES_MAX = 32;
export const TYPES_MAX = 6;

/** `isDeclared`: the signature declares a type, known or unknown. */
type DeclaredTypes = { readonly types: readonly SymbolRef[]; readonly isDeclared: boolean };

const NO_REFS: readonly SymbolRef[] = [];
const UNDECLARED: DeclaredTypes = { types: NO_REFS, isDeclared: false };

export type Classes = MixinMembers & {
  /** A member of a type or its bases: the type first, then its bases, breadth first, and those of interfaces last. */
  inherited(start: readonly SymbolRef[], name: string, role: Role, skipOwn: boolean, depth: number): Candidates | null;
  /** The type around a symbol: the innermost one, or the owner of an external member. */
  enclosing(file: FileSymbols, scope: number | null): SymbolRef | null;
  /** The type that owns an external member, or null. */
  owner(file: FileSymbols, symbol: number): SymbolRef | null;
  /** The declared type of a value, or of the result of a call. */
  typeOf(target: SymbolRef, depth: number): DeclaredTypes;
  /** The types that a name refers to. */
  readonly classNamed: FindTypes<readonly SymbolRef[]>;
};

/** Resolves the last member of a chain of calls, seen from a symbol of a file. */
export type ResolveChain = (file: FileSymbols, scope: number, chain: MadeChain) => Resolution;

export function classTable(
  external: ExternalMembers,
  groups: VisibleNames,
  resolvePath: ResolvePath,
  resolveChain: ResolveChain,
): Classes {
  const { owner, membersOf } = ownerTable(external, resolvePath);
  const types = declaredTypes(owner, resolvePath, resolveChain);
  const basesOf = baseTable(groups, types.classNamed, resolvePath);

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
    const outside = membersOf(parts, name);
    // A class in a header only declares its external members.
    if (outside.length === 0 || file.rules.parts !== "included") {
      for (const part of parts) {
        const symbol = choose(part.file, part.file.named(part.symbol, name), role);
        // A struct of Rust has a field `name`, and an `impl` elsewhere its `name()`.
        const isOther = role === "call" && outside.length > 0;
        if (symbol !== null && !(isOther && !fitsRoleExactly(part.file, symbol, role)))
          return [{ file: part.file, symbol }];
      }
    }
    return outside.length === 0 ? outside : visibleMembers(file, outside, role);
  };

  const inherited: Classes["inherited"] = (start, name, role, skipOwn, depth) => {
    const searched: SymbolRef[] = [];
    let level: readonly Base[] = distinct(start);
    const last: Base[] = [];
    for (let height = 0; level.length > 0; height++) {
      const found: SymbolRef[] = [];
      const lacking: Base[] = [];
      for (const ref of level) {
        if (hasRef(searched, ref) || searched.length >= BASES_MAX) continue;
        searched.push(ref);
        lacking.push(ref);
        const own = height === 0 && skipOwn ? NO_REFS : given(ref, member(ref, name, role));
        // All starts are candidates; among bases the first match wins.
        if (own.length > 0 && height > 0) return { targets: own, confidence: CONFIDENCE.inherited };
        found.push(...own);
      }
      if (found.length > 0) return { targets: distinct(found), confidence: CONFIDENCE.self };
      const bases: Base[] = [];
      for (const ref of lacking) for (const base of basesOf(ref, depth)) (isInterface(base) ? last : bases).push(base);
      level = bases.length > 0 ? bases : last.splice(0);
    }
    return null;
  };
  const { enclosing } = types;
  const { partsOf, usersNamed: users } = groups;
  return { ...types, owner, inherited, ...mixinMembers({ users, enclosing, partsOf, basesOf, inherited }) };
}

/** Those of the external members that a file sees: one for each file that defines it, none if there are many. */
function visibleMembers(from: FileSymbols, outside: readonly SymbolRef[], role: Role): readonly SymbolRef[] {
  const visible = outside.filter((other) => from.isTest || !other.file.isTest);
  const fitting = visible.filter((other) => fitsRole(other.file, other.symbol, role));
  const matches = fitting.length > 0 ? fitting : visible;
  const byFile = [...new Map(matches.map((other) => [other.file, other])).values()];
  return byFile.length > CANDIDATES_MAX ? NO_REFS : byFile;
}

/** Most of what an interface has is defined elsewhere. */
const isInterface = ({ file, symbol }: SymbolRef): boolean => file.facts.symbols[symbol]?.kind === "interface";

const hasRef = (refs: readonly SymbolRef[], { file, symbol }: SymbolRef): boolean =>
  refs.some((ref) => ref.file === file && ref.symbol === symbol);

type OwnerTable = {
  readonly owner: Classes["owner"];
  /** The external members of a name that belong to one of the parts, in order of the parts. */
  membersOf(parts: readonly SymbolRef[], name: string): readonly SymbolRef[];
};

/** Resolves the types that external members belong to. */
function ownerTable(external: ExternalMembers, resolvePath: ResolvePath): OwnerTable {
  const cachedOwners = new Map<FileSymbols, Map<string, SymbolRef | null>>();
  const ownersIn = (file: FileSymbols): Map<string, SymbolRef | null> =>
    cachedOwners.getOrInsertComputed(file, () => new Map<string, SymbolRef | null>());
  const owner = (file: FileSymbols, symbol: number): SymbolRef | null => {
    const fact = file.facts.symbols[symbol];
    const name = fact === undefined ? null : (ownerOf(file.facts, fact) ?? ownerRead(file, fact));
    if (fact === undefined || name === null) return null;
    const owners = ownersIn(file);
    const key = fact.parent === null ? name : `${fact.parent}\0${name}`;
    const known = owners.get(key);
    if (known !== undefined) return known;
    // A recursive question gets this answer, so cycles end.
    owners.set(key, null);
    const [only, ...others] = symbolsIn(resolvePath(file, fact.parent, name.split("."), "type", 0));
    const type = only === undefined || others.length > 0 ? null : only;
    owners.set(key, type);
    return type;
  };

  type OwnedMember = SymbolRef & { readonly type: SymbolRef };
  const cachedMembers = new Map<readonly SymbolRef[], readonly OwnedMember[]>();
  const owned = (refs: readonly SymbolRef[]): readonly OwnedMember[] => {
    if (refs.length === 0) return [];
    const known = cachedMembers.get(refs);
    if (known !== undefined) return known;
    cachedMembers.set(refs, []);
    const members: OwnedMember[] = [];
    for (const ref of refs) {
      const type = owner(ref.file, ref.symbol);
      if (type !== null) members.push({ ...ref, type });
    }
    cachedMembers.set(refs, members);
    return members;
  };

  const membersOf = (parts: readonly SymbolRef[], name: string): readonly SymbolRef[] => {
    let found: SymbolRef[] | null = null;
    for (const part of parts) {
      for (const member of owned(external(name, part.file.facts.symbols[part.symbol]?.name ?? ""))) {
        if (member.type.file !== part.file || member.type.symbol !== part.symbol) continue;
        found ??= [];
        found.push(member);
      }
    }
    return found ?? NO_REFS;
  };
  return { owner, membersOf };
}

/** Resolves the types that signatures declare. */
function declaredTypes(
  owner: Classes["owner"],
  resolvePath: ResolvePath,
  resolveChain: ResolveChain,
): Pick<Classes, "enclosing" | "classNamed" | "typeOf"> {
  const cached = memoized<OutlineSymbol, DeclaredTypes>(
    { types: NO_REFS, isDeclared: true },
    (file, symbol, fact, depth) => {
      const name = declaredTypeName(fact, file.rules) ?? resultOfOverload(file, fact);
      if (name === null && file.givesItself(symbol)) return { types: itself(file, symbol), isDeclared: true };
      const chain = name === null ? madeChain(fact, file.rules) : null;
      if (chain !== null) return { types: ofChain(file, symbol, chain, depth), isDeclared: true };
      const around = enumOfCase(file, fact, name);
      if (around !== null) return { types: [around], isDeclared: true };
      return name === null ? UNDECLARED : { types: classNamed(file, symbol, name, depth), isDeclared: true };
    },
  );

  const ofChain = (
    file: FileSymbols,
    scope: number,
    chain: MadeChain | "unknown",
    depth: number,
  ): readonly SymbolRef[] =>
    distinct(
      (chain === "unknown" ? NO_REFS : symbolsIn(resolveChain(file, scope, chain))).flatMap((target) =>
        CLASS_KINDS.has(target.file.facts.symbols[target.symbol]?.kind ?? "variable")
          ? [target]
          : typeOf(target, depth + 1).types,
      ),
    );

  const enclosing = (file: FileSymbols, scope: number | null): SymbolRef | null => {
    for (let symbol = scope; symbol !== null; symbol = scopeAround(file.facts, symbol)) {
      const kind = file.facts.symbols[symbol]?.kind ?? "variable";
      if (CLASS_KINDS.has(kind) || (kind === "namespace" && file.rules.parts === "package")) return { file, symbol };
      const outer = owner(file, symbol);
      if (outer !== null) return outer;
    }
    return file.scoping.constantsAlias === true ? { file, symbol: WHOLE_FILE } : null;
  };

  const itself = (file: FileSymbols, scope: number | null): readonly SymbolRef[] => {
    const own = enclosing(file, scope);
    return own === null ? NO_REFS : [own];
  };

  /** Null if the name refers to nothing. A function stands for its result: `val cart = openCart()`. */
  const declared: FindTypes<readonly SymbolRef[] | null> = (file, scope, name, depth) => {
    const isSelf = name === "Self" || name === "this" || name === "this.type";
    if (isSelf || (file.rules.nominal && file.scoping.selfNames.includes(name))) return itself(file, scope);
    const types: SymbolRef[] = [];
    const resolved = (role: Role) => symbolsIn(resolvePath(file, scope, name.split("."), role, depth + 1));
    const named = resolved("type");
    const found = named.length > 0 ? named : resolved("call");
    for (const target of found) {
      const kind = target.file.facts.symbols[target.symbol]?.kind;
      const isType =
        kind !== undefined && (CLASS_KINDS.has(kind) || (kind === "type_alias" && target.file.rules.nominal));
      // `namespace a = b::c;`
      const isNamespace = kind === "namespace" && target.file.rules.parts === "included";
      if (isType || isNamespace || target.symbol === WHOLE_FILE) types.push(target);
      else types.push(...typeOf(target, depth + 1).types);
    }
    return found.length === 0 ? null : distinct(types);
  };
  const typesOfBounds = boundTable(declared);
  const classNamed: Classes["classNamed"] = (file, scope, name, depth) =>
    declared(file, scope, name, depth) ?? (depth > TYPES_MAX ? NO_REFS : typesOfBounds(file, scope, name, depth));

  const typeOf = ({ file, symbol }: SymbolRef, depth: number): DeclaredTypes => {
    const fact = file.facts.symbols[symbol];
    if (fact === undefined || depth > TYPES_MAX) return UNDECLARED;
    return cached(file, symbol, fact, depth);
  };

  return { enclosing, classNamed, typeOf };
}

/** The enum that a value is a case of, or null; `declared` is the type that its signature declares. */
function enumOfCase(file: FileSymbols, fact: OutlineSymbol, declared: string | null): SymbolRef | null {
  const { kind, parent, signature, name } = fact;
  if (kind !== "property" || parent === null || file.facts.symbols[parent]?.kind !== "enum") return null;
  const isCase = signature.startsWith("case ") || (declared === null && signature.startsWith(name));
  return isCase ? { file, symbol: parent } : null;
}
