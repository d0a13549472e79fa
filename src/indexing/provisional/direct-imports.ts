/** Finds the files that parsed files import, which are worth parsing too. */
import { openImports } from "../imports/resolve-imports.ts";
import { linkFacts } from "../links/link-facts.ts";
import { configReader } from "../links/link-files.ts";
import { fileColumns } from "../model/file-list.ts";
import type { GenerationFacts } from "../update/writer/link-written.ts";
import type { ReadText } from "../update/writer/write-generation.ts";
import type { Corpus } from "./count-tree.ts";

/** Files that imports bring in. */
const IMPORTED_MAX = 40;

/**
 * Prepares for resolving the imports of `importers`, which needs no facts yet. The returned function finds the files that those of them with
 * facts (`parsed`) import directly and that are not among the chosen files, in the order of the files.
 */
export function openDirectImports(
  { corpus: { files } }: { readonly corpus: Pick<Corpus, "files"> },
  facts: GenerationFacts,
  textIn: ReadText,
  importers: readonly number[],
): (parsed: readonly number[], chosen: ReadonlySet<number>) => readonly number[] {
  const all = fileColumns();
  files.forEach(all.add);
  const sources = linkFacts(facts).sourcesOf(all);
  const positions = all.positions();
  const imports = openImports(sources, configReader(all.find, textIn).read, positions);
  const sourcesOf = (ids: readonly number[]) => ids.flatMap((id) => sources.slice(id - 1, id));
  for (const source of sourcesOf(importers)) imports.prepare(source);
  return (parsed, chosen) => {
    const targets = sourcesOf(parsed).flatMap((source) =>
      imports.of(source).edges.flatMap(({ target }) => idAt(positions.get(target))),
    );
    return [...new Set(targets)].filter((id) => !chosen.has(id)).slice(0, IMPORTED_MAX);
  };
}

const idAt = (position: number | undefined): readonly number[] => (position === undefined ? [] : [position + 1]);
