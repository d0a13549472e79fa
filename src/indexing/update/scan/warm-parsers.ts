/**
 * Starts the threads that parse while the tree is still being walked, where all of its contents will be parsed. Starting them and compiling a
 * grammar takes longer than the walk.
 */
import type { ParseCache } from "../../../db/parse-cache/parse-cache.ts";
import { languageOf, PARSED_LANGUAGES } from "../../../languages/languages.ts";
import type { TreeFile } from "../../../source/walk/tree-digest.ts";
import type { TextParser } from "../index-deps.ts";

/** The threads start once this many files with a grammar are found: their most frequent language is then that of many others. */
const FILES_MIN = 500;

/** Takes the files that the walk finds. Null if facts are known, or the parser cannot be started ahead. */
export function warmParsers(
  { warm }: TextParser,
  cache: Pick<ParseCache, "isEmpty">,
): ((files: readonly Pick<TreeFile, "path">[]) => void) | null {
  if (warm === undefined || !cache.isEmpty()) return null;
  const counts = new Map<string, number>();
  let found = 0;
  return (files) => {
    if (found >= FILES_MIN) return;
    for (const { path } of files) {
      const language = languageOf(path);
      if (PARSED_LANGUAGES.get(language)?.kind !== "grammar") continue;
      counts.set(language, (counts.get(language) ?? 0) + 1);
      found += 1;
    }
    if (found < FILES_MIN) return;
    const [language] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
    warm(language, found);
  };
}
