/**
 * Finds the files whose links may differ after other files have changed: those that name what differs.
 *
 * A file finds symbols of other files only by names that are written in it, in signatures, bases and imports of the files on the way, or by
 * the default export of a file that it imports. So names spread: a function whose signature names a class that differs, differs too. The
 * result may contain too many files, and never too few.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { nameRules } from "../../languages/languages.ts";
import { searchTerm, searchTerms } from "../../text/terms/search-terms.ts";
import { facadeOf } from "../imports/jvm/definitions.ts";
import { type Binding, familyOf } from "../imports/model.ts";
import { nameOf } from "../imports/repo-path.ts";
import { sharedNames } from "../references/rare-names.ts";
import { type Interface, interfaceDiff, type Mentions, mentionsOf } from "./interface-diff.ts";

/** A file that others see changed, or that is new or removed. An interface is null if there is none or if it is not known. */
export type FileChange = {
  readonly path: string;
  readonly language: string;
  readonly kind: "added" | "changed" | "removed";
  readonly before: Interface | null;
  readonly after: Interface | null;
};

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
  /** Whether the folder of a file has other files of its family, in it or below it. */
  hasNeighbours(path: string): boolean;
  /** The files of a family of languages. */
  filesOf(family: ImportFamily): readonly string[];
  /** Whether import resolution reads the file as configuration. */
  isConfig(path: string): boolean;
};

/** Names and files beyond these limits are not followed one by one: the whole family is affected. */
const NAMES_MAX = 400;
const FILES_MAX = 4_000;

/** The families in which an import can name a file of any kind. */
const FILE_IMPORTS: readonly ImportFamily[] = ["ecmascript", "c", "ruby", "php"];

/** The affected files, with the changed ones. */
export function affectedFiles(changes: readonly FileChange[], files: LinkedFiles): ReadonlySet<string> {
  const affected = new Set<string>();
  const whole = new Set<ImportFamily>();
  const changesOf = Map.groupBy(changes, ({ language }) => familyOf(language));
  for (const [family, ofFamily] of changesOf) {
    for (const { path } of ofFamily) affected.add(path);
    importersByName(ofFamily, files, affected, whole);
    if (family !== null && !follow(family, ofFamily, files, affected)) whole.add(family);
    for (const { path } of ofFamily) {
      for (const importer of files.importersOf(path)) {
        const other = familyOf(files.languageOf(importer) ?? "");
        // Imports between families are too rare to follow.
        if (other !== null && other !== family) whole.add(other);
      }
    }
  }
  for (const family of whole) for (const path of files.filesOf(family)) affected.add(path);
  return affected;
}

/** Finds the importers of new and removed files in other families: an import names them by their file name. */
function importersByName(
  changes: readonly FileChange[],
  files: LinkedFiles,
  affected: Set<string>,
  whole: Set<ImportFamily>,
): void {
  for (const { path, kind } of changes) {
    if (kind === "changed") continue;
    const terms = searchTerms(nameOf(path));
    const found = terms.length === 0 ? null : [...files.mentioning(terms)];
    if (found === null || found.length > FILES_MAX || found.some(files.isConfig))
      for (const family of FILE_IMPORTS) whole.add(family);
    else for (const each of found) affected.add(each);
  }
}

/** Adds what is affected in one family; false if that is the whole family. */
function follow(
  family: ImportFamily,
  changes: readonly FileChange[],
  files: LinkedFiles,
  affected: Set<string>,
): boolean {
  const spread = spreading(family, files, affected);
  for (const change of changes) {
    const { path, language, kind, before, after } = change;
    if (kind !== "changed") {
      if (!followPath(family, change, files, spread)) return false;
      continue;
    }
    const diff = before === null || after === null ? null : interfaceDiff(language, before, after);
    if (diff === null) return false;
    for (const facts of diff.hasStars ? [before, after] : []) {
      if (!STARS_FOLLOWED.has(family)) return false;
      for (const name of starredNames(files, path, language, facts)) spread.name(name);
      spread.defaultOf(path);
    }
    const { attributes } = nameRules(language);
    for (const name of diff.names) {
      spread.name(name);
      if (attributes !== "" && name.endsWith(attributes)) spread.name(name.slice(0, -attributes.length));
    }
    if (diff.isDefault) spread.defaultOf(path);
    // Java sees the functions of a Kotlin file in a class named after it.
    if (language === "kotlin") spread.name(facadeOf(path));
  }
  return spread.isDone();
}

/** The families whose star imports are known by the files they name. */
const STARS_FOLLOWED: ReadonlySet<ImportFamily> = new Set(["ecmascript", "python"]);

/** The names that the star imports of a file bring, through further star imports. */
function starredNames(
  files: LinkedFiles,
  path: string,
  language: string,
  facts: Interface | null,
  seen: Set<string> = new Set(),
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { star, module } of facts === null ? [] : files.bindingsIn(path, language, facts)) {
    if (!star || module === null || seen.has(module)) continue;
    seen.add(module);
    const [there, itsLanguage] = [files.interfaceOf(module), files.languageOf(module) ?? ""];
    for (const name of there === null ? [] : providedNames(there)) names.add(name);
    for (const name of starredNames(files, module, itsLanguage, there, seen)) names.add(name);
  }
  return names;
}

