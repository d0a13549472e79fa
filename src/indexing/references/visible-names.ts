/**
 * Names that files see of each other without naming a file: those of packages and of included headers.
 *
 * A path is a name with the namespaces and types around it (`Outer.Inner`). Members have no paths; types lead to them. C and C++
 * have one package in which a file sees what it includes; a declaration in a header also leads to the one
 * definition that includes the header.
 * Invariants: only tests see what tests define; results are ordered by path, then by position in the text.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { CONTAINER_KINDS, type SymbolFact } from "../../syntax/facts/facts.ts";
import { nameOf } from "../imports/repo-path.ts";
import { type FileSymbols, fitsRole, fitsRoleExactly, plainStem, type Role, type SymbolRef } from "./file-symbols.ts";
import { isExternalMember } from "./member-owner.ts";
import { extensionName } from "./symbol-table.ts";

/** Limits on the files reached through includes, and on the files in the cache. */
const INCLUDED_MAX = 400;
const CLOSURES_KEPT = 32;

/** Names with more definitions than this are skipped. */
const REFS_MAX = 400;

const NONE: readonly SymbolRef[] = [];

/** With more candidates than this a name says nothing. */
export const CANDIDATES_MAX = 3;

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
};

/** `files` are in path order. */
export function visibleNames(
  files: Iterable<FileSymbols>,
  fileAt: (path: string) => FileSymbols | undefined,
): VisibleNames {
  const tables = new Map<ImportFamily, Map<string, Map<string, SymbolRef[]>>>();
  for (const file of files) {
    const group = groupOf(file);
    if (group === null) continue;
    const packages = tables.getOrInsertComputed(file.family, () => new Map<string, Map<string, SymbolRef[]>>());
    const table = packages.getOrInsertComputed(group, () => new Map<string, SymbolRef[]>());
    file.facts.symbols.forEach((symbol, index) => {
      const path = sharedPath(file, symbol);
      if (path !== null) table.getOrInsertComputed(path, () => []).push({ file, symbol: index });
    });
  }

  const closures = new Map<FileSymbols, ReadonlySet<FileSymbols>>();
  const includedBy = (file: FileSymbols): ReadonlySet<FileSymbols> => {
    const known = closures.get(file);
    if (known !== undefined) return known;
    const closure = new Set([file]);
    for (const at of closure) {
      if (closure.size >= INCLUDED_MAX) break;
      for (const { module } of at.stars) {
        const included = module === null ? undefined : fileAt(module);
        if (included !== undefined) closure.add(included);
      }
    }
    if (closures.size >= CLOSURES_KEPT) closures.delete(closures.keys().next().value ?? file);
    closures.set(file, closure);
    return closure;
  };

  const refsOf = (family: ImportFamily, group: string | null, path: string): readonly SymbolRef[] =>
    (group === null ? undefined : tables.get(family)?.get(group)?.get(path)) ?? NONE;

  /** True if a file includes one of the meant files, directly or through one header. */
  const includes = (file: FileSymbols, isMeant: (path: string) => boolean, height = 2): boolean =>
    file.stars.some(({ module }) => {
      if (module === null) return false;
      const next = height > 1 && !isMeant(module) ? fileAt(module) : undefined;
      return next === undefined ? isMeant(module) : includes(next, isMeant, height - 1);
    });

  const inGroup = (from: FileSymbols, group: string, path: string, role: Role): readonly SymbolRef[] => {
    const isOwn = from.group === group;
    const seen = refsOf(from.family, group, path).filter(
      ({ file, symbol }) =>
        isVisibleTo(from, file) &&
        (isOwn || from.scoping.exportsAll || (file.facts.symbols[symbol]?.exported ?? false)),
    );
    return pick(from, seen, role);
  };

  const included = (from: FileSymbols, path: string, role: Role): readonly SymbolRef[] => {
    const refs = refsOf(from.family, groupOf(from), path);
    if (refs.length === 0 || refs.length > REFS_MAX) return [];
    const closure = includedBy(from);
    return pick(
      from,
      refs.filter(({ file }) => closure.has(file)),
      role,
    );
  };

  const cachedParts = new Map<SymbolFact, readonly SymbolRef[]>();

  return {
    has: (family, group) => tables.get(family)?.has(group) ?? false,
    inGroup,
    around: (from, path, role) => {
      if (from.rules.parts === "included") return included(from, path, role);
      for (const group of visibleGroups(from, role)) {
        const found = inGroup(from, group, path, role);
        if (found.length > 0) return found;
      }
      return [];
    },
    atRoot: (from, name, role) =>
      from.rules.parts === "included" ? included(from, name, role) : inGroup(from, "", name, role),
    partsOf: (ref) => {
      const { file } = ref;
      const symbol = file.facts.symbols[ref.symbol];
      // A class in a header is complete, and namespaces are found by path.
      const isWhole = file.rules.parts === "none" || file.rules.parts === "included";
      if (isWhole || symbol === undefined || !CONTAINER_KINDS.has(symbol.kind)) return [ref];
      const known = cachedParts.get(symbol);
      if (known !== undefined) return known;
      const path = sharedPath(file, symbol);
      const all = path === null ? NONE : refsOf(file.family, groupOf(file), path);
      const others = all.filter(
        (other) =>
          !(other.file === file && other.symbol === ref.symbol) &&
          (other.file === file || file.rules.parts === "package") &&
          isVisibleTo(file, other.file) &&
          CONTAINER_KINDS.has(other.file.facts.symbols[other.symbol]?.kind ?? "variable"),
      );
      const parts = [ref, ...others];
      cachedParts.set(symbol, parts);
      return parts;
    },
    definitionOf: (from, path, header) => {
      const refs = from.rules.parts === "included" ? refsOf(from.family, groupOf(from), path) : [];
      if (refs.length === 0 || refs.length > REFS_MAX) return null;
      const closure = header === null ? includedBy(from) : null;
      const isShared = (path: string): boolean => {
        const file = fileAt(path);
        return file !== undefined && (closure === null ? file === header : closure.has(file));
      };
      const definitions = refs.filter(
        ({ file, symbol }) =>
          !isHeader(file.path) &&
          isVisibleTo(from, file) &&
          (file.facts.symbols[symbol]?.exported ?? false) &&
          includes(file, isShared),
      );
      const [only, ...others] = definitions;
      return only === undefined || others.length > 0 ? null : only;
    },
  };
}

