/** Finds the files that parsed files import, which are worth parsing too. */
import { openImports } from "../imports/resolve-imports.ts";
import { linkFacts } from "../links/link-facts.ts";
import { configReader } from "../links/link-files.ts";
import type { GenerationFacts, ReadText } from "../update/write-generation.ts";
import type { Corpus, CountedFile } from "./count-tree.ts";

/** Files that imports bring in. */
const IMPORTED_MAX = 40;

/** The direct imports of parsed files that are not among the chosen ones, in the order of the files. */
export function importsOf(
  { corpus: { files } }: { readonly corpus: Pick<Corpus, "files"> },
  facts: GenerationFacts,
  textIn: ReadText,
  importers: readonly number[],
  chosen: ReadonlySet<number>,
): readonly number[] {
  const links = linkFacts(facts);
  const sources = files.map(({ path, language, contentHash: hash }) => links.sourceOf({ path, language, hash }));
  const idOf = new Map(files.map(({ path }, position) => [path, position + 1]));
  const fileAt = (path: string): CountedFile | undefined => files[(idOf.get(path) ?? 0) - 1];
  const imports = openImports(sources, configReader(fileAt, textIn).read);
  const targets = importers
    .flatMap((id) => sources.slice(id - 1, id))
    .flatMap((source) => imports.of(source).edges.flatMap(({ target }) => idOf.get(target) ?? []));
  return [...new Set(targets)].filter((id) => !chosen.has(id)).slice(0, IMPORTED_MAX);
}
