/**
 * Modules of Ruby and traits of PHP: bases that a class names in its body.
 *
 * A module can extend its users with further ones. What a mixin calls of itself may be a member of its users.
 */
import { CONTAINER_KINDS, type OutlineSymbol, type ReferenceFact } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, distinct, memoized } from "../confidence.ts";
import { CANDIDATES_MAX } from "./disambiguation.ts";
import { type FileSymbols, type Role, type SymbolRef, scopesOf } from "./file-symbols.ts";

/** `isExtension`: a module extends its users with it, which gives them its methods but no types inside it. */
export type Base = SymbolRef & { readonly isExtension?: boolean };

/** A mixin with more users, direct or through others, is resolved without them. */
const USERS_MAX = 32;

const NONE: readonly SymbolRef[] = [];

/** The methods of a module that extend what includes it. */
export const hooksOf = ({ rules, named }: FileSymbols, symbol: number): readonly number[] =>
  [...rules.hooks].flatMap((name) => named(symbol, name));

/** Those of its members that a base gives to a class. */
export const given = ({ isExtension }: Base, members: readonly SymbolRef[]): readonly SymbolRef[] =>
  isExtension === true ? members.filter(({ file, symbol }) => !isContainer(file, symbol)) : members;

/** Where the name of a base is looked up: around the class, or in it if its body names a module that is there (`include Labels`). */
export function scopeOfBase(
  { facts, named, rules }: FileSymbols,
  { symbol, kind, name, qualifier }: ReferenceFact,
): number | null {
  const isInBody = kind === "implement" && rules.hooks.size > 0;
  const first = qualifier?.split(".", 1)[0] ?? name;
  return isInBody && named(symbol, first).length > 0 ? symbol : (facts.symbols[symbol ?? -1]?.parent ?? null);
}

/** The classes and mixins that name a mixin, or whatever has its name, as seen from its file. */
export type UsersNamed = (mixin: FileSymbols, name: string) => readonly SymbolRef[];

/** The table is made when it is first needed: few languages have mixins. */
export function usersOfMixins(files: readonly FileSymbols[]): UsersNamed {
  let table: ReadonlyMap<string, readonly SymbolRef[]> | null = null;
  return ({ family, isTest, rules }, name) => {
    if (!rules.mixins) return NONE;
    table ??= usersByName(files);
    const users = table.get(name) ?? NONE;
    return users.filter(({ file }) => file.family === family && (isTest || !file.isTest));
  };
}

function usersByName(files: readonly FileSymbols[]): ReadonlyMap<string, readonly SymbolRef[]> {
  const table = new Map<string, SymbolRef[]>();
  for (const file of files) {
    for (const { kind, symbol, name } of file.rules.mixins ? file.facts.references : []) {
      // A hook names what its module gives to others.
      const user = kind === "implement" ? scopesOf(file.facts, symbol).find((at) => isContainer(file, at)) : undefined;
      if (user !== undefined) table.getOrInsertComputed(name, () => []).push({ file, symbol: user });
    }
  }
  return table;
}

export type MixinMembers = {
  /** A member of what uses a mixin: of the nearest users that have it, none if there are too many candidates. */
  ofUsers(mixin: SymbolRef, name: string, role: Role, depth: number): Candidates | null;
  /** What code in a mixin calls without naming the object: a member of what the mixin includes, or of what includes it. */
  ofMixin(file: FileSymbols, scope: number | null, name: string, role: Role, depth: number): Candidates | null;
};

type Searched = {
  readonly users: UsersNamed;
  enclosing(file: FileSymbols, scope: number | null): SymbolRef | null;
  partsOf(ref: SymbolRef): readonly SymbolRef[];
  basesOf(ref: SymbolRef, depth: number): readonly SymbolRef[];
  inherited(start: readonly SymbolRef[], name: string, role: Role, skipOwn: boolean, depth: number): Candidates | null;
};

export function mixinMembers({ users, enclosing, partsOf, basesOf, inherited }: Searched): MixinMembers {
  const directUsers = (mixin: SymbolRef, depth: number): readonly SymbolRef[] => {
    const parts = partsOf(mixin);
    const isPart = (base: SymbolRef): boolean => parts.some((part) => isSame(part, base));
    const named = users(mixin.file, mixin.file.facts.symbols[mixin.symbol]?.name ?? "");
    return distinct(named.filter((user) => basesOf(user, depth).some(isPart)));
  };

  /** The users of a mixin, then those of these, and so on; none if there are too many. */
  const levelsOf = memoized<OutlineSymbol, readonly (readonly SymbolRef[])[]>([], (file, symbol, _fact, depth) => {
    const known: SymbolRef[] = [{ file, symbol }];
    const levels: (readonly SymbolRef[])[] = [];
    for (let level: readonly SymbolRef[] = known.slice(); level.length > 0; ) {
      const around = level.flatMap((mixin) => directUsers(mixin, depth));
      level = distinct(around).filter((user) => !known.some((each) => isSame(each, user)));
      known.push(...level);
      if (known.length > USERS_MAX) return [];
      levels.push(level);
    }
    return levels;
  });

  const ofUsers: MixinMembers["ofUsers"] = ({ file, symbol }, name, role, depth) => {
    const fact = role === "type" ? undefined : file.facts.symbols[symbol];
    for (const level of fact === undefined ? [] : levelsOf(file, symbol, fact, depth)) {
      const found = level.flatMap((user) => inherited([user], name, role, false, depth)?.targets ?? []);
      const targets = distinct(found);
      if (targets.length > 0) return targets.length > CANDIDATES_MAX ? null : candidates(targets, CONFIDENCE.typed);
    }
    return null;
  };
  return {
    ofUsers,
    ofMixin: (file, scope, name, role, depth) => {
      const isOwn = file.rules.mixins && file.scoping.implicitSelf && role !== "type";
      const own = isOwn ? enclosing(file, scope) : null;
      return own === null ? null : (inherited([own], name, role, true, depth) ?? ofUsers(own, name, role, depth));
    },
  };
}

const isSame = (a: SymbolRef, b: SymbolRef): boolean => a.file === b.file && a.symbol === b.symbol;

const isContainer = ({ facts }: FileSymbols, symbol: number): boolean =>
  CONTAINER_KINDS.has(facts.symbols[symbol]?.kind ?? "variable");
