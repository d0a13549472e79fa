/**
 * Which folder a Go import path leads to: what go.mod and go.work say, and a guess for projects older than those.
 *
 * All modules of the repository see each other, as in a workspace. Where several have one path (fixtures), the one
 * nearest to the importing file holds. A project without go.mod has the path that most of its imports agree on.
 * Not here: which files of the folder an import needs (`go.ts`).
 */
import type { ReadConfig, SourceFile } from "../model.ts";
import { folderOf, foldersUp, isWithin, joinPath, nameOf, within } from "../repo-path.ts";

export type GoModules = {
  /** The folder of an imported package, seen from a file; null when it is not in the repository. */
  folderOf(from: string, specifier: string): string | null;
};

/** Lines of a go.mod are short. */
const LINE_MAX = 1_000;

/** What may be the path of a project without go.mod: at most so many parts (`github.com/owner/name/sub`). */
const GUESSED_PARTS_MAX = 4;

/** Reads the modules. `files` are the Go files; `holdsPackage` tells whether a folder has some. */
export function goModules(
  files: readonly SourceFile[],
  paths: ReadonlySet<string>,
  readConfig: ReadConfig,
  holdsPackage: (folder: string) => boolean,
): GoModules {
  const roots = new Map<string, string[]>();
  const replaced = new Map<string, ReadonlyMap<string, string>>();
  for (const path of [...paths].sort()) {
    const name = nameOf(path);
    if ((name !== "go.mod" && name !== "go.work") || isVendored(path)) continue;
    const folder = folderOf(path);
    const { module, replaces } = readModFile(readConfig(path) ?? "", folder);
    if (name === "go.mod" && module !== null) roots.set(module, [...(roots.get(module) ?? []), folder]);
    replaced.set(folder, new Map([...(replaced.get(folder) ?? []), ...replaces]));
  }
  if (roots.size === 0) {
    const guessed = guessedPath(files, holdsPackage);
    if (guessed !== null) roots.set(guessed, [""]);
  }

  const search = (folder: string, specifier: string): string | null => {
    if (/^\.\.?(?:\/|$)/.test(specifier)) return existing(joinPath(folder, specifier));
    const up = foldersUp(folder);
    for (let end = specifier.length; end > 0; end = specifier.lastIndexOf("/", end - 1)) {
      const prefix = specifier.slice(0, end);
      const rest = specifier.slice(end + 1);
      for (const at of up) {
        const target = replaced.get(at)?.get(prefix);
        const found = target === undefined ? null : existing(within(target, rest));
        if (found !== null) return found;
      }
      const found = (roots.get(prefix) ?? [])
        .filter((root) => holdsPackage(within(root, rest)))
        .map((root) => ({ root, near: up.findIndex((at) => isWithin(root, at)) }))
        .sort((a, b) => a.near - b.near || (a.root < b.root ? -1 : 1))[0];
      if (found !== undefined) return within(found.root, rest);
    }
    return null;
  };
  const existing = (folder: string | null): string | null => (folder !== null && holdsPackage(folder) ? folder : null);

  const known = new Map<string, string | null>();
  return {
    folderOf: (from, specifier) => {
      const folder = folderOf(from);
      const key = `${folder}\0${specifier}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const found = search(folder, specifier);
      known.set(key, found);
      return found;
    },
  };
}

/** Copies of other projects: what is imported is the project, not the copy. */
export const isVendored = (path: string): boolean => /(?:^|\/)vendor\//.test(path);

type ModFile = { readonly module: string | null; readonly replaces: ReadonlyMap<string, string> };

/** The module's path, and the paths that are replaced by folders of the repository. */
function readModFile(text: string, folder: string): ModFile {
  let module: string | null = null;
  const replaces = new Map<string, string>();
  for (const line of text.split("\n")) {
    const words = line
      .slice(0, LINE_MAX)
      .replace(/\/\/.*/, "")
      .replaceAll('"', "")
      .trim()
      .split(/\s+/);
    if (words[0] === "module") module ??= words[1] ?? null;
    const arrow = words.indexOf("=>");
    const path = words[0] === "replace" ? words[1] : words[0];
    const target = words[arrow + 1] ?? "";
    if (arrow < 1 || path === undefined || !/^\.\.?(?:\/|$)/.test(target)) continue;
    const local = joinPath(folder, target);
    if (local !== null) replaces.set(path, local);
  }
  return { module, replaces };
}

/** The path under which most imports find a folder of Go files, or null when there is none, or no single one. */
function guessedPath(files: readonly SourceFile[], holdsPackage: (folder: string) => boolean): string | null {
  const votes = new Map<string, number>();
  for (const { facts } of files) {
    for (const { specifier } of facts.imports) {
      const parts = specifier.split("/");
      if (parts[0]?.includes(".") !== true) continue;
      for (let length = 1; length < Math.min(parts.length, GUESSED_PARTS_MAX + 1); length += 1) {
        if (!holdsPackage(parts.slice(length).join("/"))) continue;
        const prefix = parts.slice(0, length).join("/");
        votes.set(prefix, (votes.get(prefix) ?? 0) + 1);
      }
    }
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
