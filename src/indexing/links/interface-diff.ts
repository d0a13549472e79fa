/**
 * Finds the names whose meaning differs between two versions of a file, as other files see it.
 *
 * Other files find everything by name. A name is listed if any of its symbols in the file differs, in number, order, kind, signature,
 * bases or surroundings, or if the file imports or exports it in another way.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { nameRules } from "../../languages/languages.ts";
import {
  type ImportFact,
  isFunctionKind,
  type OutlinedFacts,
  type OutlineSymbol,
  type ReferenceFact,
} from "../../syntax/facts/facts.ts";
import { familyOf } from "../imports/model.ts";
import { typesRead } from "../references/declarations/declared-types.ts";
import { CLASS_KINDS, isScriptFile } from "../references/declarations/file-symbols.ts";
import { openedByMacro } from "../references/declarations/namespace-macros.ts";
import { givingOwnType } from "../references/declarations/untyped-results.ts";

/** What other files see of a file. */
export type Interface = Pick<
  OutlinedFacts,
  "parsed" | "namespace" | "symbols" | "imports" | "references" | "exportedAs"
>;

/**
 * `names` are as written. `own`: names that no other file can see, which matter by what depends on them in the file. `isDefault`: the
 * default export differs, which importers reach without naming it. `hasStars`: a star import differs.
 */
