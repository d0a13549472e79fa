/**
 * `paths` and `baseUrl` of the tsconfig.json (or jsconfig.json) that governs a file.
 *
 * The nearest one upward governs, as in TypeScript. `extends` is followed through relative files, in
 * chains and lists, later ones winning; packages are not read. A solution file (only `references`)
 * hands over to the configurations it names. Cycles are cut, chains end after `CHAIN_MAX`.
 */
import type { ReadConfig } from "./imports-model.ts";
import { isRecord } from "./resolve-exports.ts";
import { parseJsonc } from "./resolve-jsonc.ts";
import { folderOf, joinPath, nameOf, within } from "./resolve-path.ts";

const CHAIN_MAX = 16;
const CONFIG_DIR = "$\u007BconfigDir}"; // TypeScript's own placeholder, not one of ours.

/**
 * Where bare specifiers may lead. Folders are repository paths. `paths` are relative to `baseUrl`, and
 * without one to `folder`, that of the configuration which wrote them; `leaf` is what `${configDir}` means.
 */
type PathMapping = {
  readonly leaf: string;
  readonly baseUrl: string | null;
  readonly paths: { readonly folder: string; readonly entries: readonly Entry[] } | null;
};
type Entry = { readonly pattern: string; readonly targets: readonly string[] };

/** Candidate paths (without extension search) for a bare specifier in a file, best first. */
export type MapSpecifier = (from: string, specifier: string) => readonly string[];

/** Reads every configuration once, on first need. */
export function tsconfigPaths(readConfig: ReadConfig): MapSpecifier {
  const byFolder = new Map<string, PathMapping | null>();

  const governing = (folder: string): PathMapping | null => {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const file = ["tsconfig.json", "jsconfig.json"]
      .map((name) => within(folder, name))
      .find((path) => readConfig(path) !== null);
    const above = folder === "" ? null : governing(folderOf(folder));
    const mapping = file === undefined ? above : readMapping(file, folder, readConfig);
    byFolder.set(folder, mapping);
    return mapping;
  };

  return (from, specifier) => {
    const mapping = governing(folderOf(from));
    if (mapping === null) return [];
    const { leaf, baseUrl, paths } = mapping;
    const mapped = paths === null ? [] : matching(paths.entries, specifier);
    return [
      ...mapped.flatMap((target) => expand(target, baseUrl ?? paths?.folder ?? leaf, leaf) ?? []),
      ...(baseUrl === null ? [] : [joinPath(baseUrl, specifier)]),
    ].filter((path) => path !== null);
  };
}

/** A path of a configuration as a repository path, or null when it leads elsewhere. */
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

function readMapping(file: string, leaf: string, readConfig: ReadConfig): PathMapping {
  const own = chainMapping(file, leaf, readConfig, new Set());
  if (own.paths !== null || own.baseUrl !== null) return own;
  for (const reference of listOf(configAt(file, readConfig).references)) {
    const path = isRecord(reference) && typeof reference.path === "string" ? reference.path : null;
    const named = path === null ? null : configFile(folderOf(file), path, readConfig);
    if (named === null || folderOf(named) !== leaf) continue;
    const mapping = chainMapping(named, leaf, readConfig, new Set());
    if (mapping.paths !== null || mapping.baseUrl !== null) return mapping;
  }
  return own;
}

/** A configuration laid over the ones that it extends. */
function chainMapping(file: string, leaf: string, readConfig: ReadConfig, seen: Set<string>): PathMapping {
  let mapping: PathMapping = { leaf, baseUrl: null, paths: null };
  if (seen.has(file) || seen.size >= CHAIN_MAX) return mapping;
  seen.add(file);
  const folder = folderOf(file);
  const config = configAt(file, readConfig);
  for (const name of listOf(config.extends)) {
    const parent = typeof name === "string" ? configFile(folder, name, readConfig) : null;
    if (parent === null) continue;
    const inherited = chainMapping(parent, leaf, readConfig, seen);
    mapping = { leaf, baseUrl: inherited.baseUrl ?? mapping.baseUrl, paths: inherited.paths ?? mapping.paths };
  }
  const options = isRecord(config.compilerOptions) ? config.compilerOptions : {};
  const { baseUrl, paths } = options;
  if (typeof baseUrl === "string") mapping = { ...mapping, baseUrl: expand(baseUrl, folder, leaf) };
  if (!isRecord(paths)) return mapping;
  const entries = Object.entries(paths).map(([pattern, targets]) => ({
    pattern,
    targets: listOf(targets).filter((target) => typeof target === "string"),
  }));
  return { ...mapping, paths: { folder, entries } };
}

const configAt = (file: string, readConfig: ReadConfig): Readonly<Record<string, unknown>> => {
  const config = parseJsonc(readConfig(file) ?? "");
  return isRecord(config) ? config : {};
};

/** The configuration file that a relative path names: as written, with `.json`, or a folder's tsconfig.json. */
function configFile(folder: string, name: string, readConfig: ReadConfig): string | null {
  if (!name.startsWith(".")) return null;
  const path = joinPath(folder, name);
  if (path === null) return null;
  const candidates = nameOf(path).endsWith(".json") ? [path] : [`${path}.json`, within(path, "tsconfig.json"), path];
  return candidates.find((candidate) => readConfig(candidate) !== null) ?? null;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
