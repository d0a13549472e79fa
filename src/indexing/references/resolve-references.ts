/**
 * Resolves references (calls, inheritance, types, decorators) to symbols.
 *
 * The search goes through the scopes around the reference, the file, its imports with re-exports, its package; for members, through the
 * class or module before the dot; finally through names that few files define. Confidence falls with each step. A name that is
 * imported from outside the repository is never guessed. References outside any symbol give no edge.
 * Invariants: no symbol refers to itself, one edge per (caller, callee, kind), ordered by caller.
 */
import type { ImportFamily } from "../../languages/language.ts";
import type { ReferenceFact } from "../../syntax/facts/facts.ts";
import { byPath } from "../../text/order.ts";
import type { ImportsByPath, Resolver, SourceFile } from "../imports/model.ts";
import { isSymbol, shareOf } from "./confidence.ts";
import { exportTable } from "./declarations/exports.ts";
import { externalMembers, externalMembersIn } from "./declarations/external-members.ts";
import {
  type FileSymbols,
  fileSymbols,
  providedNames,
  type Role,
  type SymbolRef,
  WHOLE_FILE,
} from "./declarations/file-symbols.ts";
import { idOf, type NameIds } from "./declarations/symbol-table.ts";
import { visibleNames } from "./declarations/visible-names.ts";
import { memberResolver } from "./names/members.ts";
import { type NameResolver, nameResolver } from "./names/name-resolution.ts";
import { rareNames, rareNamesIn, type Sort } from "./names/rare-names.ts";

/**
 * `caller` and `callee` are indices into the symbols of their files' facts, `name` is as the caller wrote it. `confidence` is above
 * 0, at most 1. The kind "use" is any other use than the parser knows; only a compiler's index finds those.
 */
export type ReferenceEdge = {
  readonly callerPath: string;
  readonly caller: number;
  readonly calleePath: string;
  readonly callee: number;
  readonly name: string;
  readonly kind: ReferenceFact["kind"] | "use";
  readonly confidence: number;
};

/**
 * Resolves every reference of all files, or of `callers`, in caller order. The files are those of one family, or of all. `imports` are those
 * of the same files.
 */
export function* resolveReferences(
  files: readonly SourceFile[],
  imports: ImportsByPath,
  callers: ReadonlySet<string> | null = null,
): Generator<ReferenceEdge> {
  const tables = new Map<string, FileSymbols>();
  const ids: NameIds = new Map();
  for (const [position, file] of files.toSorted(byPath).entries()) {
    const table = fileSymbols(file, position, imports, ids);
    if (table === null) continue;
    tables.set(file.path, table);
    for (const name of providedNames(table)) idOf(name, ids);
  }
  const all = [...tables.values()];
  const groups = visibleNames(all, (path) => tables.get(path));
  const [external, names] = [externalMembers(all), rareNames(all)];
  const finder = (): NameResolver => {
    const exports = exportTable(tables, groups);
    return nameResolver(memberResolver(external, exports, groups), exports, groups, names, (_, name) => ids.has(name));
  };
  let find = finder();
  for (const [index, file] of all.entries()) {
    if (callers !== null && !callers.has(file.path)) continue;
    // The resolver caches answers, and neighbouring files ask the same questions.
    if ((index + 1) % FILES_PER_FINDER === 0) find = finder();
    yield* edgesOf(file, find);
  }
}

/** The cache is dropped after this many files, so that it does not grow with the repository. */
const FILES_PER_FINDER = 500;

/** Paths of the files that may define a name, in order, from the index. */
export type Definers = {
  /** False if no file defines, imports or exports something under the name; may be true wrongly. */
  isDefined(name: string): boolean;
  /** Members, or globals. */
  of(sort: Sort, name: string): Iterable<string>;
  /** External members: all, or those whose owner is written with one of these names, possibly after a path. */
  external(name: string, owners: readonly string[] | null): Iterable<string>;
};

/** Families without packages: the references of a file are resolved from the files that it leads to. */
const ALONE: ReadonlySet<ImportFamily> = new Set(["ecmascript", "python", "rust"]);
export const standsAlone = (family: ImportFamily): boolean => ALONE.has(family);

