/**
 * Lua: `require "a.b"` names `a/b.lua` or `a/b/init.lua`, below a folder that only the running program knows.
 *
 * That is taken for the nearest folder around the file, or `lua`, `src` or `lib` in one, that has the file; else the module is the only
 * file of the repository whose path ends like it. A module is what its file returns.
 */
import { folderOf, foldersUp, nameOf, within } from "../../text/repo-path.ts";
import { type Binding, type Family, type RepoPaths, type Resolver, type SourceFile, UNBOUND } from "./model.ts";
import { withoutTests } from "./packages.ts";

export const LUA: Family = {
  open: luaResolver,
  opensWithoutFacts: true,
  scoping: { selfNames: ["self"], superNames: [], implicitSelf: false, exportsAll: false },
};

/** Modules of the language and of LuaJIT. */
const STANDARD: ReadonlySet<string> = new Set(
  "bit bit32 coroutine debug ffi io jit math os package string table utf8".split(" "),
);

const ROOTS = ["", "lua", "src", "lib"];

/** Names separated by dots or slashes. */
const MODULE = /^[^\s./\\][^\s./\\]*(?:[./][^\s./\\]+)*$/;

function luaResolver(_: readonly SourceFile[], paths: RepoPaths): Resolver {
  let byName: ReadonlyMap<string, readonly string[]> | null = null;
  const filesNamed = (name: string): readonly string[] => {
    byName ??= Map.groupBy([...paths.keys()].filter((path) => path.endsWith(".lua")).sort(), nameOf);
    return byName.get(name) ?? [];
  };

  const find = (from: string, specifier: string): string | null => {
    if (!MODULE.test(specifier) || STANDARD.has(specifier)) return null;
    const module = specifier.replaceAll(".", "/");
    const endings = [`${module}.lua`, `${module}/init.lua`];
    for (const folder of foldersUp(folderOf(from))) {
      for (const root of ROOTS) {
        const found = endings.map((ending) => within(within(folder, root), ending)).find((path) => paths.has(path));
        if (found !== undefined && found !== from) return found;
      }
    }
    // One name is too little to find a file by it.
    if (!module.includes("/")) return null;
    const elsewhere = endings.flatMap((ending) =>
      filesNamed(nameOf(ending)).filter((path) => path !== from && path.endsWith(`/${ending}`)),
    );
    const [only, ...others] = withoutTests(elsewhere);
    return only === undefined || others.length > 0 ? null : only;
  };

  return {
    resolve: (from, { specifier, kind, names, star }) => {
      const module = find(from, specifier);
      const reexport = kind === "require_reexport";
      const bind = (name: string, alias: string | null): Binding => ({
        ...UNBOUND,
        alias,
        name,
        module,
        star: name === "*" && alias === null,
        reexport,
      });
      const bindings = names.map(({ name, alias }) => bind(name, alias));
      if (star) bindings.push(bind("*", null));
      // `require("a.b").f()`
      else if (names.length === 0) bindings.push(bind("*", specifier.replaceAll("/", ".")));
      return { targets: module === null ? [] : [module], bindings };
    },
    groupOf: () => null,
  };
}
