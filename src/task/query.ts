/**
 * A task, parsed: what the later stages ask the knowledge base about.
 *
 * Pure data. Built by `analyze.ts` from the task's text alone (and the words the index knows); the
 * same text gives the same query.
 */

export const TASK_TYPES = ["bug_fix", "feature", "refactor", "test", "investigation"] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** Where in an issue a piece of text stands. Every token of a task lands in exactly one section. */
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

/** A name that the task mentions, with the section it stands in (the heaviest one, if several). */
export type Mention = {
  readonly text: string;
  readonly section: SectionKind;
  /** Written as code (backticked, in a code section, called, dotted, with an inner capital or underscore), or called a class. */
  readonly codeLike: boolean;
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
  /** Words of the task that the index's vocabulary of concepts knows. */
  readonly concepts: readonly string[];
  readonly sections: readonly Section[];
  readonly frames: readonly StackFrame[];
  readonly urls: readonly string[];
  /** Given by the user, never guessed: `--hint-path`, `--hint-symbol`, `--hint-language`. */
  readonly given: {
    readonly paths: readonly string[];
    readonly symbols: readonly string[];
    readonly languages: readonly string[];
  };
};
