/**
 * Puts exact uses in the place of what the resolver found.
 *
 * In a file that a SCIP index covers, it decides about every name that it places; names that it does not know stay with the resolver.
 */
import type { SourceFile } from "../imports/model.ts";
import type { ReferenceEdge } from "../references/resolve-references.ts";
import type { ExactUse } from "./exact-uses.ts";

/** The indices of the definitions of a file that have a qualified name. */
type SymbolFinder = (path: string, qualifiedName: string) => readonly number[];

/** The edges of a covered file: `uses` are exact, `own` what the resolver found in it. */
export function exactEdges(
  path: string,
  uses: readonly ExactUse[],
  own: readonly ReferenceEdge[],
  symbolsOf: SymbolFinder,
): readonly ReferenceEdge[] {
  const placed = new Set(uses.map(({ caller, name }) => `${caller} ${name}`));
  const edges = new Map<string, ReferenceEdge>();
  const add = (edge: ReferenceEdge): void =>
    void edges.set(JSON.stringify([edge.caller, edge.calleePath, edge.callee, edge.kind]), edge);
  for (const edge of own) if (!placed.has(`${edge.caller} ${edge.name}`)) add(edge);
  for (const { caller, name, callee, kind } of uses) {
    if (callee === null) continue;
    for (const index of symbolsOf(callee.path, callee.qualifiedName))
      if (callee.path !== path || index !== caller)
        add({ callerPath: path, caller, calleePath: callee.path, callee: index, name, kind, confidence: 1 });
  }
  return [...edges.values()].sort((a, b) => a.caller - b.caller);
}

/** Finds definitions by name; overloads share one. `files` are all files of the repository. */
export function symbolFinder(files: readonly SourceFile[]): SymbolFinder {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const tables = new Map<string, Map<string, number[]>>();
  return (path, qualifiedName) => {
    const table = tables.getOrInsertComputed(path, () => {
      const names = new Map<string, number[]>();
      for (const [index, symbol] of (byPath.get(path)?.facts.symbols ?? []).entries())
        names.getOrInsertComputed(symbol.qualifiedName, () => []).push(index);
      return names;
    });
    return table.get(qualifiedName) ?? [];
  };
}
