/**
 * The export tables of files: resolves a name imported from another file, through re-exports.
 *
 * A file exports its top-level symbols (all of them if its family has no export keyword), imported names if the family allows it,
 * `export { a as b }`, re-exports, star re-exports, and submodules. A lookup visits each file once per name, so cycles end.
 */
import { folderOf, within } from "../../../text/repo-path.ts";
import type { Binding } from "../../imports/model.ts";
import { choose, type FileSymbols, type Role, type Target } from "./file-symbols.ts";
import type { VisibleNames } from "./visible-names.ts";

/** Re-exports are followed through at most this many files. */
const DEPTH_MAX = 8;

const NONE: readonly Target[] = [];

export type Exports = {
  /** What importers of the file get for `name`: one target, none, or several if a package defines it several times. */
  exported(file: FileSymbols, name: string, role: Role): readonly Target[];
  /** What an import binds in a file. */
  bound(from: FileSymbols, binding: Binding, role: Role): readonly Target[];
};

type FilesByPath = { get(path: string): FileSymbols | undefined };

/** The exports of a repository, cached. */
export function exportTable(files: FilesByPath, groups: VisibleNames): Exports {
  const fileAt = (path: string | null): FileSymbols | null => (path === null ? null : (files.get(path) ?? null));

  /** `search`: the search that follows the binding; null for a first question, whose answer is cached. */
  const follow = (from: FileSymbols, binding: Binding, role: Role, search: Search | null): readonly Target[] => {
    const submodule = fileAt(binding.submodule);
    if (submodule !== null) return [{ file: submodule, symbol: null }];
    const { group, name } = binding;
    if (group !== null)
      return name === "*" ? [{ file: null, family: from.family, group }] : groups.inGroup(from, group, name, role);
    const module = fileAt(binding.module);
    if (module === null) return NONE;
    if (name === "*") return [{ file: module, symbol: null }];
    return search === null ? exported(module, name, role) : find(module, name, role, search);
  };

  const find = (file: FileSymbols, name: string, role: Role, search: Search | null): readonly Target[] => {
    if (search !== null && (search.depth > DEPTH_MAX || search.seen.has(keyOf(file, name)))) return NONE;
    const renamed = file.exportedAs.get(name);
    const local = renamed ?? name;
    const named = file.named(null, local);
    const symbol = choose(file, local === name ? visibleAmong(file, named) : named, role);
    if (symbol !== null) return [{ file, symbol }];

    const seen = (search?.seen ?? new Set<string>()).add(keyOf(file, name));
    const deeper: Search = { depth: (search?.depth ?? 0) + 1, seen };
    const { exportsAll } = file.scoping;
    const imported = exportsAll || renamed !== undefined ? file.bindings.get(local) : undefined;
    const viaImport = imported === undefined ? NONE : follow(file, imported, role, deeper);
    // A function may have the name of the module beside it, which cannot be called: `mod open; pub use open::*;`
    if (viaImport.length > 0 && !(role === "call" && viaImport.every(isModule))) return viaImport;

    for (const binding of file.reexports) {
      // A re-export under another name carries it as its alias, or as an entry of `exportedAs`.
      const isNamed = (binding.alias ?? binding.name) === name || (binding.alias === null && binding.name === local);
      const targets = binding.star || !isNamed ? NONE : follow(file, binding, role, deeper);
      if (targets.length > 0) return targets;
    }
    // `module.exports = require("./a")` is a star too, so that `default` goes through it.
    for (const stars of exportsAll ? [file.reexports, file.stars] : [file.reexports]) {
      for (const star of stars) {
        // A star import of class members is not passed on.
        if (!star.star || star.name !== "*") continue;
        const targets = follow(file, { ...star, name, submodule: null }, role, deeper);
        if (targets.length > 0) return targets;
      }
    }
    return viaImport.length > 0 ? viaImport : submoduleOf(files, file, name);
  };

  const cached = {
    value: new Map<FileSymbols, Map<string, readonly Target[]>>(),
    call: new Map<FileSymbols, Map<string, readonly Target[]>>(),
    type: new Map<FileSymbols, Map<string, readonly Target[]>>(),
  };
  const exported = (file: FileSymbols, name: string, role: Role): readonly Target[] => {
    const answers = cached[role].get(file) ?? new Map<string, readonly Target[]>();
    if (answers.size === 0) cached[role].set(file, answers);
    const known = answers.get(name);
    if (known !== undefined) return known;
    const found = find(file, name, role, null);
    answers.set(name, found);
    return found;
  };
  return { exported, bound: (from, binding, role) => follow(from, binding, role, null) };
}

const isModule = (target: Target): boolean => target.file !== null && target.symbol === null;

/** How many files a search has followed a name through, and what it has looked up. */
type Search = { readonly depth: number; readonly seen: Set<string> };

const keyOf = (file: FileSymbols, name: string): string => `${file.path}\0${name}`;

/** Those of the symbols that importers of the file get. */
const visibleAmong = (file: FileSymbols, indices: readonly number[]): readonly number[] =>
  file.scoping.exportsAll || indices.length === 0 ? indices : exportedAmong(file, indices);

const exportedAmong = ({ facts }: FileSymbols, indices: readonly number[]): readonly number[] =>
  indices.filter((index) => facts.symbols[index]?.exported ?? false);

/** `pkg.sub` in a package's `__init__` file: the module beside it. */
function submoduleOf(files: FilesByPath, file: FileSymbols, name: string): readonly Target[] {
  if (!/(?:^|\/)__init__\.pyi?$/.test(file.path)) return NONE;
  const base = within(folderOf(file.path), name);
  for (const path of [`${base}/__init__.py`, `${base}.py`, `${base}/__init__.pyi`, `${base}.pyi`]) {
    const found = files.get(path);
    if (found !== undefined) return [{ file: found, symbol: null }];
  }
  return NONE;
}
