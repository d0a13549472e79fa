/**
 * What parsing finds in one file, as plain data.
 *
 * Facts depend on the file's text and language only, never on its path or on other files, so they can
 * be cached by content hash. Lines are 1-based and inclusive. Everything is validated by `FileFacts`
 * when it comes back from the parse cache.
 */
import { z } from "zod";
import { SYMBOL_KINDS, type SymbolKind } from "../../languages/syntax.ts";

/** Kinds that hold other symbols: in term statistics they own only the lines their members do not. */
export const CONTAINER_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum", "namespace"]);
const CONTAINERS: ReadonlySet<string> = CONTAINER_KINDS;
/** The same of a kind as the index names it. */
export const isContainerKind = (kind: string): boolean => CONTAINERS.has(kind);

const COMMENT_KINDS = ["todo", "fixme", "hack", "note", "bug_ref", "rationale", "general"] as const;
export type CommentKind = (typeof COMMENT_KINDS)[number];

const line = z.int().positive();

/** A documentation text. `format` is how it is written, so that its first paragraph can be told. */
export const DocFact = z.strictObject({
  content: z.string(),
  format: z.enum(["google", "numpy", "sphinx", "jsdoc", "plain"]),
});
export type DocFact = z.infer<typeof DocFact>;

/**
 * One definition.
 * `startLine..endLine` is the whole definition with its decorators and `export` keyword; `docLine` is
 * where the documentation or comment block directly above it begins (= `startLine` when there is none);
 * `nameLine` is the line that holds its name. `qualifiedName` is the dotted path inside the file
 * (`Auth.login`). `signature` is one line without body, at most 400 characters. `parent` is the index of
 * the enclosing symbol in the same list; parents come before their children. The list is in order of
 * (startLine, -endLine). `exported`: visible to other files (TS/JS: exported; Python: no leading
 * underscore and, where `__all__` is a literal, listed there).
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

/** A comment block (adjacent line comments are one), with the innermost symbol it stands in or directly above. */
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
 * One import. `specifier` is as written (`./a.js`, `..pkg.mod`, `react`). `names` are what it binds:
 * `name` in the other file ("*" for the whole module, "default" for a default import) and `alias`
 * here (null: binds nothing here, as a side-effect import does). `import a.b` in Python has the alias
 * `a.b`, which is the qualifier of its uses. `star` is `from x import *` / `export * from` /
 * `module.exports = require(…)`. `kind` reexport means its names are exported onward and bind nothing
 * here: `alias` is then the name they are exported under, null when that is `name`; require_reexport is the same by
 * `module.exports = require(…)`, which a package may answer with another file.
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
 * One use of a name. `qualifier` is the text before the last dot (`self`, `np.linalg`, `this`), or null.
 * `symbol` is the innermost symbol that the use stands in, or null at the top level. One row per
 * (symbol, qualifier, name, kind): repeats inside one symbol are dropped.
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
 * Everything found in one file. `parsed` is false for text without a grammar and for files that could
 * not be parsed (then `problem` says why). `exportedAs` maps names that are exported under another name
 * (`export { a as b }`, `export default a`, `module.exports = a`): exported name to local name. What
 * `module.exports` is set to counts as "default". A nameless default export is a symbol "default", a
 * nameless `module.exports = function` a symbol "exports". `namespace` is the package that the file declares,
 * with dots (Go, Java, C#, PHP ...), null where there is none.
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
});
export type FileFacts = z.infer<typeof FileFacts>;