type InterfaceDiff = {
  readonly names: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
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
  const [names, own] = [new Set(imports.names), new Set(imports.own)];
  const [old, now] = [symbolsByName(language, before), symbolsByName(language, after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [one, other] = [old.get(name), now.get(name)];
    if (one?.hidden !== other?.hidden) own.add(name);
    // A name of hidden symbols alone has no text, as if it were not there.
    if ((one?.text ?? "") === (other?.text ?? "")) continue;
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
  return { names, own: own.difference(names), isDefault, hasStars: imports.hasStars };
}

const localName = (exportedAs: OutlinedFacts["exportedAs"], key: string): string | null =>
  Object.hasOwn(exportedAs, key) ? (exportedAs[key] ?? null) : null;

/** Families whose imports bring names into a file that it does not write. */
const LOADING: ReadonlySet<ImportFamily | null> = new Set(["c", "ruby", "shell"]);

/** The names of the imports that differ; null if they are not known. */
function importedNames(
  family: ImportFamily | null,
  before: Interface,
  after: Interface,
): Pick<InterfaceDiff, "names" | "own" | "hasStars"> | null {
  const [old, now] = [importTexts(before), importTexts(after)];
  if (old.length === now.length && old.every((text, at) => text === now[at]))
    return { names: new Set(), own: new Set(), hasStars: false };
  if (isModular(family)) return boundNames(before, after);
  if (LOADING.has(family)) return null;
  // What a module of Elixir imports in quoted blocks, also by an alias, goes to whoever uses it.
  if (family === "elixir" && [...before.imports, ...after.imports].some(({ kind }) => isReexport(kind))) return null;
  // The parts of a library of Dart see what it imports.
  if (family === "dart" && [...before.imports, ...after.imports].some(({ kind }) => kind === "require_reexport"))
    return null;
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
  return { names, own: new Set(), hasStars };
}

/** Whether files of a family see only what others export, and find types only where signatures declare them. */
export const isModular = (family: ImportFamily | null): boolean => family === "ecmascript";

/** The same for modules: importers see the names of re-exports only, and whether an import is for types does not matter. */
function boundNames(before: Interface, after: Interface): Pick<InterfaceDiff, "names" | "own" | "hasStars"> {
  const [old, now] = [bindingTexts(before), bindingTexts(after)];
  const differ = (key: "names" | "own" | "stars"): ReadonlySet<string> =>
    new Set([...old[key].keys(), ...now[key].keys()].filter((name) => old[key].get(name) !== now[key].get(name)));
  return { names: differ("names"), own: differ("own"), hasStars: differ("stars").size > 0 };
}

/** What binds each name that others see, each that they do not, and all together, in order. */
function bindingTexts({ imports }: Interface) {
  const texts = { names: new Map<string, string>(), own: new Map<string, string>(), stars: new Map<string, string>() };
  for (const { specifier, kind, names, star } of imports) {
    const isPassedOn = isReexport(kind);
    const way = kind === "type" ? "import" : kind;
    const add = (to: Map<string, string>, bound: string, name: string): unknown =>
      to.set(bound, `${to.get(bound) ?? ""}${JSON.stringify([specifier, way, name])}`);
    for (const { name, alias } of names) add(isPassedOn ? texts.names : texts.own, alias ?? name, name);
    if (star) add(texts.stars, "*", "*");
  }
  return texts;
}

/** Whether an import of a module is passed on to its importers. */
export const isReexport = (kind: ImportFact["kind"]): boolean => kind === "reexport" || kind === "require_reexport";

/** Each import with the namespace around it, and whether a function or class in a namespace has it, without its line. */
export function importTexts({ imports, symbols }: Interface): readonly string[] {
  const namespaces = symbols.filter(({ kind }) => kind === "namespace");
  const others = namespaces.length === 0 ? [] : symbols.filter(({ kind }) => kind !== "namespace");
  return imports.map(({ specifier, kind, names, star, line }) => {
    const isAround = ({ startLine, endLine }: OutlineSymbol): boolean => startLine <= line && line <= endLine;
    return JSON.stringify([
      namespaces.findLast(isAround)?.qualifiedName,
      others.some(isAround),
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

/**
 * What is known of all symbols of one name, and of those that no other file can see; `around`: names whose parts are counted by their
 * members, namespaces that they open as macros, and mixins that they use.
 */
type NamedSymbols = { text: string; hidden: string; readonly around: Set<string> };

function symbolsByName(language: string, facts: Interface): ReadonlyMap<string, NamedSymbols> {
  const { symbols } = facts;
  const rules = nameRules(language);
  const { parts, mixins, hidesMembers } = rules;
  const giving = givingOwnType(familyOf(language), rules, facts);
  const isModule = isModular(familyOf(language));
  const bases = basesBySymbol(facts);
  const places = placesOf(symbols);
  const parents = new Set(symbols.map(({ parent }) => parent));
  const found = new Map<string, NamedSymbols>();
  symbols.forEach((symbol, at) => {
    const { name, qualifiedName, kind, signature, exported, parent } = symbol;
    const named = found.getOrInsertComputed(name, () => ({ text: "", hidden: "", around: new Set<string>() }));
    const place = parent === null ? null : places[parent];
    // The types of parameters matter to what is inside.
    const seen = isModule && !parents.has(at) ? signatureSeen(language, symbol) : signature;
    const isAroundSeen = hidesMembers ? symbols[parent ?? -1]?.exported : null;
    const facing = [qualifiedName, kind, seen, exported, isAroundSeen, place, bases.get(at) ?? [], giving.has(at)];
    const text = `${JSON.stringify(facing)}\n`;
    if (isModule && isHidden(symbols, at)) named.hidden += text;
    else named.text += text;
    if (parts === "package" || parts === "included")
      for (const part of qualifiedName.split(".")) if (part !== name) named.around.add(part);
    const opened = parts === "included" ? openedByMacro(symbol) : null;
    if (opened !== null) named.around.add(opened);
  });
  // A mixin calls members of what uses it.
  for (const { symbol, kind, name } of mixins ? facts.references : [])
    if (kind === "implement") found.get(symbols[symbol ?? -1]?.name ?? "")?.around.add(name);
  return found;
}

/** The kinds, names and numbers of the symbols around and including each symbol. */
function placesOf(symbols: readonly OutlineSymbol[]): readonly string[] {
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

export const isBase = ({ kind }: ReferenceFact): boolean => kind === "inherit" || kind === "implement";

/** The part of a signature that other modules read: the types that it names. A path can begin with a parameter. */
function signatureSeen(language: string, symbol: OutlineSymbol): string {
  const types = typesRead(symbol, nameRules(language));
  return types.some((type) => type.includes(".")) ? symbol.signature : types.join(" ");
}

/** Whether a symbol is inside a function, and in no class there: only the file itself can name it. */
export function isHidden(symbols: readonly OutlineSymbol[], index: number): boolean {
  for (let at: number | null = index; at !== null; at = symbols[at]?.parent ?? null) {
    const kind = symbols[at]?.kind;
    if (kind === undefined || CLASS_KINDS.has(kind)) return false;
    if (at !== index && isFunctionKind(kind)) return true;
  }
  return false;
}
