/**
 * The ctags kinds to compare in each language, and the known errors of ctags.
 *
 * Kinds are functions, methods and types with a body; not prototypes, members, variables, namespaces or aliases. An
 * error rule looks at a tag and its source line, never at a file or a name, and only matches what cannot be a
 * definition.
 */

/** One tag. `kind` is the long name that ctags has for it; `scope` what it stands in, as ctags writes it. */
export type Tag = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly scope: string | null;
};

/** Where a tag points: the text of its line, and whether that is nothing but comment, or between triple quotes. */
export type TagLine = { readonly text: string; readonly isComment: boolean; readonly isQuoted: boolean };

export type Fault = { readonly reason: string; is(tag: Tag, line: TagLine): boolean };

/** `name` is the language as ctags calls it. */
export type CtagsLanguage = {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly faults?: readonly Fault[];
};

/** Errors of ctags in every language. */
export const FAULTS: readonly Fault[] = [
  { reason: "the line is a comment", is: (_, line) => line.isComment },
  { reason: "the name is not on the line", is: ({ name }, { text }) => !lettersOf(text).includes(lettersOf(name)) },
];

const lettersOf = (text: string): string => text.replace(/\s+/g, "");

/** Its TypeScript parser takes statements and calls after an unfinished line for methods. */
const KEYWORDS: ReadonlySet<string> = new Set("as catch false for if new switch this true while".split(" "));
const KEYWORD: Fault = { reason: "a keyword is no name", is: ({ name }) => KEYWORDS.has(name) };

/** Its JavaScript parser takes every object that something is assigned to for a class. */
const OBJECT: Fault = {
  reason: "an object is no class",
  is: ({ kind }, { text }) => kind === "class" && !/\b(?:class|function)\b|=>/.test(text),
};

/** ... and of `a.b = function` and `a[b] = function` it often names `a`. */
const OWNER: Fault = {
  reason: "the name is what a member is added to",
  is: ({ name }, { text }) => text.startsWith(`${name}.`) || text.startsWith(`${name}[`),
};

/** ... and `module.exports = function f` it names `exports`. */
const EXPORTS: Fault = {
  reason: "the function has a name of its own",
  is: ({ name }, { text }) =>
    name === "exports" && /\bexports\s*=\s*(?:async\s+)?(?:function\s*\*?|class)\s+[\w$]/.test(text),
};

/** Its Elixir parser reads the examples of documentation. */
const QUOTED: Fault = { reason: "the line is documentation", is: (_, { isQuoted }) => isQuoted };

/** Its Kotlin parser takes the parameters of lambdas and called functions for methods. */
const LAMBDA: Fault = {
  reason: "the line defines no function",
  is: ({ kind }, { text }) => kind === "method" && !/\b(?:fun|get|set|constructor)\b/.test(text),
};

/** Its shell parser takes arrays for functions. */
const ARRAY: Fault = { reason: "an array is no function", is: ({ name }) => name.endsWith("=") };

/** Its Lua parser gives functions that are handed to a call, or keys that are texts, the name of what is left of `=`. */
const HANDED: Fault = {
  reason: "the function is an argument, or a text's",
  is: (_, { text }) => /\(\s*(?:[^()]*,\s*)?function\b|^\[["']/.test(text),
};

/** By cra's name of the language. */
export const CTAGS_LANGUAGES: ReadonlyMap<string, CtagsLanguage> = new Map<string, CtagsLanguage>([
  ["bash", { name: "Sh", kinds: ["function"], faults: [ARRAY] }],
  ["c", { name: "C", kinds: ["function", "struct", "union", "enum"] }],
  ["cpp", { name: "C++", kinds: ["function", "class", "struct", "union", "enum"] }],
  ["csharp", { name: "C#", kinds: ["class", "interface", "struct", "enum", "method"] }],
  ["elixir", { name: "Elixir", kinds: ["module", "protocol", "function", "macro"], faults: [QUOTED] }],
  ["go", { name: "Go", kinds: ["func", "struct", "interface"] }],
  ["java", { name: "Java", kinds: ["class", "interface", "enum", "method", "annotation"] }],
  [
    "javascript",
    {
      name: "JavaScript",
      kinds: ["function", "class", "method", "generator", "getter", "setter"],
      faults: [OBJECT, OWNER, EXPORTS, KEYWORD],
    },
  ],
  ["kotlin", { name: "Kotlin", kinds: ["class", "interface", "object", "method"], faults: [LAMBDA] }],
  ["lua", { name: "Lua", kinds: ["function"], faults: [HANDED] }],
  ["php", { name: "PHP", kinds: ["class", "interface", "trait", "function"] }],
  ["python", { name: "Python", kinds: ["class", "function", "member"] }],
  ["ruby", { name: "Ruby", kinds: ["class", "module", "method", "singletonMethod"] }],
  ["rust", { name: "Rust", kinds: ["struct", "interface", "enum", "function", "method"] }],
  [
    "tsx",
    { name: "TypeScript", kinds: ["class", "interface", "enum", "function", "method", "generator"], faults: [KEYWORD] },
  ],
  [
    "typescript",
    { name: "TypeScript", kinds: ["class", "interface", "enum", "function", "method", "generator"], faults: [KEYWORD] },
  ],
]);
