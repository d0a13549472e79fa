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
import type { ResolvedImports, SourceFile } from "./imports-model.ts";
import { exportTable } from "./references-exports.ts";
import { type MemberFinder, memberFinder } from "./references-members.ts";
import { nameTable } from "./references-names.ts";
import { type FileSymbols, fileSymbols } from "./references-symbols.ts";

/** `caller` and `callee` are indices into the symbols of their files' facts. `confidence` is above 0, at most 1. */
export type ReferenceEdge = {
  readonly callerPath: string;
  readonly caller: number;
  readonly calleePath: string;
  readonly callee: number;
  readonly kind: ReferenceFact["kind"];
  readonly confidence: number;
};

/** Resolves every use in every file. `imports` are the same files' (`resolveImports`). */
export function resolveReferences(files: readonly SourceFile[], imports: ResolvedImports): readonly ReferenceEdge[] {
  const tables = new Map<string, FileSymbols>();
  for (const file of files) {
    const table = fileSymbols(file, imports.bindings.get(file.path) ?? []);
    if (table !== null) tables.set(file.path, table);
  }
  const find = memberFinder(exportTable(tables), nameTable(tables.values()));
  const paths = [...tables.keys()].sort();
  return paths.flatMap((path) => {
    const file = tables.get(path);
    return file === undefined ? [] : edgesOf(file, find);
  });
}

/** The edges of one file, in the order of its symbols. */
function edgesOf(file: FileSymbols, find: MemberFinder): readonly ReferenceEdge[] {
  const edges = new Map<string, ReferenceEdge>();
  for (const use of file.facts.references) {
    const caller = use.symbol;
    if (caller === null) continue;
    const want = use.kind === "call" || use.kind === "decorate" ? "value" : "type";
    for (const { target, confidence } of find.guesses(file, use, want)) {
      const callee = target.symbol;
      if (callee === null || (target.file === file && callee === caller)) continue;
      const edge = { callerPath: file.path, caller, calleePath: target.file.path, callee, kind: use.kind, confidence };
      const key = `${caller}\0${edge.calleePath}\0${callee}\0${use.kind}`;
      const known = edges.get(key);
      if (known === undefined || known.confidence < confidence) edges.set(key, edge);
    }
  }
  return [...edges.values()].sort(
    (a, b) =>
      a.caller - b.caller || compare(a.calleePath, b.calleePath) || a.callee - b.callee || compare(a.kind, b.kind),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
