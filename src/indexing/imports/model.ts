/**
 * The types that every language's import resolver shares.
 *
 * Paths are relative to the repository, `/` separated, without a leading `./`; the repository's own folder is "".
 */
import type { ImportFamily } from "../../languages/language.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import type { FileFacts, ImportFact } from "../../syntax/facts/facts.ts";

/** One indexed file with what parsing found in it. */
export type SourceFile = { readonly path: string; readonly language: string; readonly facts: FileFacts };

/** The text of a configuration file (tsconfig, package.json, pyproject.toml ...), or null when there is none. */
export type ReadConfig = (path: string) => string | null;

/** One file needs another. `type_ref`: for types only, gone at run time. `specifier` is the first one as written. */
export type ImportEdge = {
  readonly source: string;
  readonly target: string;
  readonly kind: "import" | "type_ref";
  readonly specifier: string;
};

/**
 * A name that an import brings into a file.
 * `alias` is the name here (dotted for Python's `import a.b`; null when nothing is bound, as in a
 * re-export or a star). `name` is the name there: "*" is the whole module, "default" a default export.
 * `module` is the file the name is taken from, `group` the package when it is taken from one (see `Resolver`; then
 * `module` is null). `submodule` is set when the name is itself a file.
 * All three are null for what lies outside the repository: then nothing may be guessed for the alias.
 */
export type Binding = {
  readonly alias: string | null;
  readonly name: string;
  readonly module: string | null;
  readonly submodule: string | null;
  readonly group: string | null;
  readonly star: boolean;
  readonly reexport: boolean;
};

/** A binding that takes everything and comes from nowhere: what stays of it where an import leads outside. */
export const UNBOUND: Binding = {
  alias: null,
  name: "*",
  module: null,
  submodule: null,
  group: null,
  star: false,
  reexport: false,
};

/** What one import statement comes to. */
export type Resolution = { readonly targets: readonly string[]; readonly bindings: readonly Binding[] };

/**
 * One repository's rules, made once, so that they can keep look-up tables. `resolve` answers one import of one file.
 * `groupOf` names the package of a file: files of one package see each other's top-level names without an import
 * (Go: the folder; Java: the declared package). Null where every file stands for itself.
 */
export type Resolver = {
  resolve(path: string, fact: ImportFact): Resolution;
  groupOf(path: string): string | null;
  /** What a file needs without an import statement (`crate::a::f()`), as imports of the names that it is called by. */
  implied?(path: string): readonly ImportFact[];
};

/** How names are seen inside a family, where that differs. */
export type Scoping = {
  /** What a member calls its own object (`self`, `this`), and what reaches the class above (`super`, `base`). */
  readonly selfNames: readonly string[];
  readonly superNames: readonly string[];
  /** Whether a bare name inside a class can be a member of it (`run()` for `this.run()`). */
  readonly implicitSelf: boolean;
  /** Whether importers can take every top-level name of a file or package, or exported ones only. */
  readonly exportsAll: boolean;
  /** Whether what a star import brings is passed on to importers of this file (`#include`). */
  readonly starsPassOn: boolean;
};

/** A family of languages that import each other by the same rules. */
export type Family = {
  open(files: readonly SourceFile[], paths: ReadonlySet<string>, readConfig: ReadConfig): Resolver;
  readonly scoping: Scoping;
};

/** Every file edge, ordered by source, target, kind; what each file's imports bind, in source order; each file's package. */
export type ResolvedImports = {
  readonly edges: readonly ImportEdge[];
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  readonly groups: ReadonlyMap<string, string>;
};

/** What the imports of single files bind, and their packages: of `ResolvedImports`, or resolved when asked for. */
export type ImportsByPath = {
  readonly bindings: { get(path: string): readonly Binding[] | undefined };
  readonly groups: { get(path: string): string | undefined };
};

/** The family whose import rules a language follows, or null when its imports are not resolved. */
export const familyOf = (language: string): ImportFamily | null => LANGUAGES.get(language)?.imports ?? null;
