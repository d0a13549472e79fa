/**
 * The symbols and imports of one file, for lookup by name.
 *
 * Lookups use maps, because names come from repositories (`__proto__`, `constructor`). If a name is defined several times
 * (overloads, branches), the last definition that fits the role counts, and of
 * clauses of one function the first.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { ImportFamily } from "../../../languages/language.ts";
import { nameRules } from "../../../languages/languages.ts";
import type { NameRules } from "../../../languages/name-rules.ts";
import { isFunctionKind, type OutlinedFacts, type ReferenceFact } from "../../../syntax/facts/facts.ts";
import { nameOf } from "../../../text/repo-path.ts";
import type { SymbolKind } from "../../../text/terms/segments.ts";
import { FAMILIES } from "../../imports/import-resolvers.ts";
import type { Binding, ImportsByPath, Scoping, SourceFile } from "../../imports/model.ts";
import { familyOf } from "../../imports/model.ts";
import { type NameIds, type SymbolTable, symbolTable } from "./symbol-table.ts";
import { givingOwnType } from "./untyped-results.ts";

/** The role of a name in a reference: something that exists at run time, something callable, or a type. */
export type Role = "value" | "call" | "type";

/** What the imports of a file bind, which is resolved when it is asked for. */
type Bound = {
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly stars: readonly Binding[];
  readonly reexports: readonly Binding[];
};

export type FileSymbols = Bound & {
  readonly path: string;
  /** Its position among all files in path order. */
  readonly position: number;
  /** The file name without extensions, as `plainStem` gives it. */
  readonly stem: string;
  readonly family: ImportFamily;
  readonly scoping: Scoping;
  readonly rules: NameRules;
  /** The package of the file; null in languages without packages. */
  readonly group: string | null;
  readonly facts: OutlinedFacts;
  readonly isTest: boolean;
  /** Without imports and exports the top level is shared with other such files (scripts, ambient types). */
  readonly isScript: boolean;
  readonly named: SymbolTable;
  /** Local names by exported ones, as in its facts. */
  readonly exportedAs: ReadonlyMap<string, string>;
  /** The `inherit` and `implement` references of each class. */
  readonly bases: ReadonlyMap<number, readonly ReferenceFact[]>;
  /** Whether a function that declares no result gives the object whose member it is. */
  givesItself(symbol: number): boolean;
};

/** The symbol of a file that is itself a type, whose members are at its top level. */
export const WHOLE_FILE = -1;

/** One symbol of a file. */
export type SymbolRef = { readonly file: FileSymbols; readonly symbol: number };

/** A package: files that share their top-level names. */
export type PackageTarget = { readonly file: null; readonly family: ImportFamily; readonly group: string };

/** What a name resolves to: a symbol, a whole file (a module object), or a package. */
export type Target = { readonly file: FileSymbols; readonly symbol: number | null } | PackageTarget;

/** A file that is a type, as a symbol. */
export const asType = (target: Target): Target =>
  target.file !== null && target.file.scoping.constantsAlias === true && target.symbol === null
    ? { file: target.file, symbol: WHOLE_FILE }
    : target;

/** Kinds whose members are reached through a dot. */
export const CLASS_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum"]);

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "type_alias", "enum", "namespace"]);
const CALLED_KINDS: ReadonlySet<SymbolKind> = new Set(["function", "method", "class"]);
const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(["variable", "property"]);
const TYPE_ONLY_KINDS: ReadonlySet<SymbolKind> = new Set(["interface", "type_alias"]);

