/**
 * What can go wrong, as data: a `Failure` stops the command and sets its exit code, a `Notice` accompanies a result.
 *
 * Both get their text here. Bugs are neither: they are thrown, and `main-process.ts` exits with 70. Packages hold the texts of
 * the notices of their run, so changing one of those changes packages.
 */

/** What stops a command. `where` is a path, key or flag; `next` is what the user can do. */
export type Failure =
  | { readonly code: "usage"; readonly message: string; readonly next?: string }
  | { readonly code: "config"; readonly message: string; readonly where: string; readonly next?: string }
  | {
      readonly code: "budget-below-floor";
      readonly budget: number;
      readonly floor: number;
      readonly unit: "tokens" | "lines";
      /** The file or variable that set the budget; absent when it was typed or is the default. */
      readonly where?: string;
    }
  | { readonly code: "no-repository"; readonly path: string; readonly why: string }
  | { readonly code: "not-indexed"; readonly repo: string }
  /** `doing` is what the other cra does, by default "is writing this index". */
  | { readonly code: "locked"; readonly holder: string; readonly doing?: string }
  | { readonly code: "index-damaged"; readonly path: string; readonly why: string }
  | { readonly code: "memory-damaged"; readonly path: string; readonly why: string }
  | { readonly code: "index-newer"; readonly path: string; readonly found: number; readonly known: number }
  /** Nothing was imported from the file of another machine. */
  | { readonly code: "import-refused"; readonly where: string; readonly why: string; readonly next: string }
  | { readonly code: "inputs-skipped"; readonly count: number }
  | { readonly code: "unknown-task"; readonly taskId: string }
  | { readonly code: "no-match"; readonly message: string }
  /** A required model did not answer. `stage` is what asked it. */
  | { readonly code: "model-failed"; readonly stage: string; readonly why: string; readonly next: string }
  | { readonly code: "io"; readonly message: string; readonly where: string; readonly next?: string }
  /** `kept` says which work was saved, if any. */
  | { readonly code: "cancelled"; readonly signal: keyof typeof SIGNAL_EXIT; readonly kept?: string }
  | { readonly code: "internal"; readonly message: string };

/** The exit code of each failure (the process exits 0 when there is none). */
export const EXIT = {
  usage: 2,
  config: 2,
  "budget-below-floor": 2,
  "no-repository": 2,
  "not-indexed": 10,
  locked: 11,
  "index-damaged": 12,
  "memory-damaged": 12,
  "index-newer": 12,
  "import-refused": 12,
  "inputs-skipped": 3,
  "unknown-task": 2,
  "no-match": 1,
  "model-failed": 13,
  io: 74,
  cancelled: 130,
  internal: 70,
} as const satisfies Record<Failure["code"], number>;

/** The exit code of a run that a signal ended: 128 plus the signal's number. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/** The only exception of the project: carries a `Failure` from where it is found to `main`. */
export class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(sentence(failure), options);
    this.name = "Failed";
    this.failure = failure;
  }
}

/** The exit code that belongs to a failure. */
export function exitCode(failure: Failure): number {
  return failure.code === "cancelled" ? SIGNAL_EXIT[failure.signal] : EXIT[failure.code];
}

/** One line for people: what happened, where, what to do next. */
export function sentence(failure: Failure): string {
  switch (failure.code) {
    case "usage":
      return withNext(failure.message, failure.next);
    case "config":
      return withNext(`${failure.where}: ${failure.message}`, failure.next);
    case "budget-below-floor":
      return `${failure.where === undefined ? "" : `${failure.where}: `}a budget of ${failure.budget} ${failure.unit} is too small for this task; the smallest that works is ${failure.floor} (--${failure.unit === "tokens" ? "budget" : "max-lines"} ${failure.floor})`;
    case "no-repository":
      return `${failure.path}: ${failure.why}; name a folder with --repo`;
    case "not-indexed":
      return `${failure.repo} is not indexed; run: cra index`;
    case "locked":
      return `another cra ${failure.doing ?? "is writing this index"} (${failure.holder}); wait for it or stop it, then try again`;
    case "index-damaged":
      return `${failure.path}: the index is damaged (${failure.why}); run: cra index`;
    case "memory-damaged":
      return `${failure.path}: the memory store is damaged (${failure.why}) and was not changed; move the file away, then import your newest export: cra remember --import FILE`;
    case "index-newer":
      return `${failure.path}: written by a newer cra (schema ${failure.found}; this cra supports ${failure.known}); use the newer cra, or another --data-dir`;
    case "import-refused":
      return `${failure.where}: not imported: ${failure.why}; ${failure.next}`;
    case "inputs-skipped":
      return `${failure.count} ${failure.count === 1 ? "input was" : "inputs were"} skipped, which --strict does not allow; see which with -v`;
    case "unknown-task":
      return `the log has no run with the task id ${failure.taskId}; run: cra retrieve`;
    case "no-match":
      return failure.message;
    case "model-failed":
      return withNext(`${failure.stage}: ${failure.why}`, failure.next);
    case "io":
      return withNext(`${failure.where}: ${failure.message}`, failure.next);
    case "cancelled":
      return withNext(`stopped by ${failure.signal}`, failure.kept);
    case "internal":
      return `internal error: ${failure.message}; run again with CRA_DEBUG=1 to see the stack`;
  }
}

