/**
 * The tree of Rust modules: the file or inline module above or below another one.
 *
 * The layout of files and `#[path]` decide, because many `mod` items stand in macros and cannot be read.
 */
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { folderOf, joinPath, nameOf, within } from "../../../text/repo-path.ts";
import type { SourceFile } from "../model.ts";
import type { RustCrates } from "./crates.ts";

/** `folder` is where files of its submodules lie; `inline` the dotted path of modules inside the file, or "". */
export type RustModule = { readonly file: string; readonly folder: string; readonly inline: string };

export type RustModules = {
  child(module: RustModule, name: string): RustModule | null;
  /** The module around; null for the root of a crate. */
  parent(module: RustModule): RustModule | null;
  rootOf(module: RustModule): RustModule;
  /** The innermost module around a line. */
  at(file: string, line: number): RustModule;
};

const DEPTH_MAX = 64;

/** `files` are the Rust files of the repository. */
export function rustModules(files: readonly SourceFile[], crates: RustCrates): RustModules {
  const declared = declarations(files);
  const { taken, above } = pathAttributes(files, declared, crates);
  const whole = (file: string): RustModule => wholeFile(file, crates, above);

  const child = (module: RustModule, written: string): RustModule | null => {
    const name = written.replace(/^r#/, "");
    const inline = dotted(module.inline, name);
    const file = taken.get(`${module.file}\0${inline}`);
    if (file !== undefined) return whole(file);
    if (declared.inline.has(`${module.file}\0${inline}`)) {
      return { file: module.file, folder: within(module.folder, name), inline };
    }
    const place = within(module.folder, name);
    const isDeclared = declared.children.get(module.file)?.has(name) === true;
    const found = [`${place}.rs`, `${place}/mod.rs`].find(
      (path) => declared.children.has(path) && (isDeclared || !crates.isRoot(path)),
    );
    return found === undefined || found === module.file ? null : whole(found);
  };

  const parent = (module: RustModule): RustModule | null => {
    const { file, inline } = module;
    if (inline !== "") return inside(whole(file), inline.slice(0, Math.max(0, inline.lastIndexOf("."))));
    const taker = above.get(file);
    if (taker !== undefined) return inside(whole(taker.file), taker.inline);
    if (crates.isRoot(file)) return null;
    const isMod = nameOf(file) === "mod.rs";
    const name = isMod ? nameOf(folderOf(file)) : nameOf(file).replace(/\.rs$/, "");
    // Modules of inline modules lie deeper than their file does.
    for (let folder = folderOf(isMod ? folderOf(file) : file), depth = 0; depth < DEPTH_MAX; depth += 1) {
      const roots = crates.rootsIn(folder);
      const root = roots.find((path) => declared.children.get(path)?.has(name)) ?? roots[0];
      const around = [root, `${folder}.rs`, within(folder, "mod.rs")].find(
        (path) => path !== undefined && path !== file && declared.children.has(path),
      );
      if (around !== undefined) return whole(around);
      if (folder === "") return null;
      folder = folderOf(folder);
    }
    return null;
  };

  const rootOf = (module: RustModule): RustModule => {
    let root = module;
    for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
      const next = parent(root);
      if (next === null) break;
      root = next;
    }
    return root;
  };

  return { child, parent, rootOf, at: (file, line) => inside(whole(file), declared.inlineAt(file, line)) };
}

const dotted = (inline: string, name: string): string => (inline === "" ? name : `${inline}.${name}`);

/** The modules that files declare. */
type Declarations = {
  /** The names of `mod name;` items by file; every Rust file has an entry. */
  readonly children: ReadonlyMap<string, ReadonlySet<string>>;
  /** Inline modules, as `file\0path`. */
  readonly inline: ReadonlySet<string>;
  /** The dotted path of the innermost inline module around a line, or "". */
  inlineAt(file: string, line: number): string;
};

function declarations(files: readonly SourceFile[]): Declarations {
  const children = new Map<string, Set<string>>();
  const inline = new Set<string>();
  const inlines = new Map<string, readonly OutlineSymbol[]>();
  for (const { path, facts } of files) {
    const namespaces = facts.symbols.filter(({ kind }) => kind === "namespace");
    inlines.set(path, namespaces);
    for (const { qualifiedName } of namespaces) inline.add(`${path}\0${qualifiedName}`);
    const names = facts.imports.filter(({ kind }) => kind === "require").flatMap((fact) => fact.names);
    children.set(path, new Set(names.flatMap(({ alias }) => alias ?? [])));
  }
  const inlineAt = (file: string, line: number): string =>
    inlines.get(file)?.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine)?.qualifiedName ?? "";
  return { children, inline, inlineAt };
}

/** Files that `#[path]` takes in: `taken` by the module (`file\0path`), `above` has the module around each. */
type PathAttributes = {
  readonly taken: ReadonlyMap<string, string>;
  readonly above: ReadonlyMap<string, Pick<RustModule, "file" | "inline">>;
};

function pathAttributes(files: readonly SourceFile[], declared: Declarations, crates: RustCrates): PathAttributes {
  const taken = new Map<string, string>();
  const above = new Map<string, Pick<RustModule, "file" | "inline">>();
  for (const { path, facts } of files) {
    for (const { kind, specifier, names, line } of facts.imports) {
      const alias = names[0]?.alias;
      if (kind !== "require" || alias === specifier || alias === undefined || alias === null) continue;
      const inline = declared.inlineAt(path, line);
      const folder = inline === "" ? folderOf(path) : inside(wholeFile(path, crates, above), inline).folder;
      const file = joinPath(folder, specifier);
      if (file === null || !declared.children.has(file)) continue;
      taken.set(`${path}\0${dotted(inline, alias)}`, file);
      if (file !== path && !above.has(file)) above.set(file, { file: path, inline });
    }
  }
  return { taken, above };
}

/** The module that a file is. */
function wholeFile(file: string, crates: RustCrates, above: PathAttributes["above"]): RustModule {
  const isModFile = crates.isRoot(file) || nameOf(file) === "mod.rs" || above.has(file);
  return { file, folder: isModFile ? folderOf(file) : file.replace(/\.rs$/, ""), inline: "" };
}

const inside = ({ file, folder }: RustModule, inline: string): RustModule => ({
  file,
  folder: inline === "" ? folder : within(folder, inline.replaceAll(".", "/")),
  inline,
});
