/**
 * Expands from the seeds: which files come into scope by relation.
 *
 * Three tiers, each a pure function of rows: direct dependencies both ways (to `depth` hops), co-change neighbours, and
 * metadata matches.
 */
import type { CoChangeRow, DependencyRow, FileMetadataRow } from "../../db/curated/knowledge-base.ts";

/** A pair of files must have changed together this often to count as neighbours. */
const CO_CHANGE_COUNT_MIN = 3;

/** How a file came in, in words. `strength` orders files of one tier with equal scores, the strongest first. */
type Relation = { readonly words: string; readonly strength: number };
/** Relations by file id. */
export type Relations = ReadonlyMap<number, Relation>;

/** One hop along imports, both ways, from `frontier`. `pathOf` words the relation. Files already `known` are left out. */
export function dependencyNeighbours(
  frontier: ReadonlySet<number>,
  edges: readonly DependencyRow[],
  known: ReadonlySet<number>,
  hop: number,
  pathOf: (id: number) => string,
): Relations {
  const found = new Map<number, Relation>();
  const note = (id: number, words: string): void => {
    if (known.has(id)) return;
    const before = found.get(id);
    const first = before === undefined || words < before.words ? words : before.words;
    found.set(id, { words: first, strength: (before?.strength ?? 0) + 1 / hop });
  };
  const suffix = hop > 1 ? ` (${hop} hops from a seed)` : "";
  for (const edge of edges) {
    const verb = edge.kind === "type_ref" ? "imports types of" : "imports";
    if (frontier.has(edge.source)) note(edge.target, `imported by ${pathOf(edge.source)}${suffix}`);
    if (frontier.has(edge.target)) note(edge.source, `${verb} ${pathOf(edge.target)}${suffix}`);
  }
  return found;
}

/** Files that changed together with a seed at least `CO_CHANGE_COUNT_MIN` times. */
export function coChangeNeighbours(
  seeds: ReadonlySet<number>,
  pairs: readonly CoChangeRow[],
  known: ReadonlySet<number>,
  pathOf: (id: number) => string,
): Relations {
  const best = new Map<number, { count: number; seed: string }>();
  for (const { a, b, count } of pairs) {
    if (count < CO_CHANGE_COUNT_MIN) continue;
    for (const [from, to] of [[a, b] as const, [b, a] as const]) {
      if (!seeds.has(from) || known.has(to)) continue;
      const seed = pathOf(from);
      const before = best.get(to);
      if (!before || count > before.count || (count === before.count && seed < before.seed))
        best.set(to, { count, seed });
    }
  }
  return new Map(
    [...best].map(([id, { count, seed }]) => [
      id,
      { words: `changed together with ${seed} ${count} times`, strength: count },
    ]),
  );
}

/** Files whose enrichment shares a domain, module or concept with the task. Empty without enrichment. */
export function metadataMatches(
  rows: readonly FileMetadataRow[],
  concepts: ReadonlySet<string>,
  known: ReadonlySet<number>,
): Relations {
  const found = new Map<number, Relation>();
  for (const row of rows) {
    if (known.has(row.fileId)) continue;
    const shared = [row.domain, row.module, ...row.concepts]
      .filter((word): word is string => word !== null && concepts.has(word.toLowerCase()))
      .sort();
    const words = [...new Set(shared)];
    if (words.length > 0)
      found.set(row.fileId, {
        words: `its metadata shares ${words.join(", ")} with the task`,
        strength: words.length,
      });
  }
  return found;
}
