/**
 * Which module a Swift file is in: the target of a package manifest, else the folder that a layout suggests
 * (`Sources/<Module>`, `Tests/<Module>`), else, as projects of Xcode have it, the folder at the top.
 *
 * Manifests are programs; they are read for calls like `.target(name: "A", path: "B")`, whose other forms are left to
 * the layout. A module is known by its folder, "" for files at the top.
 */
import type { ReadConfig } from "../model.ts";
import { folderOf, foldersUp, joinPath, nameOf } from "../repo-path.ts";

export type SwiftTargets = {
  /** The folder of the module that a file is in. */
  folderOf(path: string): string;
  /** The folders of the modules of a name, in order. */
  foldersNamed(name: string): readonly string[];
};

/** How much of a manifest, and of one target in it, is read, in characters. */
const MANIFEST_MAX = 200_000;
const TARGET_MAX = 20_000;

const TARGET = /\.(target|executableTarget|testTarget|macro|plugin|systemLibrary)\s*\(/g;

/** Where a target without a path may be, by its kind. */
const SOURCES = ["Sources", "Source", "src", "srcs"];
const TESTS = ["Tests", ...SOURCES];

/** Lays out the modules of a repository. `files` are its Swift files. */
export function swiftTargets(
  files: readonly string[],
  paths: ReadonlySet<string>,
  readConfig: ReadConfig,
): SwiftTargets {
  const folders = new Set(files.flatMap((path) => foldersUp(folderOf(path))));
  const named = new Map<string, string>();
  for (const path of [...paths].filter((each) => nameOf(each) === "Package.swift").sort()) {
    const root = folderOf(path);
    for (const { name, kind, path: written } of targetsIn((readConfig(path) ?? "").slice(0, MANIFEST_MAX))) {
      const usual = kind === "testTarget" ? TESTS : kind === "plugin" ? ["Plugins", ...SOURCES] : SOURCES;
      const places = written === null ? usual.map((folder) => `${folder}/${name}`) : [written];
      const folder = places.flatMap((place) => joinPath(root, place) ?? []).find((place) => folders.has(place));
      if (folder !== undefined && !named.has(folder)) named.set(folder, moduleName(name));
    }
  }
  const folderOfFile = (path: string): string => {
    const target = foldersUp(folderOf(path)).find((folder) => named.has(folder));
    if (target !== undefined) return target;
    const layout = /^(?:.*\/)?(?:Sources|Tests)\/[^/]+(?=\/)/.exec(path)?.[0];
    return layout ?? path.slice(0, Math.max(0, path.indexOf("/")));
  };
  const byName = new Map<string, Set<string>>();
  for (const path of files) {
    const folder = folderOfFile(path);
    const name = named.get(folder) ?? moduleName(nameOf(folder));
    const known = byName.get(name);
    if (known === undefined) byName.set(name, new Set([folder]));
    else known.add(folder);
  }
  return {
    folderOf: folderOfFile,
    foldersNamed: (name) => [...(byName.get(name) ?? [])].sort(),
  };
}

/** Names of modules are names of Swift: `my-lib` is imported as `my_lib`. */
const moduleName = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, "_");

type Target = { readonly kind: string; readonly name: string; readonly path: string | null };

/** The targets of a manifest; what stands inside of one (`dependencies: [.target(name: "B")]`) is none. */
function targetsIn(manifest: string): readonly Target[] {
  const targets: Target[] = [];
  let end = 0;
  for (const found of manifest.matchAll(TARGET)) {
    if (found.index < end) continue;
    const start = found.index + found[0].length;
    const own = ownArguments(manifest.slice(start, start + TARGET_MAX));
    end = start + own.length;
    const name = /\bname:\s*"([^"\n]*)"/.exec(own.text)?.[1];
    if (name === undefined) continue;
    targets.push({ kind: found[1] ?? "", name, path: /\bpath:\s*"([^"\n]*)"/.exec(own.text)?.[1] ?? null });
  }
  return targets;
}

/** The text up to the parenthesis that ends a call, without what stands in brackets of its own; and how long that is. */
function ownArguments(text: string): { readonly text: string; readonly length: number } {
  const parts: string[] = [];
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|\/\/.*|[()[\]]|[^"()[\]/]+|[/"]/g)) {
    if (part === ")" || part === "]") depth -= 1;
    if (depth < 0) return { text: parts.join(""), length: index };
    if (depth === 0 && !part.startsWith("//")) parts.push(part);
    if (part === "(" || part === "[") depth += 1;
  }
  return { text: parts.join(""), length: text.length };
}
