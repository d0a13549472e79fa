/** The comments, strings and keywords of a language, for highlighting code in the terminal and for writing comments. */

/** A comment or string that can span lines. */
type Block = { readonly begin: string; readonly end: string; readonly role: "comment" | "string" };

/**
 * The patterns of the scanner, and in `note` what begins a comment that ends with its line; without it, the first block of
 * comments is used to write one. `comments` and `strings` are sources of regular expressions that match within a line; every
 * pattern is linear. `keywords` are separated by white space.
 */
export type Highlighting = {
  readonly note?: string;
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  readonly blocks: readonly Block[];
  readonly keywords: string;
  readonly foldsCase?: true;
};

/** A syntax of comments and strings that several languages share. */
type Look = Omit<Highlighting, "keywords">;

export const comment = (begin: string, end: string): Block => ({ begin, end, role: "comment" });
export const string = (begin: string, end = begin): Block => ({ begin, end, role: "string" });

export const SLASHES = "//.*";
export const HASH = "#.*";
/** If `#` also has other meanings, a comment starts a line or follows a space. */
const HASH_APART = "(?<=^|[\\s;])#.*";

export const DOUBLE = String.raw`"(?:[^"\\]|\\.)*"`;
const SINGLE = String.raw`'(?:[^'\\]|\\.)*'`;
/** A single character, so that lifetimes, quoted symbols and type variables do not match. */
export const CHARACTER = String.raw`'(?:[^'\\]|\\(?:.|u\{[0-9a-fA-F]*\}|x[0-9a-fA-F]{2}))'`;

export const BRACES: Look = {
  note: "//",
  comments: [SLASHES],
  strings: [DOUBLE, SINGLE],
  blocks: [comment("/*", "*/")],
};
export const SCRIPT: Look = { ...BRACES, blocks: [...BRACES.blocks, string("`")] };
export const TYPED: Look = { ...BRACES, strings: [DOUBLE, CHARACTER] };
export const TEXTUAL: Look = { ...TYPED, blocks: [...TYPED.blocks, string('"""')] };
export const HASHED: Look = { note: "#", comments: [HASH], strings: [DOUBLE, SINGLE], blocks: [] };
export const SHELL: Look = { ...HASHED, comments: [HASH_APART] };
export const TRIPLE: Look = { ...HASHED, blocks: [string('"""'), string("'''")] };
export const DASHED: Look = { note: "--", comments: ["--.*"], strings: [DOUBLE, SINGLE], blocks: [] };
export const MARKUP: Look = { comments: [], strings: [DOUBLE, SINGLE], blocks: [comment("<!--", "-->")] };
export const STYLES: Look = { comments: [], strings: [DOUBLE, SINGLE], blocks: [comment("/*", "*/")] };

/** Keywords of configuration files. */
export const SETTING_WORDS = "true false null yes no on off";