/** All files by path, with their positions in path order. */
export type FilesByPath = {
  get(path: string): { readonly file: SourceFile; readonly position: number } | undefined;
};

/**
 * Resolves the references of single files of a family whose files stand alone, like `resolveReferences`, and reads other files only on
 * demand. `size` is the number of files in memory.
 */
export function openReferences(
  family: ImportFamily,
  files: FilesByPath,
  imports: ImportsByPath,
  definers: Definers,
  writtenAs: NonNullable<Resolver["writtenAs"]> | null,
): { of(path: string): readonly ReferenceEdge[]; size(): number } {
  const ids: NameIds = new Map();
  const cached = new Map<string, FileSymbols | null>();
  const at = (path: string): FileSymbols | undefined => {
    let table = cached.get(path);
    if (table === undefined) {
      const found = files.get(path);
      table = found === undefined ? null : fileSymbols(found.file, found.position, imports, ids);
      cached.set(path, table);
    }
    return table ?? undefined;
  };
  const inFiles = function* (paths: Iterable<string>): Generator<FileSymbols> {
    for (const path of paths) {
      const file = at(path);
      if (file?.family === family) yield file;
    }
  };
  const groups = visibleNames([], at);
  const exports = exportTable({ get: at }, groups);
  const external = externalMembersIn((name, owners) => inFiles(definers.external(name, owners)), writtenAs);
  const names = rareNamesIn((sort, name) => inFiles(definers.of(sort, name)));
  const isDefined = ({ bindings, scoping }: FileSymbols, name: string): boolean =>
    definers.isDefined(name) || bindings.has(name) || scoping.selfNames.includes(name);
  const find = nameResolver(memberResolver(external, exports, groups), exports, groups, names, isDefined);
  return {
    of: (path) => {
      const file = at(path);
      return file === undefined ? [] : edgesOf(file, find);
    },
    size: () => cached.size,
  };
}

/** The best edge to a target so far. */
type Edge = { readonly use: ReferenceFact; readonly target: SymbolRef; readonly confidence: number };

/** The edges of one file, in the order of its symbols. */
function edgesOf(file: FileSymbols, find: NameResolver): readonly ReferenceEdge[] {
  // By caller, then by a number that identifies target and kind.
  const callers = new Map<number, Map<number, Edge>>();
  for (const use of file.facts.references) {
    const caller = use.symbol;
    if (caller === null) continue;
    const resolved = find.resolve(file, use, roleOf(file, use));
    if (resolved === null) continue;
    const confidence = shareOf(resolved);
    for (const target of resolved.targets) {
      if (!isSymbol(target) || target.symbol === WHOLE_FILE || (target.file === file && target.symbol === caller))
        continue;
      const key =
        (target.file.position * SYMBOLS_MAX + target.symbol) * REFERENCE_EDGE_KINDS.length +
        REFERENCE_EDGE_KINDS.indexOf(use.kind);
      let edges = callers.get(caller);
      if (edges === undefined) {
        edges = new Map();
        callers.set(caller, edges);
      }
      const known = edges.get(key);
      if (known === undefined || known.confidence < confidence) edges.set(key, { use, target, confidence });
    }
  }
  return [...callers]
    .sort(([a], [b]) => a - b)
    .flatMap(([caller, edges]) =>
      [...edges]
        .sort(([a], [b]) => a - b)
        .map(([, { use, target, confidence }]) => ({
          callerPath: file.path,
          caller,
          calleePath: target.file.path,
          callee: target.symbol,
          name: use.name,
          kind: use.kind,
          confidence,
        })),
    );
}

/** The kinds of references that are resolved; edges between the same two symbols come in this order. */
export const REFERENCE_EDGE_KINDS: readonly ReferenceEdge["kind"][] = [
  "call",
  "decorate",
  "implement",
  "inherit",
  "type",
];

/** More symbols than a file has; multiplied by kinds and files it stays a safe integer. */
const SYMBOLS_MAX = 2 ** 26;

/** The role of a reference. Decorators are types where types are declared. */
function roleOf({ rules }: FileSymbols, { kind }: ReferenceFact): Role {
  if (kind !== "call" && kind !== "decorate") return "type";
  if (!rules.nominal) return "value";
  return kind === "call" ? "call" : "type";
}
