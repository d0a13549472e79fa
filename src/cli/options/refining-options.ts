/**
 * The options that say what must be in a package and what must not, and those of `cra refine` with them.
 */
import { FORMAT_NAMES } from "../../retrieval/render/formats.ts";
import type { Option } from "../syntax/command.ts";
import { JUDGING_OPTIONS } from "./model-options.ts";
import { OUTPUT_OPTIONS } from "./package-options.ts";
import { WORK_OPTIONS } from "./work-options.ts";

/** Of every command that takes a refinement. */
export const REFINING_OPTIONS: readonly Option[] = [
  { flag: "--accept", value: "path", repeatable: true, summary: "a file that must be in", completes: "file" },
  { flag: "--reject", value: "path", repeatable: true, summary: "a file that must not be in", completes: "file" },
  {
    flag: "--missing-file",
    value: "path",
    repeatable: true,
    summary: "a file that should be in; the end of a path is enough",
    completes: "file",
  },
  { flag: "--missing-symbol", value: "name", repeatable: true, summary: "a definition that should be in" },
  {
    flag: "--missing-test",
    value: "name",
    repeatable: true,
    summary: "a test that should be in: its file or name, or what it tests",
    completes: "file",
  },
  { flag: "--error", value: "text", repeatable: true, summary: "an error that was met, as part of the task" },
  {
    flag: "--body",
    value: "path:name",
    repeatable: true,
    summary: "a symbol to show in full before all else",
    completes: "file",
  },
  {
    flag: "--signature",
    value: "path:name",
    repeatable: true,
    summary: "a symbol to show by its signature alone",
    completes: "file",
  },
  { flag: "--leave-out", value: "path:name", repeatable: true, summary: "a symbol not to show", completes: "file" },
  {
    flag: "--changed",
    value: "path",
    repeatable: true,
    summary: "a file that was changed, or path:name of a symbol, as --diff finds them",
    completes: "file",
  },
];

/** Of `cra refine`. */
export const REFINE_OPTIONS: readonly Option[] = [
  {
    flag: "--request",
    value: "file",
    summary: 'what to change, as JSON (cra schema refinement); "-" is standard input',
    completes: "file",
  },
  ...WORK_OPTIONS,
  ...REFINING_OPTIONS,
  { flag: "--reason", value: "text", summary: "why the package was not enough, for the record" },
  {
    flag: "--budget",
    value: "tokens",
    whole: { least: 1, most: 10_000_000 },
    summary: "tokens the package may take; by default as before",
  },
  { flag: "--format", value: "name", key: "format", summary: `how to write the package: ${FORMAT_NAMES.join(", ")}` },
  ...OUTPUT_OPTIONS,
  { flag: "--no-refresh", summary: "use the index as it is, even if files have changed" },
  { flag: "--strict", summary: "exit with 13 when the model fails, 3 when an input was skipped" },
  ...JUDGING_OPTIONS,
];
