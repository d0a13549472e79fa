/** Finds the files that have a name as a word, from the term statistics alone. */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import { searchTerm } from "../../text/terms/search-terms.ts";
import { findTerms } from "./corpus.ts";

/**
 * The files with each name, in the order of `files`. Case does not count, and few files may be too many. A name that is no word of the
 * statistics is missing.
 */
export function mentioningFiles(
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
  names: readonly string[],
): ReadonlyMap<string, readonly FileRow[]> {
  const termOf = new Map(names.flatMap((name) => [[name, searchTerm(name)] as const]));
  const terms = [...new Set([...termOf.values()].filter((term) => term !== null))];
  const { exact } = findTerms(kb, files, { exact: { terms, weights: [] }, stems: { terms: [], weights: [] } });
  const holders = terms.map((): FileRow[] => []);
  for (const [position, file] of files.entries())
    for (let hit = exact.from[position] ?? 0; hit < (exact.to[position] ?? 0); hit += 1) {
      const own = holders[exact.term[hit] ?? -1];
      if (own?.at(-1) !== file) own?.push(file);
    }
  return new Map(
    names.flatMap((name) => {
      const at = terms.indexOf(termOf.get(name) ?? "");
      return at < 0 ? [] : [[name, holders[at] ?? []] as const];
    }),
  );
}
