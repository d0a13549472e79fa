/**
 * `paths` and `baseUrl` of the tsconfig.json (or jsconfig.json) that governs a file.
 *
 * As in TypeScript, that is the nearest one upward that contains the file, directly or through its `references`; if none
 * does, the nearest. `extends` is followed through relative files and packages of the repository, in chains and lists; later ones
 * win. What a framework generates stands for itself (`generated-config.ts`).
 */
import { isRecord } from "../../../text/parse-json.ts";
import { folderOf, joinPath, nameOf, within } from "../../../text/repo-path.ts";
import type { ReadConfig } from "../model.ts";
import { generatedConfig } from "./generated-config.ts";
import { parseJsonc } from "./jsonc.ts";
import { exportTargets } from "./package-exports.ts";
import { type Packages, packageParts } from "./workspaces.ts";

const CHAIN_MAX = 16;
const REFERENCES_MAX = 100;
const CONFIG_DIR = "$\u007BconfigDir}"; // TypeScript's own placeholder, not one of ours.

/**
 * The targets of bare specifiers. Folders are repository paths. `paths` are relative to `baseUrl`, and without one to
 * `folder`, that of the configuration with the `paths`; `leaf` is the value of `${configDir}`.
 */
type PathMapping = {
  readonly leaf: string;
  readonly baseUrl: string | null;
  readonly paths: { readonly folder: string; readonly entries: readonly Entry[] } | null;
};
type Entry = { readonly pattern: string; readonly targets: readonly string[] };

type TsconfigPaths = {
  /** The configuration that governs a file; empty if there is none. */
  governing(from: string): string;
  /** Candidate paths (without extension search) for a bare specifier under a configuration, best first. */
  map(config: string, specifier: string): readonly string[];
};

/** Reads every configuration once, on first need. */
export function tsconfigPaths(readFile: ReadConfig, packages: Packages): TsconfigPaths {
  const readConfig: ReadConfig = (path) => readFile(path) ?? generatedConfig(path);
  const source: Source = { readConfig, packages };
  const projects = new Map<string, Project>();
  const projectOf = (file: string): Project => {
    return projects.getOrInsertComputed(file, () => readProject(file, source));
  };

  /** The configuration that contains the file: this one, or one that it references. */
  const covering = (config: string, path: string, seen: Set<string>): string | null => {
    if (seen.has(config) || seen.size >= REFERENCES_MAX) return null;
    seen.add(config);
    const project = projectOf(config);
    if (project.covers(path)) return config;
    for (const reference of project.references) {
      const found = covering(reference, path, seen);
      if (found !== null) return found;
    }
    return null;
  };

  const upward = new Map<string, readonly string[]>();
  const configsAbove = (folder: string): readonly string[] => {
    const known = upward.get(folder);
    if (known !== undefined) return known;
    const own = ["tsconfig.json", "jsconfig.json"]
      .map((name) => within(folder, name))
      .find((path) => readConfig(path) !== null);
    const above = folder === "" ? [] : configsAbove(folderOf(folder));
    const configs = own === undefined ? above : [own, ...above];
    upward.set(folder, configs);
    return configs;
  };

  const governed = new Map<string, string>();
  const governing = (path: string): string => {
    const known = governed.get(path);
    if (known !== undefined) return known;
    const configs = configsAbove(folderOf(path));
    let found: string | null = null;
    for (const config of configs) found ??= covering(config, path, new Set());
    const config = found ?? configs[0] ?? "";
    governed.set(path, config);
    return config;
  };

  const map = (config: string, specifier: string): readonly string[] => {
    if (config === "") return [];
    const { leaf, baseUrl, paths } = projectOf(config).mapping;
    const mapped = paths === null ? [] : matching(paths.entries, specifier);
    return [
      ...mapped.flatMap((target) => expand(target, baseUrl ?? paths?.folder ?? leaf, leaf) ?? []),
      ...(baseUrl === null ? [] : [joinPath(baseUrl, specifier)]),
    ].filter((path) => path !== null);
  };
  return { governing, map };
}

/** A path of a configuration as a repository path, or null if it is outside. */
const expand = (path: string, folder: string, leaf: string): string | null =>
  path.startsWith(CONFIG_DIR) ? joinPath(leaf, path.slice(CONFIG_DIR.length)) : joinPath(folder, path);

/** The targets of the best pattern: an exact one, else the longest prefix before its star. */
function matching(entries: readonly Entry[], specifier: string): readonly string[] {
  let best: { readonly length: number; readonly targets: readonly string[] } | null = null;
  for (const { pattern, targets } of entries) {
    const star = pattern.indexOf("*");
    if (star < 0) {
      if (pattern === specifier) return targets;
      continue;
    }
    const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
    const fits = specifier.length >= pattern.length - 1 && specifier.startsWith(head) && specifier.endsWith(tail);
    if (!fits || (best !== null && best.length >= head.length)) continue;
    const middle = specifier.slice(head.length, specifier.length - tail.length);
    best = { length: head.length, targets: targets.map((target) => target.replace("*", () => middle)) };
  }
  return best?.targets ?? [];
}

/** One configuration: its mappings, its files, and the configurations that it references. */
type Project = {
  readonly mapping: PathMapping;
  covers(path: string): boolean;
  readonly references: readonly string[];
};

