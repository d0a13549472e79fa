/**
 * The definitions of what a changed header of C or C++ declares. Uses lead to the definition, so without it nothing would
 * show who uses a declaration that was changed.
 */
import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { isFunctionKind } from "../../syntax/facts/facts.ts";
import { positionsById } from "../lexical/file-positions.ts";
import type { Seed } from "../model/selection.ts";

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|cuh)$/;

/** The seeds; those that are headers also have the definitions in files that include them. */
export function withDefinitions(
  seeds: readonly Seed[],
  kb: Pick<KnowledgeBase, "dependencyEnds" | "symbolsById" | "symbolsNamed">,
  files: readonly FileRow[],
): readonly Seed[] {
  if (!seeds.some(({ changed = [] }) => changed.length > 0)) return seeds;
  const positions = positionsById(files);
  return seeds.map((seed) => {
    const { changed = [], fileId } = seed;
    if (changed.length === 0 || !HEADER.test(files[positions.get(fileId) ?? -1]?.path ?? "")) return seed;
    const declared = kb.symbolsById(changed).filter(({ kind }) => isFunctionKind(kind));
    if (declared.length === 0) return seed;
    const including = new Set(
      kb.dependencyEnds([fileId]).flatMap(({ source, target }) => (target === fileId ? source : [])),
    );
    const names = new Set(declared.map(({ qualifiedName }) => qualifiedName));
    const defined = kb
      .symbolsNamed([...new Set(declared.map(({ name }) => name))])
      .filter((symbol) => including.has(symbol.fileId) && names.has(symbol.qualifiedName));
    return { ...seed, changed: [...changed, ...defined.map(({ id }) => id)] };
  });
}
