/**
 * Puts exact uses in the place of what the resolver found.
 *
 * In a file that a SCIP index covers, it decides about every name that it places; names that it does not know stay with the resolver.
 */
import { inOrder } from "../../text/order.ts";
import type { SourceFile } from "../imports/model.ts";
import type { ReferenceEdge } from "../references/resolve-references.ts";
import type { ExactUse } from "./exact-uses.ts";

/** `paths` are the covered files, `usesOf` what they use. */
export type ExactSource = { readonly paths: readonly string[]; usesOf(path: string): readonly ExactUse[] };

/** `edges` come file by file in path order, and so does the result. `files` are all files of the repository. */
export function* withExactEdges(
  edges: Iterable<ReferenceEdge>,
  { paths, usesOf }: ExactSource,
  files: readonly SourceFile[],
): Generator<ReferenceEdge> {
  const waiting = [...paths].sort(inOrder).reverse();
  const covered = new Set(paths);
  const symbolsOf = symbolFinder(files);
  let [path, own] = ["", [] as ReferenceEdge[]];
  const finished = function* (): Generator<ReferenceEdge> {
    if (covered.has(path)) yield* exactEdges(path, usesOf(path), own, symbolsOf);
    own = [];
  };
  const before = function* (next: string | null): Generator<ReferenceEdge> {
    for (let first = waiting.at(-1); first !== undefined && (next === null || first < next); first = waiting.at(-1)) {
      waiting.pop();
      yield* exactEdges(first, usesOf(first), [], symbolsOf);
    }
  };
  for (const edge of edges) {
    if (edge.callerPath !== path) {
      yield* finished();
      yield* before(edge.callerPath);
      path = edge.callerPath;
      if (waiting.at(-1) === path) waiting.pop();
    }
    if (covered.has(path)) own.push(edge);
    else yield edge;
  }
  yield* finished();
  yield* before(null);
}

type SymbolFinder = (path: string, qualifiedName: string) => readonly number[];

function exactEdges(
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

/** Finds definitions by name; overloads share one. */
function symbolFinder(files: readonly SourceFile[]): SymbolFinder {
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
