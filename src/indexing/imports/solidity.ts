/**
 * Solidity: an `import` names a file, relative to its own, or by a path that remappings and the folders of packages lead to.
 *
 * What a file imports without listing names it passes on to its importers. Of the projects around a file the innermost counts first.
 */
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
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

export const SOLIDITY: Family = {
  open: solidityResolver,
  opensWithoutFacts: true,
  scoping: {
    selfNames: ["this"],
    superNames: ["super"],
    implicitSelf: true,
    exportsAll: true,
    lastBaseFirst: true,
    attaches: true,
  },
};

/** `context:prefix=target`, as in remappings.txt. Only files whose path begins with the context use it. */
type Remapping = { readonly context: string; readonly prefix: string; readonly target: string };

function solidityResolver(_: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const remapped = answerCache<readonly Remapping[]>();
  const remappingsOf = (folder: string): readonly Remapping[] =>
    remapped(folder, () => remappingsIn(folder, paths, readConfig));
  const known = (folder: string, path: string): string | null => {
    const joined = joinPath(folder, path);
    return joined !== null && paths.has(joined) ? joined : null;
  };

  const inProject = (folder: string, from: string, specifier: string): string | null => {
    const inside = folder === "" ? from : from.slice(folder.length + 1);
    for (const { context, prefix, target } of remappingsOf(folder)) {
      if (!specifier.startsWith(prefix) || !inside.startsWith(context)) continue;
      const found = known(folder, target + specifier.slice(prefix.length));
      if (found !== null) return found;
    }
    for (const path of unmapped(specifier)) {
      const found = known(folder, path);
      if (found !== null) return found;
    }
    return null;
  };

  const found = answerCache<string | null>();
  const find = (from: string, specifier: string): string | null => {
    if (/^\.\.?\//.test(specifier)) return known(folderOf(from), specifier);
    if (/^[/\\]|:/.test(specifier)) return null;
    return found(`${folderOf(from)}\0${specifier}`, () => {
      for (const folder of foldersUp(folderOf(from))) {
        const path = inProject(folder, from, specifier);
        if (path !== null) return path;
      }
      return null;
    });
  };

  return {
    resolve: (from, { specifier, names, star }) => {
      const module = find(from, specifier);
      const targets = module === null ? [] : [module];
      const bindings = names.map(({ name, alias }): Binding => ({ ...UNBOUND, alias, name, module }));
      return { targets, bindings: star ? [...bindings, { ...UNBOUND, module, star }] : bindings };
    },
    groupOf: () => null,
  };
}

/** The places of a path without a remapping: in the project, in its installed packages, in its submodules as Foundry maps them. */
function unmapped(specifier: string): readonly string[] {
  const slash = specifier.indexOf("/");
  const [library, rest] = slash < 0 ? ["", ""] : [specifier.slice(0, slash), specifier.slice(slash + 1)];
  const submodules = slash < 0 ? [] : ["src/", "contracts/", ""].map((part) => `lib/${library}/${part}${rest}`);
  return [specifier, `node_modules/${specifier}`, ...submodules];
}

const remappings = z.array(z.string()).catch([]);
const Foundry = z.object({ profile: z.object({ default: z.object({ remappings }) }) });

/** The remappings of a project, the longest prefix first. */
function remappingsIn(folder: string, paths: RepoPaths, readConfig: ReadConfig): readonly Remapping[] {
  const read = (name: string): string | null => {
    const path = within(folder, name);
    return paths.has(path) ? readConfig(path) : null;
  };
  const lines = [...foundryRemappings(read("foundry.toml") ?? ""), ...(read("remappings.txt") ?? "").split("\n")];
  return lines
    .flatMap((line) => {
      const [, context = "", prefix, target] = REMAPPING.exec(line.trim()) ?? [];
      return prefix === undefined || target === undefined ? [] : { context, prefix, target };
    })
    .sort((a, b) => b.prefix.length - a.prefix.length || b.context.length - a.context.length);
}

const REMAPPING = /^(?:([^:=]*):)?([^:=]+)=(.+)$/;

function foundryRemappings(text: string): readonly string[] {
  try {
    return Foundry.safeParse(parseToml(text)).data?.profile.default.remappings ?? [];
  } catch {
    return [];
  }
}
