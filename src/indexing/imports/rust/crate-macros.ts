/**
 * The macros of each crate. `#[macro_export]` makes a macro an item of the crate's root, whatever module it is written in.
 *
 * Facts do not tell which macros are exported, but no path leads to another one, so nothing asks for it.
 */
import { nameRules } from "../../../languages/languages.ts";
import { STANDARD_MACROS } from "../../../languages/rust/standard-macros.ts";
import type { ImportFact, OutlinedFacts } from "../../../syntax/facts/facts.ts";
import type { SourceFile } from "../model.ts";
import type { RustModules } from "./modules.ts";

export type CrateMacros = {
  /** The file below a root that defines a macro; null if none does, or several do. */
  fileOf(root: string, name: string): string | null;
  /** The macros of a crate as re-exports of its root; none for another file. */
  passedOn(root: string, facts: OutlinedFacts): readonly ImportFact[];
};

/** The line of an import that is not written. */
const NO_LINE = 0;

/** Whether an import is one of `passedOn`. */
export const isPassedOn = ({ line }: ImportFact): boolean => line === NO_LINE;

/** `files` are the Rust files of the repository. */
export function crateMacros(files: readonly SourceFile[], modules: RustModules): CrateMacros {
  let known: ReturnType<typeof macrosByRoot> | null = null;
  const macrosOf = (root: string): ReadonlyMap<string, string | null> | undefined => {
    known ??= macrosByRoot(files, modules);
    return known.get(root);
  };
  return {
    fileOf: (root, name) => macrosOf(root)?.get(name) ?? null,
    passedOn: (root, { imports }) => {
      const bound = new Set(imports.flatMap(({ names }) => names.flatMap(({ alias }) => alias ?? [])));
      const names = [...(macrosOf(root) ?? [])].flatMap(([name, file]) =>
        file === null || bound.has(name) ? [] : { name, alias: name },
      );
      return names.length === 0 ? [] : [{ specifier: "crate", line: NO_LINE, kind: "reexport", names, star: false }];
    },
  };
}

/** The files of macros by root and name; null if several files define one. */
function macrosByRoot(
  files: readonly SourceFile[],
  modules: RustModules,
): ReadonlyMap<string, ReadonlyMap<string, string | null>> {
  const { macros } = nameRules("rust");
  const found = new Map<string, Map<string, string | null>>();
  for (const { path, facts } of files) {
    const names = facts.symbols.flatMap(({ name, parent, signature }) =>
      parent === null && signature.startsWith(macros) && !STANDARD_MACROS.has(name) ? name : [],
    );
    const root = names.length === 0 ? path : modules.rootOf(modules.at(path, 0)).file;
    if (root === path) continue;
    const ofCrate = found.getOrInsertComputed(root, () => new Map<string, string | null>());
    for (const name of names) {
      const known = ofCrate.get(name);
      ofCrate.set(name, known === undefined || known === path ? path : null);
    }
  }
  return found;
}
