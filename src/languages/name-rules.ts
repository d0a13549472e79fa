/**
 * What reading a use needs to know of a language, beyond how its family sees names (`Scoping`).
 *
 * Languages of one family can differ here: Java declares `Type name`, Kotlin `name: Type`. One row each.
 * Not here: import rules (`families/`), reading of signatures (`declared-types.ts`).
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

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const PLAIN: NameRules = {
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

const ECMASCRIPT: NameRules = { ...PLAIN, moduleValues: true };
const NOMINAL: NameRules = { ...PLAIN, nominal: true, wrappers: new Set() };
const JVM: NameRules = { ...NOMINAL, parts: "file", dottedPackages: true };
const C: NameRules = {
  ...NOMINAL,
  declares: "type name",
  parts: "included",
  wrappers: words(
    `const constexpr consteval constinit volatile struct class enum union typename static inline extern virtual register
     unsigned signed mutable explicit friend restrict auto std boost shared_ptr unique_ptr weak_ptr optional
     reference_wrapper atomic ref intrusive_ptr scoped_ptr not_null`,
  ),
};

const ROWS: ReadonlyMap<string, NameRules> = new Map([
  ["python", { ...PLAIN, bodyScope: true }],
  ["typescript", ECMASCRIPT],
  ["tsx", ECMASCRIPT],
  ["javascript", ECMASCRIPT],
  ["vue", ECMASCRIPT],
  ["svelte", ECMASCRIPT],
  ["go", { ...NOMINAL, declares: "name type" }],
  [
    "rust",
    {
      ...NOMINAL,
      selfIsModule: true,
      macros: "macro_rules!",
      wrappers: words("mut dyn impl const static ref Box Rc Arc Ref RefMut Pin Cow"),
    },
  ],
  [
    "java",
    {
      ...JVM,
      declares: "type name",
      wrappers: words(
        "public private protected static final abstract default synchronized native transient volatile strictfp sealed",
      ),
    },
  ],
  ["kotlin", { ...JVM, extensions: true, wrappers: words("suspend vararg noinline crossinline in out") }],
  ["scala", { ...JVM, root: "_root_", wrappers: words("implicit using") }],
  ["c", C],
  ["cpp", C],
  [
    "csharp",
    {
      ...NOMINAL,
      declares: "type name",
      parts: "package",
      outerPackages: "parents",
      dottedPackages: true,
      root: "global",
      attributes: "Attribute",
      wrappers: words(
        `public private protected internal static readonly const volatile abstract virtual override sealed async extern
         unsafe new partial required ref out in params this scoped event Nullable`,
      ),
    },
  ],
  ["ruby", { ...NOMINAL, parts: "package", sharesFunctions: false, baseOnNameLine: true }],
  [
    "php",
    {
      ...NOMINAL,
      declares: "type name",
      outerPackages: "root",
      dottedPackages: true,
      wrappers: words("public private protected static readonly final var abstract const null false"),
    },
  ],
  [
    "swift",
    {
      ...NOMINAL,
      parts: "package",
      wrappers: words("inout some any borrowing consuming escaping autoclosure Optional weak unowned"),
    },
  ],
]);

/** The rules of a language. */
export const rulesOf = (language: string): NameRules => ROWS.get(language) ?? PLAIN;
