/** A parsed task: what ranking asks the knowledge base about. `analyze.ts` builds it from the text and the known concepts. */
export const TASK_TYPES = ["bug_fix", "feature", "refactor", "test", "investigation"] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** What a package may be for; its shape follows from it. */
export const PURPOSES = ["plan", "fix", "review", "explain"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** The part of an issue that a piece of text is in. Every token of a task is in exactly one section. */
export const SECTION_KINDS = ["title", "prose", "inline", "code", "trace", "error", "noise"] as const;
export type SectionKind = (typeof SECTION_KINDS)[number];
export type Section = { readonly kind: SectionKind; readonly text: string };

/** A line of a stack trace, in the order of the text. `path` is as written, `/` separated; `line` is 1-based. */
export type StackFrame = {
  readonly language: "python" | "node" | "java" | "go" | "rust" | "other";
  readonly path: string;
  readonly line: number;
  readonly function: string | null;
};

/** A name that the task mentions, with the heaviest section it is in. */
export type Mention = {
  readonly text: string;
  readonly section: SectionKind;
  /** Written as code (in backticks or a code section, called, dotted, with an inner capital or underscore), or named as a class. */
  readonly codeLike: boolean;
};

/** A path that the task names and no file has. A file had the whole path `was` until `commit` renamed it to `now`, or deleted it (null). */
export type NamedFormerly = {
  readonly named: string;
  readonly was: string;
  readonly commit: string;
  readonly now: string | null;
};

export type TaskQuery = {
  readonly raw: string;
  readonly title: string;
  readonly taskType: TaskType;
  /** Significant words, lower case, identifiers split, most important first, no duplicates. */
  readonly keywords: readonly string[];
  /** Paths, globs, bare file names and dotted modules, as written. */
  readonly fileHints: readonly Mention[];
  /** Names of functions, classes, members (dotted and `::` names whole), as written. */
  readonly symbolHints: readonly Mention[];
  /** Error class names, quoted messages and trace lines. */
  readonly errorPatterns: readonly string[];
  /** Words of the task that the index knows as concepts. */
  readonly concepts: readonly string[];
  readonly sections: readonly Section[];
  /** Search words that a model proposed. They name nothing, and weigh less than the task's own. */
  readonly proposed?: readonly string[];
  readonly frames: readonly StackFrame[];
  readonly urls: readonly string[];
  /** Given by the user, never guessed: `--hint-path`, `--hint-symbol`, `--hint-language`, `--for`. */
  readonly given: {
    readonly purpose?: Purpose | null;
    readonly paths: readonly string[];
    readonly symbols: readonly string[];
    readonly languages: readonly string[];
    /** What history says of given paths and those of the text. */
    readonly former?: readonly NamedFormerly[];
  };
};

/** Limits of a task query. All of the text is read, but the result stays small. */
export const TASK_LIMITS = {
  keywordsMax: 64,
  fileHintsMax: 100,
  symbolHintsMax: 200,
  errorPatternsMax: 64,
  errorPatternCharsMax: 300,
  framesMax: 200,
  urlsMax: 100,
  conceptsMax: 32,
  /** A longer word is neither a name nor a path. */
  wordCharsMax: 260,
  /** Characters of a line that are searched for frames, errors and quotations. */
  lineCharsMax: 1000,
} as const;
