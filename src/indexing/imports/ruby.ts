/**
 * Ruby: `require_relative` counts from the file's folder; `require` and `autoload` search the load path.
 *
 * The load path holds the folders that gemspecs name, `lib` of every project, and `test` and `spec` for a project's own files;
 * the file's own project comes first. Loaded code is visible everywhere, so all files are one package.
 */
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { folderOf, foldersUp, isWithin, joinPath, within } from "../../text/repo-path.ts";
import type { Binding, Family, ReadConfig, RepoPaths, Resolver, SourceFile } from "./model.ts";

export const RUBY: Family = {
  open: rubyResolver,
  scoping: {
    selfNames: ["self"],
    superNames: ["super"],
    implicitSelf: true,
    exportsAll: true,
    constantsLikeTypes: true,
  },
};

/** A path is tried as it is and with these behind it. */
const EXTENSIONS = ["", ".rb"] as const;

function rubyResolver(_: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const projects = projectsOf(paths, readConfig);
  const folders = [...projects.keys()].sort((a, b) => (a < b ? -1 : 1));
  const shared = folders.flatMap((folder) => projects.get(folder)?.lib ?? []);

  const fileAt = (folder: string, path: string): string | null => {
    const joined = joinPath(folder, path);
    if (joined === null) return null;
    return EXTENSIONS.map((extension) => joined + extension).find((file) => paths.has(file)) ?? null;
  };
  /** The projects around a file, innermost first. */
  const around = (file: string): readonly string[] => foldersUp(folderOf(file)).filter((each) => projects.has(each));

  const onLoadPath = (from: string, path: string): string | null => {
    if (/^\.\.?\//.test(path)) return firstOf(around(from), (project) => fileAt(project, path));
    const own = around(from).flatMap((folder) => {
      const project = projects.get(folder);
      return project === undefined ? [] : [...project.lib, ...project.tests];
    });
    return firstOf([...own, ...shared], (folder) => fileAt(folder, path));
  };

  const find = (from: string, { specifier, kind }: ImportFact): string | null => {
    if (kind === "import") return fileAt(folderOf(from), specifier);
    const loaded = onLoadPath(from, specifier);
    return loaded === null && kind === "dynamic" ? firstOf(around(from), (each) => fileAt(each, specifier)) : loaded;
  };
  return {
    resolve: (path, fact) => {
      const target = find(path, fact);
      return target === null ? { targets: [], bindings: [] } : { targets: [target], bindings: [loaded(target)] };
    },
    groupOf: () => "",
  };
}

/** A file that is loaded gives all that it defines. */
const loaded = (module: string): Binding => ({
  alias: null,
  name: "*",
  module,
  submodule: null,
  group: null,
  star: true,
  reexport: false,
});

function firstOf(folders: readonly string[], find: (folder: string) => string | null): string | null {
  for (const folder of folders) {
    const found = find(folder);
    if (found !== null) return found;
  }
  return null;
}

/** What a project puts on the load path: for everybody, and when its own tests run. */
type Project = { readonly lib: readonly string[]; readonly tests: readonly string[] };

const TEST_FOLDERS = ["test", "spec"] as const;

/** Projects by folder: where a gemspec or a Gemfile lies, and the repository itself. */
function projectsOf(paths: RepoPaths, readConfig: ReadConfig): ReadonlyMap<string, Project> {
  const gemspecs = new Map<string, readonly string[]>();
  for (const path of paths.keys()) {
    const folder = folderOf(path);
    if (path.endsWith(".gemspec")) {
      gemspecs.set(folder, [...(gemspecs.get(folder) ?? []), ...requirePaths(readConfig(path) ?? "")]);
    } else if (/(?:^|\/)(?:Gemfile|gems\.rb)$/.test(path) && !gemspecs.has(folder)) gemspecs.set(folder, []);
  }
  if (!gemspecs.has("")) gemspecs.set("", []);
  return new Map(
    [...gemspecs].map(([folder, named]) => [
      folder,
      {
        lib: [...new Set(["lib", ...named].flatMap((name) => joinPath(folder, name) ?? []))].filter((each) =>
          isWithin(each, folder),
        ),
        tests: TEST_FOLDERS.map((name) => within(folder, name)),
      },
    ]),
  );
}

/** `require_paths` of a gemspec: strings in brackets, one string, or words in `%w`. */
function requirePaths(gemspec: string): readonly string[] {
  const written = /\.require_paths?\s*=\s*(%w[[({][^\])}\n]*|\[[^\]\n]*|["'][^"'\n]*)/.exec(gemspec)?.[1] ?? "";
  return written
    .replace(/^%w./, "")
    .split(/["'\s,[\]]+/)
    .filter((name) => name !== "");
}