function* providedNames({ symbols, imports, exportedAs }: Interface): Generator<string> {
  for (const { name, parent } of symbols) if (parent === null) yield name;
  for (const { names } of imports) for (const { name, alias } of names) yield alias ?? name;
  yield* Object.keys(exportedAs);
}

/**
 * Follows a new or removed file, whose name stands in the imports that lead to it; false if other imports may do so, too. Other files
 * find its members by their names.
 */
function followPath(
  family: ImportFamily,
  { path, language, before, after }: FileChange,
  files: LinkedFiles,
  spread: ReturnType<typeof spreading>,
): boolean {
  const facts = after ?? before;
  const stem = nameOf(path)
    .replace(/\.[^.]*$/, "")
    .replace(/\.d$/, "");
  const terms = searchTerms(stem);
  if (!STARS_FOLLOWED.has(family) || facts === null || terms.length === 0) return false;
  // The name of a folder leads to these.
  if (stem === "index" || stem === "__init__") return false;
  if (family === "python" && !files.hasNeighbours(path)) return false;
  const importers = [...files.mentioning(terms)];
  if (importers.length > FILES_MAX || importers.some(files.isConfig)) return false;
  spread.name(stem);
  for (const importer of importers) spread.importer(importer, terms, facts);
  for (const name of sharedNames(path, language, facts)) spread.name(name);
  return true;
}

/** The names that a file imports from a file that provides some, by the words of its name. */
function* importedNames(
  files: LinkedFiles,
  path: string,
  terms: readonly string[],
  provided: Interface,
): Generator<string> {
  const facts = files.interfaceOf(path);
  for (const { specifier, names, star } of facts?.imports ?? []) {
    const words = searchTerms(`${specifier} ${names.map(({ name }) => name).join(" ")}`);
    if (!terms.every((term) => words.includes(term))) continue;
    for (const { name, alias } of names) if (!(alias ?? name).includes(".")) yield alias ?? name;
    if (!star) continue;
    yield "default";
    yield* providedNames(provided);
    yield* starredNames(files, path, files.languageOf(path) ?? "", facts);
  }
}

/** Reads what the names of a file depend on, once for each; null if its facts are unreadable. */
function mentionReader(files: LinkedFiles): (path: string) => Mentions | null {
  const known = new Map<string, Mentions | null>();
  return (path) =>
    known.getOrInsertComputed(path, () => {
      const facts = files.interfaceOf(path);
      return facts === null ? null : mentionsOf(files.languageOf(path) ?? "", facts);
    });
}

/** Follows names from file to file. `isDone` follows all that were added, and is false if they are too many. */
function spreading(family: ImportFamily, files: LinkedFiles, affected: Set<string>) {
  const names = new Set<string>();
  const waiting: string[] = [];
  const defaults = new Set<string>();
  const mentionsIn = mentionReader(files);
  let found = 0;

  const name = (written: string): void => {
    for (const part of written.split(".")) {
      if (part === "" || part === "*" || part === "default" || names.has(part)) continue;
      names.add(part);
      waiting.push(part);
    }
  };
  const defaultOf = (path: string): void => void defaults.add(path);

  /** Spreads what a file imports from a file that is new or gone. */
  const importer = (path: string, terms: readonly string[], provided: Interface): void => {
    if (familyOf(files.languageOf(path) ?? "") !== family) return;
    affected.add(path);
    for (const each of importedNames(files, path, terms, provided)) {
      if (each === "default") defaultOf(path);
      else name(each);
    }
  };

  /** Spreads the names of a batch into the files that mention one of them. */
  const spreadNames = (batch: ReadonlySet<string>): boolean => {
    for (const each of batch) {
      const term = searchTerm(each);
      if (term === null) return false;
      for (const path of files.mentioning([term])) {
        if (familyOf(files.languageOf(path) ?? "") !== family) continue;
        found += 1;
        if (found > FILES_MAX) return false;
        affected.add(path);
        const known = mentionsIn(path);
        if (known === null) return false;
        for (const mention of known) {
          if (!mention.by.has(each)) continue;
          if (mention.name === "default" || mention.name === "exports") defaultOf(path);
          else name(mention.name);
        }
      }
    }
    return names.size <= NAMES_MAX;
  };

  /** Spreads a default export to the names that importers give it. */
  const spreadDefault = (path: string): void => {
    for (const importer of files.importersOf(path)) {
      affected.add(importer);
      for (const { module, name: there, alias, star, reexport } of files.bindingsOf(importer)) {
        if (module !== path) continue;
        if (star) defaultOf(importer);
        else if (there !== "default" && there !== "*") continue;
        else if (reexport && (alias ?? there) === "default") defaultOf(importer);
        else if (alias !== null) name(alias);
      }
    }
  };

  const isDone = (): boolean => {
    // Files that are added meanwhile are visited, too.
    let visited = 0;
    while (waiting.length > 0 || visited < defaults.size) {
      if (!spreadNames(new Set(waiting.splice(0)))) return false;
      for (const path of [...defaults].slice(visited)) {
        visited += 1;
        spreadDefault(path);
      }
    }
    return true;
  };
  return { name, defaultOf, importer, isDone };
}