const withNext = (message: string, next: string | undefined): string => (next ? `${message}; ${next}` : message);

/** What the user should know and does not stop the run. Printed to stderr and `--events jsonl`, stored in the raw log. */
export type Notice =
  | { readonly code: "history-missing" | "index-stale" | "not-watched" | "diff-lost"; readonly why: string }
  | { readonly code: "enrichment-missing" }
  | { readonly code: "no-candidates"; readonly indexed: number }
  | { readonly code: "task-vague"; readonly vague: "unknown" | "general"; readonly ask: readonly string[] }
  | { readonly code: "seeds-capped"; readonly kept: number; readonly left: readonly string[] }
  | { readonly code: "name-ambiguous"; readonly name: string; readonly files: number }
  | { readonly code: "hint-unknown"; readonly hint: string }
  /** A name in a refinement that had no effect. */
  | {
      readonly code: "refinement-unknown";
      readonly what: "file" | "symbol" | "test";
      readonly name: string;
      readonly why: "unknown" | "rejected" | "ambiguous" | "left out";
    }
  /** Changed files, or files of a trace in its order, that are not in the index: deleted, or of a kind that is not indexed. */
  | { readonly code: "changed-gone" | "trace-unplaced"; readonly paths: readonly string[] }
  /** Changed files that are not seeds: beyond the `kept` first ones, or (null) not in the index. */
  | { readonly code: "changed-left"; readonly paths: readonly string[]; readonly kept: number | null }
  /** `others`: changed files that the run may not select or cannot read. */
  | { readonly code: "nothing-changed"; readonly against: string; readonly others: number }
  /** A body that a refinement asks for in full and that does not fit; `name` is path:name. */
  | { readonly code: "body-cut"; readonly name: string; readonly detail: "excerpt" | "signature" }
  /** The index, or memories, differ from those that the round used. */
  | { readonly code: "index-changed" | "memory-changed"; readonly round: number }
  /** `asked` says what earlier rounds of the task asked for and this one does not apply. */
  | { readonly code: "constraints-not-applied"; readonly asked: string }
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
  /** The model's verdicts would have left nothing, so they were ignored. */
  | { readonly code: "judgement-overruled"; readonly stage: string; readonly model: string }
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
  /** `what` is sent; by default the task and code. */
  | { readonly code: "model-remote"; readonly host: string; readonly what?: SentForVectors };

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
  ambiguous: "can be too many things; say which, as path:name or a longer path",
  "left out": "is missed, and left out: it is not shown",
} as const;

/** Paths named on one line. */
const NAMED_MAX = 3;

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, NAMED_MAX).join(", ")}${paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : ""}`;

function redacted(places: Extract<Notice, { code: "secrets-redacted" }>["places"]): string {
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const named = places.map(({ where, kinds }) => `${kinds.join(" and ")} in ${where}`);
  return `${count} ${count === 1 ? "secret is" : "secrets are"} redacted: ${named.join(", ")}`;
}

const withoutModel = ({ stages, whole }: Extract<Notice, { code: "judgement-failed" }>): string =>
  whole
    ? "the model is left out of the whole run"
    : `${stages.join(" and ")} ${stages.length === 1 ? "goes" : "go"} on without the model's judgement`;

