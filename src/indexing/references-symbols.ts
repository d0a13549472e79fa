/**
 * One file's symbols and imports, laid out for look-ups by name.
 *
 * Maps throughout, since names come from repositories (`__proto__`, `constructor`). Where a name is
 * defined several times (overloads, branches), the last definition of the wanted sort stands for it.
 */
import type { FileFacts, ReferenceFact, SymbolKind } from "../syntax/facts.ts";
import { isTestPath } from "../text/language.ts";
import type { Binding, LanguageFamily, SourceFile } from "./imports-model.ts";
import { familyOf } from "./imports-model.ts";

/** What a use needs: something that exists when the program runs, or a type. */
export type Want = "value" | "type";

export type FileSymbols = {
  readonly path: string;
  readonly family: LanguageFamily;
  readonly facts: FileFacts;
  readonly isTest: boolean;
  /** No imports and no exports: its top level is shared with other such files (scripts, ambient types). */
  readonly isScript: boolean;
  readonly top: ReadonlyMap<string, readonly number[]>;
  readonly members: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>;
  /** The `inherit` and `implement` uses of each class. */
  readonly bases: ReadonlyMap<number, readonly ReferenceFact[]>;
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly stars: readonly Binding[];
  readonly reexports: readonly Binding[];
};

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "type_alias", "enum", "namespace"]);
const TYPE_ONLY_KINDS: ReadonlySet<SymbolKind> = new Set(["interface", "type_alias"]);

/** Lays out one file; null for languages whose references are not resolved. */
export function fileSymbols(file: SourceFile, bindings: readonly Binding[]): FileSymbols | null {
  const family = familyOf(file.language);
  if (family === null) return null;
  const { facts, path } = file;
  const top = new Map<string, number[]>();
  const members = new Map<number, Map<string, number[]>>();
  facts.symbols.forEach((symbol, index) => {
    const names = symbol.parent === null ? top : listed(members, symbol.parent, () => new Map<string, number[]>());
    listed(names, symbol.name, () => []).push(index);
  });
  const bases = new Map<number, ReferenceFact[]>();
  for (const reference of facts.references) {
    if (reference.symbol === null || (reference.kind !== "inherit" && reference.kind !== "implement")) continue;
    listed(bases, reference.symbol, () => []).push(reference);
  }
  return {
    path,
    family,
    facts,
    isTest: isTestPath(path),
    isScript:
      family === "ecmascript" &&
      facts.imports.length === 0 &&
      Object.keys(facts.exportedAs).length === 0 &&
      !facts.symbols.some((symbol) => symbol.exported),
    top,
    members,
    bases,
    bindings: byAlias(bindings),
    stars: bindings.filter((binding) => binding.star && !binding.reexport),
    reexports: bindings.filter((binding) => binding.reexport),
  };
}

/** The value of a key, made on first need. */
function listed<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

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

/** Does the binding lead to a file of the repository? */
export const isInside = (binding: Binding): boolean => binding.module !== null || binding.submodule !== null;

/** The symbol of a name among several definitions: the last of the wanted sort, else the last. */
export function chosen(facts: FileFacts, indices: readonly number[] | undefined, want: Want): number | null {
  const fits = (index: number): boolean => {
    const kind = facts.symbols[index]?.kind;
    return kind !== undefined && (want === "type" ? TYPE_KINDS.has(kind) : !TYPE_ONLY_KINDS.has(kind));
  };
  return indices?.findLast(fits) ?? indices?.at(-1) ?? null;
}

/** The indices of the symbol itself and of the ones around it, innermost first. */
export function scopesOf(facts: FileFacts, symbol: number | null): readonly number[] {
  const scopes: number[] = [];
  for (let at = symbol; at !== null; ) {
    const parent: number | null = facts.symbols[at]?.parent ?? null;
    scopes.push(at);
    // Parents come before their children, so the walk ends even on a damaged list.
    at = parent !== null && parent < at ? parent : null;
  }
  return scopes;
}
