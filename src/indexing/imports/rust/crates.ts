/**
 * The crates of a repository: their root files, and the crate that a name refers to in a file.
 *
 * Follows the Cargo.toml files and Cargo's layout (`src/lib.rs`, `src/bin`, `tests` ...). A name is a crate of this repository
 * only if the file's package is that library or depends on it.
 */
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { folderOf, foldersUp, joinPath, nameOf } from "../../../text/repo-path.ts";
import type { ReadConfig, RepoPaths } from "../model.ts";

export type RustCrates = {
  /** True if the file is the root of a crate. */
  isRoot(path: string): boolean;
  /** The crate roots in a folder, libraries first. */
  rootsIn(folder: string): readonly string[];
  /** The root of the library that a name refers to in a file, or null if the library is not in the repository. */
  crateNamed(from: string, name: string): string | null;
  /** The names of the libraries of this repository that a file can refer to. */
  librariesOf(from: string): ReadonlySet<string>;
  /** The root of a program of the package that a file is in, or null if the package has no program of that name. */
  programNamed(from: string, name: string): string | null;
};

const text = z.string().optional().catch(undefined);
const isOn = z.boolean().catch(true);
const Dependency = z.union([
  z.string().transform(() => ({ path: undefined, package: undefined, workspace: undefined })),
  z.object({ path: text, package: text, workspace: z.boolean().optional().catch(undefined) }),
]);
const Dependencies = z.record(z.string(), Dependency.catch({})).catch({});
const Targets = z.array(z.object({ name: text, path: text }).catch({})).catch([]);
const Tables = z.object({
  dependencies: Dependencies.optional(),
  "dev-dependencies": Dependencies.optional(),
  "build-dependencies": Dependencies.optional(),
});
const Manifest = Tables.extend({
  package: z
    .object({ name: z.string(), build: text, autobins: isOn, autotests: isOn, autoexamples: isOn, autobenches: isOn })
    .optional()
    .catch(undefined),
  lib: z.object({ name: text, path: text }).optional().catch(undefined),
  bin: Targets.optional(),
  example: Targets.optional(),
  test: Targets.optional(),
  bench: Targets.optional(),
  target: z.record(z.string(), Tables.catch({})).optional().catch(undefined),
  workspace: z.object({ dependencies: Dependencies.optional() }).optional().catch(undefined),
});
type Manifest = z.infer<typeof Manifest>;
type DependencyTable = z.infer<typeof Dependencies>;

/** Paths in a package at which Cargo discovers crate roots. */
const CRATE_ROOT =
  /^(?:build\.rs|src\/(?:lib|main)\.rs|(?:src\/(bin)|(tests|examples|benches))\/[^/]+(?:\.rs|\/main\.rs))$/;

/** The manifests by their folders. */
function manifestsIn(paths: RepoPaths, readConfig: ReadConfig): ReadonlyMap<string, Manifest> {
  const manifests = new Map<string, Manifest>();
  for (const path of [...paths.keys()].sort()) {
    const manifest = nameOf(path) === "Cargo.toml" ? readManifest(readConfig(path) ?? "") : null;
    if (manifest !== null) manifests.set(folderOf(path), manifest);
  }
  return manifests;
}

