/**
 * The text of a definition or commit that is embedded as a vector, and the key of such a text.
 *
 * A definition's text includes its path, because a name alone says little, so moving it changes the text. The key is 53
 * bits of a hash of the text (XXH3), which lets vectors outlive any index.
 */

/** The rest of a docstring is detail. */
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

/** The path, kind, name, signature and docstring of a definition. */
export const definitionText = ({ path, kind, qualifiedName, signature, docstring }: Told): string =>
  `${path}\n${kind} ${qualifiedName}\n${signature.slice(0, SIGNATURE_CHARS_MAX)}\n${docstring?.slice(0, DOCSTRING_CHARS_MAX) ?? ""}`;

export const commitText = (message: string): string => message.slice(0, MESSAGE_CHARS_MAX);

/** An integer hash of a text. Two of a hundred thousand texts collide with a probability of about one in a million. */
export const textKey = (text: string): number => Number(BigInt.asUintN(53, Bun.hash.xxHash3(text)));