/** One line for people. */
export function noticeSentence(notice: Notice): string {
  switch (notice.code) {
    case "history-missing":
      return `no git history: ${notice.why}; recency and co-change are left out`;
    case "enrichment-missing":
      return "enrichment not found; the metadata tier is skipped";
    case "no-candidates":
      return notice.indexed === 0
        ? "the index holds no files, so the package is empty"
        : `include, exclude, hint_language and --only leave none of the ${notice.indexed} files in the index, so the package is empty`;
    case "task-vague":
      return `${notice.vague === "unknown" ? "nothing in the index matches the task" : "the task names nothing and has no word that is specific here"}, so this is a map of the repository; ask about a part of it${notice.ask.length === 0 ? "" : `, such as ${notice.ask.join(", ")}`}`;
    case "seeds-capped":
      return `the task names more files than ${notice.kept}; taken as candidates only: ${notice.left.join(", ")}`;
    case "name-ambiguous":
      return `"${notice.name}" is in ${notice.files} files, so it names none of them; use --hint-path or --hint-symbol`;
    case "hint-unknown":
      return `the hint "${notice.hint}" matches nothing in the index`;
    case "refinement-unknown":
      return `the ${notice.what} "${notice.name}" ${REFINEMENT_WORDS[notice.why]}`;
    case "changed-gone":
      return `changed, and not in the index (deleted, or of a kind that is not read): ${notice.paths.join(", ")}`;
    case "changed-left":
      return notice.kept === null
        ? `changed, but not in the index: ${listed(notice.paths)}`
        : `more than ${notice.kept} files have changed; these are only candidates: ${listed(notice.paths)}`;
    case "nothing-changed":
      return notice.others === 0
        ? `nothing has changed ${notice.against}`
        : `no file that can be selected has changed ${notice.against}, but ${notice.others} other ${notice.others === 1 ? "file has" : "files have"}`;
    case "diff-lost":
      return `the diff of the round before is left out: ${notice.why}`;
    case "trace-unplaced":
      return `the trace names files that are not in the index: ${listed(notice.paths)}`;
    case "body-cut":
      return `there is no room for all of "${notice.name}"; ${notice.detail === "excerpt" ? "an excerpt" : "its signature"} is shown`;
    case "index-changed":
      return `the index has changed since round ${notice.round} of this task`;
    case "constraints-not-applied":
      return `earlier rounds of this task asked for what this one does not apply (${notice.asked}); --keep-constraints applies it, --drop-constraints forgets it`;
    case "memory-changed":
      return `memories have changed since round ${notice.round} of this task and are shown as they are now`;
    case "index-stale":
      return `the index is older than the work tree: ${notice.why}`;
    case "data-dir-ignored":
      return `${notice.path} is not used: ${notice.why}`;
    case "tokens-approximate":
      return `token counts are estimates (characters / 4, margin ${notice.margin})`;
    case "secrets-redacted":
      return `${redacted(notice.places)}; to show them: --allow-secrets`;
    case "task-cut":
      return `the task's text was cut to ${notice.tokens} tokens in the package (all of it was analysed)`;
    case "inputs-skipped":
      return `${notice.count} inputs could not be read and were skipped`;
    case "index-rebuilt":
      return `the index was damaged (${notice.why}); it was moved to ${notice.movedTo} and rebuilt`;
    case "log-restarted":
      return `the log of earlier runs was damaged (${notice.why}); it was moved to ${notice.movedTo} and a new one was started`;
    case "session-set-aside":
      return `the session of a task was damaged (${notice.why}); it was moved to ${notice.movedTo}`;
    case "not-watched":
      return `the system cannot watch more folders (${notice.why}); checking every few seconds instead`;
    case "judgement-failed":
      return `${withoutModel(notice)}: ${notice.why}; ${notice.next}`;
    case "judgement-overruled":
      return `${notice.stage}: ${notice.model} finds nothing that the task needs, so what was found without it stands`;
    case "sources-left-out":
      return `${notice.sources.join(" and ")} left out: ${notice.why}`;
    case "recall-over-limit":
      return `the result takes ${notice.tokens} tokens, more than the requested ${notice.limit}`;
    case "embedding-failed":
      return `comparing words only, not meanings: ${notice.why}; ${notice.next}`;
    case "embedding-partial":
      return `${notice.left} ${notice.of === "memory" ? "memory texts" : "definitions and commits"} have no vector yet and are found by words only; run: cra recall --embed-all`;
    case "values-unworded":
      return `${notice.values} values quote an experience, as the model did not word them: ${notice.why}; ${notice.next}`;
    case "import-open":
      return `the import came from ${notice.host} over http://, so it may have been changed on the way; use https://`;
    case "model-remote":
      return `${notice.what === undefined ? "the task and parts of the repository" : SENT_FOR_VECTORS[notice.what]} are sent to ${notice.host}`;
  }
}
