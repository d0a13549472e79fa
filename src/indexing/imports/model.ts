/**
 * The types that every language's import resolver shares.
 *
 * Paths are relative to the repository, `/` separated, without a leading `./`; the repository's own folder is "".
 */
import type { ImportFamily } from "../../languages/language.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import type { ImportFact, OutlinedFacts } from "../../syntax/facts/facts.ts";

/** One indexed file with its facts. */
export type SourceFile = { readonly path: string; readonly language: string; readonly facts: OutlinedFacts };

/** The paths of all files: a set, or the keys of a map. */
export type RepoPaths = { has(path: string): boolean; keys(): Iterable<string> };

/** The text of a configuration file (tsconfig, package.json, pyproject.toml ...), or null when there is none. */
export type ReadConfig = (path: string) => string | null;

/** A dependency of one file on another. `type_ref`: types only, erased at run time. `specifier` is the first one as written. */
export type ImportEdge = {
  readonly source: string;
  readonly target: string;
  readonly kind: "import" | "type_ref";
  readonly specifier: string;
};

/**
 * A name that an import binds in a file. `alias` is the local name (dotted for Python's `import a.b`; null if nothing is
 * bound, as in a re-export or a star). `name` is the name in the other file: "*" is the whole module, "default" a default
 * export. `module` is the file that defines the name, `group` the package if the name comes from one (see `Resolver`; then
 * `module` is null). `submodule` is set if the name is itself a file. All three are null for an external import: then the
 * resolver must not guess for the alias.
 */
export type Binding = {
  readonly alias: string | null;
  readonly name: string;
  readonly module: string | null;
  readonly submodule: string | null;
  readonly group: string | null;
  readonly star: boolean;
  readonly reexport: boolean;
  /** The only module of its file that sees it, if not the whole file does. */
  readonly within?: string;
};

/** A star binding without a source: the result of an external import. */
export const UNBOUND: Binding = {
  alias: null,
  name: "*",
  module: null,
  submodule: null,
  group: null,
  star: false,
  reexport: false,
};

/** The result of one import statement. */
export type Resolution = { readonly targets: readonly string[]; readonly bindings: readonly Binding[] };

/**
 * The import rules for one repository, created once, so that they can keep look-up tables. `resolve` resolves one import of
 * one file. `groupOf` names the package of a file: files of one package see each other's top-level names without an import
 * (Go: the folder; Java: the declared package). Null if there are no such packages.
 */
export type Resolver = {
  resolve(path: string, fact: ImportFact): Resolution;
  groupOf(path: string): string | null;
  /** Dependencies without an import statement (`crate::a::f()`), as imports of the names in the calls. */
  implied?(path: string): readonly ImportFact[];
  /**
   * The names under which files write a type of this name: its own, and those that imports give it. Absent in a family where an owner can
   * have a name that comes from no type and no import by name (a module's default export).
   */
  writtenAs?(type: string): readonly string[];
};

/** Visibility rules of a family, if they differ from the default. */
export type Scoping = {
  /** The names of a member's own object (`self`, `this`), and of its base class (`super`, `base`). */
  readonly selfNames: readonly string[];
  readonly superNames: readonly string[];
  /** Whether an unqualified name inside a class can be a member of it (`run()` for `this.run()`). */
  readonly implicitSelf: boolean;
  /** Whether importers see every top-level name of a file or package, or exported ones only. */
  readonly exportsAll: boolean;
  /** Constants are written like types, so a use of a type may be one. */
  readonly constantsLikeTypes?: true;
  /**
   * Whether functions are written as clauses, of which the first stands for all, and a call with its own name is never one of a
   * parameter.
   */
  readonly functionClauses?: true;
  /** Whether files are types, and constants stand for types, files and functions: `const C = a.C`, `const Self = @This()`. */
  readonly constantsAlias?: true;
  /** Whether the last of the bases of a class counts first. */
  readonly lastBaseFirst?: true;
  /** Whether values have the functions of libraries that a class or file attaches (`using L for T`, a "decorate" reference). */
  readonly attaches?: true;
};

/** A family of languages that import each other by the same rules. */
export type Family = {
  open(files: readonly SourceFile[], paths: RepoPaths, readConfig: ReadConfig): Resolver;
  /** Opening reads no facts of files. */
  readonly opensWithoutFacts?: true;
  readonly scoping: Scoping;
};

/** The bindings and packages of single files. */
export type ImportsByPath = {
  readonly bindings: { get(path: string): readonly Binding[] | undefined };
  readonly groups: { get(path: string): string | undefined };
};

/** The family of a language's import rules, or null if its imports are not resolved. */
export const familyOf = (language: string): ImportFamily | null => LANGUAGES.get(language)?.imports ?? null;
