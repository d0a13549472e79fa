/**
 * What a name of another file stands for: its export table, with re-exports followed.
 *
 * A file gives its top-level symbols (exported ones, or all where its family lets all be taken), the names it
 * imports where those can be taken too, `export { a as b }`, re-exports, stars, and submodules. At most
 * `DEPTH_MAX` files deep; a file is asked once per look-up, so cycles end.
 */
import type { Binding } from "../imports/model.ts";
import { folderOf, within } from "../imports/repo-path.ts";
import { chosen, type FileSymbols, type Target, type Want } from "./file-symbols.ts";
import type { Groups } from "./visible-names.ts";

/** How many files a re-exported name is followed through. */
const DEPTH_MAX = 8;

const NONE: readonly Target[] = [];

export type Exports = {
  /** What `name` is for importers of the file: one target, none, or several where a package has it several times. */
  exported(file: FileSymbols, name: string, want: Want): readonly Target[];
  /** What an import's alias stands for in a file. */
  bound(from: FileSymbols, binding: Binding, want: Want): readonly Target[];
};

type FilesByPath = { get(path: string): FileSymbols | undefined };

/** The export look-ups of a repository; answers are kept. */
export function exportTable(files: FilesByPath, groups: Groups): Exports {
  const fileAt = (path: string | null): FileSymbols | null => (path === null ? null : (files.get(path) ?? null));

  /** `within`: how a name of a file is looked up, so that a search can bound itself. */
  const follow = (
    from: FileSymbols,
    binding: Binding,
    want: Want,
    inFile: (module: FileSymbols, name: string) => readonly Target[],
  ): readonly Target[] => {
    const submodule = fileAt(binding.submodule);
    if (submodule !== null) return [{ file: submodule, symbol: null }];
    const { group, name } = binding;
    if (group !== null)
      return name === "*" ? [{ file: null, family: from.family, group }] : groups.inGroup(from, group, name, want);
    const module = fileAt(binding.module);
    if (module === null) return NONE;
    return name === "*" ? [{ file: module, symbol: null }] : inFile(module, name);
  };

  const search = (file: FileSymbols, name: string, want: Want, depth: number, seen: Set<string>): readonly Target[] => {
    const key = `${file.path}\0${name}`;
    if (depth > DEPTH_MAX || seen.has(key)) return NONE;
    seen.add(key);
    const { facts } = file;
    const local = Object.hasOwn(facts.exportedAs, name) ? (facts.exportedAs[name] ?? name) : name;
    const renamed = local !== name;
    const deeper = (module: FileSymbols, there: string): readonly Target[] =>
      search(module, there, want, depth + 1, seen);

    const own = file.named(null, local).filter((index) => renamed || isVisible(file, index));
    const symbol = chosen(file, own, want);
    if (symbol !== null) return [{ file, symbol }];

    const { exportsAll } = file.scoping;
    const imported = exportsAll || Object.hasOwn(facts.exportedAs, name) ? file.bindings.get(local) : undefined;
    const viaImport = imported === undefined ? NONE : follow(file, imported, want, deeper);
    if (viaImport.length > 0) return viaImport;

    for (const binding of file.reexports) {
      // A re-export under another name carries it as its alias, or as an entry of `exportedAs`.
      const isNamed = (binding.alias ?? binding.name) === name || (binding.alias === null && binding.name === local);
      const targets = binding.star || !isNamed ? NONE : follow(file, binding, want, deeper);
      if (targets.length > 0) return targets;
    }
    // `module.exports = require("./a")` is a star too, so that `default` goes through it.
    for (const star of [...file.reexports.filter((binding) => binding.star), ...(exportsAll ? file.stars : [])]) {
      // The members of a class are for the file that takes them all.
      if (star.name !== "*") continue;
      const targets = follow(file, { ...star, name, submodule: null }, want, deeper);
      if (targets.length > 0) return targets;
    }
    return submoduleOf(files, file, name);
  };

  const kept = {
    value: new Map<FileSymbols, Map<string, readonly Target[]>>(),
    call: new Map<FileSymbols, Map<string, readonly Target[]>>(),
    type: new Map<FileSymbols, Map<string, readonly Target[]>>(),
  };
  const exported = (file: FileSymbols, name: string, want: Want): readonly Target[] => {
    const answers = kept[want].get(file) ?? new Map<string, readonly Target[]>();
    if (answers.size === 0) kept[want].set(file, answers);
    const known = answers.get(name);
    if (known !== undefined) return known;
    const targets = search(file, name, want, 0, new Set());
    answers.set(name, targets);
    return targets;
  };
  return {
    exported,
    bound: (from, binding, want) => follow(from, binding, want, (module, name) => exported(module, name, want)),
  };
}

const isVisible = (file: FileSymbols, index: number): boolean =>
  file.scoping.exportsAll || (file.facts.symbols[index]?.exported ?? false);

/** `pkg.sub` for a package's file: the module beside it. */
function submoduleOf(files: FilesByPath, file: FileSymbols, name: string): readonly Target[] {
  if (!/(?:^|\/)__init__\.pyi?$/.test(file.path)) return NONE;
  const base = within(folderOf(file.path), name);
  for (const path of [`${base}/__init__.py`, `${base}.py`, `${base}/__init__.pyi`, `${base}.pyi`]) {
    const found = files.get(path);
    if (found !== undefined) return [{ file: found, symbol: null }];
  }
  return NONE;
}