/** What configurations are read from. */
type Source = { readonly readConfig: ReadConfig; readonly packages: Packages };

function readProject(file: string, source: Source): Project {
  const { readConfig } = source;
  const folder = folderOf(file);
  const { lists, ...mapping } = layered(file, folder, source, new Set());
  const references = listOf(configAt(file, readConfig).references).flatMap((reference) => {
    const path = isRecord(reference) && typeof reference.path === "string" ? reference.path : null;
    return (path === null ? null : configFile(folder, `./${path}`, readConfig)) ?? [];
  });
  return { mapping, covers: filesTest(lists, folder), references };
}

type Layered = PathMapping & { readonly lists: FileLists };

/** A configuration merged with those that it extends. */
function layered(file: string, leaf: string, source: Source, seen: Set<string>): Layered {
  let made: Layered = { leaf, baseUrl: null, paths: null, lists: NO_LISTS };
  if (seen.has(file) || seen.size >= CHAIN_MAX) return made;
  seen.add(file);
  const folder = folderOf(file);
  const config = configAt(file, source.readConfig);
  for (const name of listOf(config.extends)) {
    const parent = typeof name === "string" ? extendedFile(file, name, source) : null;
    if (parent === null) continue;
    const inherited = layered(parent, leaf, source, seen);
    const { baseUrl, paths, lists } = inherited;
    made = {
      leaf,
      baseUrl: baseUrl ?? made.baseUrl,
      paths: paths ?? made.paths,
      lists: {
        files: lists.files ?? made.lists.files,
        include: lists.include ?? made.lists.include,
        exclude: lists.exclude ?? made.lists.exclude,
      },
    };
  }
  const listed = (name: keyof FileLists): readonly string[] | null =>
    Array.isArray(config[name])
      ? textsOf(config[name]).flatMap((path) => expand(path, folder, leaf) ?? [])
      : made.lists[name];
  const lists = { files: listed("files"), include: listed("include"), exclude: listed("exclude") };
  const options = isRecord(config.compilerOptions) ? config.compilerOptions : {};
  const { baseUrl, paths } = options;
  return {
    leaf,
    lists,
    baseUrl: typeof baseUrl === "string" ? expand(baseUrl, folder, leaf) : made.baseUrl,
    paths: isRecord(paths)
      ? { folder, entries: Object.entries(paths).map(([pattern, targets]) => ({ pattern, targets: textsOf(targets) })) }
      : made.paths,
  };
}

const configAt = (file: string, readConfig: ReadConfig): Readonly<Record<string, unknown>> => {
  const config = parseJsonc(readConfig(file) ?? "");
  return isRecord(config) ? config : {};
};

/** The configuration file that `extends` names in another one: by a relative path, or in a package. */
function extendedFile(from: string, name: string, { readConfig, packages }: Source): string | null {
  if (name.startsWith(".")) return configFile(folderOf(from), name, readConfig);
  const { name: packageName, rest } = packageParts(name);
  const owner = packages.named(from, packageName);
  if (owner === null) return null;
  const subpath = rest === "" ? "." : `./${rest}`;
  const exported = exportTargets(owner.manifest.exports ?? null, subpath, "require") ?? [];
  for (const path of [...exported, rest === "" ? "./tsconfig.json" : subpath]) {
    const file = configFile(owner.folder, path, readConfig);
    if (file !== null) return file;
  }
  return null;
}

/** The configuration file that a relative path names: as written, with `.json`, or a folder's tsconfig.json. */
function configFile(folder: string, name: string, readConfig: ReadConfig): string | null {
  const path = joinPath(folder, name);
  if (path === null) return null;
  const candidates = nameOf(path).endsWith(".json") ? [path] : [`${path}.json`, within(path, "tsconfig.json"), path];
  return candidates.find((candidate) => readConfig(candidate) !== null) ?? null;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const textsOf = (value: unknown): readonly string[] => listOf(value).filter((entry) => typeof entry === "string");

/** Longer patterns match nothing. */
const PATTERN_LENGTH_MAX = 500;

/** The list of a configuration or of one that it extends; null if neither has it. */
type FileLists = {
  readonly files: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
};

const NO_LISTS: FileLists = { files: null, include: null, exclude: null };

/** Tests whether a file belongs to the project. `folder` is that of its configuration. */
function filesTest({ files, include, exclude }: FileLists, folder: string): (path: string) => boolean {
  const listed = new Set(files ?? []);
  const taken = (include ?? (files === null ? [folder] : [])).map(patternTest);
  const left = (exclude ?? []).map(patternTest);
  return (path) => listed.has(path) || (taken.some((test) => test(path)) && !left.some((test) => test(path)));
}

function patternTest(pattern: string): (path: string) => boolean {
  const start = pattern === "" ? "" : `${pattern}/`;
  if (!/[*?]/.test(pattern)) return (path) => path === pattern || path.startsWith(start);
  if (pattern.length > PATTERN_LENGTH_MAX) return () => false;
  // Braces and brackets are plain characters. A last part without dots and wildcards is a folder.
  const literal = pattern.replace(/[{}[\]!\\]/g, "\\$&");
  const glob = new Bun.Glob(literal);
  const below = /[.*?]/.test(nameOf(pattern)) ? null : new Bun.Glob(`${literal}/**`);
  return (path) => glob.match(path) || (below?.match(path) ?? false);
}
