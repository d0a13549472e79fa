/**
 * The files of the direct callers of what a review changes. Files of one package use each other without an import, so no dependency
 * leads to them.
 */

import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { Positions } from "../lexical/file-positions.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { Seed } from "../model/selection.ts";
import type { Relations } from "./expansion.ts";
import { testsInSources } from "./tests-in-sources.ts";

/** Callers of each changed symbol, sources and tests apart; as many are shown. */
const PER_SYMBOL_MAX = 5;
/** Callers of one symbol that are looked at. */
const READ_MAX = 200;

/** By file id, the surest first. `positions` are those of `files` by id. */
export function callersOfChanges(
  seeds: readonly Seed[],
  kb: Pick<KnowledgeBase, "referencesTo" | "symbolsById" | "inlineTests">,
  files: readonly FileRow[],
  positions: Positions,
): Relations {
  const changed = new Set(seeds.flatMap((seed) => seed.changed ?? []));
  const found = new Map<number, { readonly words: string; readonly strength: number }>();
  if (changed.size === 0) return found;
  const rows = kb
    .referencesTo([...changed])
    .filter(({ caller, confidence }) => confidence >= CONFIDENCE_MIN && !changed.has(caller));
  const uses = [...Map.groupBy(rows, (row) => row.callee)].map(
    ([callee, all]) => [callee, all.toSorted((a, b) => b.confidence - a.confidence).slice(0, READ_MAX)] as const,
  );
  const ids = uses.flatMap(([callee, few]) => [callee, ...few.map(({ caller }) => caller)]);
  const symbols = new Map(kb.symbolsById([...new Set(ids)]).map((symbol) => [symbol.id, symbol]));
  const inline = testsInSources(kb, [...symbols.values()]);
  for (const [callee, few] of uses) {
    const callers = new Map<boolean, Set<number>>();
    for (const { caller, confidence } of few) {
      const fileId = symbols.get(caller)?.fileId ?? -1;
      const file = files[positions.get(fileId) ?? -1];
      if (file === undefined) continue;
      const others = callers.getOrInsertComputed(file.isTest || inline.has(caller), () => new Set());
      if (others.size >= PER_SYMBOL_MAX) continue;
      others.add(caller);
      const words = `uses ${symbols.get(callee)?.qualifiedName}, which was changed`;
      if (!found.has(fileId)) found.set(fileId, { words, strength: confidence });
    }
  }
  return found;
}
