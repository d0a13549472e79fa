/** `cra evaluate`: cases that could not be run are named and are in no figure. */
import { SELECTING_OPTIONS } from "../options/selecting-options.ts";
import type { Command } from "../syntax/command.ts";

export const EVALUATE: Command = {
  name: "evaluate",
  summary: "measure retrieval on tasks whose answer is known",
  arguments: [],
  options: [
    {
      flag: "--cases",
      value: "file",
      summary: "tasks with the files and symbols to find, as JSON or JSON Lines",
      conflicts: ["--from-git"],
      completes: "file",
    },
    { flag: "--from-git", summary: "take the tasks from the repository's own history", conflicts: ["--repos"] },
    {
      flag: "--repos",
      value: "folder",
      summary: "folder with the repositories of the cases, as <folder>/<owner>+<name>",
      conflicts: ["--repo"],
      completes: "folder",
    },
    {
      flag: "--filter",
      value: "conditions",
      summary: "run only cases like repo=flask,language=python; the fields are id, repo, language, source",
    },
    {
      flag: "--limit",
      value: "cases",
      whole: { least: 1, most: 100_000 },
      summary: "run at most this many cases; of --from-git 50 by default",
    },
    {
      flag: "--jobs",
      value: "number",
      whole: { least: 1, most: 64 },
      summary: "repositories to run in parallel (default 1)",
    },
    { flag: "--compare", value: "file", summary: "compare with an earlier --json result", completes: "file" },
    { flag: "--gate", value: "limits", summary: "exit 1 if a metric is below its limit, such as file_recall=0.8" },
    { flag: "--ablate", summary: "run again without each signal, and show the difference" },
    {
      flag: "--provisional",
      summary: "answer each case as in a repository that was never indexed",
      conflicts: ["--keep-indexes"],
    },
    {
      flag: "--among",
      value: "folders",
      repeatable: true,
      summary: "ask each case of these repositories too, separated by commas, and not of its own alone",
      conflicts: ["--provisional"],
      completes: "folder",
    },
    { flag: "--fresh", summary: "run every case again, including those that are done" },
    { flag: "--keep-indexes", summary: "keep the index of every case for later runs" },
    {
      flag: "--work",
      value: "folder",
      summary: "folder for clones, indexes and answers; by default in the user's cache",
      completes: "folder",
    },
    {
      flag: "--events",
      value: "form",
      choices: ["jsonl"],
      summary: "print the outcome of each case as one line of JSON (jsonl) instead of the metrics",
    },
    ...SELECTING_OPTIONS,
  ],
  examples: [
    { line: "cra evaluate --from-git", does: "measure on the repository's own past changes" },
    { line: "cra evaluate --cases cases.json --gate file_recall=0.8", does: "check your own cases against a limit" },
    {
      line: "cra evaluate --cases cases.jsonl --repos ~/mirrors --jobs 2 --json > now.json",
      does: "run cases of many repositories, for --compare",
    },
    {
      line: "cra evaluate --from-git --among ../api,../web",
      does: "see what other repositories in the question cost",
    },
  ],
  run: async (context) => (await import("../evaluation/run-evaluation.ts")).runEvaluation(context),
};
