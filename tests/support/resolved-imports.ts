/** All imports of a repository at once, which cra itself resolves file by file. */
import type { Binding, ImportEdge, ReadConfig, SourceFile } from "../../src/indexing/imports/model.ts";
import { openImports } from "../../src/indexing/imports/resolve-imports.ts";
import { inOrder } from "../../src/text/order.ts";

/** Every file edge, ordered by source, target, kind; the bindings of each file, in source order; each file's package. */
export type ResolvedImports = {
  readonly edges: readonly ImportEdge[];
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  readonly groups: ReadonlyMap<string, string>;
};

/** Resolves every import of every file. `files` are all files of the repository, parsed or not. */
export function resolveImports(files: readonly SourceFile[], readConfig: ReadConfig): ResolvedImports {
  const imports = openImports(files, readConfig);
  const edges: ImportEdge[] = [];
  const bindings = new Map<string, readonly Binding[]>();
  const groups = new Map<string, string>();
  for (const file of files) {
    const group = imports.groupOf(file);
    if (group !== null) groups.set(file.path, group);
    const own = imports.of(file);
    if (own.bindings.length > 0) bindings.set(file.path, own.bindings);
    edges.push(...own.edges);
  }
  const inOrderOf = (a: ImportEdge, b: ImportEdge): number =>
    inOrder(a.source, b.source) || inOrder(a.target, b.target) || inOrder(a.kind, b.kind);
  return { edges: edges.sort(inOrderOf), bindings, groups };
}
