/**
 * The commands, one row each, in the order of help. Adding a command is adding a row and its runner.
 */
import { FORMAT_NAMES } from "../../retrieval/render/formats.ts";
import { JUDGING_OPTIONS, MODEL_OPTIONS } from "../options/model-options.ts";
import { OUTPUT_OPTIONS } from "../options/package-options.ts";
import { REFINE_OPTIONS, REFINING_OPTIONS } from "../options/refining-options.ts";
import { SELECTING_OPTIONS } from "../options/selecting-options.ts";
import { TUI_OPTIONS } from "../options/tui-options.ts";
import { ONLY_OPTION, WORK_OPTIONS } from "../options/work-options.ts";
import type { Command, Option } from "../syntax/command.ts";
import { SCHEMA_NAMES } from "../syntax/names.ts";
import { AGENT_COMMANDS } from "./agent-commands.ts";
import { ESCALATE } from "./escalate-command.ts";
import { INDEX } from "./index-command.ts";
import { MEMORY_COMMANDS, WITH_MEMORY } from "./memory-commands.ts";
import { RECORD_COMMANDS, TASK_ID } from "./record-commands.ts";
import { SHELL_COMMANDS } from "./shell-commands.ts";

/** Options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  {
    flag: "--repo",
    value: "folder",
    summary: "the repository; by default found upward from here",
    completes: "folder",
  },
  { flag: "--data-dir", value: "folder", key: "data_dir", summary: "folder for the databases", completes: "folder" },
  { flag: "--allow-secrets", key: "allow_secrets", summary: "show keys and passwords, which are hidden by default" },
  { flag: "--json", summary: "print one JSON object" },
  { flag: "--quiet", short: "-q", summary: "no progress and no notices", conflicts: ["--verbose"] },
  { flag: "--verbose", short: "-v", summary: "say more: skipped files, scores, what the budget cost" },
  { flag: "--no-color", summary: "plain text, as with NO_COLOR" },
  { flag: "--no-input", summary: "never ask" },
];

const STRICT_RETRIEVAL: Option = {
  flag: "--strict",
  summary: "no defaults for model, address, stages and budget; exit with 13 when the model fails, 3 as cra index does",
};
export const COMMANDS: readonly Command[] = [
  INDEX,
  {
    name: "retrieve",
    summary: "find the code that is enough for a task, within a token budget",
    arguments: [
      {
        name: "task",
        summary:
          'the task in words, or "-" to read it from standard input; not needed with --handoff, --trace, --diff or --since',
        required: false,
        unless: ["--handoff", "--trace", "--diff", "--since"],
      },
    ],
    quoting: "put the task in quotes",
    options: [
      ...SELECTING_OPTIONS,
      ONLY_OPTION,
      ...WORK_OPTIONS,
      {
        flag: "--hint-path",
        value: "path",
        repeatable: true,
        summary: "a file that the task is about",
        completes: "file",
      },
      { flag: "--hint-symbol", value: "name", repeatable: true, summary: "a symbol that the task is about" },
      {
        flag: "--hint-language",
        value: "language",
        key: "hint_language",
        repeatable: true,
        summary: "a language that the task is about",
      },
      ...REFINING_OPTIONS,
      {
        flag: "--format",
        value: "name",
        key: "format",
        summary: `how to write the package: ${FORMAT_NAMES.join(", ")}`,
      },
      {
        flag: "--template",
        value: "file",
        key: "template",
        summary: "template of the prompt format",
        completes: "file",
      },
      ...OUTPUT_OPTIONS,
      { flag: "--index", summary: "index first when there is no index", conflicts: ["--no-refresh"] },
      { flag: "--no-refresh", summary: "use the index as it is, even if files have changed" },
      WITH_MEMORY,
      ...JUDGING_OPTIONS,
      STRICT_RETRIEVAL,
    ],
    examples: [
      { line: 'cra retrieve "fix the login validation bug"', does: "print the context package" },
      { line: "cra retrieve - --format prompt -o prompt.md < issue.md", does: "an issue in, a prompt out" },
      { line: 'cra retrieve "why is startup slow" --budget 8000 -v', does: "a small one, with scores and costs" },
      { line: "cra retrieve --diff", does: "what to look at to review what is not committed yet" },
      { line: "cra retrieve --trace - < test.log", does: "what to look at after a run has failed" },
    ],
    run: () => import("./retrieve.ts"),
  },
  {
    name: "enrich",
    summary: "ask a local model what each file is for, to find files by what they are about",
    arguments: [{ name: "repo", summary: "the repository", required: false, completes: "folder" }],
    options: [
      ...MODEL_OPTIONS,
      { flag: "--promote", summary: "put the answers into the index, where retrieve uses them" },
      { flag: "--limit", value: "files", whole: { least: 1, most: 1_000_000 }, summary: "ask about at most so many" },
    ],
    examples: [
      { line: "cra enrich --model qwen3:8b --promote", does: "ask about files that changed; Ctrl-C and again goes on" },
      { line: "cra enrich --model none --promote", does: "ask nothing, only use what was answered before" },
    ],
    run: () => import("./enrich.ts"),
  },
  {
    name: "refine",
    summary: "a task's package again, with files accepted, rejected or missed",
    arguments: [TASK_ID],
    options: REFINE_OPTIONS,
    examples: [
      { line: "cra refine 1f3a --reject src/legacy.py --missing-symbol Cart.sum", does: "another round of that task" },
      { line: "cra refine 1f3a --request - < request.json", does: "the same for a program" },
    ],
    run: () => import("./refine.ts"),
  },
  {
    name: "tui",
    summary: "the terminal interface; cra alone starts it too",
    arguments: [{ name: "task", summary: 'the task in words, or "-" to read it from standard input', required: false }],
    quoting: "put the task in quotes",
    options: TUI_OPTIONS,
    examples: [
      { line: "cra tui", does: "type a task, or resume one" },
      { line: 'cra tui "fix the login validation bug"', does: "begin with that one" },
      { line: "cra tui --resume 1f3a", does: "stand where that task stood, whatever ended it" },
    ],
    run: () => import("./tui.ts"),
  },
  {
    name: "evaluate",
    summary: "how good retrieval is, on tasks whose answer is known",
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
        summary: "where the repositories of the cases are: <folder>/<owner>+<name>",
        conflicts: ["--repo"],
        completes: "folder",
      },
      {
        flag: "--filter",
        value: "conditions",
        summary: "only cases with, such as repo=flask,language=python; fields are id, repo, language, source",
      },
      { flag: "--limit", value: "cases", whole: { least: 1, most: 100_000 }, summary: "run at most so many cases" },
      { flag: "--jobs", value: "number", whole: { least: 1, most: 64 }, summary: "repositories to run at a time" },
      { flag: "--compare", value: "file", summary: "an earlier --json result, to compare with", completes: "file" },
      { flag: "--gate", value: "limits", summary: "exit with 1 when a metric is lower, such as file_recall=0.8" },
      { flag: "--ablate", summary: "run again without each signal, and say what that changes" },
      { flag: "--fresh", summary: "run every case again, also those that were finished before" },
      { flag: "--keep-indexes", summary: "keep every case's index, so that a later run need not make it again" },
      {
        flag: "--work",
        value: "folder",
        summary: "where clones, indexes and answers are kept; by default in the user's cache",
        completes: "folder",
      },
      {
        flag: "--events",
        value: "form",
        choices: ["jsonl"],
        summary: "print what becomes of each case, a JSON object a line, in place of the metrics",
      },
      ...SELECTING_OPTIONS,
    ],
    examples: [
      { line: "cra evaluate --from-git", does: "measure on the repository's own past changes" },
      { line: "cra evaluate --cases cases.json --gate file_recall=0.8", does: "on cases of one's own, as a check" },
      {
        line: "cra evaluate --cases cases.jsonl --repos ~/mirrors --jobs 2 --json > now.json",
        does: "on many repositories, for --compare",
      },
    ],
    run: () => import("./evaluate.ts"),
  },
  {
    name: "search",
    summary: "full-text search over paths, symbols and content",
    arguments: [{ name: "query", summary: "words to look for", required: true }],
    quoting: "put the query in quotes",
    options: [
      { flag: "--limit", value: "hits", whole: { least: 1, most: 1_000 }, summary: "hits to show (default 20)" },
    ],
    examples: [{ line: 'cra search "parse url" --limit 5', does: "the five best places" }],
    run: () => import("./search.ts"),
  },
  ...RECORD_COMMANDS,
  ESCALATE,
  ...MEMORY_COMMANDS,
  {
    name: "status",
    summary: "what is indexed, how stale it is, sizes and versions",
    arguments: [],
    options: [],
    examples: [{ line: "cra status --json", does: "the same for a program" }],
    run: () => import("./status.ts"),
  },
  {
    name: "doctor",
    summary: "what is wrong with what is stored, and the command that mends it",
    arguments: [],
    options: [{ flag: "--self", summary: "try the program itself on this machine; needs no repository" }],
    examples: [
      { line: "cra doctor", does: "look at everything, change nothing; exits with 1 when something is wrong" },
      { line: "cra doctor --self", does: "prove that database, grammars, tokenizers and terminal work here" },
    ],
    run: () => import("./doctor.ts"),
  },
  {
    name: "clean",
    summary: "what takes disk; removes what is named",
    arguments: [],
    options: [
      { flag: "--cache", summary: "remove what parsing found before; the index stays" },
      { flag: "--set-aside", summary: "remove damaged files that were moved aside, and what killed runs left" },
      { flag: "--index", summary: "remove the index; cra index makes it anew" },
      {
        flag: "--vectors",
        summary: "remove vectors of definitions and commits; cra recall --embed-all makes them anew",
      },
      { flag: "--all", summary: "these four" },
      { flag: "--log", summary: "remove the log of runs, with archived sessions, which nothing brings back" },
      { flag: "--sessions", summary: "remove what tasks remember, which nothing brings back" },
      { flag: "--dry-run", summary: "only say what would be removed" },
      { flag: "--yes", summary: "do not ask before removing the log or sessions" },
    ],
    examples: [
      { line: "cra clean", does: "show what takes disk, remove nothing" },
      { line: "cra clean --cache --set-aside", does: "free what nobody misses" },
    ],
    run: () => import("./clean.ts"),
  },
  {
    name: "config",
    summary: "the settings in force",
    arguments: [],
    options: [{ flag: "--explain", summary: "and where each value came from" }],
    examples: [{ line: "cra config --explain", does: "every setting, its value and its source" }],
    run: () => import("./config.ts"),
  },
  ...AGENT_COMMANDS,
  ...SHELL_COMMANDS,
  {
    name: "schema",
    summary: "the JSON Schemas of what cra prints and reads",
    arguments: [{ name: "name", summary: SCHEMA_NAMES.join(", "), required: false, choices: SCHEMA_NAMES }],
    options: [],
    examples: [{ line: "cra schema package", does: "the schema of --format json" }],
    run: () => import("./schema.ts"),
  },
];
