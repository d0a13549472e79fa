/**
 * What a check of stored data finds: one thing that is wrong or worth knowing, where, and what mends it.
 */

/**
 * "error": an answer of cra may be wrong, or a command fails. "warning": nothing is wrong yet, or only time is lost.
 * "note": nothing is wrong.
 */
export type Severity = "error" | "warning" | "note";

/** `code` names the kind and never changes; `what` is one line. `mend` is the command to type, null where none is needed. */
export type Finding = {
  readonly severity: Severity;
  readonly code: string;
  readonly where: string;
  readonly what: string;
  readonly mend: string | null;
};

/** The commands that mend what cra can mend, each named in one place. */
export const MEND = {
  index: "cra index",
  rebuild: "cra index --rebuild",
  cache: "cra clean --cache",
  vectors: "cra clean --vectors",
  leftovers: "cra clean --set-aside",
} as const;

const RANK = { error: 0, warning: 1, note: 2 } as const satisfies Record<Severity, number>;

/** The worst first, then by place; what is found first in one place stays first. */
export const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted(
    (a, b) => RANK[a.severity] - RANK[b.severity] || (a.where < b.where ? -1 : a.where > b.where ? 1 : 0),
  );
