/**
 * What parsing finds in one file, as plain data.
 *
 * Facts depend only on the file's text and language, never on its path or on other files, so they can be cached by
 * content hash. Lines are 1-based and inclusive. Threads that parse load this file, so it loads no library.
 */
import type { SymbolKind } from "../../text/terms/segments.ts";

/** Kinds that contain other symbols: in term statistics they own only the lines that their members do not. */
export const CONTAINER_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum", "namespace"]);
const CONTAINERS: ReadonlySet<string> = CONTAINER_KINDS;
/** The same test for a kind as stored in the index. */
export const isContainerKind = (kind: string): boolean => CONTAINERS.has(kind);
export const isFunctionKind = (kind: string): boolean => kind === "function" || kind === "method";

export const COMMENT_KINDS = ["todo", "fixme", "hack", "note", "bug_ref", "rationale", "general"] as const;
export type CommentKind = (typeof COMMENT_KINDS)[number];

/** The `problem` of a file that is more work for its parser than is allowed. Every parser finds it again, unlike other problems. */
export const TOO_MUCH_WORK = "too much work for its parser";

export const DOC_FORMATS = ["google", "numpy", "sphinx", "jsdoc", "plain"] as const;

/** A documentation text. `format` is its style, which determines where the first paragraph ends. */
export type DocFact = {
  readonly content: string;
  readonly format: (typeof DOC_FORMATS)[number];
};

/**
 * One definition. `startLine..endLine` covers the whole definition with its decorators and `export` keyword. `docLine`
 * is the first line of the documentation or comment block directly above it (= `startLine` if there is none), and
 * `nameLine` the line of its name. `qualifiedName` is the dotted path inside the file (`Auth.login`). `signature` is
 * one line without the body, at most 400 characters. `parent` is the index of the enclosing symbol in the same list;
 * parents come before their children, and the list is sorted by (startLine, -endLine). `exported`: visible to other
 * files (TS/JS: exported; Python: no leading underscore and, if `__all__` is a literal, listed there).
 */
export type SymbolFact = {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
  readonly endLine: number;
  readonly docLine: number;
  readonly nameLine: number;
  readonly signature: string;
  readonly signatureTokens: number;
  readonly bodyTokens: number;
  readonly parent: number | null;
  readonly exported: boolean;
  readonly doc: DocFact | null;
};

/**
 * A symbol without documentation. A hundred thousand of them are in memory while links are resolved, and with one more field than these the
 * engine takes 160 bytes for each instead of 112.
 */
export type OutlineSymbol = Omit<SymbolFact, "doc">;

/** A comment block (adjacent line comments form one) and the innermost symbol that it is inside or directly above. */
export type CommentFact = {
  readonly line: number;
  readonly endLine: number;
  readonly content: string;
  readonly kind: CommentKind;
  readonly isRationale: boolean;
  readonly symbol: number | null;
};

export const IMPORT_KINDS = ["import", "type", "reexport", "require", "require_reexport", "dynamic"] as const;

/**
 * One import. `specifier` is as written (`./a.js`, `..pkg.mod`, `react`). Each of `names` is one binding: `name` in the
 * other file ("*" for the whole module, "default" for a default import) and `alias` in this file (null: binds nothing
 * here, like a side-effect import). `import a.b` in Python has the alias `a.b`, which qualifies its uses. `star` is
 * `from x import *` / `export * from` / `module.exports = require(…)`. For the kind "reexport" the names are exported
 * and bind nothing here: `alias` is the exported name, null if it equals `name`. "require_reexport" is the same through
 * `module.exports = require(…)`, for which a package can provide another file.
 */
export type ImportFact = {
  readonly specifier: string;
  readonly line: number;
  readonly kind: (typeof IMPORT_KINDS)[number];
  readonly names: readonly { readonly name: string; readonly alias: string | null }[];
  readonly star: boolean;
};

export const REFERENCE_KINDS = ["call", "inherit", "implement", "type", "decorate"] as const;

/**
 * One use of a name. `qualifier` is the text before the last dot (`self`, `np.linalg`, `this`), or null; a local variable
 * stands for what it holds if that is known (`new Cart()`, or `= open()` for a result). `symbol` is
 * the innermost symbol around the use, null at the top level. There is one row for each (symbol, qualifier, name, kind).
 */
export type ReferenceFact = {
  readonly name: string;
  readonly qualifier: string | null;
  readonly kind: (typeof REFERENCE_KINDS)[number];
  readonly line: number;
  readonly symbol: number | null;
};

/**
 * Everything found in one file. `parsed` is false for text without a grammar and for files that could not be parsed
 * (`problem` says why). `exportedAs` maps exported names to local names where they differ (`export { a as b }`,
 * `export default a`, `module.exports = a`). The value of `module.exports` counts as "default". A nameless default
 * export is a symbol "default", a nameless `module.exports = function` a symbol "exports". `namespace` is the package
 * that the file declares, with dots (Go, Java, C#, PHP ...), or null. `commentLines` has the lines of every comment, in order, also of
 * those that document something: with the text, they give the term statistics again (`languages/count-terms.ts`).
 */
export type FileFacts = {
  readonly parsed: boolean;
  readonly problem: string | null;
  readonly lineCount: number;
  readonly namespace: string | null;
  readonly tokenCount: number;
  readonly doc: DocFact | null;
  readonly symbols: readonly SymbolFact[];
  readonly comments: readonly CommentFact[];
  readonly imports: readonly ImportFact[];
  readonly references: readonly ReferenceFact[];
  readonly exportedAs: Readonly<Record<string, string>>;
  readonly commentLines: readonly { readonly line: number; readonly endLine: number }[];
};

/** Facts whose symbols may have no documentation. */
export type OutlinedFacts = Omit<FileFacts, "symbols"> & { readonly symbols: readonly OutlineSymbol[] };
