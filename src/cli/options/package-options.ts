/** The arguments and options of commands that make a package or ask about one. */
import type { Argument, Option } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { settingOption } from "./setting-option.ts";

export const TASK_ID: Argument = {
  name: "task-id",
  summary: "the id that retrieve printed, or at least its first three characters",
  required: true,
};

/** The format of a package, and where it goes. */
export const OUTPUT_OPTIONS: readonly Option[] = [
  settingOption("format", "name"),
  {
    flag: "--output",
    short: "-o",
    value: "file",
    summary: 'write the package to this file; "-" is standard output',
    completes: "file",
  },
  { flag: "--copy", summary: "also copy the package to the clipboard" },
  { flag: "--force", summary: "overwrite the output file", needs: ["--output"] },
  {
    flag: "--events",
    value: "form",
    choices: ["jsonl"],
    summary: "print every step as one line of JSON (jsonl); the last line holds the package or the error",
  },
];

export const NO_QUICK: Option = {
  flag: "--no-quick",
  summary: "do not answer from the words of the files: exit 10 without an index, wait for one that is far behind",
};

/** Whether an answer is wanted at once where there is no index; `waits` are the command's options that say it is not. */
export const isQuick = (values: Values, waits: readonly string[]): boolean =>
  !waits.some((flag) => values.switch(flag));

export const NO_REFRESH: Option = {
  flag: "--no-refresh",
  summary: "use the index as it is, even if files have changed",
};

export const NO_REASONS = settingOption("reasons", null, {
  flag: "--no-reasons",
  summary: "do not say in the package why each file is in it",
});

export const WITH_MEMORY = settingOption("with_memory", null);
