/**
 * Rust: a path names a module or an item in one, and `pub use` passes names on.
 *
 * A path is followed through modules, then to the file that defines the name, through the imports of modules on the way. Paths
 * written where they are used (`crate::a::f()`, `other_crate::T`) count as imports too. A test that runs a program of its package
 * depends on the root of that program.
 */
import type { ImportFact, OutlinedFacts } from "../../../syntax/facts/facts.ts";
import type { Binding, Family, ReadConfig, RepoPaths, Resolution, Resolver, SourceFile } from "../model.ts";
import { namesUsedThrough } from "../packages.ts";
import { type CrateMacros, crateMacros, isPassedOn } from "./crate-macros.ts";
import { type RustCrates, rustCrates } from "./crates.ts";
import { openCyclicMemo } from "./cyclic-memo.ts";
import { type RustModule, type RustModules, rustModules } from "./modules.ts";

export const RUST: Family = {
  open: rustResolver,
  scoping: { selfNames: ["self", "Self"], superNames: [], implicitSelf: false, exportsAll: true },
};

/** The target of a path: a module, or a name in a file (dotted inside of a module there, and below an item: a variant, a member). */
type PathTarget = { readonly module: RustModule } | { readonly file: string; readonly name: string };

/** Resolves the parts of a path, starting in a module. `isFirst`: the parts are the beginning of the path. */
type ResolvePath = (from: RustModule, parts: readonly string[], isFirst: boolean) => PathTarget | null;

/** Limit on the imports that are followed for one name. In 6,289 files of public crates, no name needs more than 110. */
const FOLLOWED_MAX = 500;

function rustResolver(all: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const files = all.filter(({ language }) => language === "rust");
  const byPath = new Map(files.map((file) => [file.path, file]));
  const crates = rustCrates(paths, readConfig);
  const modules = rustModules(files, crates);
  const macros = crateMacros(files, modules);
  const resolvePath = pathResolver(crates, modules, moduleNames(files, modules.at), macros);

  const resolve = (path: string, fact: ImportFact): Resolution => {
    const { kind, line, specifier, names, star } = fact;
    if (kind === "dynamic") {
      const program = crates.programNamed(path, specifier.replace(/^CARGO_BIN_EXE_/, ""));
      return { targets: program === null ? [] : [program], bindings: [] };
    }
    const importer = byPath.get(path)?.facts;
    const from = modules.at(path, line);
    const parts = specifier.split("::");
    const targets = new Set<string>();
    const bindings: Binding[] = [];
    for (const { name, alias } of names) {
      const whole = name === "*" ? parts : [...parts, name];
      const found = kind === "require" ? declaredModule(modules, from, alias) : importTarget(resolvePath, from, whole);
      const bound = bindingsOf(found, alias, false, kind);
      // A root neither depends on the files whose macros it passes on, nor sees the macros under these names.
      if (isPassedOn(fact)) bindings.push(...bound.filter(({ reexport }) => reexport));
      else bindings.push(...bound);
      if (found === null || isPassedOn(fact)) continue;
      if (!("module" in found)) targets.add(found.file);
      else for (const file of filesNeeded(resolvePath, found.module, kind, importer, alias)) targets.add(file);
    }
    if (star) {
      const found = importTarget(resolvePath, from, parts);
      if (found !== null) targets.add(fileOf(found));
      // The star of an enum brings its variants.
      const isOwn = found !== null && "module" in found && found.module.file === path;
      if (!isOwn) bindings.push(...bindingsOf(found, null, true, kind));
    }
    return { targets: [...targets], bindings };
  };
  const implied = (path: string): readonly ImportFact[] => {
    const importer = byPath.get(path)?.facts;
    if (importer === undefined) return [];
    return [...writtenOut(importer, crates.librariesOf(path)), ...macros.passedOn(path, importer)];
  };
  let renamed: ReturnType<typeof namesGiven> | null = null;
  const writtenAs = (type: string): readonly string[] => {
    renamed ??= namesGiven(files);
    return [type, ...(renamed.get(type) ?? [])];
  };
  return { resolve, implied, writtenAs, groupOf: () => null };
}

