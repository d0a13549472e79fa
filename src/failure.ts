/**
 * What stops a command, as data: a `Failure` has a text and sets the exit code. A `Notice` (`notice.ts`) stops nothing.
 *
 * Bugs are neither: they are thrown, and `main-process.ts` exits with 70.
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
  | { readonly code: "no-repository"; readonly path: string; readonly why: string; readonly next?: string }
  /** `next` is by default to index it. */
  | { readonly code: "not-indexed"; readonly repo: string; readonly next?: string }
  /** More has changed since the repository was indexed than an answer should wait for. */
  | { readonly code: "index-behind"; readonly files: number; readonly bytes: number }
  /** `doing` is what the other cra does, by default "is writing this index". */
  | { readonly code: "locked"; readonly holder: string; readonly doing?: string }
  | { readonly code: "index-damaged"; readonly path: string; readonly why: string }
  | { readonly code: "memory-damaged"; readonly path: string; readonly why: string }
  | { readonly code: "index-newer"; readonly path: string; readonly found: number; readonly known: number }
  /** Nothing was imported from the file of another machine. */
  | { readonly code: "import-refused"; readonly where: string; readonly why: string; readonly next: string }
  /** A store, or something in it, is not what cra trusts. `where` is its address without password. */
  | { readonly code: "store-refused"; readonly where: string; readonly why: string; readonly next: string }
  | { readonly code: "store-unavailable"; readonly where: string; readonly why: string; readonly next: string }
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
  "index-behind": 10,
  locked: 11,
  "index-damaged": 12,
  "memory-damaged": 12,
  "index-newer": 12,
  "import-refused": 12,
  "store-refused": 12,
  "store-unavailable": 74,
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
      return `${failure.path}: ${failure.why}; ${failure.next ?? "name a folder with --repo"}`;
    case "not-indexed":
      return `${failure.repo} is not indexed; ${failure.next ?? "run: cra index"}`;
    case "index-behind":
      return `the index is far behind: ${failure.files} files have changed; run: cra index`;
    case "locked":
      return `another cra ${failure.doing ?? "is writing this index"} (${failure.holder}); wait for it or stop it, then try again`;
    case "index-damaged":
      return `${failure.path}: the index is damaged (${failure.why}); run: cra index --rebuild`;
    case "memory-damaged":
      return `${failure.path}: the memory store is damaged (${failure.why}) and was not changed; move the file away, then import your newest export: cra remember --import FILE`;
    case "index-newer":
      return `${failure.path}: written by a newer cra (schema ${failure.found}; this cra supports ${failure.known}); use the newer cra, or another --data-dir`;
    case "import-refused":
      return `${failure.where}: not imported: ${failure.why}; ${failure.next}`;
    case "store-refused":
      return `${failure.where}: refused: ${failure.why}; ${failure.next}`;
    case "store-unavailable":
      return `${failure.where}: ${failure.why}; ${failure.next}`;
    case "inputs-skipped":
      return `${failure.count} ${failure.count === 1 ? "input was" : "inputs were"} skipped, which --strict does not allow; see which with -v`;
    case "unknown-task":
      return withNext(
        HEXADECIMAL.test(failure.taskId)
          ? `the log has no run with the task id ${failure.taskId}`
          : `${failure.taskId} is no task id, which has hexadecimal digits only`,
        'see: cra sessions, or run: cra retrieve "TASK"',
      );
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

const HEXADECIMAL = /^[\da-f]+$/i;

const withNext = (message: string, next: string | undefined): string => (next ? `${message}; ${next}` : message);
