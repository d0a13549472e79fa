/**
 * Uses of names to the symbols they mean: calls, inheritance, types, decorators.
 *
 * In order: the scopes around the use, the file, its imports with re-exports followed; for members,
 * the class or module that stands before the dot; at last a name that few define. The further a guess,
 * the lower its confidence, and a name that an import brings from outside the repository is never
 * guessed at. Uses outside any symbol give no edge: the file edges of `imports.ts` stand for them.
 * Invariants: no symbol refers to itself, one edge per (caller, callee, kind), ordered by caller.
 */
import type { ReferenceFact } from "../syntax/facts.ts";
import { byPath } from "../text/order.ts";
import type { ResolvedImports, SourceFile } from "./imports-model.ts";
import { idOf, type NameIds } from "./references-entries.ts";
import { exportTable } from "./references-exports.ts";
import { groupTable } from "./references-groups.ts";
import { isPlace, shareOf } from "./references-guess.ts";
import { type MeaningFinder, meaningFinder } from "./references-meaning.ts";
import { pathFinder } from "./references-members.ts";
import { nameTable } from "./references-names.ts";
import { type FileSymbols, fileSymbols, listed, namesGiven, type Place, type Want } from "./references-symbols.ts";

/** `caller` and `callee` are indices into the symbols of their files' facts. `confidence` is above 0, at most 1. */
export type ReferenceEdge = {
  readonly callerPath: string;
  readonly caller: number;
  readonly calleePath: string;
  readonly callee: number;
  readonly kind: ReferenceFact["kind"];
  readonly confidence: number;
};

/**
 * Resolves every use in every file, or in those of `callers`, one by one, in order of the callers. `imports` are the
 * same files' (`resolveImports`).
 */
export function* resolveReferences(
  files: readonly SourceFile[],
  imports: ResolvedImports,
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
  const exports = exportTable(tables, groups);
  const find = meaningFinder(pathFinder(all, exports, groups), exports, nameTable(all), ids);
  for (const file of all) if (callers === null || callers.has(file.path)) yield* edgesOf(file, find);
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
