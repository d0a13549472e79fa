/**
 * Python: `import a.b.c` needs the deepest file that it names, `from a.b import c` the submodule `c` or the file of `a.b`.
 *
 * Relative imports count folders; absolute ones follow `roots.ts`. A source wins over a stub beside it, except for stubs.
 * Standard library names are found only beside a script outside every package.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { ImportFact } from "../../../syntax/facts/facts.ts";
import { folderOf, joinPath, nameOf, within } from "../../../text/repo-path.ts";
import { answerCache } from "../answer-cache.ts";
import type { Binding, Family, ReadConfig, RepoPaths, Resolution, Resolver, SourceFile } from "../model.ts";
import { pythonRoots } from "./roots.ts";

const SOURCE_FIRST = [".py", ".pyi", ".pyx"] as const;
const STUB_FIRST = [".pyi", ".py", ".pyx"] as const;

/**
 * The meaning of a dotted name: its file (none for a namespace package), and the folders of its submodules (several if a
 * namespace package spans several roots).
 */
type Module = { readonly file: string | null; readonly folders: readonly string[] };
const NOTHING: Module = { file: null, folders: [] };

export const PYTHON: Family = {
  open: pythonResolver,
  opensWithoutFacts: true,
  scoping: {
    selfNames: ["self", "cls"],
    superNames: ["super"],
    implicitSelf: false,
    exportsAll: true,
  },
};

