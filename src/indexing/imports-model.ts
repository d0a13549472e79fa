/**
 * What import resolution takes and gives: the types that every language's resolver shares.
 *
 * Paths are relative to the repository, `/` separated, without a leading `./`; the repository's own
 * folder is the empty string. Not here: any resolving (`imports.ts` and the files it names).
 */
import type { FileFacts, ImportFact } from "../syntax/facts.ts";

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
 * `module` is the file the name is taken from. `submodule` is set when the name is itself a file.
 * Both are null for what lies outside the repository: then nothing may be guessed for the alias.
 */
export type Binding = {
  readonly alias: string | null;
  readonly name: string;
  readonly module: string | null;
  readonly submodule: string | null;
  readonly star: boolean;
  readonly reexport: boolean;
};

/** What one import statement comes to. */
export type Resolution = { readonly targets: readonly string[]; readonly bindings: readonly Binding[] };

/** Resolves one import of one file. Made once for a repository, so that it can keep look-up tables. */
export type Resolver = (path: string, fact: ImportFact) => Resolution;

/** Every file edge, ordered by source, target, kind; and what each file's imports bind, in source order. */
export type ResolvedImports = {
  readonly edges: readonly ImportEdge[];
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
};

/** Files whose names say what they import from are read the same way by every resolver of one family. */
export type LanguageFamily = "python" | "ecmascript";

const FAMILIES: ReadonlyMap<string, LanguageFamily> = new Map([
  ["python", "python"],
  ["typescript", "ecmascript"],
  ["tsx", "ecmascript"],
  ["javascript", "ecmascript"],
  ["jsx", "ecmascript"],
]);

/** The family whose import rules a language follows, or null when its imports are not resolved. */
export const familyOf = (language: string): LanguageFamily | null => FAMILIES.get(language) ?? null;
