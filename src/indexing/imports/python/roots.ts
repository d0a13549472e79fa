/**
 * The folders that stand in for `sys.path` when Python resolves an absolute import.
 *
 * A file's own roots come first: the folder above its outermost package, as for a script or under pytest's default import mode,
 * then the folders above that. Then come the roots that installing a project would add: its folder, its `src/`, and the
 * package folders its configuration names. Only its own files see a project inside tests, examples or documentation.
 * Invariant: a folder with `__init__.py` is never a root.
 */
import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import { isTestPath } from "../../../languages/file-role.ts";
import { folderOf, foldersUp, isWithin, joinPath, nameOf, within } from "../../../text/repo-path.ts";
import type { ReadConfig, RepoPaths } from "../model.ts";

const PROJECT_FILES: ReadonlySet<string> = new Set(["pyproject.toml", "setup.py", "setup.cfg"]);

/** Folders in which projects are material, not part of the product. */
const SANDBOX =
  /(?:^|\/)(?:tests?|testing|testdata|fixtures?|examples?|samples?|demos?|docs?|vendor|vendored|_vendor|third_party|node_modules|templates?)(?:\/|$)/;

type PythonRoots = {
  /** The roots for a file, nearest first. `name` is the first part of the import. */
  searchPath(file: string, name: string): readonly string[];
  /** Is the folder, or one above it, a regular package? */
  inPackage(folder: string): boolean;
  /** Is there Python code in the folder or below it? */
  holdsPython(folder: string): boolean;
};

type DeclaredRoot = { readonly folder: string; readonly project: string; readonly open: boolean };

/** Reads the layout off the paths and the projects' configuration. `paths` are all files of the repository. */
export function pythonRoots(paths: RepoPaths, readConfig: ReadConfig): PythonRoots {
  const packages = new Set<string>();
  const projects = new Set<string>([""]);
  const names = new Map<string, Set<string>>();
  for (const path of paths.keys()) {
    const name = nameOf(path);
    if (PROJECT_FILES.has(name)) projects.add(folderOf(path));
    const stem = /^(.+)\.(?:pyi?|pyx)$/.exec(name)?.[1];
    if (stem === undefined) continue;
    if (stem === "__init__") packages.add(folderOf(path));
    // Everything that an import could name first, by the folder that it stands in.
    for (let folder = folderOf(path), top = stem; ; top = nameOf(folder), folder = folderOf(folder)) {
      const known = names.get(folder) ?? new Set();
      names.set(folder, known);
      if (known.has(top)) break;
      known.add(top);
      if (folder === "") break;
    }
  }

  const declared = new Map<string, DeclaredRoot[]>();
  const seen = new Set<string>();
  for (const project of [...projects].sort()) {
    for (const folder of rootsOfProject(project, readConfig)) {
      if (packages.has(folder) || !names.has(folder) || seen.has(folder)) continue;
      seen.add(folder);
      for (const name of names.get(folder) ?? []) {
        const root = { folder, project, open: !SANDBOX.test(project) };
        declared.set(name, [...(declared.get(name) ?? []), root]);
      }
    }
  }

  const ownRoots = new Map<string, readonly string[]>();
  const own = (folder: string): readonly string[] => {
    const known = ownRoots.get(folder);
    if (known !== undefined) return known;
    const up = foldersUp(folder);
    const first = up.findIndex((at) => packages.has(at));
    let start = Math.max(first, 0);
    while (start < up.length - 1 && packages.has(up[start] ?? "")) start++;
    const roots = up.slice(start).filter((at) => at === "" || !packages.has(at));
    ownRoots.set(folder, roots);
    return roots;
  };

  return {
    inPackage: (folder) => foldersUp(folder).some((at) => packages.has(at)),
    holdsPython: (folder) => names.has(folder),
    searchPath: (file, name) => {
      const folder = folderOf(file);
      const enclosing = own(folder);
      const others = (declared.get(name) ?? [])
        .filter((root) => (root.open || isWithin(folder, root.project)) && !enclosing.includes(root.folder))
        .map((root) => ({ folder: root.folder, near: sharedParts(folder, root.folder) }))
        .sort((a, b) => b.near - a.near || (a.folder < b.folder ? -1 : 1));
      return [...(isLooseTest(file, packages) ? [folder] : []), ...enclosing, ...others.map((root) => root.folder)];
    },
  };
}

