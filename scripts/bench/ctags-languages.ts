/**
 * The ctags kinds to compare in each language, and the known errors of ctags.
 *
 * Kinds are functions, methods and types with a body; not prototypes, members, variables, namespaces or aliases. An
 * error rule looks at a tag and its source line, never at a file or a name, and only matches what cannot be a
 * definition.
 */

/** One tag. `kind` is its long name in ctags; `scope` is what contains it, as ctags writes it. */
export type Tag = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly scope: string | null;
};

/** The line of a tag: its text, and whether it is only a comment, or between triple quotes. */
export type TagLine = { readonly text: string; readonly isComment: boolean; readonly isQuoted: boolean };

export type Fault = { readonly reason: string; is(tag: Tag, line: TagLine): boolean };

/** `name` is the language's name in ctags. */
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

/** Its TypeScript parser reads statements and calls after an unfinished line as methods. */
const KEYWORDS: ReadonlySet<string> = new Set("as catch false for if new switch this true while".split(" "));
const KEYWORD: Fault = { reason: "a keyword is not a name", is: ({ name }) => KEYWORDS.has(name) };

/** Its JavaScript parser reads every object with an assigned member as a class. */
const OBJECT: Fault = {
  reason: "an object is not a class",
  is: ({ kind }, { text }) => kind === "class" && !/\b(?:class|function)\b|=>/.test(text),
};

/** For `a.b = function` and `a[b] = function` it often gives the name `a`. */
const OWNER: Fault = {
  reason: "the name is the object that gets a member",
  is: ({ name }, { text }) => text.startsWith(`${name}.`) || text.startsWith(`${name}[`),
};

/** For `module.exports = function f` it gives the name `exports`. */
const EXPORTS: Fault = {
  reason: "the function has its own name",
  is: ({ name }, { text }) =>
    name === "exports" && /\bexports\s*=\s*(?:async\s+)?(?:function\s*\*?|class)\s+[\w$]/.test(text),
};

/** Its Elixir parser reads the examples of documentation. */
const QUOTED: Fault = { reason: "the line is documentation", is: (_, { isQuoted }) => isQuoted };

/** Its Kotlin parser reads lambda parameters and called functions as methods. */
const LAMBDA: Fault = {
  reason: "the line does not define a function",
  is: ({ kind }, { text }) => kind === "method" && !/\b(?:fun|get|set|constructor)\b/.test(text),
};

/** Its shell parser reads arrays as functions. */
const ARRAY: Fault = { reason: "an array is not a function", is: ({ name }) => name.endsWith("=") };

/** Its Lua parser names functions in arguments, and string keys, after the left side of `=`. */
const HANDED: Fault = {
  reason: "the function is an argument, or the value of a string key",
  is: (_, { text }) => /\(\s*(?:[^()]*,\s*)?function\b|^\[["']/.test(text),
};

/** By cra's name for the language. */
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
