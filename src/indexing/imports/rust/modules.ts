/**
 * The tree of Rust modules: the file or inline module above or below another one.
 *
 * The layout of files and `#[path]` decide, because many `mod` items stand in macros and cannot be read.
 */
import type { SourceFile } from "../model.ts";
import { folderOf, joinPath, nameOf, within } from "../repo-path.ts";
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
  const byPath = new Map(files.map((file) => [file.path, file.facts]));
  const inlines = new Map<string, readonly { readonly path: string; readonly start: number; readonly end: number }[]>();
  const isInline = new Set<string>();
  const declared = new Map<string, Set<string>>();
  for (const { path, facts } of files) {
    inlines.set(
      path,
      facts.symbols
        .filter(({ kind }) => kind === "namespace")
        .map(({ qualifiedName, startLine, endLine }) => ({ path: qualifiedName, start: startLine, end: endLine })),
    );
    for (const inline of inlines.get(path) ?? []) isInline.add(`${path}\0${inline.path}`);
    const names = facts.imports.filter(({ kind }) => kind === "require").flatMap((fact) => fact.names);
    declared.set(path, new Set(names.flatMap(({ alias }) => alias ?? [])));
  }

  const isModFile = (file: string): boolean => crates.isRoot(file) || nameOf(file) === "mod.rs" || above.has(file);
  const whole = (file: string): RustModule => ({
    file,
    folder: isModFile(file) ? folderOf(file) : file.replace(/\.rs$/, ""),
    inline: "",
  });
  const inlineAt = (file: string, line: number): string =>
    inlines.get(file)?.findLast(({ start, end }) => start <= line && line <= end)?.path ?? "";
  const inside = ({ file, folder }: RustModule, inline: string): RustModule => ({
    file,
    folder: inline === "" ? folder : within(folder, inline.replaceAll(".", "/")),
    inline,
  });

  // Files that `#[path]` takes in, both ways.
  const taken = new Map<string, string>();
  const above = new Map<string, { readonly file: string; readonly inline: string }>();
  for (const { path, facts } of files) {
    for (const { kind, specifier, names, line } of facts.imports) {
      const alias = names[0]?.alias;
      if (kind !== "require" || alias === specifier || alias === undefined || alias === null) continue;
      const inline = inlineAt(path, line);
      const folder = inline === "" ? folderOf(path) : inside(whole(path), inline).folder;
      const file = joinPath(folder, specifier);
      if (file === null || !byPath.has(file)) continue;
      taken.set(`${path}\0${dotted(inline, alias)}`, file);
      if (file !== path && !above.has(file)) above.set(file, { file: path, inline });
    }
  }

  const child = (module: RustModule, written: string): RustModule | null => {
    const name = written.replace(/^r#/, "");
    const inline = dotted(module.inline, name);
    const file = taken.get(`${module.file}\0${inline}`);
    if (file !== undefined) return whole(file);
    if (isInline.has(`${module.file}\0${inline}`)) {
      return { file: module.file, folder: within(module.folder, name), inline };
    }
    const place = within(module.folder, name);
    const isDeclared = declared.get(module.file)?.has(name) === true;
    const found = [`${place}.rs`, `${place}/mod.rs`].find(
      (path) => byPath.has(path) && (isDeclared || !crates.isRoot(path)),
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
      const root = roots.find((path) => declared.get(path)?.has(name)) ?? roots[0];
      const around = [root, `${folder}.rs`, within(folder, "mod.rs")].find(
        (path) => path !== undefined && path !== file && byPath.has(path),
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

  return { child, parent, rootOf, at: (file, line) => inside(whole(file), inlineAt(file, line)) };
}

const dotted = (inline: string, name: string): string => (inline === "" ? name : `${inline}.${name}`);
