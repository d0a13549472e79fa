/**
 * Finds the packages of a repository: which one a file belongs to, and which folder a package name means there.
 *
 * A name is looked up in the file's package and the packages around it, among the members of their workspaces (npm, yarn,
 * pnpm), and in `file:` and `link:` dependencies. No name leads to another package.json, such as that of a fixture.
 */
import { isRecord } from "../../../text/parse-json.ts";
import { folderOf, foldersUp, joinPath, nameOf, within } from "../../../text/repo-path.ts";
import { searchTerms } from "../../../text/terms/search-terms.ts";
import { answerCache } from "../answer-cache.ts";
import type { ReadConfig, RepoPaths } from "../model.ts";
import { parseJsonc } from "./jsonc.ts";

/** Longer patterns are ignored. */
const GLOB_LENGTH_MAX = 500;

/** One package.json and its `folder`. */
export type Package = { readonly folder: string; readonly name: string | null; readonly manifest: Manifest };

/** The fields by which imports are resolved, and of the dependencies those on folders. */
const FIELDS = ["name", "workspaces", "exports", "imports", "source", "module", "main", "types", "typings"] as const;
const DEPENDENCIES = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
type Manifest = Readonly<Partial<Record<(typeof FIELDS)[number] | (typeof DEPENDENCIES)[number], unknown>>>;

/** The package that a specifier names, and the path in it; both empty if it names none. */
export function packageParts(specifier: string): { readonly name: string; readonly rest: string } {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/s.exec(specifier) ?? [];
  return { name, rest };
}

const FOLDER_RANGE = /^(?:file|link|portal):(.+)$/;

export type Packages = {
  /** The package whose package.json is in this folder. */
  at(folder: string): Package | null;
  /** The innermost package that contains the file. */
  around(file: string): Package | null;
  /** The package for a name in a file; null if it is not in the repository. */
  named(from: string, name: string): Package | null;
};

/** Reads the packages. `paths` are all files of the repository. */
export function workspacePackages(paths: RepoPaths, readConfig: ReadConfig): Packages {
  const byFolder = new Map<string, Package | null>();
  const at = (folder: string): Package | null => {
    return byFolder.getOrInsertComputed(folder, () => readPackage(folder, readConfig));
  };

  // Their package.json may not be indexed.
  const folders = new Set<string>([""]);
  for (const path of paths.keys()) for (let at = folderOf(path); !folders.has(at); at = folderOf(at)) folders.add(at);
  const sorted = [...folders].sort();
  // Whatever else is asked for, a package.json may decide.
  at("");

  const members = new Map<string, ReadonlyMap<string, Package>>();
  const membersOf = (root: string): ReadonlyMap<string, Package> => {
    const known = members.get(root);
    if (known !== undefined) return known;
    const globs = workspaceGlobs(root, at(root), readConfig).map(compiled);
    const named = new Map<string, Package>();
    for (const folder of globs.length === 0 ? [] : sorted) {
      const inside = root === "" ? folder : folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : "";
      // Only the package.json of a member is read.
      const member = inside !== "" && isMember(globs, inside) ? at(folder) : null;
      if (member !== null && member.name !== null && !named.has(member.name)) named.set(member.name, member);
    }
    members.set(root, named);
    return named;
  };

  const named = (folder: string, name: string): Package | null => {
    for (const above of foldersUp(folder)) {
      const own = at(above);
      if (own?.name === name) return own;
      const linked = own === null ? null : linkedFolder(own, name);
      const found = (linked === null ? null : at(linked)) ?? membersOf(above).get(name);
      if (found !== undefined && found !== null) return found;
    }
    return null;
  };

  const found = answerCache<Package | null>();
  return {
    at,
    around: (file) => {
      for (const folder of foldersUp(folderOf(file))) {
        const own = at(folder);
        if (own !== null) return own;
      }
      return null;
    },
    named: (from, name) => {
      const key = `${folderOf(from)}\0${name}`;
      return found(key, () => named(folderOf(from), name));
    },
  };
}

function readPackage(folder: string, readConfig: ReadConfig): Package | null {
  if (folder === "node_modules" || folder.includes("/node_modules/") || nameOf(folder) === "node_modules") return null;
  // Most folders have none.
  const text = readConfig(within(folder, "package.json"));
  const manifest = text === null ? null : manifestOf(text);
  if (manifest === null) return null;
  return { folder, name: typeof manifest.name === "string" ? manifest.name : null, manifest };
}

