/**
 * What the user should know and does not stop the run, as data. `notice-sentence.ts` has its text.
 *
 * A new notice is a member here and a sentence there.
 */

/** Which texts of this machine an embedding model is sent. */
export type SentForVectors = "memory" | "index" | "all";

/** Printed to stderr and `--events jsonl`, stored in the raw log. */
export type Notice =
  | {
      readonly code:
        | "history-missing"
        | "index-stale"
        | "not-recorded"
        | "not-watched"
        | "settings-kept"
        | "diff-lost"
        | "review-unread";
      readonly why: string;
    }
  /** The history of an earlier commit is used, because the present one could not be read. */
  | { readonly code: "history-outdated"; readonly why: string; readonly commit: string }
  | { readonly code: "enrichment-missing" }
  /**
   * The answer is from an index that was made for it: of `counted` files, `parsed` are parsed. `state` identifies it. `hasHistory`: there
   * is a git history, which such an index does not read. `repositories`: those of several that were asked and lack an index.
   */
  | {
      readonly code: "provisional";
      readonly counted: number;
      readonly parsed: number;
      readonly index: "none" | "behind";
      readonly state: string;
      readonly hasHistory: boolean;
      readonly repositories?: readonly string[];
    }
  | { readonly code: "no-candidates"; readonly indexed: number }
  /** `retrieval/model/vagueness.ts` says what each word means. */
  | {
      readonly code: "task-vague";
      readonly vague: "unknown" | "general" | "whole" | "unused";
      readonly ask: readonly string[];
    }
  | { readonly code: "seeds-capped"; readonly kept: number; readonly left: readonly string[] }
  | { readonly code: "name-ambiguous"; readonly name: string; readonly files: number }
  /** `near` is what was probably meant. */
  | { readonly code: "hint-unknown"; readonly hint: string; readonly near?: string }
  /** A path in the task that no file has, although one has nearly that name. */
  | { readonly code: "path-unknown"; readonly path: string; readonly near: string }
  /** A path that the task, a hint or a refinement names, and what of it is skipped: the file or a folder around it. */
  | { readonly code: "path-skipped"; readonly path: string; readonly skipped: string; readonly reason: string }
  /** A path that no file has, which this commit deleted; or renamed, and its file is called `now` today. */
  | { readonly code: "path-deleted"; readonly path: string; readonly commit: string }
  | { readonly code: "path-renamed"; readonly path: string; readonly now: string; readonly commit: string }
  /** A name in a refinement that had no effect. */
  | {
      readonly code: "refinement-unknown";
      readonly what: "file" | "symbol" | "test";
      readonly name: string;
      readonly why: "unknown" | "untested" | "rejected" | "ambiguous" | "left out";
      readonly near?: string;
    }
  /** Changed files, or files of a trace in its order, that are not in the index: deleted, renamed, or of a kind that is not indexed. */
  | { readonly code: "changed-gone" | "trace-unplaced"; readonly paths: readonly string[] }
  /** Changed files whose lines are not compared, because this (partial) clone lacks their content before. */
  | { readonly code: "content-lacking"; readonly paths: readonly string[] }
  /** Changed files that are not seeds: beyond the `kept` first ones, or (null) not in the index. */
  | { readonly code: "changed-left"; readonly paths: readonly string[]; readonly kept: number | null }
  /** Changed files whose paths no request can hold: control characters, backslashes or more than a thousand characters. */
  | { readonly code: "changed-unnamed"; readonly paths: readonly string[] }
  /** No test uses, imports or is named after one of the changed sources. `files` counts these. */
  | { readonly code: "changes-untested"; readonly files: number }
  /** `others`: changed files that the run may not select or cannot read. */
  | { readonly code: "nothing-changed"; readonly against: string; readonly others: number }
  /** Nothing is uncommitted, so the review is of what the branch committed since it left `since`. */
  | { readonly code: "review-committed"; readonly since: string }
  /** A body that a refinement asks for in full and that does not fit; `name` is path:name. */
  | { readonly code: "body-cut"; readonly name: string; readonly detail: "excerpt" | "signature" }
  /** The index differs from the one that the round used. `provisional`: it was made for this answer. */
  | { readonly code: "index-changed"; readonly round: number; readonly provisional: boolean }
  /** Memories differ from those that the round used. */
  | { readonly code: "memory-changed"; readonly round: number }
  /** `asked` says what earlier rounds of the task asked for and this one does not apply. */
  | { readonly code: "constraints-not-applied"; readonly asked: string }
  /** The configured template, which the format in use does not print, does not exist. */
  | { readonly code: "template-missing"; readonly path: string; readonly where: string }
  /** A template was typed, and the format in use does not print it. */
  | { readonly code: "template-unprinted"; readonly format: string }
  | { readonly code: "data-dir-ignored"; readonly path: string; readonly why: string }
  | { readonly code: "tokens-approximate"; readonly margin: number }
  /** Hidden secrets by place; `kinds` names each kind once. */
  | {
      readonly code: "secrets-redacted";
      readonly places: readonly { readonly where: string; readonly count: number; readonly kinds: readonly string[] }[];
    }
  | { readonly code: "task-cut"; readonly tokens: number }
  | { readonly code: "inputs-skipped"; readonly count: number }
  | {
      readonly code: "index-rebuilt" | "log-restarted" | "session-set-aside";
      readonly why: string;
      readonly movedTo: string;
    }
  /** `stages` got no answer and keep what they found without the model. `whole`: no stage was answered. */
  | {
      readonly code: "judgement-failed";
      readonly stages: readonly string[];
      readonly whole: boolean;
      readonly why: string;
      readonly next: string;
    }
  /** The model judged some of what it was asked about. */
  | {
      readonly code: "judgement-partial";
      readonly stage: string;
      readonly judged: number;
      readonly of: number;
      readonly why: string;
      readonly next: string;
    }
  /** Sources that recall continues without. */
  | { readonly code: "sources-left-out"; readonly sources: readonly string[]; readonly why: string }
  | { readonly code: "recall-over-limit"; readonly tokens: number; readonly limit: number }
  /** The embedding model gave no vectors, so only words are compared. */
  | { readonly code: "embedding-failed"; readonly why: string; readonly next: string }
  /** Texts in memory or in the index that have no vector yet. */
  | { readonly code: "embedding-partial"; readonly of: "memory" | "index"; readonly left: number }
  /** Values that quote an experience because the model did not word them. */
  | { readonly code: "values-unworded"; readonly values: number; readonly why: string; readonly next: string }
  /** An export that was downloaded without encryption. */
  | { readonly code: "import-open"; readonly host: string }
  /** A store that is reached without encryption. */
  | { readonly code: "store-open"; readonly host: string }
  /** Indexing went on without a store, or without the index of a commit in it. */
  | { readonly code: "store-left-out"; readonly why: string }
  /** A query that looks like a regular expression. */
  | { readonly code: "words-searched" }
  /** A repository that a pattern names and that cannot be asked now. */
  | { readonly code: "repository-left-out"; readonly name: string; readonly why: string }
  /** `what` is sent; by default the task and code. */
  | { readonly code: "model-remote"; readonly host: string; readonly what?: SentForVectors };

export type NoticeOf<Code extends Notice["code"]> = Notice & { readonly code: Code };

/** What an answer says of itself when its round could not be recorded. */
export const unrecordedNotice = (why: string | null): readonly Notice[] =>
  why === null ? [] : [{ code: "not-recorded", why }];

/** What the index says of its history when it could not be read, or there is none. */
export function historyNotices(index: {
  readonly historyProblem: string | null;
  readonly keptHistory?: { readonly head: string } | undefined;
}): readonly Notice[] {
  const { historyProblem: why, keptHistory: kept } = index;
  if (why === null) return [];
  return [kept === undefined ? { code: "history-missing", why } : { code: "history-outdated", why, commit: kept.head }];
}

/** Whether a notice is about the history of the index: every run on that index repeats it. */
export const isOfHistory = ({ code }: Notice): boolean => code === "history-missing" || code === "history-outdated";