/** Null for languages whose references are not resolved. */
export function fileSymbols(
  file: SourceFile,
  position: number,
  imports: ImportsByPath,
  ids: NameIds,
): FileSymbols | null {
  const family = familyOf(file.language);
  if (family === null) return null;
  const { facts, path } = file;
  const { scoping } = FAMILIES[family];
  const rules = nameRules(file.language);
  let bases: ReadonlyMap<number, readonly ReferenceFact[]> | null = null;
  let bound: Bound | null = null;
  let giving: ReadonlySet<number> | null = null;
  // Of most files only the symbols are looked at, and resolving imports takes as long as reading these.
  const imported = (): Bound => {
    bound ??= boundBy(imports.bindings.get(path) ?? []);
    return bound;
  };
  return {
    path,
    position,
    stem: plainStem(nameOf(path).replace(/\..*$/s, "")),
    family,
    scoping,
    rules,
    group: imports.groups.get(path) ?? null,
    facts,
    isTest: isTestPath(path),
    isScript: isScriptFile(rules, facts),
    named: symbolTable(facts, rules, ids),
    exportedAs: localNames(facts),
    get bases() {
      bases ??= basesIn(facts, rules, scoping);
      return bases;
    },
    givesItself: (symbol) => {
      giving ??= givingOwnType(family, rules, facts);
      return giving.has(symbol);
    },
    get bindings() {
      return imported().bindings;
    },
    get stars() {
      return imported().stars;
    },
    get reexports() {
      return imported().reexports;
    },
  };
}

const boundBy = (bindings: readonly Binding[]): Bound => ({
  bindings: byAlias(bindings),
  stars: some(bindings.filter((binding) => binding.star && !binding.reexport)),
  reexports: some(bindings.filter((binding) => binding.reexport)),
});

function localNames({ exportedAs }: OutlinedFacts): ReadonlyMap<string, string> {
  const entries = Object.entries(exportedAs);
  return entries.length === 0 ? NO_NAMES : new Map(entries);
}

/** Whether a file without imports and exports shares its top level with other such files. */
export const isScriptFile = (
  { moduleValues, sharesFunctions }: NameRules,
  { imports, exportedAs, symbols }: Pick<OutlinedFacts, "imports" | "exportedAs" | "symbols">,
): boolean =>
  moduleValues &&
  sharesFunctions &&
  imports.length === 0 &&
  Object.keys(exportedAs).length === 0 &&
  !symbols.some(({ exported }) => exported);

function basesIn(
  { references, symbols }: OutlinedFacts,
  rules: NameRules,
  { lastBaseFirst }: Scoping,
): ReadonlyMap<number, readonly ReferenceFact[]> {
  const bases = new Map<number, ReferenceFact[]>();
  for (const reference of lastBaseFirst === true ? references.toReversed() : references) {
    if (reference.symbol === null || (reference.kind !== "inherit" && reference.kind !== "implement")) continue;
    const isNamed = reference.line === symbols[reference.symbol]?.nameLine;
    if (rules.classHeader === "base" && reference.kind === "inherit" && !isNamed) continue;
    bases.getOrInsertComputed(reference.symbol, () => []).push(reference);
  }
  return bases.size === 0 ? NO_BASES : bases;
}

/** Lower case without separators, to compare names of files with names of symbols. */
export const plainStem = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();

/** The names under which other files can find something in this one. */
export function* providedNames({ facts, bindings, reexports }: FileSymbols): Generator<string> {
  for (const { name } of facts.symbols) yield name;
  yield* Object.keys(facts.exportedAs);
  for (const [alias, binding] of bindings) if (isInRepository(binding)) yield alias;
  for (const { alias } of reexports) if (alias !== null) yield alias;
}

/** Most files have none and share one empty list. */
const some = (bindings: readonly Binding[]): readonly Binding[] => (bindings.length === 0 ? NO_BINDINGS : bindings);
const NO_BINDINGS: readonly Binding[] = [];
const NO_NAMES: ReadonlyMap<string, string> = new Map();
const NO_BASES: ReadonlyMap<number, readonly ReferenceFact[]> = new Map();

/** If several imports bind one name (branches), the first one from the repository counts. */
function byAlias(bindings: readonly Binding[]): ReadonlyMap<string, Binding> {
  const found = new Map<string, Binding>();
  for (const binding of bindings) {
    if (binding.alias === null || binding.reexport) continue;
    const known = found.get(binding.alias);
    if (known === undefined || !isInRepository(known)) found.set(binding.alias, binding);
  }
  return found;
}