/** Reads the manifests. `paths` are all files of the repository. */
export function rustCrates(paths: RepoPaths, readConfig: ReadConfig): RustCrates {
  const manifests = manifestsIn(paths, readConfig);
  const packageFolder = (path: string): string | null =>
    foldersUp(folderOf(path)).find((folder) => manifests.get(folder)?.package !== undefined) ?? null;

  const roots = new Set<string>();
  for (const path of paths.keys()) {
    if (!path.endsWith(".rs")) continue;
    const folder = packageFolder(path);
    const inside = folder === null || folder === "" ? path : path.slice(folder.length + 1);
    const match = CRATE_ROOT.exec(inside);
    const isDiscovered = match !== null && discoversIn(manifests.get(folder ?? "")?.package, match[1] ?? match[2]);
    // Outside packages, only the usual file names identify a crate root.
    if (isDiscovered || (folder === null && /^(?:lib|main)\.rs$/.test(nameOf(path)))) roots.add(path);
  }
  const libraries = new Map<string, string>();
  const libraryNames = new Map<string, string>();
  const byPackageName = new Map<string, string>();
  for (const [folder, { package: own, lib, bin, example, test, bench }] of manifests) {
    const targets = [bin, example, test, bench].flatMap((listed) => listed ?? []);
    for (const { path } of [...targets, lib ?? {}, { path: own?.build }]) {
      const root = path === undefined ? null : joinPath(folder, path);
      if (root !== null && paths.has(root)) roots.add(root);
    }
    const root = joinPath(folder, lib?.path ?? "src/lib.rs");
    if (own === undefined || root === null || !paths.has(root)) continue;
    libraries.set(folder, root);
    if (lib?.name !== undefined) libraryNames.set(root, lib.name);
    if (!byPackageName.has(own.name)) byPackageName.set(own.name, root);
  }

  /** The library that a dependency leads to, and its name in code: that of the library, unless the dependency renames it. */
  const named = (
    folder: string,
    name: string,
    table: DependencyTable,
  ): readonly [name: string, root: string] | null => {
    const spec = table[name];
    const workspace =
      spec?.workspace === true ? foldersUp(folder).find((at) => manifests.get(at)?.workspace) : undefined;
    const shared = workspace === undefined ? undefined : manifests.get(workspace)?.workspace?.dependencies?.[name];
    const { path, package: renamed } = shared ?? spec ?? {};
    const local = path === undefined ? null : joinPath(workspace ?? folder, path);
    const root = (local === null ? undefined : libraries.get(local)) ?? byPackageName.get(renamed ?? name);
    if (root === undefined) return null;
    return [identifier(renamed === undefined ? (libraryNames.get(root) ?? name) : name), root];
  };
  const scopes = new Map<string, ReadonlyMap<string, string>>();
  const scopeOf = (folder: string): ReadonlyMap<string, string> => {
    const known = scopes.get(folder);
    if (known !== undefined) return known;
    const scope = new Map<string, string>();
    const manifest = manifests.get(folder);
    for (const tables of manifest === undefined ? [] : [manifest, ...Object.values(manifest.target ?? {})]) {
      for (const table of [tables.dependencies, tables["dev-dependencies"], tables["build-dependencies"]]) {
        for (const name of Object.keys(table ?? {})) {
          const found = named(folder, name, table ?? {});
          if (found !== null) scope.set(...found);
        }
      }
    }
    const own = libraries.get(folder);
    if (own !== undefined) scope.set(identifier(manifest?.lib?.name ?? manifest?.package?.name ?? ""), own);
    scopes.set(folder, scope);
    return scope;
  };

  const byFolder = Map.groupBy([...roots].sort(librariesFirst), folderOf);
  const seenFrom = (path: string): ReadonlyMap<string, string> => {
    const folder = packageFolder(path);
    return folder === null ? NONE : scopeOf(folder);
  };
  return {
    isRoot: (path) => roots.has(path),
    rootsIn: (folder) => byFolder.get(folder) ?? [],
    crateNamed: (from, name) => seenFrom(from).get(name) ?? null,
    librariesOf: (from) => new Set(seenFrom(from).keys()),
    programNamed: (from, name) => programRoot(manifests, roots, packageFolder(from), name),
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

/** True if Cargo discovers crates in a folder of a package. The manifest can turn that off. */
function discoversIn(own: Manifest["package"], folder: string | undefined): boolean {
  if (own === undefined || folder === undefined) return true;
  const { autobins, autotests, autoexamples, autobenches } = own;
  return { bin: autobins, tests: autotests, examples: autoexamples, benches: autobenches }[folder] ?? true;
}

/** The root of a program of a package: where the manifest says, else by Cargo's layout. */
function programRoot(
  manifests: ReadonlyMap<string, Manifest>,
  roots: ReadonlySet<string>,
  folder: string | null,
  name: string,
): string | null {
  const { bin, package: own } = (folder === null ? null : manifests.get(folder)) ?? {};
  if (folder === null || !/^[\w-]+$/.test(name)) return null;
  const listed = bin?.find((program) => program.name === name)?.path;
  const usual = [...(own?.name === name ? ["src/main.rs"] : []), `src/bin/${name}.rs`, `src/bin/${name}/main.rs`];
  const paths = (listed === undefined ? usual : [listed]).flatMap((path) => joinPath(folder, path) ?? []);
  return paths.find((path) => roots.has(path)) ?? null;
}

const identifier = (name: string): string => name.replaceAll("-", "_");

const librariesFirst = (a: string, b: string): number =>
  Number(nameOf(b) === "lib.rs") - Number(nameOf(a) === "lib.rs") || (a < b ? -1 : 1);

/** Null if the manifest cannot be read. */
function readManifest(text: string): Manifest | null {
  try {
    return Manifest.safeParse(parseToml(text)).data ?? null;
  } catch {
    return null;
  }
}
