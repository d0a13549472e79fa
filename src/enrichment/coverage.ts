/** How many files of the index a model has answered about, and how many of the answers the index holds. */
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { isAskedAbout } from "./choose-files.ts";
import type { Known } from "./known.ts";

/** Counts of files: those a model is asked about, those with an answer on their present content, those with metadata. */
export type Coverage = { readonly files: number; readonly answered: number; readonly promoted: number };

export function coverageOf(kb: Pick<KnowledgeBase, "files" | "fileMetadata">, known: Known): Coverage {
  const files = kb.files().filter(isAskedAbout);
  return {
    files: files.length,
    answered: files.filter((file) => known.record(file) !== null).length,
    promoted: kb.fileMetadata().length,
  };
}
