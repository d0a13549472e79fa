/**
 * Names that files see of each other without naming a file: packages, and what headers bring in.
 *
 * A path is a name with the namespaces and types around it (`Outer.Inner`). Members are no paths of their own,
 * since types reach them. C and C++ have one package in which a file sees what its includes bring; a declaration
 * in a header also leads to the one definition that includes the header.
 * Invariants: what tests define is seen by tests only; places come in order of path, then of the text.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { CONTAINER_KINDS, type SymbolFact } from "../../syntax/facts/facts.ts";
import { nameOf } from "../imports/repo-path.ts";
import { type FileSymbols, fits, isBest, listed, type Place, plainStem, type Want } from "./file-symbols.ts";
import { isOutside } from "./member-owners.ts";
import { extensionName } from "./symbol-table.ts";

/** How many files the includes of a file are followed through, and for how many files the answer is kept. */
const INCLUDED_MAX = 400;
const CLOSURES_KEPT = 32;

/** A name that more places than this define is not looked at one by one. */
const PLACES_MAX = 400;

const NONE: readonly Place[] = [];

/** More candidates than this, and a name says nothing. */
export const CANDIDATES_MAX = 3;

export type Groups = {
  /** Whether the repository has such a package. */
  has(family: ImportFamily, group: string): boolean;
  /** What a path means in a package, for a file in or outside of it. */
  inGroup(from: FileSymbols, group: string, path: string, want: Want): readonly Place[];
  /** What a path means in a file without an import: in its package and those around it, or in what it includes. */
  around(from: FileSymbols, path: string, want: Want): readonly Place[];
  /** What a name means outside of every package. */
  atRoot(from: FileSymbols, name: string, want: Want): readonly Place[];
  /** Every part of a type or a namespace, the given one first. */
  partsOf(place: Place): readonly Place[];
  /** Where the one definition of a path is that shares a header with a file: `header`, or for null any that both include. */
  definitionOf(from: FileSymbols, path: string, header: FileSymbols | null): Place | null;
};