function manifestOf(text: string): Manifest | null {
  const all = parseJsonc(text);
  if (!isRecord(all)) return null;
  const fields = FIELDS.flatMap((field) => (Object.hasOwn(all, field) ? [[field, all[field]]] : []));
  const linked = DEPENDENCIES.flatMap((field) => {
    const listed = Object.entries(isRecord(all[field]) ? all[field] : {}).filter(
      ([, range]) => typeof range === "string" && FOLDER_RANGE.test(range),
    );
    return listed.length === 0 ? [] : [[field, Object.fromEntries(listed)]];
  });
  return Object.fromEntries([...fields, ...linked]);
}

/** Whether a file is a package.json whose two texts resolve every import alike. */
export const resolvesAlike = (path: string, before: string, after: string): boolean =>
  nameOf(path) === "package.json" && JSON.stringify(manifestOf(before)) === JSON.stringify(manifestOf(after));

/** Whether a configuration file that has some terms has them where they can lead an import to a file. Only of a package.json less than all counts. */
export function canLeadTo(path: string, text: string, terms: readonly string[]): boolean {
  if (nameOf(path) !== "package.json") return true;
  const words = new Set(searchTerms([...textsIn(manifestOf(text))].join("\n")));
  return terms.every((term) => words.has(term));
}

/** All keys and texts of a value. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (isRecord(value)) for (const [key, each] of Object.entries(value)) yield* [key, ...textsIn(each)];
}

/** The folder of a dependency `"name": "file:../folder"` (or `link:`, `portal:`). */
function linkedFolder(from: Package, name: string): string | null {
  for (const field of DEPENDENCIES) {
    const dependencies = from.manifest[field];
    if (!isRecord(dependencies) || !Object.hasOwn(dependencies, name)) continue;
    const range = dependencies[name];
    const path = typeof range === "string" ? FOLDER_RANGE.exec(range)?.[1] : undefined;
    if (path !== undefined) return joinPath(from.folder, path);
  }
  return null;
}

/** The workspace globs that a folder declares, in package.json and pnpm-workspace.yaml. */
function workspaceGlobs(folder: string, own: Package | null, readConfig: ReadConfig): readonly string[] {
  const field = own?.manifest.workspaces;
  const listed = isRecord(field) ? field.packages : field;
  const fromPackage = Array.isArray(listed) ? listed.filter((glob) => typeof glob === "string") : [];
  return [...fromPackage, ...pnpmGlobs(readConfig(within(folder, "pnpm-workspace.yaml")) ?? "")]
    .filter((glob) => glob.length <= GLOB_LENGTH_MAX)
    .map((glob) => glob.replace(/^(!?)\.\//, "$1").replace(/\/$/, ""));
}

/** The list under `packages:` of a pnpm-workspace.yaml. No other YAML is read. */
function pnpmGlobs(text: string): readonly string[] {
  const globs: string[] = [];
  let inPackages = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.length > GLOB_LENGTH_MAX) continue;
    if (/^\S/.test(line) && !line.startsWith("-") && !line.startsWith("#")) inPackages = /^packages\s*:/.test(line);
    const inline = inPackages ? /^packages\s*:\s*\[(.*)\]/.exec(line)?.[1] : undefined;
    if (inline !== undefined) globs.push(...inline.split(",").map(unquoted));
    const item = inPackages ? /^\s*-\s+(.+)$/.exec(line)?.[1] : undefined;
    if (item !== undefined) globs.push(unquoted(item));
  }
  return globs.filter((glob) => glob !== "");
}

const unquoted = (text: string): string =>
  /^\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined) ?? "";

type WorkspaceGlob = { readonly glob: Bun.Glob; readonly excludes: boolean };

function compiled(glob: string): WorkspaceGlob {
  const excludes = glob.startsWith("!");
  return { glob: new Bun.Glob(excludes ? glob.slice(1) : glob), excludes };
}

/** Later globs win; a glob with `!` excludes. */
function isMember(globs: readonly WorkspaceGlob[], folder: string): boolean {
  let member = false;
  for (const { glob, excludes } of globs) if (glob.match(folder)) member = !excludes;
  return member;
}