/** True if the binding comes from the repository. */
export const isInRepository = ({ module, submodule, group }: Binding): boolean =>
  module !== null || submodule !== null || group !== null;

/** The definition of a name among several: the last that fits the role, otherwise the last, and no specialization of another. */
export function choose(file: FileSymbols, all: readonly number[], role: Role): number | null {
  const indices = all.length > 0 && role === "type" ? all.filter((index) => canBeType(file, index)) : all;
  return indices.length < 2 ? (indices[0] ?? null) : chooseAmong(file, indices, role);
}

/** Where types are declared, a function is none: Kotlin can have a `fun String()` beside the type. */
export const canBeType = ({ facts, rules }: FileSymbols, index: number): boolean =>
  !rules.nominal || !isFunctionKind(facts.symbols[index]?.kind ?? "");

function chooseAmong(file: FileSymbols, all: readonly number[], role: Role): number | null {
  const primary = all.filter((index) => !isSpecialization(file, index) && !isTestBlock(file, index));
  const written = primary.length > 0 ? primary : all;
  const types = role === "type" ? written.filter((index) => !isCompanion(file, index)) : written;
  const indices = types.length > 0 ? types : written;
  const isClause = (index: number): boolean => file.facts.symbols[index]?.kind === "function";
  return (
    (file.scoping.functionClauses === true && role !== "type" ? indices.find(isClause) : undefined) ??
    indices.findLast((index) => fitsRoleExactly(file, index, role)) ??
    indices.findLast((index) => fitsRole(file, index, role)) ??
    indices.at(-1) ??
    null
  );
}

/** An object of Scala is no type: where one of its name is needed, that is the class beside it. */
export const isCompanion = ({ family, facts }: FileSymbols, index: number): boolean =>
  family === "jvm" && /^(?:[a-z]+(?:\[\w+\])? ){0,4}object\b/.test(facts.symbols[index]?.signature ?? "");

/** `test Cart {}` of Zig has the name of what it tests. */
const isTestBlock = ({ scoping, facts }: FileSymbols, index: number): boolean =>
  scoping.constantsAlias === true && facts.symbols[index]?.signature.startsWith("test ") === true;

/** Whether a symbol is a template of C++ for certain arguments: `struct Cart<int>`. Uses name the template that it specializes. */
export function isSpecialization({ facts, rules }: FileSymbols, index: number): boolean {
  const symbol = facts.symbols[index];
  if (symbol === undefined || rules.parts !== "included") return false;
  const { name, signature } = symbol;
  const end = signature.indexOf(name) + name.length;
  return end >= name.length && signature.charAt(end) === "<";
}

/** True if the symbol fits the role. */
export function fitsRole({ facts }: FileSymbols, index: number, role: Role): boolean {
  const kind = facts.symbols[index]?.kind;
  return kind !== undefined && (role === "type" ? TYPE_KINDS.has(kind) : !TYPE_ONLY_KINDS.has(kind));
}

/** If a field and a method share a name: true for the one that the reference needs. */
export function fitsRoleExactly({ facts, rules }: FileSymbols, index: number, role: Role): boolean {
  const kind = facts.symbols[index]?.kind;
  if (kind === undefined || !rules.nominal || role === "type") return false;
  return role === "call" ? CALLED_KINDS.has(kind) : VALUE_KINDS.has(kind);
}

/** Indices of the symbol and of those around it, innermost first. */
export function scopesOf(facts: Pick<OutlinedFacts, "symbols">, symbol: number | null): readonly number[] {
  const scopes: number[] = [];
  for (let at = symbol; at !== null; at = scopeAround(facts, at)) scopes.push(at);
  return scopes;
}

/** The symbol around a symbol. Parents precede children, so a walk ends even on a damaged list. */
export function scopeAround(facts: Pick<OutlinedFacts, "symbols">, symbol: number): number | null {
  const parent = facts.symbols[symbol]?.parent ?? null;
  return parent !== null && parent < symbol ? parent : null;
}