/** The names that imports give to names of other files. */
function namesGiven(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const given = new Map<string, Set<string>>();
  for (const { facts } of files)
    for (const { name, alias } of facts.imports.flatMap(({ names }) => names))
      if (alias !== null && alias !== name) given.getOrInsertComputed(name, () => new Set<string>()).add(alias);
  return given;
}

function pathResolver(
  crates: RustCrates,
  modules: RustModules,
  namesOf: (module: RustModule) => ModuleNames,
  macros: CrateMacros,
): ResolvePath {
  const follow = (from: RustModule, parts: readonly string[], isFirst: boolean): PathTarget | null => {
    const [part, ...rest] = parts;
    if (part === undefined) return { module: from };
    const descend = (module: RustModule | null): PathTarget | null => module && follow(module, rest, false);
    if (part === "self") return descend(from);
    if (part === "super") return descend(modules.parent(from));
    if (isFirst && (part === "crate" || part === "$crate")) return descend(modules.rootOf(from));
    if (isFirst && part === "") {
      const root = library(from, rest[0] ?? "");
      return root && follow(root, rest.slice(1), false);
    }
    // A function or macro may have the same name as a module next to it.
    const isItem = rest.length === 0 && namesOf(from).defined.has(part);
    const below = isItem ? null : modules.child(from, part);
    if (below !== null) return descend(below);
    const item = itemIn(from, part);
    if (item !== null) {
      if ("module" in item) return descend(item.module);
      return { file: item.file, name: [item.name, ...rest].join(".") };
    }
    if (!isFirst) return null;
    // Before the 2018 edition, paths began at the root of the crate.
    return descend(library(from, part)) ?? descend(modules.child(modules.rootOf(from), part));
  };

  const library = ({ file }: RustModule, name: string): RustModule | null => {
    const root = crates.crateNamed(file, name);
    return root === null ? null : modules.at(root, 0);
  };

  const { ask, mayFollow } = openCyclicMemo<PathTarget>(FOLLOWED_MAX);
  /** Resolves a name in a module. */
  const itemIn = (module: RustModule, name: string): PathTarget | null =>
    ask(`${module.file}\0${module.inline}\0${name}`, () => itemOf(module, name));
  /** Looks in the definitions of a module, its imports, and its star imports. */
  const itemOf = (module: RustModule, name: string): PathTarget | null => {
    const names = namesOf(module);
    if (names.defined.has(name)) return itemOfModule(module, name);
    for (const path of names.imported.get(name) ?? []) {
      if (!mayFollow()) return null;
      // `use name::x` must not resolve `name` in the module that it binds it in.
      const found = path[0] === name ? outside(module, path) : follow(module, path, true);
      if (found !== null) return found;
    }
    for (const path of names.stars) {
      if (!mayFollow()) return null;
      const star = follow(module, path, true);
      if (star === null || !("module" in star)) continue;
      const child = modules.child(star.module, name);
      const found = child === null ? itemIn(star.module, name) : { module: child };
      if (found !== null) return found;
    }
    const macro = module.inline === "" ? macros.fileOf(module.file, name) : null;
    return macro === null ? null : { file: macro, name };
  };
  const outside = (from: RustModule, [name = "", ...rest]: readonly string[]): PathTarget | null => {
    const start = modules.child(from, name) ?? library(from, name);
    return start && follow(start, rest, false);
  };
  return follow;
}

/** Resolves the whole path of an import. */
function importTarget(resolvePath: ResolvePath, from: RustModule, path: readonly string[]): PathTarget | null {
  const found = resolvePath(from, path, true);
  if (found !== null || path.length < 2) return found;
  // A macro may define the name, so assume that the module has it.
  const module = resolvePath(from, path.slice(0, -1), true);
  return module !== null && "module" in module ? itemOfModule(module.module, path.at(-1) ?? "") : null;
}

/** An item by its path inside the file, which begins with the modules around it. */
const itemOfModule = ({ file, inline }: RustModule, name: string): PathTarget => ({
  file,
  name: inline === "" ? name : `${inline}.${name}`,
});

