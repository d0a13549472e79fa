/** The options that say what a package must hold and what it must not. */
import type { Option } from "../syntax/command.ts";

/** What to do with what earlier rounds of the task asked for. */
export const STANDING_OPTIONS: readonly Option[] = [
  {
    flag: "--keep-constraints",
    summary: "apply what all earlier rounds of this task asked for",
    conflicts: ["--drop-constraints"],
  },
  { flag: "--drop-constraints", summary: "forget what earlier rounds of this task asked for" },
];

export const REFINING_OPTIONS: readonly Option[] = [
  {
    flag: "--accept",
    value: "path",
    repeatable: true,
    summary: "a file that the package must hold",
    completes: "file",
  },
  {
    flag: "--reject",
    value: "path",
    repeatable: true,
    summary: "a file that the package must not hold",
    completes: "file",
  },
  {
    flag: "--missing-file",
    value: "path",
    repeatable: true,
    summary: "a file that was missing; the end of its path is enough",
    completes: "file",
  },
  { flag: "--missing-symbol", value: "name", repeatable: true, summary: "a definition that was missing" },
  {
    flag: "--missing-test",
    value: "name",
    repeatable: true,
    summary: "a test that was missing: its file, its name, or what it tests",
    completes: "file",
  },
  { flag: "--error", value: "text", repeatable: true, summary: "an error message to add to the task" },
  {
    flag: "--body",
    value: "path:name",
    repeatable: true,
    summary: "show this symbol in full, before anything else",
    completes: "file",
  },
  {
    flag: "--signature",
    value: "path:name",
    repeatable: true,
    summary: "show only the signature of this symbol",
    completes: "file",
  },
  { flag: "--leave-out", value: "path:name", repeatable: true, summary: "do not show this symbol", completes: "file" },
  {
    flag: "--changed",
    value: "path",
    repeatable: true,
    summary: "a changed file, or path:name of a changed symbol, as --diff finds them",
    completes: "file",
  },
];
