/**
 * Zig: `@import` names a file, relative to its own, or a module, to which build.zig gives a name.
 *
 * Of build.zig only what is written out is read: modules with a literal path, and the names that imports give to the variables of such
 * modules. A name with several paths leads nowhere.
 */
import { folderOf, foldersUp, joinPath, within } from "../../text/repo-path.ts";
import { answerCache } from "./answer-cache.ts";
import {
  type Binding,
  type Family,
  type ReadConfig,
  type RepoPaths,
  type Resolver,
  type SourceFile,
  UNBOUND,
} from "./model.ts";

export const ZIG: Family = {
  open: zigResolver,
  opensWithoutFacts: true,
  scoping: {
    selfNames: [],
    superNames: [],
    implicitSelf: true,
    exportsAll: false,
    constantsAlias: true,
    constantsLikeTypes: true,
  },
};

function zigResolver(_: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const known = answerCache<ReadonlyMap<string, string | null>>();
  const modulesOf = (folder: string): ReadonlyMap<string, string | null> =>
    known(folder, () => modulesIn(readConfig(within(folder, BUILD)) ?? ""));

  const find = (from: string, specifier: string): string | null => {
    const folder = folderOf(from);
    const path = /\.(?:zig|zon)$/.test(specifier) ? joinPath(folder, specifier) : moduleFrom(folder, specifier);
    return path !== null && paths.has(path) ? path : null;
  };
  const moduleFrom = (folder: string, name: string): string | null => {
    const project = foldersUp(folder).find((each) => paths.has(within(each, BUILD)));
    const path = project === undefined ? null : (modulesOf(project).get(name) ?? null);
    return path === null || project === undefined ? null : joinPath(project, path);
  };

  return {
    resolve: (from, { specifier, names, star, kind }) => {
      const module = find(from, specifier);
      const targets = module === null ? [] : [module];
      const bindings = names.map(({ name, alias }): Binding => ({ ...UNBOUND, alias, name, module }));
      return { targets, bindings: star ? [{ ...UNBOUND, module, star, reexport: kind === "reexport" }] : bindings };
    },
    groupOf: () => null,
  };
}

const BUILD = "build.zig";

/** Longer files are not read to their end. */
const BUILD_MAX = 200_000;
const NAME = String.raw`\s*"([\w.-]+)"\s*,\s*`;
const MADE = new RegExp(
  String.raw`(?:\b(?:const|var)\s+(\w+)\s*=\s*)?(?:\w{1,64}\.){1,4}(?:addModule\(${NAME}|createModule\(|addAnonymousImport\(${NAME})\.\{`,
  "g",
);
const PATH =
  /^[^;]{0,400}?\.(?:root_source_file|source_file)\s*=\s*(?:\w+\.path\(\s*|\.\{\s*\.path\s*=\s*)"([^"\\\n]+)"/s;
const GIVEN = new RegExp(
  String.raw`\baddImport\(${NAME}(\w+)\s*\)|\.name\s*=${NAME}\.module\s*=\s*(\w+)\b(?![.(])`,
  "g",
);

/** The paths of modules by the names under which they are imported; null if there are several. */
function modulesIn(build: string): ReadonlyMap<string, string | null> {
  const text = build.slice(0, BUILD_MAX);
  const [modules, variables] = [new Map<string, string | null>(), new Map<string, string | null>()];
  const add = (to: Map<string, string | null>, name: string | undefined, path: string | null): void => {
    if (name !== undefined) to.set(name, to.has(name) && to.get(name) !== path ? null : path);
  };
  for (const { 0: made, 1: variable, 2: added, 3: anonymous, index } of text.matchAll(MADE)) {
    const start = index + made.length;
    const path = PATH.exec(text.slice(start, start + 600))?.[1] ?? null;
    add(variables, variable, path);
    add(modules, added ?? anonymous, path);
  }
  for (const [, one, variable, other, module] of text.matchAll(GIVEN))
    add(modules, one ?? other, variables.get(variable ?? module ?? "") ?? null);
  return modules;
}
