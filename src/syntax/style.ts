/**
 * How a language differs from others where queries cannot say it: one small value for each family of
 * languages, named in its grammar row.
 */

export type LanguageStyle = {
  /**
   * Words that belong to a definition but stand before its node (`export const` before a declarator);
   * matched against the text that ends at the node. Null when definitions hold all their words.
   */
  readonly leadIn: RegExp | null;
  /** What a documentation comment above a definition opens with; null when comments are never documentation. */
  readonly docComment: RegExp | null;
  /** Whether triple-quoted strings are documentation. */
  readonly docstrings: boolean;
  /** Whether a definition is visible to other files unless something says otherwise. */
  readonly public: boolean;
  /** Whether a name alone says that it is not for other files. */
  isPrivate(name: string): boolean;
  /**
   * The text, of the same length, without what the grammar is known to stumble over; tried when a tree
   * has errors, and kept when there are fewer of them then. Null when there is nothing of the kind.
   */
  readonly mend: ((text: string) => string) | null;
  /** The object of an assigned member as a part of its qualified name (`Foo.prototype` -> `Foo`); null to leave it out. */
  ownerPath(owner: string): string | null;
};
