/**
 * What parsing finds in one file, as plain data.
 *
 * Facts depend only on the file's text and language, never on its path or on other files, so they can be cached by
 * content hash. Lines are 1-based and inclusive. `FileFacts` validates everything that comes from the parse cache.
 */
import { z } from "zod";
import { SYMBOL_KINDS, type SymbolKind } from "../../text/terms/segments.ts";

/** Kinds that contain other symbols: in term statistics they own only the lines that their members do not. */
export const CONTAINER_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum", "namespace"]);
const CONTAINERS: ReadonlySet<string> = CONTAINER_KINDS;
/** The same test for a kind as stored in the index. */
export const isContainerKind = (kind: string): boolean => CONTAINERS.has(kind);

const COMMENT_KINDS = ["todo", "fixme", "hack", "note", "bug_ref", "rationale", "general"] as const;
export type CommentKind = (typeof COMMENT_KINDS)[number];

/** The `problem` of a file that is more work for its parser than is allowed. Every parser finds it again, unlike other problems. */
export const TOO_MUCH_WORK = "too much work for its parser";

const line = z.int().positive();

/** A documentation text. `format` is its style, which determines where the first paragraph ends. */
export const DocFact = z.strictObject({
  content: z.string(),
  format: z.enum(["google", "numpy", "sphinx", "jsdoc", "plain"]),
});
export type DocFact = z.infer<typeof DocFact>;

/**
 * One definition. `startLine..endLine` covers the whole definition with its decorators and `export` keyword. `docLine`
 * is the first line of the documentation or comment block directly above it (= `startLine` if there is none), and
 * `nameLine` the line of its name. `qualifiedName` is the dotted path inside the file (`Auth.login`). `signature` is
 * one line without the body, at most 400 characters. `parent` is the index of the enclosing symbol in the same list;
 * parents come before their children, and the list is sorted by (startLine, -endLine). `exported`: visible to other
 * files (TS/JS: exported; Python: no leading underscore and, if `__all__` is a literal, listed there).
 */
export const SymbolFact = z.strictObject({
  name: z.string(),
  qualifiedName: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  startLine: line,
  endLine: line,
  docLine: line,
  nameLine: line,
  signature: z.string(),
  signatureTokens: z.int().nonnegative(),
  bodyTokens: z.int().nonnegative(),
  parent: z.int().nonnegative().nullable(),
  exported: z.boolean(),
  doc: DocFact.nullable(),
});
export type SymbolFact = z.infer<typeof SymbolFact>;

/** A comment block (adjacent line comments form one) and the innermost symbol that it is inside or directly above. */
export const CommentFact = z.strictObject({
  line,
  endLine: line,
  content: z.string(),
  kind: z.enum(COMMENT_KINDS),
  isRationale: z.boolean(),
  symbol: z.int().nonnegative().nullable(),
});
export type CommentFact = z.infer<typeof CommentFact>;

/**
 * One import. `specifier` is as written (`./a.js`, `..pkg.mod`, `react`). Each of `names` is one binding: `name` in the
 * other file ("*" for the whole module, "default" for a default import) and `alias` in this file (null: binds nothing
 * here, like a side-effect import). `import a.b` in Python has the alias `a.b`, which qualifies its uses. `star` is
 * `from x import *` / `export * from` / `module.exports = require(…)`. For the kind "reexport" the names are exported
 * and bind nothing here: `alias` is the exported name, null if it equals `name`. "require_reexport" is the same through
 * `module.exports = require(…)`, for which a package can provide another file.
 */
export const ImportFact = z.strictObject({
  specifier: z.string(),
  line,
  kind: z.enum(["import", "type", "reexport", "require", "require_reexport", "dynamic"]),
  names: z.array(z.strictObject({ name: z.string(), alias: z.string().nullable() })),
  star: z.boolean(),
});
export type ImportFact = z.infer<typeof ImportFact>;

/**
 * One use of a name. `qualifier` is the text before the last dot (`self`, `np.linalg`, `this`), or null. `symbol` is
 * the innermost symbol around the use, null at the top level. There is one row for each (symbol, qualifier, name, kind).
 */
export const ReferenceFact = z.strictObject({
  name: z.string(),
  qualifier: z.string().nullable(),
  kind: z.enum(["call", "inherit", "implement", "type", "decorate"]),
  line,
  symbol: z.int().nonnegative().nullable(),
});
export type ReferenceFact = z.infer<typeof ReferenceFact>;

/**
 * Everything found in one file. `parsed` is false for text without a grammar and for files that could not be parsed
 * (`problem` says why). `exportedAs` maps exported names to local names where they differ (`export { a as b }`,
 * `export default a`, `module.exports = a`). The value of `module.exports` counts as "default". A nameless default
 * export is a symbol "default", a nameless `module.exports = function` a symbol "exports". `namespace` is the package
 * that the file declares, with dots (Go, Java, C#, PHP ...), or null. `commentLines` has the lines of every comment, in order, also of
 * those that document something: with the text, they give the term statistics again (`languages/count-terms.ts`).
 */
export const FileFacts = z.strictObject({
  parsed: z.boolean(),
  problem: z.string().nullable(),
  lineCount: z.int().nonnegative(),
  namespace: z.string().nullable(),
  tokenCount: z.int().nonnegative(),
  doc: DocFact.nullable(),
  symbols: z.array(SymbolFact),
  comments: z.array(CommentFact),
  imports: z.array(ImportFact),
  references: z.array(ReferenceFact),
  exportedAs: z.record(z.string(), z.string()),
  commentLines: z.array(z.strictObject({ line, endLine: line })),
});
export type FileFacts = z.infer<typeof FileFacts>;
