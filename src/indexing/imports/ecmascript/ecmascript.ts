/**
 * Resolves the module specifiers of TypeScript and JavaScript to repository paths.
 *
 * In order: relative paths; `#names` of the package's `imports`, which can lead to another package; `paths` and `baseUrl` of
 * the governing tsconfig; packages of the repository by name, through `exports` or `main`. A built entry (`dist/index.js`) is
 * not indexed, so it stands for the source it is built from: the package's `source`, else the file of that name. Node's own
 * modules and external packages resolve to nothing.
 */
import type { ImportFact } from "../../../syntax/facts/facts.ts";
import { folderOf, joinPath, within } from "../../../text/repo-path.ts";
import { answerCache } from "../answer-cache.ts";
import type { Binding, Family, ReadConfig, RepoPaths, Resolution, Resolver, SourceFile } from "../model.ts";
import { exportTargets, type Way } from "./package-exports.ts";
import { tsconfigPaths } from "./tsconfig.ts";
import { type Package, type Packages, packageParts, workspacePackages } from "./workspaces.ts";

/** Output folders of builds, and their subfolders for one module format. */
const OUTPUT_FOLDERS: ReadonlySet<string> = new Set(
  "dist build lib out output esm cjs mjs es umd types typings node browser module commonjs development production".split(
    " ",
  ),
);

/** Source folders of builds, tried in this order. */
const SOURCE_FOLDERS = ["src", "source", "lib", ""];

/** Node's own modules, which win over packages of the same name. */
const NODE_MODULES: ReadonlySet<string> = new Set(
  `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
   events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
   stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`.split(/\s+/),
);

/** TypeScript and JavaScript, and component files with scripts. */
export const ECMASCRIPT: Family = {
  open: ecmascriptResolver,
  opensWithoutFacts: true,
  scoping: {
    selfNames: ["this"],
    superNames: ["super"],
    implicitSelf: false,
    exportsAll: false,
  },
};

function ecmascriptResolver(_files: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const find = specifierFinder(paths, readConfig);
  const resolve = (path: string, fact: ImportFact): Resolution => {
    // Bundlers treat the text after `?` (`./icon.svg?raw`) as an instruction.
    const way = fact.kind === "require" || fact.kind === "require_reexport" ? "require" : "import";
    const module = find(path, fact.specifier, way) ?? find(path, fact.specifier.replace(/[?].*$/s, ""), way);
    const reexport = fact.kind === "reexport" || fact.kind === "require_reexport";
    const bindings: Binding[] = fact.names.map(({ name, alias }) => ({
      alias,
      name,
      module,
      submodule: null,
      group: null,
      star: false,
      reexport,
    }));
    if (fact.star)
      bindings.push({ alias: null, name: "*", module, submodule: null, group: null, star: true, reexport });
    return { targets: module === null ? [] : [module], bindings };
  };
  return { resolve, groupOf: () => null };
}

type FindSpecifier = (from: string, specifier: string, way: Way) => string | null;

/** The files and packages of a repository. */
type Tree = { readonly paths: RepoPaths; readonly packages: Packages };

