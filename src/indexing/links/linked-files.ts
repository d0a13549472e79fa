/** Answers what the search for affected files asks, from the index that is being written and the parse cache. */
import type { LinkableSymbols } from "../../db/curated/write/write-symbols.ts";
import type { ImportFamily } from "../../languages/language.ts";
import { languageOf } from "../../languages/languages.ts";
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { folderOf, isWithin } from "../../text/repo-path.ts";
import { addsToName, starTargets } from "../imports/ecmascript/star-targets.ts";
import { type Binding, familyOf, type ReadConfig, type RepoPaths, type SourceFile } from "../imports/model.ts";
import { openImports } from "../imports/resolve-imports.ts";
import { type ImporterReach, importerReach } from "./importer-reach.ts";
import type { Interface } from "./interface-diff.ts";
import { EMPTY } from "./link-facts.ts";

/** What the search for affected files asks about the present state of the files. */
export type LinkedFiles = {
  /** The files whose texts have all of the terms. */
  mentioning(terms: readonly string[]): Iterable<string>;
  /** The files that import a file. */
  importersOf(path: string): readonly string[];
  /** Null for a file that is not indexed. */
  languageOf(path: string): string | null;
  interfaceOf(path: string): Interface | null;
  /** What the imports of a file bind, now or with other facts. */
  bindingsOf(path: string): readonly Binding[];
  bindingsIn(path: string, language: string, facts: Interface): readonly Binding[];
  /** Whether an import of a file leads to another one, or did before that was removed. */
  leadsTo(importer: string, fact: ImportFact, path: string): boolean;
  /** Whether the folder of a file has other files of its family, in it or below it. */
  hasNeighbours(path: string): boolean;
  /** The files of a family of languages. */
  filesOf(family: ImportFamily): readonly string[];
  /** Whether import resolution reads the file as configuration, and in it words that have all of the terms. */
  configures(path: string, terms: readonly string[]): boolean;
  /** Whether a target with a star leads to the file by text that its imports do not have (`star-targets.ts`). */
  addsToName(path: string, withEnding: boolean): boolean;
  /** Who sees the files of a family. */
  reachIn(family: ImportFamily): ImporterReach;
};

/** All files, in order and by path. */
type AllFiles = {
  readonly sources: readonly SourceFile[];
  readonly sourceAt: (path: string) => SourceFile | undefined;
  readonly paths: RepoPaths;
};

export function linkedFiles(
  { filesMentioning, importersOf, imports: allImports, outsideMembers }: LinkableSymbols,
  { sources, sourceAt, paths }: AllFiles,
  removed: readonly string[],
  config: { readonly read: ReadConfig; isRead(path: string): boolean; configures: LinkedFiles["configures"] },
): LinkedFiles {
  let targets: readonly string[] | null = null;
  let imports: ReturnType<typeof openImports> | null = null;
  const bindingsOf = (source: SourceFile | undefined): readonly Binding[] => {
    imports ??= openImports(sources, config.read, paths);
    return source === undefined ? [] : imports.of(source).bindings;
  };
  let withRemoved: ReturnType<typeof openImports> | null = null;
  const known = {
    mentioning: filesMentioning,
    languageOf: (path: string) => sourceAt(path)?.language ?? null,
    interfaceOf: (path: string) => sourceAt(path)?.facts ?? null,
  };
  return {
    ...known,
    importersOf,
    bindingsOf: (path) => bindingsOf(sourceAt(path)),
    bindingsIn: (path, language, facts) => bindingsOf({ path, language, facts: { ...EMPTY, ...facts } }),
    leadsTo(importer, fact, path) {
      withRemoved ??= openImports(sources, config.read, new Set([...paths.keys(), ...removed]));
      const file = { path: importer, language: known.languageOf(importer) ?? "" };
      const { edges } = withRemoved.of({ ...file, facts: { ...EMPTY, references: [], imports: [fact] } });
      return edges.some(({ target }) => target === path);
    },
    hasNeighbours: (path) => {
      const family = familyOf(known.languageOf(path) ?? languageOf(path));
      return sources.some(
        (other) => other.path !== path && isWithin(other.path, folderOf(path)) && familyOf(other.language) === family,
      );
    },
    filesOf: (family) => sources.flatMap(({ path, language }) => (familyOf(language) === family ? path : [])),
    configures: config.configures,
    addsToName(path, withEnding) {
      targets ??= [...paths.keys()].flatMap((each) =>
        each.endsWith(".json") && config.isRead(each) ? starTargets(config.read(each) ?? "") : [],
      );
      return targets.some((target) => addsToName(target, path, withEnding));
    },
    reachIn: (family) => importerReach({ ...known, imports: allImports, outsideMembers: () => outsideMembers(family) }),
  };
}
