/**
 * One file's symbols and imports, laid out for look-ups by name.
 *
 * Maps throughout, since names come from repositories (`__proto__`, `constructor`). Where a name is
 * defined several times (overloads, branches), the last definition of the wanted sort stands for it.
 */

import { isTestPath } from "../../languages/file-role.ts";
import type { ImportFamily } from "../../languages/language.ts";
import { nameRules } from "../../languages/languages.ts";
import type { NameRules } from "../../languages/name-rules.ts";
import type { SymbolKind } from "../../languages/syntax.ts";
import type { FileFacts, ReferenceFact } from "../../syntax/facts/facts.ts";
import { FAMILIES } from "../imports/import-resolvers.ts";
import type { Binding, ImportsByPath, Scoping, SourceFile } from "../imports/model.ts";
import { familyOf } from "../imports/model.ts";
import { nameOf } from "../imports/repo-path.ts";
import { type Entries, entriesOf, type NameIds } from "./symbol-table.ts";

/** What a use needs: something that exists when the program runs, something that can be called, or a type. */
export type Want = "value" | "call" | "type";

export type FileSymbols = {
  readonly path: string;
  /** Its place among all files, in order of path. */
  readonly place: number;
  /** The file's name without endings, as `plainStem` gives it. */
  readonly stem: string;
  readonly family: ImportFamily;
  readonly scoping: Scoping;
  readonly rules: NameRules;
  /** The package that the file is in; null where every file stands for itself. */
  readonly group: string | null;
  readonly facts: FileFacts;
  readonly isTest: boolean;
  /** No imports and no exports: its top level is shared with other such files (scripts, ambient types). */
  readonly isScript: boolean;
  readonly named: Entries;
  /** The `inherit` and `implement` uses of each class. */
  readonly bases: ReadonlyMap<number, readonly ReferenceFact[]>;
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly stars: readonly Binding[];
  readonly reexports: readonly Binding[];
};

/** One symbol of a file. */
export type Place = { readonly file: FileSymbols; readonly symbol: number };

/** A package: files that share their top-level names. */
export type PackageTarget = { readonly file: null; readonly family: ImportFamily; readonly group: string };

/** What a name leads to: a symbol of a file, a whole file (a module object), or a package. */
export type Target = { readonly file: FileSymbols; readonly symbol: number | null } | PackageTarget;

/** Kinds whose members are reached through a dot. */
export const CLASS_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum"]);

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "type_alias", "enum", "namespace"]);
const CALLED_KINDS: ReadonlySet<SymbolKind> = new Set(["function", "method", "class"]);
const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(["variable", "property"]);
const TYPE_ONLY_KINDS: ReadonlySet<SymbolKind> = new Set(["interface", "type_alias"]);

/** Lays out one file; null for languages whose references are not resolved. */
export function fileSymbols(file: SourceFile, place: number, imports: ImportsByPath, ids: NameIds): FileSymbols | null {
  const family = familyOf(file.language);
  if (family === null) return null;
  const { facts, path } = file;
  const { scoping } = FAMILIES[family];
  const rules = nameRules(file.language);
  const bindings = imports.bindings.get(path) ?? [];
  let bases: ReadonlyMap<number, readonly ReferenceFact[]> | null = null;
  return {
    path,
    place,
    stem: plainStem(nameOf(path).replace(/\..*$/s, "")),
    family,
    scoping,
    rules,
    group: imports.groups.get(path) ?? null,
    facts,
    isTest: isTestPath(path),
    isScript:
      rules.moduleValues &&
      facts.imports.length === 0 &&
      Object.keys(facts.exportedAs).length === 0 &&
      !facts.symbols.some((symbol) => symbol.exported),
    named: entriesOf(facts, rules.extensions, ids),
    get bases() {
      bases ??= basesIn(facts, rules);
      return bases;
    },
    bindings: byAlias(bindings),
    stars: some(bindings.filter((binding) => binding.star && !binding.reexport)),
    reexports: some(bindings.filter((binding) => binding.reexport)),
  };
}

