/**
 * Finds the files whose links may differ after other files have changed: those that name what differs.
 *
 * A file finds symbols of other files only by names that are written in it, in signatures, bases and imports of the files on the way, or by
 * the default export of a file that it imports. So names spread (`name-spread.ts`): a function whose signature names a class that differs,
 * differs too. The result may contain too many files, and never too few.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { nameRules } from "../../languages/languages.ts";
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { nameOf } from "../../text/repo-path.ts";
import { searchTerms } from "../../text/terms/search-terms.ts";
import { facadeOf } from "../imports/jvm/definitions.ts";
import { familyOf } from "../imports/model.ts";
import { sharedNames } from "../references/names/rare-names.ts";
import { type Interface, interfaceDiff, isModular, isReexport } from "./interface-diff.ts";
import type { LinkedFiles } from "./linked-files.ts";
import { FILES_MAX, type NameSpread, nameSpread } from "./name-spread.ts";

/** A file that others see changed, or that is new or removed. An interface is null if there is none or if it is not known. */
export type FileChange = {
  readonly path: string;
  readonly language: string;
  readonly kind: "added" | "changed" | "removed";
  readonly before: Interface | null;
  readonly after: Interface | null;
};

/** The families in which an import can name a file of any kind. */
const FILE_IMPORTS: readonly ImportFamily[] = ["ecmascript", "c", "ruby", "php", "shell"];

/** The affected files, with the changed ones. */
export function affectedFiles(changes: readonly FileChange[], files: LinkedFiles): ReadonlySet<string> {
  const affected = new Set<string>();
  const whole = new Set<ImportFamily>();
  const changesOf = Map.groupBy(changes, ({ language }) => familyOf(language));
  for (const [family, ofFamily] of changesOf) {
    for (const { path } of ofFamily) affected.add(path);
    importersByName(family, ofFamily, files, affected, whole);
    // Nothing refers to what is in a file without imports.
    if (family === null) continue;
    if (!follow(family, ofFamily, files, affected)) whole.add(family);
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
  family: ImportFamily | null,
  changes: readonly FileChange[],
  files: LinkedFiles,
  affected: Set<string>,
  whole: Set<ImportFamily>,
): void {
  for (const { path, kind } of changes) {
    if (kind === "changed") continue;
    if (files.addsToName(path, true)) whole.add("ecmascript");
    const terms = searchTerms(nameOf(path));
    const found = terms.length === 0 ? null : [...files.mentioning(terms)];
    if (found === null || found.length > FILES_MAX || found.some((each) => files.configures(each, terms))) {
      for (const each of FILE_IMPORTS) whole.add(each);
      continue;
    }
    for (const importer of found) {
      const other = familyOf(files.languageOf(importer) ?? "");
      if (other === null || other === family) continue;
      const leads = (fact: ImportFact): boolean => files.leadsTo(importer, fact, path);
      if (!isModular(other) || files.interfaceOf(importer)?.imports.some(leads) !== false) affected.add(importer);
    }
  }
}

/** Adds what is affected in one family; false if that is the whole family. */
function follow(
  family: ImportFamily,
  changes: readonly FileChange[],
  files: LinkedFiles,
  affected: Set<string>,
): boolean {
  const spread = nameSpread(family, files, affected);
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
      for (const name of starredNames(files, path, language, facts)) spread.name(name, path);
      spread.defaultOf(path);
    }
    const { attributes } = nameRules(language);
    const shared = new Set(
      [before, after].flatMap((facts) => (facts === null ? [] : sharedNames(path, language, facts))),
    );
    for (const name of diff.own) spread.own(name, path);
    for (const name of diff.names) {
      spread.name(name, shared.has(name) ? null : path);
      if (attributes !== "" && name.endsWith(attributes)) spread.name(name.slice(0, -attributes.length), path);
    }
    if (diff.isDefault) spread.defaultOf(path);
    // Java sees the functions of a Kotlin file in a class named after it.
    if (language === "kotlin") spread.name(facadeOf(path), path);
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
    for (const name of there === null ? [] : providedNames(itsLanguage, there)) names.add(name);
    for (const name of starredNames(files, module, itsLanguage, there, seen)) names.add(name);
  }
  return names;
}

function* providedNames(language: string, { symbols, imports, exportedAs }: Interface): Generator<string> {
  const isModule = isModular(familyOf(language));
  for (const { name, parent } of symbols) if (parent === null) yield name;
  for (const { kind, names } of imports)
    if (!isModule || isReexport(kind)) for (const { name, alias } of names) yield alias ?? name;
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
  spread: NameSpread,
): boolean {
  const facts = after ?? before;
  const stem = nameOf(path)
    .replace(/\.[^.]*$/, "")
    .replace(/\.d$/, "");
  const terms = searchTerms(stem);
  if (!STARS_FOLLOWED.has(family) || facts === null || terms.length === 0) return false;
  // The name of a folder leads to these.
  if (stem === "index" || stem === "__init__" || stem === "__main__") return false;
  if (family === "python" && !files.hasNeighbours(path)) return false;
  if (family === "ecmascript" && files.addsToName(path, false)) return false;
  const importers = [...files.mentioning(terms)];
  if (importers.length > FILES_MAX || importers.some((each) => files.configures(each, terms))) return false;
  if (!isModular(family)) spread.name(stem, path);
  for (const importer of importers) {
    if (familyOf(files.languageOf(importer) ?? "") !== family) continue;
    const imports = (files.interfaceOf(importer)?.imports ?? []).filter((fact) =>
      isModular(family) ? fact.specifier.includes(stem) && files.leadsTo(importer, fact, path) : saysAll(fact, terms),
    );
    if (isModular(family) && imports.length === 0) continue;
    spread.file(importer);
    for (const { name, isOwn } of importedNames(files, importer, imports, facts)) {
      if (name === "default") spread.defaultOf(importer);
      else if (isOwn) spread.own(name, importer);
      else spread.name(name, importer);
    }
  }
  for (const name of sharedNames(path, language, facts)) spread.name(name, null);
  return true;
}

/** Whether an import has all of the terms. */
function saysAll({ specifier, names }: ImportFact, terms: readonly string[]): boolean {
  const words = searchTerms(`${specifier} ${names.map(({ name }) => name).join(" ")}`);
  return terms.every((term) => words.includes(term));
}

/** The names that imports of a file bind if they lead to a file that provides some. `isOwn`: only the file itself sees it. */
function* importedNames(
  files: LinkedFiles,
  path: string,
  imports: Interface["imports"],
  provided: Interface,
): Generator<{ readonly name: string; readonly isOwn: boolean }> {
  const language = files.languageOf(path) ?? "";
  for (const { kind, names, star } of imports) {
    const isOwn = isModular(familyOf(language)) && !isReexport(kind);
    for (const { name, alias } of names)
      if (!(alias ?? name).includes(".")) yield { name: alias ?? name, isOwn: isOwn && (alias ?? name) !== "default" };
    if (!star) continue;
    const starred = starredNames(files, path, language, files.interfaceOf(path));
    for (const name of ["default", ...providedNames(language, provided), ...starred]) yield { name, isOwn: false };
  }
}
