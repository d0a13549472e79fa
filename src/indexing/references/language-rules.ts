/**
 * How languages differ in name resolution, one row each.
 *
 * Languages of one family can differ: Java declares `Type name`, Kotlin `name: Type`.
 */

export type NameRules = {
  /** The order of name and type in declarations. */
  readonly declares: "name: type" | "type name" | "name type";
  /** Wrapper types around the type with the members, and words in a type that name none. */
  readonly wrappers: ReadonlySet<string>;
  /**
   * Types are declared, and begin with a capital where nothing else does: a value whose declared type is not found,
   * and a capital name that is not found, come from outside the repository, so nothing may be guessed for them.
   */
  readonly nominal: boolean;
  /** True if the class body sees the class's names but members do not. */
  readonly bodyScope: boolean;
  /** True if a module is also a value (its default export), and files without imports and exports share names. */
  readonly moduleValues: boolean;
  /** Where a type or namespace may have further parts: nowhere, in its file, its package, or the included files. */
  readonly parts: "none" | "file" | "package" | "included";
  /** Which outer packages a file sees without an import; "root" for functions only. */
  readonly outerPackages: "none" | "parents" | "root";
  /** True if code can name packages with dots, so that `a.b.Name` needs no import. */
  readonly dottedPackages: boolean;
  /** The start of an absolute path, besides a dot (`::A` and `\A` are read as `.A`). */
  readonly root: string;
  /** True if functions can be external members of types and are imported by their own names. */
  readonly extensions: boolean;
  /** True if `self` is the object and also the module. */
  readonly selfIsModule: boolean;
  /** True if top-level functions are visible wherever their package is, not only where their file is loaded. */
  readonly sharesFunctions: boolean;
  /** True if a class states its base on its name line; other bases in it belong to anonymous classes. */
  readonly baseOnNameLine: boolean;
  /** The start of a macro's signature; macros need no import within their crate. */
  readonly macros: string;
  /** The suffix of annotation classes, optional where they are used. */
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
