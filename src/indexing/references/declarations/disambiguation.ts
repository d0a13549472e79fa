/**
 * Chooses among several visible definitions of one name.
 *
 * Those that fit the role come first, then the file's own, then the nearest, one per file. A type in several parts counts once.
 */
import { CONTAINER_KINDS } from "../../../syntax/facts/facts.ts";
import { nameOf } from "../../../text/repo-path.ts";
import {
  canBeType,
  type FileSymbols,
  fitsRole,
  fitsRoleExactly,
  isCompanion,
  isSpecialization,
  plainStem,
  type Role,
  type SymbolRef,
} from "./file-symbols.ts";

/** A name with more candidates than this is not resolved. */
export const CANDIDATES_MAX = 3;

/** For a file that has the name of the type. Larger than any number of members. */
const STEM_SCORE = 1_000_000_000;

/** None if there are too many. */
export function disambiguate(from: FileSymbols, found: readonly SymbolRef[], role: Role): readonly SymbolRef[] {
  const all = role === "type" ? found.filter(({ file, symbol }) => canBeType(file, symbol)) : found;
  const isPrimary = ({ file, symbol }: SymbolRef): boolean =>
    !isSpecialization(file, symbol) && !(role === "type" && isCompanion(file, symbol));
  const primary = all.length < 2 ? all : all.filter(isPrimary);
  const refs = primary.length > 0 ? primary : all;
  const best = refs.filter(({ file, symbol }) => fitsRoleExactly(file, symbol, role));
  const fitting = best.length > 0 ? best : refs.filter(({ file, symbol }) => fitsRole(file, symbol, role));
  const roleMatches = fitting.length > 0 ? fitting : refs;
  const own = roleMatches.findLast(({ file }) => file === from);
  if (own !== undefined) return [own];
  const [first] = roleMatches;
  if (first === undefined) return [];
  const main = areParts(first, roleMatches) ? mainPart(roleMatches) : null;
  if (main !== null) return [main];
  const byFile = [...new Map(roleMatches.map((ref) => [ref.file, ref])).values()];
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

/** True if the definitions are parts of one type or namespace. */
const areParts = ({ file }: SymbolRef, refs: readonly SymbolRef[]): boolean =>
  refs.every(({ file: { facts }, symbol }) => {
    const kind = facts.symbols[symbol]?.kind ?? "variable";
    return file.rules.parts === "package"
      ? CONTAINER_KINDS.has(kind)
      : file.rules.parts === "included" && kind === "namespace";
  });

/** The main part: the one whose file has its name, otherwise the one with most members. */
function mainPart(refs: readonly SymbolRef[]): SymbolRef | null {
  let best: SymbolRef | null = null;
  let highest = -1;
  for (const ref of refs) {
    const { symbols } = ref.file.facts;
    const members = symbols.filter(({ parent }) => parent === ref.symbol).length;
    const score = members + (ref.file.stem === plainStem(symbols[ref.symbol]?.name ?? "") ? STEM_SCORE : 0);
    if (score > highest) [best, highest] = [ref, score];
  }
  return best;
}

/** True for files that others include. */
export const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|cuh)$/i.test(nameOf(path));
