/** The row of `cra index` in the table of commands (`table.ts`). */
import type { Command } from "../syntax/command.ts";

export const INDEX: Command = {
  name: "index",
  summary: "read a repository into the index; afterwards only what changed",
  arguments: [{ name: "repo", summary: "the repository", required: false, completes: "folder" }],
  options: [
    { flag: "--fail-fast", summary: "stop at the first file that cannot be parsed" },
    { flag: "--strict", summary: "exit with 3 when an input was skipped" },
    { flag: "--rebuild", summary: "write the whole index anew, and begin anew what else is damaged" },
    { flag: "--watch", summary: "go on, and index again whenever something changes" },
    {
      flag: "--export",
      value: "file",
      summary: "then write what parsing found into a file, for --import on other machines",
      conflicts: ["--watch"],
      completes: "file",
    },
    {
      flag: "--import",
      value: "file|url",
      summary: "take over what another machine exported of files that are the same here",
      conflicts: ["--watch"],
      completes: "file",
    },
  ],
  examples: [
    { line: "cra index", does: "index the repository around the current folder" },
    { line: "cra index ~/code/app -v", does: "another one, naming what was skipped" },
    { line: "cra index --watch", does: "keep the index fresh until Ctrl-C" },
    { line: "cra index --export app.cra-export", does: "index once in CI, for everybody" },
    { line: "cra index --import https://ci.example.com/app.cra-export", does: "begin with what CI found" },
  ],
  run: () => import("./index-repo.ts"),
};
