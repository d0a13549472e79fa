/**
 * What parsing needs of a language: its grammar, its queries, and how it differs from others where queries cannot say it.
 */
import type { Lines, Span } from "../text/lines.ts";

/** The query files of a language, one for each kind of fact. */
export const TOPICS = ["symbols", "imports", "references", "comments"] as const;
export type Topic = (typeof TOPICS)[number];

/** The kinds of symbol, in the order in which ties between them are broken. */
export const SYMBOL_KINDS = [
  "function",
  "method",
  "class",
  "interface",
  "type_alias",
  "enum",
  "namespace",
  "variable",
  "property",
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/**
 * A language with a grammar. `wasm` is the path of its compressed grammar inside the program; a topic without queries
 * finds nothing. `dialect` names another language that a text is written in after all (a C header that is C++), or null.
 */
export type Grammar = {
  readonly wasm: string;
  readonly queries: Partial<Readonly<Record<Topic, string>>>;
  readonly style: LanguageStyle;
  readonly dialect?: (text: string) => string | null;
};

/** A tag of markup that can be a component, and where its name begins. */
export type ComponentUse = { readonly name: string; readonly start: number };

/** A text and the language to parse it as. */
type Script = { readonly text: string; readonly language: string };

/**
 * A language that holds parts in another one. `script` is a text of the same length in which everything but those parts
 * is blank, so that offsets stay the same; null when there are none. `components` are the tags around them.
 */
export type Embedding = {
  read(text: string): { readonly script: Script | null; readonly components: readonly ComponentUse[] };
};

/** One heading. `depth` from 1; `span` is the heading and everything below it; `nameStart` is where its words begin. */
export type Heading = {
  readonly name: string;
  readonly depth: number;
  readonly span: Span;
  readonly nameStart: number;
};

/** A language whose headings are read off its lines. */
export type Outliner = { outline(text: string, lines: Lines): readonly Heading[] };

/** How a language differs from others where queries cannot say it. */
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
  /** What may stand at the top of a file before its first comment (`<?php`); null for nothing. */
  readonly openingTag: RegExp | null;
  /** How documentation comments are written. */
  readonly docFormat: "jsdoc" | "plain";
  /** Whether one empty line may stand between a documentation comment and what it describes. */
  readonly docGap: boolean;
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
 * One clause of an import: what stands before the names, the names (`alias` is null where nothing is bound), and whether
 * it brings everything.
 */
export type ImportClause = {
  readonly specifier: string;
  readonly names: readonly { readonly name: string; readonly alias: string | null }[];
  readonly star: boolean;
  readonly kind?: "reexport";
};

/** What most languages share: everything is visible, documentation is a comment directly above. */
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