/** All C and C++ files are in one package; includes decide what is visible. */
const groupOf = (file: FileSymbols): string | null => (file.rules.parts === "included" ? "" : file.group);

/** Only tests see what tests define. */
const isVisibleTo = (from: FileSymbols, file: FileSymbols): boolean => from.isTest || !file.isTest;

/** True for files that others include. */
export const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|cuh)$/i.test(nameOf(path));

/** The packages visible to a file, its own first. */
function visibleGroups({ group, rules }: FileSymbols, role: Role): readonly string[] {
  if (group === null) return [];
  if (rules.outerPackages === "root") return group === "" || role === "type" ? [group] : [group, ""];
  if (rules.outerPackages === "none") return [group];
  const groups = [group];
  for (let at = group.lastIndexOf("."); at > 0; at = group.lastIndexOf(".", at - 1)) groups.push(group.slice(0, at));
  return group === "" ? groups : [...groups, ""];
}

/** The path under which other files find a symbol; null for members and local symbols. */
function sharedPath({ facts, rules }: FileSymbols, symbol: SymbolFact): string | null {
  const isContainer = CONTAINER_KINDS.has(symbol.kind);
  if (!isContainer && isExternalMember(facts, symbol))
    return rules.extensions && symbol.parent === null ? extensionName(symbol.name) : null;
  for (let at = symbol.parent; at !== null; ) {
    const around = facts.symbols[at];
    if (around === undefined || !(isContainer ? CONTAINER_KINDS.has(around.kind) : around.kind === "namespace"))
      return null;
    at = around.parent !== null && around.parent < at ? around.parent : null;
  }
  return symbol.qualifiedName;
}

/**
 * Picks among visible definitions: those that fits the role, the file's own first, one per file; a type in several parts
 * counts once. None if there are too many.
 */
function pick(from: FileSymbols, refs: readonly SymbolRef[], role: Role): readonly SymbolRef[] {
  const best = refs.filter(({ file, symbol }) => fitsRoleExactly(file, symbol, role));
  const fitting = best.length > 0 ? best : refs.filter(({ file, symbol }) => fitsRole(file, symbol, role));
  const sort = fitting.length > 0 ? fitting : refs;
  const own = sort.findLast(({ file }) => file === from);
  if (own !== undefined) return [own];
  const [first] = sort;
  if (first === undefined) return [];
  const main = isInParts(first, sort) ? mainPart(sort) : null;
  if (main !== null) return [main];
  const byFile = [...new Map(sort.map((ref) => [ref.file, ref])).values()];
  if (from.rules.parts === "included") {
    const [source] = byFile.filter(({ file }) => !isHeader(file.path));
    return byFile.length === 1 ? byFile : source === undefined ? byFile.slice(0, CANDIDATES_MAX) : [source];
  }
  const near = nearest(from, byFile);
  return near.length > CANDIDATES_MAX ? [] : near;
}

/**
 * If modules or source sets define the same name, keeps the definitions that share most folders with the file (a test belongs to what
 * it tests). Among equals, the common source set counts.
 */
function nearest(from: FileSymbols, refs: readonly SymbolRef[]): readonly SymbolRef[] {
  if (refs.length < 2) return refs;
  const own = sourceFolders(from.path);
  const shared = refs.map(({ file }) => {
    const folders = sourceFolders(file.path);
    const differs = folders.findIndex((folder, at) => folder !== own[at]);
    return differs < 0 ? folders.length : differs;
  });
  const most = Math.max(...shared);
  const near = refs.filter((_, at) => shared[at] === most);
  const common = near.filter(({ file }) => file.path.includes("/commonMain/"));
  return common.length > 0 ? common : near;
}

/** The folders of a path, without the difference between source sets and their tests (`jvmMain`, `jvmTest`). */
const sourceFolders = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((folder) => folder.replace(/(?:Main|Test|main|tests?)$/, ""));

/** True if all are parts of one type or namespace. */
const isInParts = ({ file }: SymbolRef, refs: readonly SymbolRef[]): boolean =>
  refs.every(({ file: { facts }, symbol }) => {
    const kind = facts.symbols[symbol]?.kind ?? "variable";
    return file.rules.parts === "package"
      ? CONTAINER_KINDS.has(kind)
      : file.rules.parts === "included" && kind === "namespace";
  });

/** The main part: the one whose file has its name, otherwise the one with most members. */
function mainPart(refs: readonly SymbolRef[]): SymbolRef | null {
  let best: SymbolRef | null = null;
  let most = -1;
  for (const ref of refs) {
    const { symbols } = ref.file.facts;
    const members = symbols.filter(({ parent }) => parent === ref.symbol).length;
    const worth = members + (ref.file.stem === plainStem(symbols[ref.symbol]?.name ?? "") ? NAMED_WORTH : 0);
    if (worth > most) [best, most] = [ref, worth];
  }
  return best;
}

/** Larger than any number of members. */
const NAMED_WORTH = 1_000_000_000;
