/**
 * What composer loads: which of several definitions of a PHP class runs.
 *
 * Read from every composer.json of the repository: `psr-4`, `psr-0`, `classmap`, `files`, and the same for
 * development. Not here: finding definitions (`php.ts`), which facts tell without composer.
 */
import { z } from "zod";
import { isTestPath } from "../../../languages/file-role.ts";
import type { ReadConfig } from "../model.ts";
import { folderOf, isWithin, joinPath, nameOf, within } from "../repo-path.ts";

/** How far a file is from being the one that is loaded for a class (`A.B.C`): less is nearer. */
export type Autoload = { distance(path: string, className: string): number };

const folders = z.union([z.string().transform((folder) => [folder]), z.array(z.string())]).catch([]);
const Section = z
  .object({
    "psr-4": z.record(z.string(), folders).catch({}),
    "psr-0": z.record(z.string(), folders).catch({}),
    classmap: folders,
    files: folders,
  })
  .catch({ "psr-4": {}, "psr-0": {}, classmap: [], files: [] });
const Composer = z.object({ autoload: Section, "autoload-dev": Section });

/** `prefix` is a namespace as facts have it (`A.B`), `nested` whether the folder repeats it (psr-0). */
type Root = { readonly prefix: string; readonly folder: string; readonly nested: boolean };

/** Reads the composer.json files among the paths. */
export function autoloadOf(paths: ReadonlySet<string>, readConfig: ReadConfig): Autoload {
  const roots: Root[] = [];
  const mapped: string[] = [];
  for (const path of [...paths].filter((each) => nameOf(each) === "composer.json").sort()) {
    const parsed = Composer.safeParse(jsonOrNull(readConfig(path) ?? ""));
    if (!parsed.success) continue;
    const inside = (names: readonly string[]): readonly string[] =>
      names.flatMap((name) => joinPath(folderOf(path), name) ?? []);
    for (const section of [parsed.data.autoload, parsed.data["autoload-dev"]]) {
      roots.push(...rootsOf(section["psr-4"], inside, false), ...rootsOf(section["psr-0"], inside, true));
      mapped.push(...inside([...section.classmap, ...section.files]));
    }
  }
  const isLoaded = (path: string, className: string): boolean =>
    roots.some(({ prefix, folder, nested }) => {
      if (prefix !== "" && !className.startsWith(`${prefix}.`)) return false;
      const rest = nested || prefix === "" ? className : className.slice(prefix.length + 1);
      return path === `${within(folder, rest.replaceAll(".", "/"))}.php`;
    }) || mapped.some((each) => isWithin(path, each));
  return {
    distance: (path, className) =>
      (isLoaded(path, className) ? 0 : 4) +
      (isTestPath(path) ? 8 : 0) +
      (path.endsWith(`${className.slice(className.lastIndexOf(".") + 1)}.php`) ? 0 : 1),
  };
}

const rootsOf = (
  section: Readonly<Record<string, readonly string[]>>,
  inside: (names: readonly string[]) => readonly string[],
  nested: boolean,
): readonly Root[] =>
  Object.entries(section).flatMap(([namespace, names]) => {
    const prefix = namespace.replaceAll("\\", ".").replace(/\.$/, "");
    return inside(names).map((folder) => ({ prefix, folder, nested }));
  });

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // A repository's broken configuration is its own matter: the declared namespaces still hold.
  }
}