function specifierFinder(paths: RepoPaths, readConfig: ReadConfig): FindSpecifier {
  const packages = workspacePackages(paths, readConfig);
  const tree: Tree = { paths, packages };
  const tsconfigs = tsconfigPaths(readConfig, packages);

  const relative = (from: string, specifier: string): string | null => {
    const path = joinPath(folderOf(from), specifier);
    if (path === null) return null;
    const namesFolder = /(?:^|\/)\.{0,2}\/?$/.test(specifier);
    const owner = paths.has(path) ? null : packages.at(path);
    if (owner !== null)
      return (namesFolder ? null : fileBesideFolder(paths, path, from)) ?? mainFile(tree, from, owner);
    return moduleFile(paths, namesFolder ? within(path, "index") : path, from) ?? unbuilt(path);
  };
  /** The source of a built file, if its folder can only be the output of a build. */
  const unbuilt = (path: string): string | null => {
    const owner = packages.around(path);
    const inside = owner === null || owner.folder === "" ? path : path.slice(owner.folder.length + 1);
    return owner !== null && /^(?:dist|build|out)(?:\/|$)/.test(inside)
      ? sourceOfOutput(tree, owner.folder, inside)
      : null;
  };

  const bare = (from: string, config: string, specifier: string, way: Way): string | null => {
    const owner = specifier.startsWith("#") ? packages.around(from) : null;
    const targets = owner && exportTargets(owner.manifest.imports ?? null, specifier, way);
    const relatives = targets?.filter((at) => at.startsWith(".")) ?? [];
    const own = owner && targetFile(tree, from, owner, relatives);
    if (own !== null) return own;
    for (const target of targets ?? []) {
      const file = /^[.#/]/.test(target) ? null : inPackage(from, target, way);
      if (file !== null) return file;
    }
    for (const path of tsconfigs.map(config, specifier)) {
      const file = moduleFile(paths, path, from) ?? unbuilt(path);
      if (file !== null) return file;
    }
    return inPackage(from, specifier, way);
  };
  /** The file that a specifier names by its package. */
  const inPackage = (from: string, specifier: string, way: Way): string | null => {
    const { name, rest } = packageParts(specifier);
    if (name === "" || NODE_MODULES.has(name)) return null;
    const named = packages.named(from, name);
    return named === null ? null : packageExport(tree, from, named, rest === "" ? "." : `./${rest}`, way);
  };

  const found = answerCache<string | null>();
  return (from, specifier, way) => {
    if (specifier === "" || specifier.startsWith("/") || /^[a-z][a-z+.-]+:/i.test(specifier)) return null;
    if (/^\.\.?(?:\/|$)/.test(specifier)) return relative(from, specifier);
    const config = tsconfigs.governing(from);
    const key = `${folderOf(from)}\0${/\.[mc]?tsx?$/.test(from)}\0${config}\0${way}\0${specifier}`;
    return found(key, () => bare(from, config, specifier, way));
  };
}

/** The file of a package's subpath: by its `exports`, else by its layout. */
function packageExport(tree: Tree, from: string, owner: Package, subpath: string, way: Way): string | null {
  const targets = exportTargets(owner.manifest.exports ?? null, subpath, way);
  if (targets !== null && targets.length === 0 && owner.manifest.exports !== undefined) return null;
  const exported = targets === null ? null : targetFile(tree, from, owner, targets);
  if (exported !== null) return exported;
  if (subpath === ".") return mainFile(tree, from, owner);
  return targetFile(tree, from, owner, [subpath, within("src", subpath.slice(2))]);
}

/** The main file of a folder with a package.json. */
function mainFile(tree: Tree, from: string, owner: Package): string | null {
  const { source, module, main, types, typings } = owner.manifest;
  const named = [source, module, main, types, typings].filter((path) => typeof path === "string");
  return targetFile(tree, from, owner, [...named, "./index", "./src/index"]);
}

/**
 * The file of the first target in a package that is indexed, directly or as the source of a built file. Code comes before
 * declarations; from TypeScript, which reads declarations, only if it is there.
 */
function targetFile(tree: Tree, from: string, { folder }: Package, targets: readonly string[]): string | null {
  const code = targets.filter((target) => !DECLARATIONS.test(target));
  const declarations = targets.filter((target) => DECLARATIONS.test(target));
  const there = (some: readonly string[]): string | null =>
    firstOf(some, (target) => {
      const path = joinPath(folder, target);
      return path === null ? null : moduleFile(tree.paths, path, from);
    });
  const built = (some: readonly string[]): string | null =>
    firstOf(some, (target) => sourceOfOutput(tree, folder, target));
  return TYPESCRIPT_FILE.test(from)
    ? (there(code) ?? there(declarations) ?? built(targets))
    : (there(code) ?? built(code) ?? there(declarations) ?? built(declarations));
}

/** The first file that is found for one of the targets. */
function firstOf(targets: readonly string[], find: (target: string) => string | null): string | null {
  for (const target of targets) {
    const file = find(target);
    if (file !== null) return file;
  }
  return null;
}

/** `./lib` prefers the file `lib.js` to the folder `lib`. */
function fileBesideFolder(paths: RepoPaths, path: string, from: string): string | null {
  const file = moduleFile(paths, path, from);
  return file === null || file.startsWith(`${path}/`) ? null : file;
}

/** The source of an output path of a package (`dist/esm/jsx/index.js`), or null if the path is not an output. */
function sourceOfOutput(tree: Tree, folder: string, target: string): string | null {
  const output = joinPath(folder, target);
  const named = output === null ? null : namedSource(tree, output);
  if (named !== null) return named;
  const parts = target.split("/").filter((part) => part !== "." && part !== "");
  let start = 0;
  while (start < parts.length && OUTPUT_FOLDERS.has(parts[start] ?? "")) start++;
  for (let dropped = start; dropped > 0; dropped--) {
    const rest = parts.slice(dropped).join("/");
    for (const source of SOURCE_FOLDERS) {
      const path = joinPath(folder, within(source, rest));
      const file = path === null ? null : sourceFile(tree.paths, path);
      if (file !== null) return file;
    }
  }
  return null;
}

/** The `source` of the package that has the output as its entry. */
function namedSource({ paths, packages }: Tree, output: string): string | null {
  const owner = packages.around(output);
  if (owner === null || typeof owner.manifest.source !== "string") return null;
  const { source, exports, module, main } = owner.manifest;
  const entries = [...(exportTargets(exports ?? null, ".", "import") ?? []), module, main];
  const isEntry = entries.some((entry) => typeof entry === "string" && joinPath(owner.folder, entry) === output);
  const path = isEntry ? joinPath(owner.folder, source) : null;
  return path === null ? null : moduleFile(paths, path, path);
}

const TYPESCRIPT_FIRST = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"];
const JAVASCRIPT_FIRST = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"];
const inFolder = (endings: readonly string[]): readonly string[] => endings.map((ending) => `/index${ending}`);
const TYPESCRIPT_INSIDE = inFolder(TYPESCRIPT_FIRST);
const JAVASCRIPT_INSIDE = inFolder(JAVASCRIPT_FIRST);

/** The possible source extensions of an output extension, in TypeScript's order. */
const SOURCES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  [".js", [".ts", ".tsx", ".d.ts", ".jsx"]],
  [".jsx", [".tsx", ".d.ts"]],
  [".mjs", [".mts", ".d.mts"]],
  [".cjs", [".cts", ".d.cts"]],
]);

