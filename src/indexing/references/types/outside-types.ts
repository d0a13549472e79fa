/**
 * Members that a repository of Swift or Dart adds to types from outside it: `extension URLRequest { var headers … }`. Such a type has no
 * symbol, so what is written as its name decides.
 */
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { ownerOf } from "../../../syntax/facts/member-owner.ts";
import { type Candidates, CONFIDENCE, candidates, isSymbol, weaker } from "../confidence.ts";
import { parameterType, typesRead } from "../declarations/declared-types.ts";
import { CANDIDATES_MAX } from "../declarations/disambiguation.ts";
import { type ExternalMembers, ownerRead } from "../declarations/external-members.ts";
import {
  CLASS_KINDS,
  choose,
  type FileSymbols,
  type Role,
  type SymbolRef,
  scopesOf,
} from "../declarations/file-symbols.ts";
import type { Classes } from "./classes.ts";
import type { ResolvePath } from "./resolve-path.ts";

/**
 * The members that `parts` name, or one name inside an extension; null if there are none. With `isCalled` they are the names of calls, so that
 * a type among them stands for a value that is made.
 */
export type AddedMembers = (
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
  role: Role,
  isCalled: boolean,
) => Candidates | null;

export function addedMembers(
  external: ExternalMembers,
  { resolvePath, classes }: { readonly resolvePath: ResolvePath; readonly classes: Classes },
): AddedMembers {
  /** The type of a value, as declared. */
  const declared = (file: FileSymbols, scope: number | null, path: readonly string[]): string | null => {
    const [first = ""] = path;
    for (const symbol of path.length > 1 ? [] : scopesOf(file.facts, scope)) {
      const type = parameterType(file.facts.symbols[symbol]?.signature ?? "", first, file.rules);
      if (type !== undefined) return type;
    }
    const found = resolvePath(file, scope, path, "value", 0);
    if (found === null || found === "external") return path.length === 1 && /^\p{Lu}/u.test(first) ? first : null;
    const [only, ...others] = found.targets.filter(isSymbol);
    const fact = only === undefined || others.length > 0 ? undefined : only.file.facts.symbols[only.symbol];
    return fact === undefined ? null : (typesRead(fact, file.rules)[0] ?? null);
  };

  /** A member of what another such member is declared as (`request.headers.add()`), or of a type that is one. */
  const ofAdded = (
    file: FileSymbols,
    scope: number | null,
    parts: readonly string[],
    role: Role,
    isCalled: boolean,
  ): Candidates | null => {
    const from = parts.length < 3 ? null : added(file, scope, parts.slice(0, -1), "value", isCalled);
    const types =
      from?.targets
        .filter(isSymbol)
        .flatMap((target) => (isClass(target) ? [target] : classes.typeOf(target, 0).types)) ?? [];
    const member = types.length === 0 ? null : classes.inherited(types, parts.at(-1) ?? "", role, false, 0);
    return member === null ? null : weaker(member, member.targets, CONFIDENCE.typed);
  };

  /** Whether an extension of Swift is in the module of a file or in one that it imports, or the name of one of Dart is known there. */
  const isSeen = (from: FileSymbols, scope: number | null, { file, symbol }: SymbolRef): boolean => {
    if (file === from) return true;
    if (from.family === "swift")
      return (
        (from.isTest || !file.isTest) &&
        (file.group === from.group || from.stars.some(({ group }) => group === file.group))
      );
    const parent = file.facts.symbols[symbol]?.parent ?? null;
    const extension = parent === null ? undefined : file.facts.symbols[parent]?.name;
    const named = extension === undefined ? null : resolvePath(from, scope, [extension], "type", 0);
    return (
      named !== null &&
      named !== "external" &&
      named.targets.some((target) => target.file === file && target.symbol === parent)
    );
  };

  const added: AddedMembers = (file, scope, parts, role, isCalled) => {
    if ((file.family !== "swift" && file.family !== "dart") || parts.length === 0) return null;
    const path = parts.slice(0, -1);
    const [first = ""] = path;
    const isSelf = file.scoping.selfNames.includes(first) || first === "Self";
    const isOwn = path.length === 0 || (path.length === 1 && isSelf);
    const all = external(parts.at(-1) ?? "", "").filter(
      (member) => isSeen(file, scope, member) && classes.owner(member.file, member.symbol) === null,
    );
    if (all.length === 0) return ofAdded(file, scope, parts, role, isCalled);
    const isOfType = !isCalled && /^\p{Lu}/u.test(path.at(-1) ?? "");
    const type = isOwn ? extended(file, scope) : declared(file, scope, path);
    const members = lastOfFiles(
      all.filter((member) => type !== null && ownerNamed(member) === type && (!isOfType || isStatic(member))),
      role,
    );
    if (members.length > CANDIDATES_MAX) return null;
    const found = candidates(members, isOwn ? CONFIDENCE.self : CONFIDENCE.typed);
    return found ?? ofAdded(file, scope, parts, role, isCalled);
  };
  return added;
}

/** The type that an extension around a symbol extends. */
function extended(file: FileSymbols, scope: number | null): string | null {
  for (const symbol of scopesOf(file.facts, scope)) {
    const fact = file.facts.symbols[symbol];
    const owner = fact === undefined ? null : ownerIn(file, fact);
    if (owner !== null) return owner;
  }
  return null;
}

const isClass = ({ file, symbol }: SymbolRef): boolean =>
  CLASS_KINDS.has(file.facts.symbols[symbol]?.kind ?? "variable");

/** Whether a member is one of the type itself, as another type, `init` and `static func` are. */
const isStatic = (member: SymbolRef): boolean => {
  const { name = "", signature = "" } = member.file.facts.symbols[member.symbol] ?? {};
  return isClass(member) || name === "init" || /\b(?:static|class|typealias)\s/.test(signature);
};

const ownerNamed = ({ file, symbol }: SymbolRef): string | null => {
  const fact = file.facts.symbols[symbol];
  return fact === undefined ? null : ownerIn(file, fact);
};

const ownerIn = (file: FileSymbols, fact: OutlineSymbol): string | null =>
  ownerOf(file.facts, fact) ?? ownerRead(file, fact);

/** One of the definitions in each file. */
const lastOfFiles = (refs: readonly SymbolRef[], role: Role): readonly SymbolRef[] =>
  [...Map.groupBy(refs, ({ file }) => file)].flatMap(([file, own]) => {
    const indices = own.map((ref) => ref.symbol);
    const symbol = choose(file, indices, role);
    return symbol === null ? [] : [{ file, symbol }];
  });
