/**
 * How a language differs from others where queries cannot say it: one small value for each row of the table.
 */

import type { ImportFact, SymbolKind } from "../facts/facts.ts";
import type { Span } from "../query/match.ts";

export type LanguageStyle = {
  /**
   * Words that belong to a definition but stand before its node (`export const` before a declarator);
   * matched against the text that ends at the node. Null when definitions hold all their words.
   */
  readonly leadIn: RegExp | null;
  /** What a documentation comment above a definition opens with; null when comments are never documentation. */
  readonly docComment: RegExp | null;
  /** What a comment opens with that documents the file it stands in, never what follows it; null for none. */
  readonly fileComment: RegExp | null;
  /** How documentation comments are written. */
  readonly docFormat: "jsdoc" | "plain";
  /** Whether one empty line may stand between a documentation comment and what it describes. */
  readonly docGap: boolean;
  /** Whether triple-quoted strings are documentation. */
  readonly docstrings: boolean;
  /** Whether a definition is visible to other files unless something says otherwise. */
  readonly public: boolean;
  /**
   * Whether a definition's name and one-line signature say that it is not for other files. `around` is the kind of
   * what it is a member of, null at the top level.
   */
  isPrivate(name: string, signature: string, around: SymbolKind | null): boolean;
  /** What stands for a dot in qualifiers, owners and packages (`::`, `->`, `\`): facts have dots. Null for none. */
  readonly dots: RegExp | null;
  /** The text, of the same length, as the grammar reads it best (C without macros). Null for the text itself. */
  readonly clean: ((text: string) => string) | null;
  /**
   * The text, of the same length, without what the grammar is known to stumble over; tried when a tree
   * has errors, and kept when there are fewer of them then. Null when there is nothing of the kind.
   */
  readonly mend: ((text: string) => string) | null;
  /**
   * The owner of a member that is defined outside of it (`Foo.prototype` -> `Foo`, `func (s *Server)` -> `Server`)
   * as a part of its qualified name; null to leave it out.
   */
  ownerPath(owner: string): string | null;
  /**
   * Where in a written name the bare one stands (`run` in `a::B<T>::run`), or null when it is none; what stands before
   * it is its owner. Null for languages that write names bare.
   */
  readonly bareName: ((written: string) => Span | null) | null;
  /** The name that an import of a whole module binds when the text gives it none (Go: `"a/b"` binds `b`), or null. */
  aliasOf(specifier: string): string | null;
  /** What an `@import` without a `@specifier` says, read from its text (Scala). Null where queries tell everything. */
  readonly readImport: ((statement: string) => readonly ImportClause[]) | null;
};

/**
 * One clause of an import: what stands before the names, the names, and whether it brings everything; an import when
 * there is no kind.
 */
export type ImportClause = Pick<ImportFact, "specifier" | "names" | "star"> & { readonly kind?: ImportFact["kind"] };

/** What most languages share: everything is visible, documentation is a comment directly above. */
export const PLAIN_STYLE: LanguageStyle = {
  leadIn: null,
  docComment: null,
  fileComment: null,
  docFormat: "plain",
  docGap: false,
  docstrings: false,
  public: true,
  isPrivate: () => false,
  dots: null,
  clean: null,
  mend: null,
  ownerPath: (owner) => owner,
  bareName: null,
  aliasOf: () => null,
  readImport: null,
};

/** Languages with Javadoc: documentation is what opens with exactly two stars, annotations may stand below it. */
export const JAVADOC_STYLE: LanguageStyle = {
  ...PLAIN_STYLE,
  docComment: /^\/\*\*(?![*/])/,
  docFormat: "jsdoc",
  docGap: true,
};
