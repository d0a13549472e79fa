/** The words of enrichment that a task may name. */
import type { FileQueries } from "../../db/curated/knowledge-base.ts";

/** The words that enrichment knows a repository by: domains, modules and concepts, in lower case. */
export const conceptsOf = (kb: Pick<FileQueries, "fileMetadata">): ReadonlySet<string> =>
  new Set(
    kb
      .fileMetadata()
      .flatMap(({ domain, module, concepts }) => [domain, module, ...concepts])
      .flatMap((word) => (word === null ? [] : [word.toLowerCase()])),
  );
