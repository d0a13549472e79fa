/** The options of commands that print a package: where it goes, and whether what happens is printed instead. */
import type { Option } from "../syntax/command.ts";

export const OUTPUT_OPTIONS: readonly Option[] = [
  {
    flag: "--output",
    short: "-o",
    value: "file",
    summary: 'write the package there; "-" is standard output',
    completes: "file",
  },
  { flag: "--copy", summary: "put the package on the clipboard as well" },
  { flag: "--force", summary: "overwrite the output file", needs: ["--output"] },
  {
    flag: "--events",
    value: "form",
    choices: ["jsonl"],
    summary: "print what happens, a JSON object a line; last the package, or the error",
  },
];
