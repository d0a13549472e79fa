/** Answers what the search for affected files asks, from the index that is being written and the parse cache. */
import type { LinkableSymbols } from "../../db/curated/write-symbols.ts";
import { languageOf } from "../../languages/languages.ts";
import { type Binding, familyOf, type ReadConfig, type SourceFile } from "../imports/model.ts";
import { folderOf, isWithin } from "../imports/repo-path.ts";
import { openImports } from "../imports/resolve-imports.ts";
import type { LinkedFiles } from "./affected-files.ts";
import { EMPTY } from "./link-facts.ts";

export function linkedFiles(
  { filesMentioning, importersOf }: LinkableSymbols,
  sources: readonly SourceFile[],
  config: { readonly read: ReadConfig; isConfig(path: string): boolean },
): LinkedFiles {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  let imports: ReturnType<typeof openImports> | null = null;
  const bindingsOf = (source: SourceFile | undefined): readonly Binding[] => {
    imports ??= openImports(sources, config.read);
    return source === undefined ? [] : imports.of(source).bindings;
  };
  return {
    mentioning: filesMentioning,
    importersOf,
    languageOf: (path) => byPath.get(path)?.language ?? null,
    interfaceOf: (path) => byPath.get(path)?.facts ?? null,
    bindingsOf: (path) => bindingsOf(byPath.get(path)),
    bindingsIn: (path, language, facts) => bindingsOf({ path, language, facts: { ...EMPTY, ...facts } }),
    hasNeighbours: (path) => {
      const family = familyOf(languageOf(path));
      return sources.some(
        (other) => other.path !== path && isWithin(other.path, folderOf(path)) && familyOf(other.language) === family,
      );
    },
    filesOf: (family) => sources.flatMap(({ path, language }) => (familyOf(language) === family ? path : [])),
    isConfig: config.isConfig,
  };
}