/** A test in a folder that is no package itself: pytest puts that folder first, whatever package lies around it. */
const isLooseTest = (file: string, packages: ReadonlySet<string>): boolean =>
  isTestPath(file) && !packages.has(folderOf(file));

/** How many leading folders two folders have in common. */
function sharedParts(one: string, other: string): number {
  const parts = foldersUp(one).toReversed();
  return foldersUp(other)
    .toReversed()
    .filter((folder, depth) => parts[depth] === folder).length;
}

/** The folders that a project's configuration puts on the path, as repository paths. */
function rootsOfProject(project: string, readConfig: ReadConfig): readonly string[] {
  const text = (name: string): string => readConfig(within(project, name)) ?? "";
  const named = [
    ...fromPyproject(text("pyproject.toml")),
    ...matches(text("setup.cfg"), /^[ \t]*(?:(?:where|pythonpath)[ \t]*)?=[ \t]*([\w./-]+)[ \t]*$/gm),
    ...matches(text("setup.py"), /package_dir\s*=\s*\{\s*["']{2}\s*:\s*["']([^"'\n]+)["']/g),
    ...matches(text("setup.py"), /find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?["']([^"'\n]+)["']/g),
  ];
  return ["", "src", ...named].flatMap((name) => joinPath(project, name) ?? []);
}

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);

const nameList = z.union([z.string().transform((name) => [name]), z.array(z.string())]).catch([]);
const Pyproject = z.object({
  tool: z
    .object({
      setuptools: z
        .object({
          "package-dir": z.record(z.string(), z.string()).catch({}),
          packages: z
            .object({ find: z.object({ where: nameList }).catch({ where: [] }) })
            .catch({ find: { where: [] } }),
        })
        .catch({ "package-dir": {}, packages: { find: { where: [] } } }),
      poetry: z
        .object({ packages: z.array(z.object({ from: z.string().catch("") })).catch([]) })
        .catch({ packages: [] }),
      hatch: z
        .object({ build: z.object({ targets: z.object({ wheel: z.object({ packages: nameList }) }) }) })
        .transform((hatch) => hatch.build.targets.wheel.packages)
        .catch([]),
      pytest: z
        .object({ ini_options: z.object({ pythonpath: nameList }) })
        .transform((pytest) => pytest.ini_options.pythonpath)
        .catch([]),
    })
    .catch({
      setuptools: { "package-dir": {}, packages: { find: { where: [] } } },
      poetry: { packages: [] },
      hatch: [],
      pytest: [],
    }),
});

/** Package folders named in a pyproject.toml; none when it cannot be read, since other roots still hold. */
function fromPyproject(text: string): readonly string[] {
  // Parsing is what takes long. An escape could hide a key.
  if (!/package-dir|where|poetry|hatch|pythonpath|\\/.test(text)) return [];
  const parsed = Pyproject.safeParse(tomlOrNull(text));
  if (!parsed.success) return [];
  const { setuptools, poetry, hatch, pytest } = parsed.data.tool;
  return [
    ...Object.entries(setuptools["package-dir"]).flatMap(([name, folder]) => (name === "" ? [folder] : [])),
    ...setuptools.packages.find.where,
    ...poetry.packages.map((entry) => entry.from),
    ...hatch.map(folderOf),
    ...pytest,
  ];
}

function tomlOrNull(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return null; // A repository's broken configuration is its own matter: the layout alone decides then.
  }
}
