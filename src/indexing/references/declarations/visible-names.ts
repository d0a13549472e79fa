/**
 * Names that files see of each other without naming a file: those of packages and of included headers.
 *
 * A path is a name with the namespaces and types around it (`Outer.Inner`). Members have no paths; types lead to them. C and C++
 * have one package in which a file sees what it includes; a declaration in a header also leads to the one
 * definition that includes the header.
 * Invariants: only tests see what tests define; results are ordered by path, then by position in the text.
 */
import { isTest } from "../../../languages/cpp/tests.ts";
import type { ImportFamily } from "../../../languages/language.ts";
import { CONTAINER_KINDS, type OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { isExternalMember } from "../../../syntax/facts/member-owner.ts";
import { type ClosureOf, type UsedPaths, usedPaths } from "./cpp-using.ts";
import { disambiguate, isHeader } from "./disambiguation.ts";
import type { FileSymbols, Role, SymbolRef } from "./file-symbols.ts";
import { includersIn } from "./includers.ts";
import { type UsersNamed, usersOfMixins } from "./mixins.ts";
import { isMacro, pathInMacro } from "./namespace-macros.ts";
import { extensionName } from "./symbol-table.ts";

/** Limits on the files reached through includes, and on the files in the cache. */
const INCLUDED_MAX = 400;
const CLOSURES_KEPT = 32;

/** Names with more definitions than this are skipped. */
const REFS_MAX = 400;

const NONE: readonly SymbolRef[] = [];

export type VisibleNames = {
  /** True if the repository has the package. */
  has(family: ImportFamily, group: string): boolean;
  /** Resolves a path in a package, for a file inside or outside it. */
  inGroup(from: FileSymbols, group: string, path: string, role: Role): readonly SymbolRef[];
  /** Resolves a path without an import: in the file's package and those around it, or in what it includes. */
  around(from: FileSymbols, path: string, role: Role): readonly SymbolRef[];
  /** Resolves a name outside every package. */
  atRoot(from: FileSymbols, name: string, role: Role): readonly SymbolRef[];
  /** All parts of a type or namespace, the given one first. */
  partsOf(ref: SymbolRef): readonly SymbolRef[];
  /** The only definition of a path that shares `header` with the file, or any header if null. */
  definitionOf(from: FileSymbols, path: string, header: FileSymbols | null): SymbolRef | null;
  readonly usedPaths: UsedPaths;
  readonly usersNamed: UsersNamed;
};

/** `files` are in path order. */
export function visibleNames(files: readonly FileSymbols[], fileAt: FileAt): VisibleNames {
  const packages = packageTables(files);
  const definitions: Definitions = (family, group, path) =>
    (group === null ? undefined : packages.get(family)?.get(group)?.get(path)) ?? NONE;
  const closureOf = includeClosures(fileAt);
  const { included, definitionOf } = includedNames(definitions, fileAt, closureOf, includersIn(files));
  const inGroup: VisibleNames["inGroup"] = (from, group, path, role) => inPackage(definitions, from, group, path, role);
  return {
    has: (family, group) => packages.get(family)?.has(group) ?? false,
    inGroup,
    around: (from, path, role) => {
      if (from.rules.parts === "included") return included(from, path, role);
      for (const group of visibleGroups(from, role)) {
        const refs = inGroup(from, group, path, role);
        if (refs.length > 0) return refs;
      }
      return NONE;
    },
    atRoot: (from, name, role) =>
      from.rules.parts === "included" ? included(from, name, role) : inGroup(from, "", name, role),
    partsOf: typeParts(definitions),
    definitionOf,
    usedPaths: usedPaths(closureOf),
    usersNamed: usersOfMixins(files),
  };
}

type FileAt = (path: string) => FileSymbols | undefined;

/** The definitions of each path, by family and package. */
type PackageTables = ReadonlyMap<ImportFamily, ReadonlyMap<string, ReadonlyMap<string, readonly SymbolRef[]>>>;

/** All definitions of a path in a package, in order. */
type Definitions = (family: ImportFamily, group: string | null, path: string) => readonly SymbolRef[];

function packageTables(files: Iterable<FileSymbols>): PackageTables {
  const tables = new Map<ImportFamily, Map<string, Map<string, SymbolRef[]>>>();
  for (const file of files) {
    const group = groupOf(file);
    if (group === null) continue;
    const packages = tables.getOrInsertComputed(file.family, () => new Map<string, Map<string, SymbolRef[]>>());
    const table = packages.getOrInsertComputed(group, () => new Map<string, SymbolRef[]>());
    file.facts.symbols.forEach((symbol, index) => {
      const path = sharedPath(file, symbol);
      if (path === null) return;
      const known = table.get(path);
      // Most paths have one definition, and a list that is added to has room for more.
      if (known === undefined) table.set(path, [{ file, symbol: index }]);
      else known.push({ file, symbol: index });
    });
  }
  return tables;
}

/** Resolves a path in one package. Files outside the package see only what it exports. */
function inPackage(
  definitions: Definitions,
  from: FileSymbols,
  group: string,
  path: string,
  role: Role,
): readonly SymbolRef[] {
  const seesAll = from.group === group || from.scoping.exportsAll;
  const all = definitions(from.family, group, path);
  return all.length === 0 ? NONE : disambiguate(from, visibleAmong(from, all, seesAll), role);
}

const visibleAmong = (from: FileSymbols, refs: readonly SymbolRef[], seesAll: boolean): readonly SymbolRef[] =>
  refs.filter(
    ({ file, symbol }) => isVisibleTo(from, file) && (seesAll || (file.facts.symbols[symbol]?.exported ?? false)),
  );

/** Resolves paths in C and C++ through includes. */
function includedNames(
  definitions: Definitions,
  fileAt: FileAt,
  closureOf: ClosureOf,
  includersOf: (file: FileSymbols) => readonly FileSymbols[],
): {
  included(from: FileSymbols, path: string, role: Role): readonly SymbolRef[];
  readonly definitionOf: VisibleNames["definitionOf"];
} {
  /** True if a file includes a file that passes the test, directly or through one header. */
  const includes = (file: FileSymbols, test: (path: string) => boolean, height = 2): boolean =>
    file.stars.some(({ module }) => {
      if (module === null) return false;
      const next = height > 1 && !test(module) ? fileAt(module) : undefined;
      return next === undefined ? test(module) : includes(next, test, height - 1);
    });

  /** The only one whose file includes one of the headers. */
  const onlyDefinition = (
    from: FileSymbols,
    refs: readonly SymbolRef[],
    headers: ReadonlySet<FileSymbols>,
  ): SymbolRef | null => {
    const isShared = (path: string): boolean => {
      const file = fileAt(path);
      return file !== undefined && headers.has(file);
    };
    const [only, ...others] = refs.filter(
      ({ file, symbol }) =>
        !isHeader(file.path) &&
        isVisibleTo(from, file) &&
        (file.facts.symbols[symbol]?.exported ?? false) &&
        includes(file, isShared),
    );
    return only === undefined || others.length > 0 ? null : only;
  };

  /** The definitions of a path; none if there are too many. */
  const fewDefinitions = (from: FileSymbols, path: string): readonly SymbolRef[] => {
    const refs = definitions(from.family, groupOf(from), path);
    return refs.length > REFS_MAX ? NONE : refs;
  };

  /** The definitions that a file sees, or else those that the nearest file sees which includes it. */
  const seen = (from: FileSymbols, path: string): readonly SymbolRef[] => {
    const refs = fewDefinitions(from, path);
    if (refs.length === 0) return NONE;
    const own = definedIn(refs, closureOf(from));
    if (own.length > 0) return own;
    for (const file of includersOf(from)) {
      const found = definedIn(refs, closureOf(file)).filter((ref) => isVisibleTo(from, ref.file));
      if (found.length > 0) return found;
    }
    return NONE;
  };

  const inMacro = pathInMacro();
  return {
    included: (from, path, role) => {
      const refs = seen(from, path);
      const inside = refs.length > 0 ? null : inMacro(closureOf(from), path);
      return disambiguate(from, inside === null ? refs : seen(from, inside), role);
    },
    definitionOf: (from, path, header) => {
      const refs = from.rules.parts === "included" ? fewDefinitions(from, path) : NONE;
      if (refs.length === 0) return null;
      return onlyDefinition(from, refs, header === null ? closureOf(from) : new Set([header]));
    },
  };
}

const definedIn = (refs: readonly SymbolRef[], files: ReadonlySet<FileSymbols>): readonly SymbolRef[] =>
  refs.filter(({ file }) => files.has(file));

/** The file and all that it includes, directly or not. Cached for the last few files. */
function includeClosures(fileAt: FileAt): ClosureOf {
  const cached = new Map<FileSymbols, ReadonlySet<FileSymbols>>();
  return (file) => {
    const known = cached.get(file);
    if (known !== undefined) return known;
    const closure = new Set([file]);
    for (const at of closure) {
      if (closure.size >= INCLUDED_MAX) break;
      for (const { module } of at.stars) {
        const included = module === null ? undefined : fileAt(module);
        if (included !== undefined) closure.add(included);
      }
    }
    if (cached.size >= CLOSURES_KEPT) cached.delete(cached.keys().next().value ?? file);
    cached.set(file, closure);
    return closure;
  };
}

/** Finds the parts of a type (`partial class`, a reopened class) in its file or package. */
function typeParts(definitions: Definitions): VisibleNames["partsOf"] {
  const cached = new Map<OutlineSymbol, readonly SymbolRef[]>();
  return (ref) => {
    const { file } = ref;
    const symbol = file.facts.symbols[ref.symbol];
    // A class in a header is complete, and namespaces are found by path.
    const isWhole = file.rules.parts === "none" || file.rules.parts === "included";
    if (isWhole || symbol === undefined || !CONTAINER_KINDS.has(symbol.kind)) return [ref];
    const known = cached.get(symbol);
    if (known !== undefined) return known;
    const path = sharedPath(file, symbol);
    const all = path === null ? NONE : definitions(file.family, groupOf(file), path);
    const parts = [ref, ...otherParts(ref, all)];
    cached.set(symbol, parts);
    return parts;
  };
}

const otherParts = (ref: SymbolRef, all: readonly SymbolRef[]): readonly SymbolRef[] =>
  all.filter(
    ({ file, symbol }) =>
      !(file === ref.file && symbol === ref.symbol) &&
      (file === ref.file || ref.file.rules.parts === "package") &&
      isVisibleTo(ref.file, file) &&
      CONTAINER_KINDS.has(file.facts.symbols[symbol]?.kind ?? "variable"),
  );

/** All C and C++ files are in one package; includes decide what is visible. */
const groupOf = (file: FileSymbols): string | null => (file.rules.parts === "included" ? "" : file.group);

/** Only tests see what tests define. */
const isVisibleTo = (from: FileSymbols, file: FileSymbols): boolean => from.isTest || !file.isTest;

const NO_GROUPS: readonly string[] = [];

/** The packages visible to a file, its own first. */
function visibleGroups({ group, rules }: FileSymbols, role: Role): readonly string[] {
  if (group === null) return NO_GROUPS;
  if (rules.outerPackages === "root") return group === "" || role === "type" ? [group] : [group, ""];
  if (rules.outerPackages === "none") return [group];
  const groups = [group];
  for (let at = group.lastIndexOf("."); at > 0; at = group.lastIndexOf(".", at - 1)) groups.push(group.slice(0, at));
  return group === "" ? groups : [...groups, ""];
}

/** The path under which other files find a symbol; null for members and local symbols. */
function sharedPath({ facts, rules }: FileSymbols, symbol: OutlineSymbol): string | null {
  const isContainer = CONTAINER_KINDS.has(symbol.kind);
  if (rules.parts === "included" && symbol.kind === "function" && isTest(symbol.signature)) return null;
  // A macro is in no namespace, wherever it stands.
  if (rules.parts === "included" && isMacro(symbol)) return symbol.name;
  if (!isContainer && isExternalMember(facts, symbol))
    return rules.extensions === "imported" && symbol.parent === null ? extensionName(symbol.name) : null;
  // The members of a class are found through it. Those of a module inside a class (Ruby) are found by their path.
  let isInside = isContainer;
  for (let at = symbol.parent; at !== null; ) {
    const around = facts.symbols[at];
    if (around === undefined || !(isInside ? CONTAINER_KINDS.has(around.kind) : around.kind === "namespace"))
      return null;
    isInside = true;
    at = around.parent !== null && around.parent < at ? around.parent : null;
  }
  return symbol.qualifiedName;
}
