/**
 * The type of a row in the table of languages: everything that cra knows about a language.
 *
 * Rows are plain data that load with the program. The parser of a language is imported when a file needs it.
 */
import type { GrammarFile } from "./grammar-packages.ts";
import type { Highlighting } from "./highlighting.ts";
import type { NameRules } from "./name-rules.ts";
import type { Embedding, Grammar, Outliner } from "./syntax.ts";

/** The role of a file. The first match wins, in this order: declaration, test, config, docs, example, else source. */
export type FileRole = "source" | "test" | "example" | "declaration" | "config" | "docs";

/** Roles that follow from a file name. */
export type NamedRole = "test" | "example" | "declaration" | "config";

/** Languages with common import rules form a family: Java, Kotlin and Scala use each other's classes. */
export type ImportFamily =
  | "python"
  | "ecmascript"
  | "go"
  | "rust"
  | "jvm"
  | "c"
  | "csharp"
  | "ruby"
  | "php"
  | "swift"
  | "shell"
  | "elixir"
  | "lua"
  | "dart"
  | "solidity"
  | "zig";

/** A few lines of a language, and a name that parsing them must find, for the self-check of the program. */
export type Sample = { readonly text: string; readonly finds: string };

/**
 * How files are parsed: with a grammar and queries, as markup around another language, or line by line into an outline.
 * `wasm` is the grammar's file in `node_modules`, which the build compresses and embeds.
 */
export type Parsing = { readonly sample: Sample } & (
  | { readonly kind: "grammar"; readonly wasm: GrammarFile; load(): Promise<Grammar> }
  | { readonly kind: "embedding"; load(): Promise<Embedding> }
  | { readonly kind: "outline"; load(): Promise<Outliner> }
);

/** How a signature begins that is a statement with this end. */
export type Stub = readonly [begins: RegExp, end: string];

/** One language. Lists of words are separated by spaces. */
export type Language = {
  /** File extensions, lower case, without the dot; a task that contains `name.ending` names a file. */
  readonly endings?: string;
  /** Extensions that do not name a file in a task's text, because they are rare or have another meaning there. */
  readonly rareEndings?: string;
  /** Whole file names, lower case. They take precedence over extensions. */
  readonly fileNames?: string;
  /** The info string of a Markdown fence, if it differs from the language's name. */
  readonly fence?: string;
  /** The content of files that are not program text: their symbols are headings, keys and selectors, which no code uses. */
  readonly content?: "prose" | "data" | "styles";
  /** Names of files with a role other than the usual one, as the source of a regular expression over the whole name. */
  readonly roles?: Partial<Readonly<Record<NamedRole, string>>>;
  /** The format of stack frames; absent if the language does not run. */
  readonly stackFrames?: "python" | "node" | "java" | "go" | "rust" | "other";
  /** Triple-quoted strings are documentation. */
  readonly hasDocstrings?: true;
  /** The start of a nameless block around definitions that are incomprehensible without it (`impl` in Rust). */
  readonly namelessBlock?: RegExp;
  /** The signatures that can stand without their bodies; others are shown as comments. */
  readonly stubs?: readonly Stub[];
  readonly highlighting?: Highlighting;
  /** The comments of a language without highlighting. */
  readonly remarks?: Pick<Highlighting, "note" | "blocks">;
  readonly imports?: ImportFamily;
  readonly names?: NameRules;
  readonly parsing?: Parsing;
};
