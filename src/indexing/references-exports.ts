/**
 * What a name of another file stands for: its export table, with re-exports followed.
 *
 * Python: a module's top-level symbols, the names it imports, its stars, its submodules. ECMAScript:
 * exported symbols, `export { a as b }`, re-exports and `export *`. At most `DEPTH_MAX` files deep;
 * a file is asked once per look-up, so cycles end.
 */
import type { Binding } from "./imports-model.ts";
import { chosen, type FileSymbols, type Want } from "./references-symbols.ts";
import { folderOf, within } from "./resolve-path.ts";

/** How many files a re-exported name is followed through. */
const DEPTH_MAX = 8;

/** What a name leads to: a symbol of a file, or a whole file (a module object). */
export type Target = { readonly file: FileSymbols; readonly symbol: number | null };

type Answers = Map<string, Target | null>;

export type Exports = {
  /** What `name` is for importers of the file, or null. */
  exported(file: FileSymbols, name: string, want: Want): Target | null;
  /** What an import's alias stands for, or null. */
  bound(binding: Binding, want: Want): Target | null;
};

/** The export look-ups of a repository; answers are kept. */
export function exportTable(files: ReadonlyMap<string, FileSymbols>): Exports {
  const fileAt = (path: string | null): FileSymbols | null => (path === null ? null : (files.get(path) ?? null));

  const follow = (binding: Binding, want: Want, depth: number, seen: Set<string>): Target | null => {
    const submodule = fileAt(binding.submodule);
    if (submodule !== null) return { file: submodule, symbol: null };
    const module = fileAt(binding.module);
    if (module === null) return null;
    return binding.name === "*" ? { file: module, symbol: null } : search(module, binding.name, want, depth + 1, seen);
  };

  const search = (file: FileSymbols, name: string, want: Want, depth: number, seen: Set<string>): Target | null => {
    const key = `${file.path}\0${name}`;
    if (depth > DEPTH_MAX || seen.has(key)) return null;
    seen.add(key);
    const { facts } = file;
    const local = Object.hasOwn(facts.exportedAs, name) ? (facts.exportedAs[name] ?? name) : name;
    const renamed = local !== name;

    const own = file.top.get(local)?.filter((index) => renamed || isVisible(file, index));
    const symbol = own === undefined || own.length === 0 ? null : chosen(facts, own, want);
    if (symbol !== null) return { file, symbol };

    const imported =
      file.family === "python" || Object.hasOwn(facts.exportedAs, name) ? file.bindings.get(local) : undefined;
    const viaImport = imported === undefined ? null : follow(imported, want, depth, seen);
    if (viaImport !== null) return viaImport;

    for (const binding of file.reexports) {
      // A re-export under another name carries it as its alias, or as an entry of `exportedAs`.
      const isNamed = (binding.alias ?? binding.name) === name || (binding.alias === null && binding.name === local);
      const target = binding.star || !isNamed ? null : follow(binding, want, depth, seen);
      if (target !== null) return target;
    }
    // `module.exports = require("./a")` is a star too, so that `default` goes through it.
    for (const star of file.family === "python" ? file.stars : file.reexports.filter((binding) => binding.star)) {
      const module = fileAt(star.module);
      const target = module === null ? null : search(module, name, want, depth + 1, seen);
      if (target !== null) return target;
    }
    return submoduleOf(files, file, name);
  };

  const kept = { value: new Map<FileSymbols, Answers>(), type: new Map<FileSymbols, Answers>() };
  const exported = (file: FileSymbols, name: string, want: Want): Target | null => {
    const answers = kept[want].get(file) ?? new Map<string, Target | null>();
    if (answers.size === 0) kept[want].set(file, answers);
    const known = answers.get(name);
    if (known !== undefined) return known;
    const target = search(file, name, want, 0, new Set());
    answers.set(name, target);
    return target;
  };
  return {
    exported,
    bound: (binding, want) => {
      const submodule = fileAt(binding.submodule);
      if (submodule !== null) return { file: submodule, symbol: null };
      const module = fileAt(binding.module);
      if (module === null) return null;
      return binding.name === "*" ? { file: module, symbol: null } : exported(module, binding.name, want);
    },
  };
}

/** Python lets any top-level name be imported; ECMAScript only exported ones. */
const isVisible = (file: FileSymbols, index: number): boolean =>
  file.family === "python" || (file.facts.symbols[index]?.exported ?? false);

/** `pkg.sub` for a package's file: the module beside it. */
function submoduleOf(files: ReadonlyMap<string, FileSymbols>, file: FileSymbols, name: string): Target | null {
  if (!/(?:^|\/)__init__\.pyi?$/.test(file.path)) return null;
  const base = within(folderOf(file.path), name);
  for (const path of [`${base}/__init__.py`, `${base}.py`, `${base}/__init__.pyi`, `${base}.pyi`]) {
    const found = files.get(path);
    if (found !== undefined) return { file: found, symbol: null };
  }
  return null;
}