const OUTPUT_EXTENSION = /(\.[mc]?jsx?)$/;
const TYPESCRIPT_FILE = /\.[mc]?tsx?$/;
const DECLARATIONS = /\.d\.[mc]?ts$/;
const ANY_EXTENSION = /(?:\.d)?\.[mc]?[jt]sx?$/;

/** The indexed file for `path` in an import of `from`, or null. */
function moduleFile(paths: RepoPaths, path: string, from: string): string | null {
  const isTypescript = TYPESCRIPT_FILE.test(from);
  const extension = OUTPUT_EXTENSION.exec(path)?.[1] ?? "";
  const stem = path.slice(0, path.length - extension.length);
  const sources = SOURCES_OF.get(extension) ?? [];
  return (
    (isTypescript ? withEnding(paths, stem, sources) : null) ??
    (paths.has(path) ? path : null) ??
    (isTypescript ? null : withEnding(paths, stem, sources)) ??
    (path === "" ? null : withEnding(paths, path, isTypescript ? TYPESCRIPT_FIRST : JAVASCRIPT_FIRST)) ??
    indexFile(paths, path, isTypescript)
  );
}

/** The file that stands for a folder. */
function indexFile(paths: RepoPaths, folder: string, isTypescript: boolean): string | null {
  if (folder === "") return withEnding(paths, "index", isTypescript ? TYPESCRIPT_FIRST : JAVASCRIPT_FIRST);
  return withEnding(paths, folder, isTypescript ? TYPESCRIPT_INSIDE : JAVASCRIPT_INSIDE);
}

/** Like `moduleFile`, for the path of a built file: any source with that stem matches. */
function sourceFile(paths: RepoPaths, path: string): string | null {
  return moduleFile(paths, path.replace(ANY_EXTENSION, ""), ".ts");
}

/** The first indexed path that is `stem` with one of the endings. */
function withEnding(paths: RepoPaths, stem: string, endings: readonly string[]): string | null {
  for (const ending of endings) {
    const path = stem + ending;
    if (paths.has(path)) return path;
  }
  return null;
}
