/**
 * The table of languages, and what a path alone determines: a file's language and its kind of text.
 *
 * A new language is one folder and one row here. The index stores the names of languages, so they never change. A file of
 * an unknown language is "text".
 */
import { nameOf } from "../text/repo-path.ts";
import { BASH } from "./bash/language.ts";
import { C } from "./c/language.ts";
import { ASTRO, SVELTE, VUE } from "./components/language.ts";
import { CPP } from "./cpp/language.ts";
import { CSHARP } from "./csharp/language.ts";
import { CSS } from "./css/language.ts";
import { DART } from "./dart/language.ts";
import { JAVASCRIPT, TSX, TYPESCRIPT } from "./ecmascript/language.ts";
import { ELIXIR } from "./elixir/language.ts";
import { GO } from "./go/language.ts";
import type { Highlighting } from "./highlighting.ts";
import { JAVA } from "./java/language.ts";
import { JSON_DATA } from "./json/language.ts";
import { KOTLIN } from "./kotlin/language.ts";
import type { Language, Parsing } from "./language.ts";
import { LUA } from "./lua/language.ts";
import { MARKDOWN } from "./markdown/language.ts";
import { type NameRules, PLAIN_NAMES } from "./name-rules.ts";
import { OTHER_LANGUAGES } from "./other-languages.ts";
import { PHP } from "./php/language.ts";
import { PYTHON } from "./python/language.ts";
import { RUBY } from "./ruby/language.ts";
import { RUST } from "./rust/language.ts";
import { SCALA } from "./scala/language.ts";
import { SOLIDITY } from "./solidity/language.ts";
import { SWIFT } from "./swift/language.ts";
import { TOML } from "./toml/language.ts";
import { YAML } from "./yaml/language.ts";
import { ZIG } from "./zig/language.ts";

const TABLE = {
  ...OTHER_LANGUAGES,
  astro: ASTRO,
  bash: BASH,
  c: C,
  cpp: CPP,
  csharp: CSHARP,
  css: CSS,
  dart: DART,
  elixir: ELIXIR,
  go: GO,
  java: JAVA,
  javascript: JAVASCRIPT,
  json: JSON_DATA,
  kotlin: KOTLIN,
  lua: LUA,
  markdown: MARKDOWN,
  php: PHP,
  python: PYTHON,
  ruby: RUBY,
  rust: RUST,
  scala: SCALA,
  solidity: SOLIDITY,
  svelte: SVELTE,
  swift: SWIFT,
  toml: TOML,
  tsx: TSX,
  typescript: TYPESCRIPT,
  vue: VUE,
  yaml: YAML,
  zig: ZIG,
} satisfies Readonly<Record<string, Language>>;

/** All languages by name, in order of their names. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>(
  Object.entries(TABLE).toSorted(([a], [b]) => (a < b ? -1 : 1)),
);

/** Every possible result of `languageOf`, sorted. */
export const LANGUAGE_NAMES: readonly string[] = [...LANGUAGES.keys()];

/** The languages that cra parses. */
export const PARSED_LANGUAGES: ReadonlyMap<string, Parsing> = new Map(
  [...LANGUAGES].flatMap(([name, { parsing }]) => (parsing === undefined ? [] : [[name, parsing] as const])),
);

/**
 * Which files are of which language, and how they are parsed and linked: an index of another table is made anew. How a language
 * is highlighted changes no index.
 */
export const tableVersion = (languages: ReadonlyMap<string, Language>): string =>
  JSON.stringify(
    [...languages].map(([name, { endings, rareEndings, fileNames, content, roles, imports, parsing }]) => {
      const grammar = parsing?.kind === "grammar" ? parsing.wasm : parsing?.kind;
      return [name, endings, rareEndings, fileNames, content, roles, imports, grammar];
    }),
  );

const BY_ENDING = namesBy(({ endings, rareEndings }) => [endings, rareEndings]);
const BY_FILE_NAME = namesBy(({ fileNames }) => [fileNames]);

