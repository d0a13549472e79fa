/** One result of checking stored data: what is wrong or worth knowing, where, and the command that repairs it. */

/** "error": answers may be wrong or a command fails. "warning": only time is lost, or nothing is wrong yet. "note": information. */
export type Severity = "error" | "warning" | "note";

/** `code` names the kind and is stable; `what` is one line; `mend` is the command to run, null when none is needed. */
export type Diagnostic = {
  readonly severity: Severity;
  readonly code: string;
  readonly where: string;
  readonly what: string;
  readonly mend: string | null;
};

/** The commands that repair stored data. */
export const REPAIR = {
  index: "cra index",
  rebuild: "cra index --rebuild",
  cache: "cra clean --cache",
  vectors: "cra clean --vectors",
  leftovers: "cra clean --set-aside",
} as const;

const RANK = { error: 0, warning: 1, note: 2 } as const satisfies Record<Severity, number>;

/** Sorts by severity, then by location; stable. */
export const sortDiagnostics = (findings: readonly Diagnostic[]): readonly Diagnostic[] =>
  findings.toSorted(
    (a, b) => RANK[a.severity] - RANK[b.severity] || (a.where < b.where ? -1 : a.where > b.where ? 1 : 0),
  );
