/** The options that say what a task is about: a failure, changes, or a part of the repository. */
import type { Option } from "../syntax/command.ts";

/** A failed attempt. */
export const FAILURE_OPTIONS: readonly Option[] = [
  {
    flag: "--handoff",
    value: "file",
    summary: 'JSON handoff of a failed attempt (cra schema handoff); "-" is standard input',
    conflicts: ["--trace"],
    completes: "file",
  },
  {
    flag: "--trace",
    value: "file",
    summary: 'log or stack trace, of which the last failure is used; "-" is standard input',
    conflicts: ["--handoff"],
    completes: "file",
  },
];

/** A failed attempt, or work in progress. */
export const WORK_OPTIONS: readonly Option[] = [
  ...FAILURE_OPTIONS,
  {
    flag: "--diff",
    value: "ref",
    optional: true,
    summary: "start from uncommitted changes, compared with HEAD or the given commit",
  },
  {
    flag: "--since",
    value: "ref",
    summary: "start from changes committed since the branch left this commit or branch; REF..REF ends at another one",
  },
];

export const ONLY: Option = {
  flag: "--only",
  value: "path",
  repeatable: true,
  summary: "select only from this folder or file, such as one package",
  completes: "file",
};