function pythonResolver(files: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver {
  const find = moduleFinder(paths, readConfig);
  const attributes = packageAttributes(files, find);

  const fromImport = (path: string, fact: ImportFact): Resolution => {
    const module = find.named(path, fact.specifier);
    const targets = new Set<string>();
    const bindings: Binding[] = [];
    for (const { name, alias } of fact.names) {
      const isAttribute = module.file !== path && (attributes(module.file ?? "")?.has(name) ?? false);
      const submodule = isAttribute ? null : find.submodule(path, module, name);
      const target = submodule ?? module.file;
      if (target !== null) targets.add(target);
      bindings.push({ alias, name, module: module.file, submodule, group: null, star: false, reexport: false });
    }
    if (fact.star || fact.names.length === 0) {
      if (module.file !== null) targets.add(module.file);
      bindings.push({
        alias: null,
        name: "*",
        module: module.file,
        submodule: null,
        group: null,
        star: fact.star,
        reexport: false,
      });
    }
    return { targets: [...targets], bindings };
  };

  const moduleImport = (path: string, fact: ImportFact): Resolution => {
    const { file } = find.named(path, fact.specifier);
    const aliases = fact.names.flatMap(({ alias }) => alias ?? []);
    const parts = fact.specifier.split(".");
    // `import a.b` binds `a`, and `a.b` is accessed through it; `import a.b as c` binds the module itself.
    const isPlain = aliases.every((alias) => alias === fact.specifier);
    const bound = isPlain ? parts.map((_, at) => parts.slice(0, at + 1).join(".")) : aliases;
    const bindings = bound.map((alias) => {
      const submodule = isPlain && alias !== fact.specifier ? find.named(path, alias).file : file;
      return { alias, name: "*", module: submodule, submodule, group: null, star: false, reexport: false };
    });
    return { targets: file === null ? [] : [file], bindings };
  };

  const resolve = (path: string, fact: ImportFact): Resolution =>
    fact.names.length > 0 && fact.names.every(({ name }) => name === "*")
      ? moduleImport(path, fact)
      : fromImport(path, fact);
  return { resolve, groupOf: () => null };
}

const IS_PACKAGE = /(?:^|\/)__init__\.pyi?$/;

/** The number of packages whose names are kept in memory. */
const PACKAGES_KEPT = 1_000;

/**
 * The names that the `__init__` of a package defines or imports, which hide submodules of the same name. What it imports from the package
 * itself (`from . import x`) is not such a name, but the submodule. A change leads to few packages, so their facts are read when they are
 * asked for.
 */
function packageAttributes(
  files: readonly SourceFile[],
  find: ModuleFinder,
): (path: string) => ReadonlySet<string> | undefined {
  const packages = new Map(files.filter(({ path }) => IS_PACKAGE.test(path)).map((file) => [file.path, file]));
  const known = answerCache<ReadonlySet<string>>(PACKAGES_KEPT);
  return (path) => {
    const file = packages.get(path);
    return file === undefined ? undefined : known(path, () => attributesOf(file, find));
  };
}

function attributesOf({ path, facts }: SourceFile, find: ModuleFinder): ReadonlySet<string> {
  const names = new Set<string>();
  const folder = folderOf(path);
  for (const symbol of facts.symbols) if (symbol.parent === null) names.add(symbol.name);
  for (const { specifier, names: imported } of facts.imports) {
    const isOwn = namesFolder(specifier, folder) && find.named(path, specifier).folders.includes(folder);
    for (const { name, alias } of imported)
      if (alias !== null && name !== "*" && !(isOwn && name === alias)) names.add(alias);
  }
  return names;
}

/** Whether a specifier can mean a folder, by its last name. Few do, and looking for the others takes longer. */
const namesFolder = (specifier: string, folder: string): boolean =>
  specifier === "." || specifier.slice(specifier.lastIndexOf(".") + 1) === nameOf(folder);

type ModuleFinder = {
  /** The module of a specifier, as seen from a file. */
  named(from: string, specifier: string): Module;
  /** The file of a module's submodule, or null. */
  submodule(from: string, module: Module, name: string): string | null;
};

function moduleFinder(paths: RepoPaths, readConfig: ReadConfig): ModuleFinder {
  const roots = pythonRoots(paths, readConfig);

  const fileAt = (path: string, from: string): string | null => {
    if (!roots.holdsPython(path) && !roots.holdsPython(folderOf(path))) return null;
    const extensions = from.endsWith(".pyi") ? STUB_FIRST : SOURCE_FIRST;
    const asPackage = extensions.find((extension) => paths.has(within(path, `__init__${extension}`)));
    if (asPackage !== undefined) return within(path, `__init__${asPackage}`);
    const asModule = path === "" ? undefined : extensions.find((extension) => paths.has(path + extension));
    return asModule === undefined ? null : path + asModule;
  };

  // Every specifier of a package shares its search path.
  const searchPaths = answerCache<readonly string[]>();
  let last = { from: "", place: "" };
  const searchPath = (from: string, top: string): readonly string[] => {
    // A file's imports come one after the other.
    if (last.from !== from) last = { from, place: `${folderOf(from)}\0${isTestPath(from)}` };
    return searchPaths(`${last.place}\0${top}`, () => roots.searchPath(from, top));
  };

  const relative = (from: string, specifier: string): Module => {
    const level = specifier.length - specifier.replace(/^\.+/, "").length;
    const base = joinPath(folderOf(from), "../".repeat(level - 1));
    if (base === null) return NOTHING;
    const path = within(base, specifier.slice(level).replaceAll(".", "/"));
    return { file: fileAt(path, from), folders: [path] };
  };

  const absolute = (from: string, specifier: string): Module => {
    const parts = specifier.split(".");
    const top = parts[0] ?? "";
    if (PYTHON_STDLIB.has(top)) {
      const path = within(folderOf(from), parts.join("/"));
      return roots.inPackage(folderOf(from)) ? NOTHING : { file: fileAt(path, from), folders: [path] };
    }
    const folders = searchPath(from, top);
    const spelled = folders.map((root) => within(root, parts.join("/")));
    for (const path of spelled) {
      const file = fileAt(path, from);
      if (file !== null) return { file, folders: [path] };
    }
    // A part is missing (built, or generated): the deepest existing package is what runs.
    for (const root of folders) {
      if (!fileAt(within(root, top), from)?.includes("/__init__.")) continue;
      for (let length = parts.length - 1; length > 0; length--) {
        const file = fileAt(within(root, parts.slice(0, length).join("/")), from);
        if (file !== null) return { file, folders: [] };
      }
    }
    return { file: null, folders: spelled.filter(roots.holdsPython) };
  };

  const found = answerCache<Module>();
  return {
    named: (from, specifier) => {
      const key = `${folderOf(from)}\0${from.endsWith(".pyi")}\0${isTestPath(from)}\0${specifier}`;
      return found(key, () => (specifier.startsWith(".") ? relative(from, specifier) : absolute(from, specifier)));
    },
    submodule: (from, module, name) => {
      for (const folder of module.folders) {
        const file = fileAt(within(folder, name), from);
        if (file !== null) return file;
      }
      return null;
    },
  };
}

const PYTHON_STDLIB: ReadonlySet<string> = new Set(
  `__future__ _thread _typeshed abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
    audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop
    collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv
    ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
    faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob
    graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools
    json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib
    msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev
    pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
    py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched
    secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
    sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys
    sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token
    tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid
    venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
    zoneinfo`.split(/\s+/),
);