function basesIn(facts: FileFacts, rules: NameRules): ReadonlyMap<number, readonly ReferenceFact[]> {
  const bases = new Map<number, ReferenceFact[]>();
  for (const reference of facts.references) {
    if (reference.symbol === null || (reference.kind !== "inherit" && reference.kind !== "implement")) continue;
    const isNamed = reference.line === facts.symbols[reference.symbol]?.nameLine;
    if (rules.baseOnNameLine && reference.kind === "inherit" && !isNamed) continue;
    listed(bases, reference.symbol, () => []).push(reference);
  }
  return bases.size === 0 ? NO_BASES : bases;
}

/** Names of files and of what they define are alike in any letters' case, whatever stands between their words. */
export const plainStem = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();

/** The value of a key, made on first need. */
export function listed<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The names that others may find something of a file by: its own, those it exports under, and those it hands on. */
export function* namesGiven({ facts, bindings, reexports }: FileSymbols): Generator<string> {
  for (const { name } of facts.symbols) yield name;
  yield* Object.keys(facts.exportedAs);
  for (const [alias, binding] of bindings) if (isInside(binding)) yield alias;
  for (const { alias } of reexports) if (alias !== null) yield alias;
}

/** Most files have none, and share one list. */
const some = (bindings: readonly Binding[]): readonly Binding[] => (bindings.length === 0 ? NO_BINDINGS : bindings);
const NO_BINDINGS: readonly Binding[] = [];
const NO_BASES: ReadonlyMap<number, readonly ReferenceFact[]> = new Map();

/** Several imports may bind one name (branches): the first that leads into the repository stands. */
function byAlias(bindings: readonly Binding[]): ReadonlyMap<string, Binding> {
  const found = new Map<string, Binding>();
  for (const binding of bindings) {
    if (binding.alias === null || binding.reexport) continue;
    const known = found.get(binding.alias);
    if (known === undefined || !isInside(known)) found.set(binding.alias, binding);
  }
  return found;
}

/** Does the binding lead into the repository? */
export const isInside = ({ module, submodule, group }: Binding): boolean =>
  module !== null || submodule !== null || group !== null;

/** The symbol of a name among several definitions: the last of the wanted sort, else the last. */
export function chosen(file: FileSymbols, indices: readonly number[], want: Want): number | null {
  if (indices.length < 2) return indices[0] ?? null;
  return (
    indices.findLast((index) => isBest(file, index, want)) ??
    indices.findLast((index) => fits(file, index, want)) ??
    indices.at(-1) ??
    null
  );
}

/** Is the symbol of the wanted sort? */
export function fits({ facts }: FileSymbols, index: number, want: Want): boolean {
  const kind = facts.symbols[index]?.kind;
  return kind !== undefined && (want === "type" ? TYPE_KINDS.has(kind) : !TYPE_ONLY_KINDS.has(kind));
}

/** Where a field and a method may share a name, is it the one that is called, or the one that is not? */
export function isBest({ facts, rules }: FileSymbols, index: number, want: Want): boolean {
  const kind = facts.symbols[index]?.kind;
  if (kind === undefined || !rules.nominal || want === "type") return false;
  return want === "call" ? CALLED_KINDS.has(kind) : VALUE_KINDS.has(kind);
}

/** The indices of the symbol itself and of the ones around it, innermost first. */
export function scopesOf(facts: FileFacts, symbol: number | null): readonly number[] {
  const scopes: number[] = [];
  for (let at = symbol; at !== null; at = scopeAround(facts, at)) scopes.push(at);
  return scopes;
}

/** The symbol around a symbol. Parents come before their children, so a walk ends even on a damaged list. */
export function scopeAround(facts: FileFacts, symbol: number): number | null {
  const parent = facts.symbols[symbol]?.parent ?? null;
  return parent !== null && parent < symbol ? parent : null;
}