/** The files of every package. `files` are in order of path. */
export function groupTable(files: Iterable<FileSymbols>, fileAt: (path: string) => FileSymbols | undefined): Groups {
  const tables = new Map<ImportFamily, Map<string, Map<string, Place[]>>>();
  for (const file of files) {
    const group = groupOf(file);
    if (group === null) continue;
    const packages = listed(tables, file.family, () => new Map<string, Map<string, Place[]>>());
    const table = listed(packages, group, () => new Map<string, Place[]>());
    file.facts.symbols.forEach((symbol, index) => {
      const path = sharedPath(file, symbol);
      if (path !== null) listed(table, path, () => []).push({ file, symbol: index });
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

  const placesOf = (family: ImportFamily, group: string | null, path: string): readonly Place[] =>
    (group === null ? undefined : tables.get(family)?.get(group)?.get(path)) ?? NONE;

  /** Whether a file includes one of some, itself or by one header between. */
  const includes = (file: FileSymbols, isMeant: (path: string) => boolean, height = 2): boolean =>
    file.stars.some(({ module }) => {
      if (module === null) return false;
      const next = height > 1 && !isMeant(module) ? fileAt(module) : undefined;
      return next === undefined ? isMeant(module) : includes(next, isMeant, height - 1);
    });

  const inGroup = (from: FileSymbols, group: string, path: string, want: Want): readonly Place[] => {
    const isOwn = from.group === group;
    const seen = placesOf(from.family, group, path).filter(
      ({ file, symbol }) =>
        isSeen(from, file) && (isOwn || from.scoping.exportsAll || (file.facts.symbols[symbol]?.exported ?? false)),
    );
    return picked(from, seen, want);
  };

  const included = (from: FileSymbols, path: string, want: Want): readonly Place[] => {
    const places = placesOf(from.family, groupOf(from), path);
    if (places.length === 0 || places.length > PLACES_MAX) return [];
    const closure = includedBy(from);
    return picked(
      from,
      places.filter(({ file }) => closure.has(file)),
      want,
    );
  };

  const keptParts = new Map<SymbolFact, readonly Place[]>();

  return {
    has: (family, group) => tables.get(family)?.has(group) ?? false,
    inGroup,
    around: (from, path, want) => {
      if (from.rules.parts === "included") return included(from, path, want);
      for (const group of seenGroups(from, want)) {
        const found = inGroup(from, group, path, want);
        if (found.length > 0) return found;
      }
      return [];
    },
    atRoot: (from, name, want) =>
      from.rules.parts === "included" ? included(from, name, want) : inGroup(from, "", name, want),
    partsOf: (place) => {
      const { file } = place;
      const symbol = file.facts.symbols[place.symbol];
      // A class of a header is whole there, and namespaces are known by their paths.
      const isWhole = file.rules.parts === "none" || file.rules.parts === "included";
      if (isWhole || symbol === undefined || !CONTAINER_KINDS.has(symbol.kind)) return [place];
      const known = keptParts.get(symbol);
      if (known !== undefined) return known;
      const path = sharedPath(file, symbol);
      const all = path === null ? NONE : placesOf(file.family, groupOf(file), path);
      const others = all.filter(
        (other) =>
          !(other.file === file && other.symbol === place.symbol) &&
          (other.file === file || file.rules.parts === "package") &&
          isSeen(file, other.file) &&
          CONTAINER_KINDS.has(other.file.facts.symbols[other.symbol]?.kind ?? "variable"),
      );
      const parts = [place, ...others];
      keptParts.set(symbol, parts);
      return parts;
    },
    definitionOf: (from, path, header) => {
      const places = from.rules.parts === "included" ? placesOf(from.family, groupOf(from), path) : [];
      if (places.length === 0 || places.length > PLACES_MAX) return null;
      const closure = header === null ? includedBy(from) : null;
      const isShared = (path: string): boolean => {
        const file = fileAt(path);
        return file !== undefined && (closure === null ? file === header : closure.has(file));
      };
      const definitions = places.filter(
        ({ file, symbol }) =>
          !isHeader(file.path) &&
          isSeen(from, file) &&
          (file.facts.symbols[symbol]?.exported ?? false) &&
          includes(file, isShared),
      );
      const [only, ...others] = definitions;
      return only === undefined || others.length > 0 ? null : only;
    },
  };
}

/** C and C++ files are in one package, of which includes tell what is seen. */
const groupOf = (file: FileSymbols): string | null => (file.rules.parts === "included" ? "" : file.group);

/** A file that another can be seen from: what tests define is for tests. */
const isSeen = (from: FileSymbols, file: FileSymbols): boolean => from.isTest || !file.isTest;

/** Is it a file that others include? */
export const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|cuh)$/i.test(nameOf(path));

/** The packages whose names a file sees, its own first. */
function seenGroups({ group, rules }: FileSymbols, want: Want): readonly string[] {
  if (group === null) return [];
  if (rules.outerPackages === "root") return group === "" || want === "type" ? [group] : [group, ""];
  if (rules.outerPackages === "none") return [group];
  const groups = [group];
  for (let at = group.lastIndexOf("."); at > 0; at = group.lastIndexOf(".", at - 1)) groups.push(group.slice(0, at));
  return group === "" ? groups : [...groups, ""];
}

/** The path under which other files find a symbol; null for members and for what is inside functions. */
function sharedPath({ facts, rules }: FileSymbols, symbol: SymbolFact): string | null {
  const isContainer = CONTAINER_KINDS.has(symbol.kind);
  if (!isContainer && isOutside(facts, symbol))
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
 * The places that a name means among those that are seen: of the wanted sort, the file's own before others, one for
 * each file; a type in several parts counts once. None when there are too many to tell.
 */
function picked(from: FileSymbols, places: readonly Place[], want: Want): readonly Place[] {
  const best = places.filter(({ file, symbol }) => isBest(file, symbol, want));
  const fitting = best.length > 0 ? best : places.filter(({ file, symbol }) => fits(file, symbol, want));
  const sort = fitting.length > 0 ? fitting : places;
  const own = sort.findLast(({ file }) => file === from);
  if (own !== undefined) return [own];
  const [first] = sort;
  if (first === undefined) return [];
  const main = isInParts(first, sort) ? mainPart(sort) : null;
  if (main !== null) return [main];
  const byFile = [...new Map(sort.map((place) => [place.file, place])).values()];
  if (from.rules.parts === "included") {
    const [source] = byFile.filter(({ file }) => !isHeader(file.path));
    return byFile.length === 1 ? byFile : source === undefined ? byFile.slice(0, CANDIDATES_MAX) : [source];
  }
  const near = nearest(from, byFile);
  return near.length > CANDIDATES_MAX ? [] : near;
}

/**
 * Where modules or source sets define one name each, those of them that stand with the file, in most folders (a test
 * stands with what it tests). From elsewhere, what is common to all sets stands for what each has.
 */
function nearest(from: FileSymbols, places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const own = sourceFolders(from.path);
  const shared = places.map(({ file }) => {
    const folders = sourceFolders(file.path);
    const differs = folders.findIndex((folder, at) => folder !== own[at]);
    return differs < 0 ? folders.length : differs;
  });
  const most = Math.max(...shared);
  const near = places.filter((_, at) => shared[at] === most);
  const common = near.filter(({ file }) => file.path.includes("/commonMain/"));
  return common.length > 0 ? common : near;
}

/** The folders of a path, with source sets and their tests alike (`jvmMain`, `jvmTest`). */
const sourceFolders = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((folder) => folder.replace(/(?:Main|Test|main|tests?)$/, ""));

/** Are all of them parts of one thing? */
const isInParts = ({ file }: Place, places: readonly Place[]): boolean =>
  places.every(({ file: { facts }, symbol }) => {
    const kind = facts.symbols[symbol]?.kind ?? "variable";
    return file.rules.parts === "package"
      ? CONTAINER_KINDS.has(kind)
      : file.rules.parts === "included" && kind === "namespace";
  });

/** The part that stands for all: the one whose file has its name, else the one with most members, the first of equals. */
function mainPart(places: readonly Place[]): Place | null {
  let best: Place | null = null;
  let most = -1;
  for (const place of places) {
    const { symbols } = place.file.facts;
    const members = symbols.filter(({ parent }) => parent === place.symbol).length;
    const worth = members + (place.file.stem === plainStem(symbols[place.symbol]?.name ?? "") ? NAMED_WORTH : 0);
    if (worth > most) [best, most] = [place, worth];
  }
  return best;
}

/** More members than a part has. */
const NAMED_WORTH = 1_000_000_000;