/** The module of a `mod` item. */
function declaredModule(modules: RustModules, from: RustModule, name: string | null): PathTarget | null {
  const module = name === null ? null : modules.child(from, name);
  return module && { module };
}

const fileOf = (found: PathTarget): string => ("module" in found ? found.module.file : found.file);

/** The bindings of one name or star of an import. A re-exported name is also bound for importers. */
function bindingsOf(
  found: PathTarget | null,
  alias: string | null,
  star: boolean,
  kind: ImportFact["kind"],
): Binding[] {
  const isModule = found !== null && "module" in found;
  const module = found === null ? null : fileOf(found);
  const binding = {
    alias,
    name: found === null || isModule ? "*" : found.name,
    module,
    submodule: isModule && !star && found.module.inline === "" ? module : null,
    group: null,
    star,
    reexport: false,
  };
  return kind === "reexport" && module !== null ? [binding, { ...binding, reexport: true }] : [binding];
}

/** The files that define what is used through an imported module; the file of the module if there are none. */
function filesNeeded(
  resolvePath: ResolvePath,
  module: RustModule,
  kind: ImportFact["kind"],
  importer: OutlinedFacts | undefined,
  alias: string | null,
): readonly string[] {
  if (kind === "require" || kind === "reexport" || importer === undefined || alias === null) return [module.file];
  const needed = namesUsedThrough(importer, alias).flatMap((name) => resolvePath(module, [name], false) ?? []);
  return needed.length === 0 ? [module.file] : needed.map(fileOf);
}

/** Paths written in code without an import. Each counts as an import under its whole path. */
function writtenOut({ imports, references }: OutlinedFacts, libraries: ReadonlySet<string>): readonly ImportFact[] {
  const bound = new Set(imports.flatMap(({ names }) => names.flatMap(({ alias }) => alias ?? [])));
  const found = new Map<string, ImportFact>();
  for (const { qualifier, line } of references) {
    const first = qualifier?.split(".", 1)[0] ?? "";
    if (qualifier === null || found.has(qualifier) || !/^[\w.$]+$/.test(qualifier)) continue;
    if (!/^(?:\$?crate|super)$/.test(first) && (bound.has(first) || !libraries.has(first))) continue;
    const specifier = qualifier.replaceAll(".", "::");
    found.set(qualifier, { specifier, line, kind: "import", names: [{ name: "*", alias: qualifier }], star: false });
  }
  return [...found.values()];
}

/** The names that a module defines, the paths that it imports by name, and the paths of its star imports. */
type ModuleNames = {
  readonly defined: Set<string>;
  readonly imported: Map<string, (readonly string[])[]>;
  readonly stars: (readonly string[])[];
};

function moduleNames(
  files: readonly SourceFile[],
  at: (file: string, line: number) => RustModule,
): (module: RustModule) => ModuleNames {
  const known = new Map<string, ModuleNames>();
  const namesOf = ({ file, inline }: RustModule): ModuleNames => {
    const key = `${file}\0${inline}`;
    const names = known.get(key) ?? { defined: new Set(), imported: new Map(), stars: [] };
    known.set(key, names);
    return names;
  };
  for (const { path, facts } of files) {
    for (const { name, qualifiedName, parent, kind } of facts.symbols) {
      if (kind === "namespace") continue;
      const around = parent === null ? "" : facts.symbols[parent]?.kind === "namespace" ? facts.symbols[parent] : null;
      if (around === null) continue;
      const inline = around === "" ? "" : (around?.qualifiedName ?? "");
      // Methods are outside the type they belong to.
      if (qualifiedName !== (inline === "" ? name : `${inline}.${name}`)) continue;
      namesOf({ file: path, folder: "", inline }).defined.add(name);
    }
    for (const { specifier, names, star, line, kind } of facts.imports) {
      if (kind === "require") continue;
      const module = namesOf(at(path, line));
      const parts = specifier.split("::");
      if (star) module.stars.push(parts);
      for (const { name, alias } of names) {
        if (alias === null) continue;
        const whole = name === "*" ? parts : [...parts, name];
        module.imported.getOrInsertComputed(alias, () => []).push(whole);
      }
    }
  }
  return namesOf;
}
