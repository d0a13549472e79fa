/**
 * The words that enrichment knows a repository by, which a task may name.
 */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";

/** Domains, modules and concepts, in lower case. */
export function conceptsOf(kb: KnowledgeBase): ReadonlySet<string> {
  const rows = kb.fileMetadata();
  return new Set(
    rows
      .flatMap((row) => [row.domain, row.module, ...row.concepts])
      .filter((word): word is string => word !== null)
      .map((word) => word.toLowerCase()),
  );
}