/** What people call a language, where that is neither its name here nor an ending of its files. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["c#", "csharp"],
  ["golang", "go"],
  ["shell", "bash"],
]);

/** The language of a name as people write it (`TypeScript`, `ts`, `C++`, `golang`); an unknown name in lower case. */
export function languageNamed(name: string): string {
  const lower = name.toLowerCase();
  return LANGUAGES.has(lower) ? lower : (OTHER_NAMES.get(lower) ?? BY_ENDING.get(lower.replace(/^\./, "")) ?? lower);
}

/** `Dockerfile.go` is a Dockerfile for Go, but `dockerfile.go` and `Dockerfile_test.go` are Go. */
const DOCKERFILE_FOR = /^(?:Docker|Container)file\.[^.]+$/;
const SOME_DOCKERFILE = /^(?:docker|container)file[._-]/;

/** The language of a `/` separated path; "text" if it is unknown. Where the text is known too, use `languageIn` (`script-language.ts`): a first line may say more. */
export const languageOf = (path: string): string => languageByName(path) ?? "text";

/** The same; null if it is unknown. */
export function languageByName(path: string): string | null {
  const written = nameOf(path);
  const name = written.toLowerCase();
  const dot = name.lastIndexOf(".");
  const known = BY_FILE_NAME.get(name) ?? (dot >= 0 ? BY_ENDING.get(name.slice(dot + 1)) : undefined);
  const isDockerfile = known === undefined ? SOME_DOCKERFILE.test(name) : DOCKERFILE_FOR.test(written);
  return isDockerfile ? "dockerfile" : (known ?? null);
}

/** The info string of a Markdown code fence; empty for plain text. */
export const fenceName = (language: string): string => LANGUAGES.get(language)?.fence ?? language;

/** What block comments of a language begin and end with. */
export const commentBlocks = (language: string): Highlighting["blocks"] => {
  const { highlighting, remarks } = LANGUAGES.get(language) ?? {};
  return (highlighting ?? remarks)?.blocks.filter(({ role }) => role === "comment") ?? [];
};

/** A line as a comment of a language; the line itself if the language has none. */
export function commentIn(language: string, line: string): string {
  const { highlighting, remarks } = LANGUAGES.get(language) ?? {};
  const { note, blocks } = highlighting ?? remarks ?? { blocks: [] };
  // A backslash at the end would make the next line part of the comment.
  if (note !== undefined) return `${note} ${line.replace(/\\$/, "\\ .")}`;
  const block = blocks.find(({ role }) => role === "comment");
  return block === undefined
    ? line
    : `${block.begin} ${line.replaceAll(block.end, [...block.end].join(" "))} ${block.end}`;
}

/**
 * A signature with a remark, on one line of code or comment: the signature is code where it can stand without its body, and
 * else part of the comment.
 */
export function stubIn(language: string, signature: string, remark: string): string {
  const [, end] = LANGUAGES.get(language)?.stubs?.find(([begins]) => begins.test(signature)) ?? [];
  return end === undefined || signature.endsWith("…")
    ? commentIn(language, `${signature} ${remark}`)
    : `${signature}${end}  ${commentIn(language, remark)}`;
}

/** Whether a language is prose: Markdown, reStructuredText, plain text and similar. */
export const isProse = (language: string): boolean => LANGUAGES.get(language)?.content === "prose";

/** Whether a language is for data or settings. */
export const isData = (language: string): boolean => LANGUAGES.get(language)?.content === "data";

/** Whether a language is program text, including markup and style sheets. */
export const isCode = (language: string): boolean => [undefined, "styles"].includes(LANGUAGES.get(language)?.content);

/** Whether the symbols of a language are headings, keys and selectors: places in a text that no code uses. */
export const isOutline = (language: string): boolean => LANGUAGES.get(language)?.content !== undefined;

/** The rules for resolving names in a language. */
export const nameRules = (language: string): NameRules => LANGUAGES.get(language)?.names ?? PLAIN_NAMES;

function namesBy(wordsOf: (language: Language) => readonly (string | undefined)[]): ReadonlyMap<string, string> {
  return new Map(
    [...LANGUAGES].flatMap(([name, language]) =>
      wordsOf(language).flatMap((words) => words?.split(" ").map((word) => [word, name] as const) ?? []),
    ),
  );
}
