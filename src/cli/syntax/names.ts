/**
 * Closed lists that the command table and a runner share, kept apart so that neither loads the other.
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** What `cra schema` can print. */
export const SCHEMA_NAMES = [
  "package",
  "bundle",
  "event",
  "config",
  "budget-config",
  "refinement",
  "handoff",
  "escalation",
  "entry",
  "recall",
  "entries",
  "values",
  "log",
  "search",
  "explain",
  "status",
  "answer",
  "error",
] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];
