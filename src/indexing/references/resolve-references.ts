/**
 * Uses of names to the symbols they mean: calls, inheritance, types, decorators.
 *
 * In order: the scopes around the use, the file, its imports with re-exports followed; for members,
 * the class or module that stands before the dot; at last a name that few define. The further a guess,
 * the lower its confidence, and a name that an import brings from outside the repository is never
 * guessed at. Uses outside any symbol give no edge: the file edges of `imports.ts` stand for them.
 * Invariants: no symbol refers to itself, one edge per (caller, callee, kind), ordered by caller.
 */

import { nameRules } from "../../languages/languages.ts";
import type { ReferenceFact } from "../../syntax/facts/facts.ts";
import { byPath, inOrder } from "../../text/order.ts";
import type { ImportsByPath, SourceFile } from "../imports/model.ts";
import { isPlace, shareOf } from "./confidence.ts";
import { exportTable } from "./exports.ts";
import { outsideNames, outsideNamesIn } from "./external-members.ts";
import { type FileSymbols, fileSymbols, listed, namesGiven, type Place, type Want } from "./file-symbols.ts";
import { pathFinder } from "./members.ts";
import { type MeaningFinder, meaningFinder } from "./name-resolution.ts";
import { nameTable, nameTableIn } from "./rare-names.ts";
import { idOf, type NameIds } from "./symbol-table.ts";
import { groupTable } from "./visible-names.ts";

/** `caller` and `callee` are indices into the symbols of their files' facts. `confidence` is above 0, at most 1. */
export type ReferenceEdge = {
  readonly callerPath: string;
  readonly caller: number;
  readonly calleePath: string;
  readonly callee: number;
  readonly kind: ReferenceFact["kind"];
  readonly confidence: number;
};

/** Resolves every use in every file, or in those of `callers`, in order of the callers. `imports` are the same files'. */
export function* resolveReferences(
  files: readonly SourceFile[],
  imports: ImportsByPath,
  callers: ReadonlySet<string> | null = null,
): Generator<ReferenceEdge> {
  const tables = new Map<string, FileSymbols>();
  const ids: NameIds = new Map();
  for (const [place, file] of files.toSorted(byPath).entries()) {
    const table = fileSymbols(file, place, imports, ids);
    if (table === null) continue;
    tables.set(file.path, table);
    for (const name of namesGiven(table)) idOf(name, ids);
  }
  const all = [...tables.values()];
  const groups = groupTable(all, (path) => tables.get(path));
  const [outside, names] = [outsideNames(all), nameTable(all)];
  const finder = (): MeaningFinder => {
    const exports = exportTable(tables, groups);
    return meaningFinder(pathFinder(outside, exports, groups), exports, names, (name) => ids.has(name));
  };
  let find = finder();
  for (const [index, file] of all.entries()) {
    if (callers !== null && !callers.has(file.path)) continue;
    // Answers are kept, and files near each other ask the same.
    if ((index + 1) % FILES_PER_FINDER === 0) find = finder();
    yield* edgesOf(file, find);
  }
}

/** After so many files what they asked is forgotten, so that it does not grow with the repository. */
const FILES_PER_FINDER = 4_000;

/** Which files may define what has a name, as paths in order: the index tells, so that few files are looked at. */
type Definers = {
  /** Methods, functions and what stands at the top of a file. */
  of(name: string): readonly string[];
  /** Members that stand outside of their types. */
  outside(name: string): readonly string[];
};

/** Whether the uses of a file can be resolved without a look at every file: its names are in no package. */
export const standsAlone = ({ path, language }: SourceFile, imports: ImportsByPath): boolean =>
  nameRules(language).parts === "none" && imports.groups.get(path) === undefined;

/**
 * Resolves the uses of some files, which stand alone, as `resolveReferences` does. Of all others only the facts of
 * those are looked at that names lead to.
 */
export function* resolveReferencesOf(
  callers: ReadonlySet<string>,
  files: readonly SourceFile[],
  imports: ImportsByPath,
  definers: Definers,
): Generator<ReferenceEdge> {
  const places = new Map(files.toSorted(byPath).map((file, place) => [file.path, { file, place }]));
  const ids: NameIds = new Map();
  const kept = new Map<string, FileSymbols | null>();
  const at = (path: string): FileSymbols | undefined => {
    let table = kept.get(path);
    if (table === undefined) {
      const found = places.get(path);
      table = found === undefined ? null : fileSymbols(found.file, found.place, imports, ids);
      kept.set(path, table);
    }
    return table ?? undefined;
  };
  const inFiles = function* (paths: readonly string[]): Generator<FileSymbols> {
    for (const path of paths) {
      const file = at(path);
      if (file !== undefined) yield file;
    }
  };
  const groups = groupTable([], at);
  const exports = exportTable({ get: at }, groups);
  const outside = outsideNamesIn((name) => inFiles(definers.outside(name)));
  const names = nameTableIn((name) => inFiles(definers.of(name)));
  const find = meaningFinder(pathFinder(outside, exports, groups), exports, names, () => true);
  for (const path of [...callers].sort(inOrder)) {
    const file = at(path);
    if (file !== undefined) yield* edgesOf(file, find);
  }
}

/** An edge to be, with its target's file. */
type Found = { readonly use: ReferenceFact; readonly target: Place; readonly confidence: number };

/** The edges of one file, in the order of its symbols. */
function edgesOf(file: FileSymbols, find: MeaningFinder): readonly ReferenceEdge[] {
  // By caller, then by what tells a target and kind apart, as a number.
  const callers = new Map<number, Map<number, Found>>();
  for (const use of file.facts.references) {
    const caller = use.symbol;
    if (caller === null) continue;
    const meaning = find.meaning(file, use, wantOf(file, use));
    if (meaning === null) continue;
    const confidence = shareOf(meaning);
    for (const target of meaning.targets) {
      if (!isPlace(target) || (target.file === file && target.symbol === caller)) continue;
      const key = (target.file.place * SYMBOLS_MAX + target.symbol) * KINDS.length + KINDS.indexOf(use.kind);
      const edges = listed(callers, caller, () => new Map<number, Found>());
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
          kind: use.kind,
          confidence,
        })),
    );
}

/** Kinds of use in the order of their edges. */
const KINDS: readonly ReferenceFact["kind"][] = ["call", "decorate", "implement", "inherit", "type"];

/** More symbols than a file has; times kinds and files it is still a whole number. */
const SYMBOLS_MAX = 2 ** 26;

/** What a use asks for. Annotations are types where types are declared. */
function wantOf({ rules }: FileSymbols, { kind }: ReferenceFact): Want {
  if (kind !== "call" && kind !== "decorate") return "type";
  if (!rules.nominal) return "value";
  return kind === "call" ? "call" : "type";
}
