/**
 * Finds the names whose meaning differs between two versions of a file, as other files see it.
 *
 * Other files find everything by name. A name is listed if any of its symbols in the file differs, in number, order, kind, signature,
 * bases or surroundings, or if the file imports or exports it in another way.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { nameRules } from "../../languages/languages.ts";
import type { FileFacts, ReferenceFact, SymbolFact } from "../../syntax/facts/facts.ts";
import { familyOf } from "../imports/model.ts";
import { isScriptFile } from "../references/file-symbols.ts";
import { isExternalMember } from "../references/member-owner.ts";

/** What other files see of a file. */
export type Interface = Pick<FileFacts, "parsed" | "namespace" | "symbols" | "imports" | "references" | "exportedAs">;

/**
 * `names` are as written. `isDefault`: the default export differs, which importers reach without naming it. `hasStars`: a star import
 * differs.
 */
export type InterfaceDiff = {
  readonly names: ReadonlySet<string>;
  readonly isDefault: boolean;
  readonly hasStars: boolean;
};

/** The names of a default export, which importers do not write. */
const DEFAULT_NAMES: ReadonlySet<string> = new Set(["default", "exports"]);

/** Null if the change can matter to any file of the language's family: another package or module tree. */
export function interfaceDiff(language: string, before: Interface, after: Interface): InterfaceDiff | null {
  const family = familyOf(language);
  const rules = nameRules(language);
  if (before.parsed !== after.parsed || before.namespace !== after.namespace) return null;
  const imports = importedNames(family, before, after);
  if (imports === null || (family === "rust" && !sameModules(before, after))) return null;
  // A project without go.mod gets its path from the imports of all files.
  if (family === "go" && imports.names.size > 0) return null;
  const names = new Set(imports.names);
  const [old, now] = [symbolsByName(language, before), symbolsByName(language, after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [one, other] = [old.get(name), now.get(name)];
    if (one?.text === other?.text) continue;
    names.add(name);
    for (const around of [...(one?.around ?? []), ...(other?.around ?? [])]) names.add(around);
  }
  for (const key of new Set([...Object.keys(before.exportedAs), ...Object.keys(after.exportedAs)])) {
    const [one, other] = [localName(before.exportedAs, key), localName(after.exportedAs, key)];
    if (one === other) continue;
    names.add(key);
  }
  if (isScriptFile(rules, before) !== isScriptFile(rules, after))
    for (const { name, parent } of [...before.symbols, ...after.symbols]) if (parent === null) names.add(name);
  // Importing a package for its effects leads to the files that define `init`.
  if (family === "go" && names.has("init")) return null;
  const isDefault = [...DEFAULT_NAMES].some((name) => names.delete(name));
  return { names, isDefault, hasStars: imports.hasStars };
}

const localName = (exportedAs: FileFacts["exportedAs"], key: string): string | null =>
  Object.hasOwn(exportedAs, key) ? (exportedAs[key] ?? null) : null;

/** Families whose imports bring names into a file that it does not write. */
const LOADING: ReadonlySet<ImportFamily | null> = new Set(["c", "ruby"]);

/** The names of the imports that differ; null if they are not known. */
function importedNames(
  family: ImportFamily | null,
  before: Interface,
  after: Interface,
): Pick<InterfaceDiff, "names" | "hasStars"> | null {
  const [old, now] = [importTexts(before), importTexts(after)];
  if (old.length === now.length && old.every((text, at) => text === now[at]))
    return { names: new Set(), hasStars: false };
  if (LOADING.has(family)) return null;
  const [wasThere, isThere] = [new Set(old), new Set(now)];
  const differ = [
    ...before.imports.filter((_, at) => !isThere.has(old[at] ?? "")),
    ...after.imports.filter((_, at) => !wasThere.has(now[at] ?? "")),
  ];
  const names = new Set<string>();
  let hasStars = false;
  // Of equal imports in another order, the first one of a name counts.
  for (const { star, kind, names: bound } of differ.length === 0 ? after.imports : differ) {
    // A global using of C# applies to the whole project.
    if (family === "csharp" && kind === "reexport") return null;
    hasStars ||= star;
    for (const { name, alias } of bound) names.add(alias ?? name);
  }
  names.delete("*");
  return { names, hasStars };
}

/** Each import with the namespace around it, without its line. */
export function importTexts({ imports, symbols }: Interface): readonly string[] {
  const namespaces = symbols.filter(({ kind }) => kind === "namespace");
  return imports.map(({ specifier, kind, names, star, line }) => {
    const around = namespaces.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
    return JSON.stringify([
      around?.qualifiedName,
      specifier,
      kind,
      names.map(({ name, alias }) => [name, alias]),
      star,
    ]);
  });
}

/** Whether the `mod` items of a Rust file are the same. */
function sameModules(before: Interface, after: Interface): boolean {
  const modules = ({ imports, symbols }: Interface): string =>
    JSON.stringify([
      imports.flatMap(({ kind, specifier, names }) => (kind === "require" ? [[specifier, names[0]?.alias]] : [])),
      symbols.filter(({ kind }) => kind === "namespace").map(({ qualifiedName }) => qualifiedName),
    ]);
  return modules(before) === modules(after);
}

/** What is known of all symbols of one name; `around`: names whose parts are counted by their members. */
type NamedSymbols = { text: string; readonly around: Set<string> };

function symbolsByName(language: string, facts: Interface): ReadonlyMap<string, NamedSymbols> {
  const { symbols } = facts;
  const { parts } = nameRules(language);
  const bases = basesBySymbol(facts);
  const places = placesOf(symbols);
  const found = new Map<string, NamedSymbols>();
  symbols.forEach((symbol, at) => {
    const { name, qualifiedName, kind, signature, exported, parent } = symbol;
    const named = found.getOrInsertComputed(name, () => ({ text: "", around: new Set<string>() }));
    const place = parent === null ? null : places[parent];
    named.text += `${JSON.stringify([qualifiedName, kind, signature, exported, place, bases.get(at) ?? []])}\n`;
    if (parts === "package" || parts === "included")
      for (const part of qualifiedName.split(".")) if (part !== name) named.around.add(part);
  });
  return found;
}

/** The kinds, names and numbers of the symbols around and including each symbol. */
function placesOf(symbols: readonly SymbolFact[]): readonly string[] {
  const counts = new Map<string, number>();
  const places: string[] = [];
  for (const { qualifiedName, kind, parent } of symbols) {
    const around = parent === null ? "" : (places[parent] ?? "");
    const place = `${around}/${kind} ${qualifiedName}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    places.push(`${place} ${count}`);
  }
  return places;
}

/** The bases of each symbol, and whether they stand in the line of its name. */
export function basesBySymbol({ references, symbols }: Interface): ReadonlyMap<number, readonly unknown[]> {
  const bases = new Map<number, unknown[]>();
  for (const reference of references) {
    if (reference.symbol === null || !isBase(reference)) continue;
    const { name, qualifier, kind, line, symbol } = reference;
    const isOnNameLine = line === symbols[symbol]?.nameLine;
    bases.getOrInsertComputed(symbol, () => []).push([name, qualifier, kind, isOnNameLine]);
  }
  return bases;
}

const isBase = ({ kind }: ReferenceFact): boolean => kind === "inherit" || kind === "implement";

/** The names that the meaning of a file's own names depends on. */
export type Mentions = readonly { readonly name: string; readonly by: ReadonlySet<string> }[];

const WORD = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;
const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

/** What other files see of a name depends on the names in its signature, its bases, its owner, and in the import that binds it. */
export function mentionsOf(language: string, facts: Interface): Mentions {
  const { symbols, imports, references, exportedAs } = facts;
  const mentions: { name: string; by: Set<string> }[] = symbols.map((symbol) => {
    const by = new Set(wordsOf(symbol.signature));
    if (isExternalMember(facts, symbol)) for (const word of wordsOf(symbol.qualifiedName)) by.add(word);
    return { name: symbol.name, by };
  });
  for (const reference of references) {
    const own = reference.symbol === null ? undefined : mentions[reference.symbol];
    if (own === undefined || !isBase(reference)) continue;
    for (const word of wordsOf(`${reference.qualifier ?? ""} ${reference.name}`)) own.by.add(word);
  }
  const isPath = familyOf(language) === "ecmascript";
  for (const { specifier, names } of imports) {
    const around = isPath ? [] : wordsOf(specifier);
    for (const { name, alias } of names)
      if (alias !== null) mentions.push({ name: alias, by: new Set([...around, ...wordsOf(name)]) });
  }
  for (const [name, local] of Object.entries(exportedAs)) mentions.push({ name, by: new Set(wordsOf(local)) });
  return mentions;
}
