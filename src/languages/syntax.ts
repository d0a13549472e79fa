/** What parsing needs to know about a language: its grammar, its queries, and rules that queries cannot express. */
import type { Lines, Span } from "../text/lines.ts";
import type { SymbolKind } from "../text/terms/segments.ts";

/** The query files of a language, one for each kind of fact. */
export const TOPICS = ["symbols", "imports", "references", "comments"] as const;
export type Topic = (typeof TOPICS)[number];

/** The comments of most grammars. */
export const COMMENTS = "(comment) @comment";

/**
 * A language with a grammar. `wasm` is the path of its compressed grammar inside the program; a topic without queries
 * finds nothing. `dialect` returns the actual language of a text (C++ for a C++ header with the extension of C), or null.
 */
export type Grammar = {
  readonly wasm: string;
  readonly queries: Partial<Readonly<Record<Topic, string>>>;
  readonly style: LanguageStyle;
  readonly dialect?: (text: string) => string | null;
};

/** A markup tag that can be a component, and the start of its name. */
export type ComponentUse = { readonly name: string; readonly start: number };

type Script = { readonly text: string; readonly language: string };

/**
 * A language with parts in another one. `script` is a text of the same length with blanks for everything else, so that
 * offsets stay the same; null if there are no such parts. `components` are the tags around them.
 */
export type Embedding = {
  read(text: string): { readonly script: Script | null; readonly components: readonly ComponentUse[] };
};

/** One heading. `depth` from 1; `span` is the heading with its section; `nameStart` is the start of its text. */
export type Heading = {
  readonly name: string;
  readonly depth: number;
  readonly span: Span;
  readonly nameStart: number;
};

/** A language whose headings are found line by line. */
export type Outliner = { outline(text: string, lines: Lines): readonly Heading[] };

/** How facts write the expression before a name. */
type QualifierStyle = {
  /** The separator in qualifiers, owners and packages (`::`, `->`, `\`), for which facts have dots. Null for a dot. */
  readonly dots: RegExp | null;
  /** Whether `?` after an expression gives what a result holds, so that qualifiers keep it. */
  readonly tries: boolean;
};

/** The rules of a language that queries cannot express. */
export type LanguageStyle = QualifierStyle & {
  /**
   * Words of a definition that precede its node (`export const` before a declarator), matched against the text that ends at
   * the node. Null if the nodes of definitions contain all their words.
   */
  readonly leadIn: RegExp | null;
  /** The start of a documentation comment above a definition; null if comments are never documentation. */
  readonly docComment: RegExp | null;
  /** The start of a comment that documents its whole file, never the code after it; null for none. */
  readonly fileComment: RegExp | null;
  /** What can precede the first comment of a file (`<?php`); null for nothing. */
  readonly openingTag: RegExp | null;
  readonly docFormat: "jsdoc" | "plain";
  /** Whether an empty line can separate a documentation comment from its definition. */
  readonly docGap: boolean;
  /** Whether definitions are visible to other files by default. */
  readonly public: boolean;
  /**
   * Whether the name and signature of a definition mark it as private to its file. `around` is the kind of the symbol that
   * it is a member of, null at the top level.
   */
  isPrivate(name: string, signature: string, around: SymbolKind | null): boolean;
  /** Prepares a text for the grammar, keeping its length (C without macros). Null if no preparation is needed. */
  readonly clean: ((text: string) => string) | null;
  /**
   * Removes known problems of the grammar from a text, keeping its length. Used if the tree has errors, and kept if it
   * reduces them. Null if none are known.
   */
  readonly mend: ((text: string) => string) | null;
  /**
   * The owner of a member that is defined outside of it (`Foo.prototype` -> `Foo`, `func (s *Server)` -> `Server`), as part
   * of its qualified name; null to omit it.
   */
  ownerPath(owner: string): string | null;
  /**
   * The span of the bare name in a written name (`run` in `a::B<T>::run`), or null if there is none; the part before it is
   * its owner. Null for languages without such names.
   */
  readonly bareName: ((written: string) => Span | null) | null;
  /** The name that an import of a whole module binds by default (Go: `"a/b"` binds `b`), or null. */
  aliasOf(specifier: string): string | null;
  /** Reads an `@import` without a `@specifier` from its text (Scala). Null if queries are sufficient. */
  readonly readImport: ((statement: string) => readonly ImportClause[]) | null;
};

/** One clause of an import: its path, its names (`alias` null binds nothing), and whether it imports everything. */
export type ImportClause = {
  readonly specifier: string;
  readonly names: readonly { readonly name: string; readonly alias: string | null }[];
  readonly star: boolean;
  readonly kind?: "reexport";
};

/** The rules that most languages share: everything is visible, documentation is a comment directly above. */
export const PLAIN_STYLE: LanguageStyle = {
  leadIn: null,
  docComment: null,
  fileComment: null,
  openingTag: null,
  docFormat: "plain",
  docGap: false,
  public: true,
  isPrivate: () => false,
  dots: null,
  tries: false,
  clean: null,
  mend: null,
  ownerPath: (owner) => owner,
  bareName: null,
  aliasOf: () => null,
  readImport: null,
};

/** Languages with Javadoc: documentation starts with exactly two stars, and annotations can follow it. */
export const JAVADOC_STYLE: LanguageStyle = {
  ...PLAIN_STYLE,
  docComment: /^\/\*\*(?![*/])/,
  docFormat: "jsdoc",
  docGap: true,
};
