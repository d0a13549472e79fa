/**
 * What of a definition and of a commit is compared by meaning, and what such a text is known by.
 *
 * A definition's text has its path, as a name alone says little; so one that moves to another file is another text. The
 * key is 53 bits of a hash of the text (XXH3), so vectors outlive any index. Pure.
 */

/** What comes later in a docstring is detail. */
const DOCSTRING_CHARS_MAX = 1_000;
const SIGNATURE_CHARS_MAX = 1_000;
const MESSAGE_CHARS_MAX = 2_000;

type Told = {
  readonly path: string;
  readonly kind: string;
  readonly qualifiedName: string;
  readonly signature: string;
  readonly docstring: string | null;
};

/** Where a definition is, what it is, and what is said of it. */
export const definitionText = ({ path, kind, qualifiedName, signature, docstring }: Told): string =>
  `${path}\n${kind} ${qualifiedName}\n${signature.slice(0, SIGNATURE_CHARS_MAX)}\n${docstring?.slice(0, DOCSTRING_CHARS_MAX) ?? ""}`;

export const commitText = (message: string): string => message.slice(0, MESSAGE_CHARS_MAX);

/** A whole number: equal for equal texts, and for no two of a hundred thousand but by a chance of one in a million. */
export const textKey = (text: string): number => Number(BigInt.asUintN(53, Bun.hash.xxHash3(text)));
