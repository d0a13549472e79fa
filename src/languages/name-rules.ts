/**
 * The rules of a language for resolving names, in addition to the import rules of its family.
 *
 * Languages of one family can differ here: Java declares `Type name`, Kotlin `name: Type`.
 */

/** Types that hold a value of one of their arguments' types, the names of what gives that value, and of what gives such a holder again. */
export type Holder = {
  readonly types: ReadonlySet<string>;
  readonly holds: "first" | "last";
  readonly opened: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
};

/** How one value leads to another, besides what signatures declare. */
type ValueRules = {
  /** In a chain, `await` is a step of this name after what is awaited, and `?` one of its own name. */
  readonly holders: readonly Holder[];
  /** The holder of what a function declares that is marked `async`; empty if functions declare it themselves. */
  readonly asynchronous: string;
  /** Methods that give an object like their own, also where nothing defines them. */
  readonly copies: ReadonlySet<string>;
  /** The method of a class that makes an object of it, which no class defines. */
  readonly maker: string;
  /** What leads from an object to its class, or from a class to the object of it around: `self.class`, `Cart.this`. */
  readonly itself: ReadonlySet<string>;
};

/** How a class is written, and what it gets from others. */
type ClassRules = {
  /**
   * What the header of a class has. "base": the line of its name also has its base; other bases in it belong to nameless classes.
   * "parameters": those of a primary constructor, which its members see.
   */
  readonly classHeader: "plain" | "base" | "parameters";
  /**
   * Methods in which a module extends what includes it: `def self.included(base) base.extend(Labels)`. Where there are any, a class includes
   * modules in its body, which sees those inside of it.
   */
  readonly hooks: ReadonlySet<string>;
  /** Whether what a class names in its body may call members of that class: modules of Ruby, traits of PHP. */
  readonly mixins: boolean;
  /** Whether only a class itself and its family call its private methods, whatever package or file they are in. */
  readonly hidesMembers: boolean;
};

export type NameRules = ValueRules &
  ClassRules & {
    /** The order of a parameter or variable and its type. */
    readonly declares: "name: type" | "type name" | "name type";
    /** Types that wrap the type with the members, and keywords inside types. */
    readonly wrappers: ReadonlySet<string>;
    /**
     * Types are declared, and only types start with a capital. So a value whose declared type is not found, and a capitalized
     * name that is not found, are external, and the resolver must not guess.
     */
    readonly nominal: boolean;
    /** Whether code directly in a class body sees the class's names, although its methods do not. */
    readonly bodyScope: boolean;
    /** Whether a module is also a value, its default export, and, if functions are shared, whether files without imports and exports share names. */
    readonly moduleValues: boolean;
    /** Where the definition of a type or namespace can continue: nowhere, in its file, its package, or an included file. */
    readonly parts: "none" | "file" | "package" | "included";
    /** Enclosing packages that a file sees without an import; "root" for functions only. */
    readonly outerPackages: "none" | "parents" | "root";
    /** Whether code writes packages with dots, so that `a.b.Name` needs no import. */
    readonly dottedPackages: boolean;
    /** The possible prefix of an absolute path, besides a dot (`::A` and `\A` are read as `.A`). */
    readonly root: string;
    /**
     * Whether functions can be members of types outside of which they are defined: "imported" by their own names, or "this" if their class is
     * in a package that is used, and their first parameter is marked so.
     */
    readonly extensions: "none" | "imported" | "this";
    /** Whether `self` is both the object and the module. */
    readonly selfIsModule: boolean;
    /** Whether functions outside of classes are visible wherever their package is, not only where their file is loaded. */
    readonly sharesFunctions: boolean;
    /** The start of the signature of a macro, which its whole crate can use without an import. */
    readonly macros: string;
    /** The suffix of the names of annotations in their definitions, optional in their uses. */
    readonly attributes: string;
  };

export const holder = (types: string, opened: string, kept = "", holds: Holder["holds"] = "first"): Holder => ({
  types: words(types),
  holds,
  opened: words(opened),
  kept: words(kept),
});

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
  extensions: "none",
  selfIsModule: false,
  sharesFunctions: true,
  classHeader: "plain",
  hooks: new Set(),
  mixins: false,
  hidesMembers: false,
  macros: "",
  attributes: "",
  holders: [],
  asynchronous: "",
  copies: new Set(),
  maker: "",
  itself: new Set(),
};

export const NOMINAL_NAMES: NameRules = { ...PLAIN_NAMES, nominal: true, wrappers: new Set() };
