/**
 * What the user should know and does not stop the run, as data, and its text.
 *
 * Packages hold the texts of the notices of their run, so changing one of those changes packages.
 */
import { enumerated, listed } from "./text/listed.ts";

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
  | { readonly code: "task-vague"; readonly vague: keyof typeof WHY_VAGUE; readonly ask: readonly string[] }
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
      readonly why: "unknown" | "rejected" | "ambiguous" | "left out";
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

/** What an embedding model is sent. */
const SENT_FOR_VECTORS = {
  memory: "memories, experiences and queries",
  index: "definitions, commits and queries",
  all: "memories, experiences, definitions, commits and queries",
} as const;
export type SentForVectors = keyof typeof SENT_FOR_VECTORS;

const REFINEMENT_WORDS = {
  unknown: "is not in the index",
  rejected: "is only in rejected files",
  ambiguous: "matches too many things; say which, as path:name or a longer path",
  "left out": "is named as missing and as left out; it is not shown",
} as const;

const WHY_VAGUE = {
  unknown: "nothing in the index matches the task",
  general: "the task names nothing and has no word that is specific here",
  whole: "the task asks about the whole repository",
  unused:
    "references cannot prove that code is unused, since it is also reached from outside, by name and by frameworks (a compiler or linter of the language knows more)",
} as const;

const meant = (near: string | undefined): string => (near ? `; did you mean ${near}?` : "");

/** Paths named on one line. */
const NAMED_MAX = 3;

const pathsText = (paths: readonly string[]): string => listed(paths, NAMED_MAX);

function redacted(places: NoticeOf<"secrets-redacted">["places"]): string {
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const named = places.map(({ where, kinds }) => `${kinds.join(" and ")} in ${where}`);
  return `${count} ${count === 1 ? "secret is" : "secrets are"} redacted: ${named.join(", ")}`;
}

const withoutModel = ({ stages, whole }: NoticeOf<"judgement-failed">): string =>
  whole
    ? "the model is left out of the whole run"
    : `${stages.join(" and ")} ${stages.length === 1 ? "goes" : "go"} on without the model's judgement`;

