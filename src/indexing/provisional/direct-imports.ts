/** Finds the files that parsed files import, which are worth parsing too. */
import { openImports } from "../imports/resolve-imports.ts";
import { linkFacts } from "../links/link-facts.ts";
import { configReader } from "../links/link-files.ts";
import type { GenerationFacts } from "../update/link-written.ts";
import type { ReadText } from "../update/write-generation.ts";
import type { Corpus, CountedFile } from "./count-tree.ts";

/** Files that imports bring in. */
const IMPORTED_MAX = 40;

/**
 * Lays out what the imports of some files are resolved by, which they need facts for only later. Returns what finds the direct imports of
 * those of them with facts that are not among the chosen files, in the order of the files.
 */
export function openDirectImports(
  { corpus: { files } }: { readonly corpus: Pick<Corpus, "files"> },
  facts: GenerationFacts,
  textIn: ReadText,
  importers: readonly number[],
): (parsed: readonly number[], chosen: ReadonlySet<number>) => readonly number[] {
  const links = linkFacts(facts);
  const sources = files.map(({ path, language, contentHash: hash }) => links.sourceOf({ path, language, hash }));
  const idOf = new Map(files.map(({ path }, position) => [path, position + 1]));
  const fileAt = (path: string): CountedFile | undefined => files[(idOf.get(path) ?? 0) - 1];
  const imports = openImports(sources, configReader(fileAt, textIn).read);
  const sourcesOf = (ids: readonly number[]) => ids.flatMap((id) => sources.slice(id - 1, id));
  for (const source of sourcesOf(importers)) imports.prepare(source);
  return (parsed, chosen) => {
    const targets = sourcesOf(parsed).flatMap((source) =>
      imports.of(source).edges.flatMap(({ target }) => idOf.get(target) ?? []),
    );
    return [...new Set(targets)].filter((id) => !chosen.has(id)).slice(0, IMPORTED_MAX);
  };
}
