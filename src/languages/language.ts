/**
 * What a row of the table of languages says: everything that cra knows about a language.
 *
 * Rows are plain facts that load with the program. How a language is parsed is imported when a file needs it.
 */
import type { GrammarFile } from "./grammar-packages.ts";
import type { Highlighting } from "./highlighting.ts";
import type { NameRules } from "./name-rules.ts";
import type { Embedding, Grammar, Outliner } from "./syntax.ts";

/** What a file is for, first match wins in this order: declaration, test, config, docs, example, else source. */
export type FileRole = "source" | "test" | "example" | "declaration" | "config" | "docs";

/** Roles that the name of a file can give. */
export type NamedRole = "test" | "example" | "declaration" | "config";

/** Languages that import each other by the same rules are one family: Java, Kotlin and Scala use each other's classes. */
export type ImportFamily = "python" | "ecmascript" | "go" | "rust" | "jvm" | "c" | "csharp" | "ruby" | "php" | "swift";

/** A few lines of a language, and a name that parsing them must find: the program checks itself with it. */
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

/** One language. Lists of words are separated by spaces. */
export type Language = {
  /** File endings, lower case, without the dot; a task that says `name.ending` names a file. */
  readonly endings?: string;
  /** Endings that only files have: in the text of a task they mean something else, or are too rare. */
  readonly rareEndings?: string;
  /** Whole file names, lower case. They beat endings. */
  readonly fileNames?: string;
  /** What a Markdown fence calls the language, where that is not its own name. */
  readonly fence?: string;
  /** What files hold; program text, markup and style sheets included, where nothing is said. */
  readonly content?: "prose" | "data";
  /** Symbols are places in a text (headings, keys, selectors) that no code uses. True of prose and data, too. */
  readonly isOutline?: true;
  /** Names of files with a role other than the usual one, as the source of a regular expression over the whole name. */
  readonly roles?: Partial<Readonly<Record<NamedRole, string>>>;
  /** How stack traces print frames of such files; absent for what does not run. */
  readonly stackFrames?: "python" | "node" | "java" | "go" | "rust" | "other";
  /** Triple-quoted strings are documentation. */
  readonly hasDocstrings?: true;
  /** How a nameless block around definitions begins, without which they cannot be understood (`impl` in Rust). */
  readonly namelessBlock?: RegExp;
  readonly highlighting?: Highlighting;
  readonly imports?: ImportFamily;
  readonly names?: NameRules;
  readonly parsing?: Parsing;
};