/** One line for people, by code. */
const SENTENCES: { readonly [Code in Notice["code"]]: (notice: NoticeOf<Code>) => string } = {
  "history-missing": ({ why }) => `no git history: ${why}; recency and co-change are left out`,
  "history-outdated": ({ why, commit }) =>
    `git history could not be read: ${why}; the history of ${commit.slice(0, 12)} is used instead`,
  provisional: ({ counted, parsed, index, state, hasHistory, repositories = [] }) => {
    const why = index === "none" ? "without an index" : "given before the index is up to date";
    const read = `the words of ${counted} ${counted === 1 ? "file" : "files"} are counted and ${parsed} of them parsed`;
    const definitions = parsed < counted ? [`the definitions of the other ${counted - parsed}`, "all references"] : [];
    const added = enumerated([...definitions, ...(hasHistory ? ["the git history"] : [])]);
    const of = repositories.length === 0 ? "" : ` of ${listed(repositories, NAMED_MAX)}`;
    return `this is a first answer ${why} (state ${state}): ${read}; an index${of} ${added === "" ? "keeps what was found" : `adds ${added}`}`;
  },
  "enrichment-missing": () => "enrichment not found; the metadata tier is skipped",
  "no-candidates": ({ indexed }) =>
    indexed === 0
      ? "there are no files that cra reads, so the package is empty"
      : `include, exclude, hint_language and --only leave none of the ${indexed} files, so the package is empty`,
  "task-vague": ({ vague, ask }) =>
    `${WHY_VAGUE[vague]}, so this is a map of the repository; ask about a part of it${ask.length === 0 ? "" : `, such as ${ask.join(", ")}`}`,
  "seeds-capped": ({ kept, left }) =>
    `the task names more files than ${kept}; taken as candidates only: ${left.join(", ")}`,
  "name-ambiguous": ({ name, files }) =>
    `"${name}" is in ${files} files, so it names none of them; use --hint-path or --hint-symbol`,
  "hint-unknown": ({ hint, near }) => `the hint "${hint}" matches nothing in the index${meant(near)}`,
  "path-unknown": ({ path, near }) => `the task names "${path}", which is not in the index${meant(near)}`,
  "path-skipped": ({ path, skipped, reason }) => `"${path}" is not in the index: cra skips ${skipped} (${reason})`,
  "path-deleted": ({ path, commit }) => `commit ${commit.slice(0, 7)} deleted ${path}`,
  "path-renamed": ({ path, now, commit }) => `${now} was called ${path} until commit ${commit.slice(0, 7)}`,
  "refinement-unknown": ({ what, name, why, near }) => `the ${what} "${name}" ${REFINEMENT_WORDS[why]}${meant(near)}`,
  "changed-gone": ({ paths }) =>
    `changed, and not in the index (deleted, renamed, or of a kind that is not read): ${paths.join(", ")}`,
  "content-lacking": ({ paths }) =>
    `this clone lacks the earlier content of ${pathsText(paths)}, so their lines are not compared; git diff fetches it`,
  "changed-left": ({ kept, paths }) =>
    kept === null
      ? `changed, but not in the index: ${pathsText(paths)}`
      : `more than ${kept} files have changed; these are only candidates: ${pathsText(paths)}`,
  "changed-unnamed": ({ paths }) =>
    `changed, but only in the diff, since no option can name such paths: ${pathsText(paths)}`,
  "changes-untested": ({ files }) =>
    `no test uses, imports or is named after ${files === 1 ? "the changed source" : "any of the changed sources"}, as far as the index knows`,
  "nothing-changed": ({ others, against }) =>
    others === 0
      ? `nothing has changed ${against}`
      : `no file that can be selected has changed ${against}, but ${others} other ${others === 1 ? "file has" : "files have"}`,
  "review-unread": ({ why }) => `the changes that the task asks to review cannot be read: ${why}`,
  "review-committed": ({ since }) => `nothing is uncommitted, so this reviews what was committed since ${since}`,
  "diff-lost": ({ why }) => `the diff of the round before is left out: ${why}`,
  "trace-unplaced": ({ paths }) => `the trace names files that are not in the index: ${pathsText(paths)}`,
  "body-cut": ({ name, detail }) =>
    `there is no room for all of "${name}"; ${detail === "excerpt" ? "an excerpt" : "its signature"} is shown`,
  "index-changed": ({ round, provisional }) =>
    provisional
      ? `files have changed since round ${round} of this task, or others of them are parsed`
      : `the index has changed since round ${round} of this task`,
  "constraints-not-applied": ({ asked }) =>
    `earlier rounds of this task asked for what this one does not apply (${asked}); --keep-constraints applies it, --drop-constraints forgets it`,
  "memory-changed": ({ round }) =>
    `memories have changed since round ${round} of this task and are shown as they are now`,
  "index-stale": ({ why }) => `the index is older than the work tree: ${why}`,
  "not-recorded": ({ why }) => `this answer is not recorded, so refine and explain do not know it (${why})`,
  "template-missing": ({ where, path }) =>
    `${where}: there is no file ${path}; this format does not print the template, the prompt format needs it`,
  "template-unprinted": ({ format }) =>
    `--format ${format} does not print the template of --template; --format prompt does`,
  "data-dir-ignored": ({ path, why }) => `${path} is not used: ${why}`,
  "tokens-approximate": ({ margin }) => `token counts are estimates (characters / 4, margin ${margin})`,
  "secrets-redacted": ({ places }) => `${redacted(places)}; to show them: --allow-secrets`,
  "task-cut": ({ tokens }) => `the task's text was cut to ${tokens} tokens in the package (all of it was analysed)`,
  "inputs-skipped": ({ count }) =>
    `${count} ${count === 1 ? "input" : "inputs"} could not be read and ${count === 1 ? "was" : "were"} skipped`,
  "index-rebuilt": ({ why, movedTo }) => `the index was damaged (${why}); it was moved to ${movedTo} and rebuilt`,
  "log-restarted": ({ why, movedTo }) =>
    `the log of earlier runs was damaged (${why}); it was moved to ${movedTo} and a new one was started`,
  "session-set-aside": ({ why, movedTo }) => `the session of a task was damaged (${why}); it was moved to ${movedTo}`,
  "not-watched": ({ why }) => `the system cannot watch more folders (${why}); checking every few seconds instead`,
  "settings-kept": ({ why }) => `the settings from before stay in force, as these cannot be read: ${why}`,
  "judgement-failed": (notice) => `${withoutModel(notice)}: ${notice.why}; ${notice.next}`,
  "judgement-partial": ({ stage, judged, of, why, next }) =>
    `${stage}: the model judged ${judged} of ${of}, and the rest keeps its place: ${why}; ${next}`,
  "sources-left-out": ({ sources, why }) => `${enumerated(sources)} left out: ${why}`,
  "recall-over-limit": ({ tokens, limit }) => `the result takes ${tokens} tokens, more than the requested ${limit}`,
  "embedding-failed": ({ why, next }) => `comparing words only, not meanings: ${why}; ${next}`,
  "embedding-partial": ({ left, of }) =>
    `${left} ${of === "memory" ? "memory texts" : "definitions and commits"} have no vector yet and are found by words only; run: cra recall --embed-all`,
  "values-unworded": ({ values, why, next }) =>
    `${values} ${values === 1 ? "value quotes" : "values quote"} an experience, as the model did not word ${values === 1 ? "it" : "them"}: ${why}; ${next}`,
  "import-open": ({ host }) =>
    `the import came from ${host} over http://, so it may have been changed on the way; use https://`,
  "store-open": ({ host }) =>
    `${host} is reached without encryption, so others may read and change what is sent; leave out sslmode=disable`,
  "store-left-out": ({ why }) => `indexed here instead: ${why}`,
  "words-searched": () => "a query is words, not a regular expression; a|b finds either of two",
  "repository-left-out": ({ name, why }) => `${name} is left out: ${why}`,
  "model-remote": ({ what, host }) =>
    `${what === undefined ? "the task and parts of the repository" : SENT_FOR_VECTORS[what]} are sent to ${host}`,
};

/** One line for people. */
export const noticeSentence = (notice: Notice): string => sentenceOf(notice.code, notice);

/** The code is a parameter of its own so that the compiler sees that row and notice belong together. */
const sentenceOf = <Code extends Notice["code"]>(code: Code, notice: NoticeOf<Code>): string => SENTENCES[code](notice);

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

/** Whether it is one of those, which every run on the index repeats. */
export const isOfHistory = ({ code }: Notice): boolean => code === "history-missing" || code === "history-outdated";
