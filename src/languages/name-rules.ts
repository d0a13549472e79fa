/**
 * What resolving a name needs to know about a language, beyond the import rules of its family.
 *
 * Languages of one family can differ here: Java declares `Type name`, Kotlin `name: Type`.
 */

export type NameRules = {
  /** How a parameter or a variable stands beside its type. */
  readonly declares: "name: type" | "type name" | "name type";
  /** Types that stand around the one that has the members, and words that belong to a type but name none. */
  readonly wrappers: ReadonlySet<string>;
  /**
   * Types are declared, and begin with a capital where nothing else does: a value whose declared type is not found,
   * and a capital name that is not found, come from outside the repository, so nothing may be guessed for them.
   */
  readonly nominal: boolean;
  /** Whether what stands directly in a class's body sees the class's names, where members do not. */
  readonly bodyScope: boolean;
  /** Whether a module is also a value, its default export, and files without imports or exports share names. */
  readonly moduleValues: boolean;
  /** Where else a type, or a namespace, may be continued: nowhere, in its file, in its package, in what is included. */
  readonly parts: "none" | "file" | "package" | "included";
  /** Which packages around its own a file sees without an import; "root" for functions only. */
  readonly outerPackages: "none" | "parents" | "root";
  /** Whether packages are written with dots in code, so that `a.b.Name` needs no import. */
  readonly dottedPackages: boolean;
  /** What an absolute path may begin with, besides a dot (`::A` and `\A` are read as `.A`). */
  readonly root: string;
  /** Whether functions can be members of types that they stand outside of, and are imported by their own names. */
  readonly extensions: boolean;
  /** Whether `self` is the object and also the module. */
  readonly selfIsModule: boolean;
  /** Whether functions outside of classes are there wherever their package is, not only where their file is loaded. */
  readonly sharesFunctions: boolean;
  /** Whether a class is named and says its base on one line, and other bases in it are of classes without names. */
  readonly baseOnNameLine: boolean;
  /** How the signature of a macro begins, which can be used anywhere in its crate without an import. */
  readonly macros: string;
  /** What the names of annotations end with where they are defined, and may where they are used. */
  readonly attributes: string;
};

export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const PLAIN_NAMES: NameRules = {
  declares: "name: type",
  wrappers: words(
    `Optional Union Type type ClassVar Final Annotated Awaitable Coroutine Promise PromiseLike Readonly Partial
     Required NonNullable NotRequired typing t readonly keyof typeof`,
  ),
  nominal: false,
  bodyScope: false,
  moduleValues: false,
  parts: "none",
  outerPackages: "none",
  dottedPackages: false,
  root: "",
  extensions: false,
  selfIsModule: false,
  sharesFunctions: true,
  baseOnNameLine: false,
  macros: "",
  attributes: "",
};

export const NOMINAL_NAMES: NameRules = { ...PLAIN_NAMES, nominal: true, wrappers: new Set() };
