/**
 * The commands, one row each, in the order of help. Adding a command is adding a row and its runner.
 */
import { FORMATS, STAGE_NAMES } from "../config-keys.ts";
import type { Command, Option } from "./command.ts";
import { SCHEMA_NAMES, SHELLS } from "./names.ts";

/** Options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  {
    flag: "--repo",
    value: "folder",
    summary: "the repository; by default found upward from here",
    completes: "folder",
  },
  { flag: "--data-dir", value: "folder", key: "data_dir", summary: "folder for the databases", completes: "folder" },
  { flag: "--json", summary: "print one JSON object" },
  { flag: "--quiet", short: "-q", summary: "no progress and no notices", conflicts: ["--verbose"] },
  { flag: "--verbose", short: "-v", summary: "say more: skipped files, scores, what the budget cost" },
  { flag: "--no-color", summary: "plain text, as with NO_COLOR" },
  { flag: "--no-input", summary: "never ask" },
];

const BUDGET_FORMS = ["--budget", "--context-window", "--reserved-tokens", "--budget-config"] as const;
const otherForms = (...own: readonly string[]) => BUDGET_FORMS.filter((flag) => !own.includes(flag));
const WINDOW = ["--context-window", "--reserved-tokens"] as const;

const STRICT: Option = { flag: "--strict", summary: "exit with 3 when an input was skipped" };
export const COMMANDS: readonly Command[] = [
  {
    name: "index",
    summary: "read a repository into the index; afterwards only what changed",
    arguments: [{ name: "repo", summary: "the repository", required: false, completes: "folder" }],
    options: [
      { flag: "--fail-fast", summary: "stop at the first file that cannot be parsed" },
      STRICT,
      { flag: "--rebuild", summary: "write the whole index anew, and begin anew what else is damaged" },
      { flag: "--watch", summary: "go on, and index again whenever something changes" },
    ],
    examples: [
      { line: "cra index", does: "index the repository around the current folder" },
      { line: "cra index ~/code/app -v", does: "another one, naming what was skipped" },
      { line: "cra index --watch", does: "keep the index fresh until Ctrl-C" },
    ],
    run: () => import("./run-index.ts"),
  },
  {
    name: "retrieve",
    summary: "find the code that is enough for a task, within a token budget",
    arguments: [{ name: "task", summary: 'the task in words, or "-" to read it from standard input', required: true }],
    quoting: "put the task in quotes",
    options: [
      {
        flag: "--budget",
        value: "tokens",
        key: "budget",
        summary: "tokens the package may take",
        conflicts: otherForms("--budget"),
      },
      {
        flag: "--context-window",
        value: "tokens",
        key: "context_window",
        summary: "tokens of the model's window",
        conflicts: otherForms(...WINDOW),
        needs: ["--reserved-tokens"],
      },
      {
        flag: "--reserved-tokens",
        value: "tokens",
        key: "reserved_tokens",
        summary: "tokens of that window kept for everything else",
        conflicts: otherForms(...WINDOW),
        needs: ["--context-window"],
      },
      {
        flag: "--budget-config",
        value: "file",
        summary: "JSON with context_window, reserved_tokens and maybe safety_margin",
        conflicts: otherForms("--budget-config"),
        completes: "file",
      },
      { flag: "--max-lines", value: "lines", key: "max_lines", summary: "lines the package may take" },
      { flag: "--tokenizer", value: "name", key: "tokenizer", summary: "how tokens are counted" },
      {
        flag: "--safety-margin",
        value: "share",
        key: "safety_margin",
        summary: "share added to approximate token counts, 0 to 0.5",
      },
      { flag: "--scope-size", value: "files", key: "scope_size", summary: "files that the scope stage keeps" },
      { flag: "--depth", value: "steps", key: "depth", summary: "steps along imports, 1 to 3" },
      { flag: "--stages", value: "names", key: "stages", summary: `stages to run: ${STAGE_NAMES.join(",")}` },
      { flag: "--weights", value: "weights", key: "weights", summary: "default, classic, or signal=weight,..." },
      { flag: "--include", value: "glob", key: "include", repeatable: true, summary: "only files that match" },
      { flag: "--exclude", value: "glob", key: "exclude", repeatable: true, summary: "no files that match" },
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
      { flag: "--format", value: "name", key: "format", summary: `how to write the package: ${FORMATS.join(", ")}` },
      {
        flag: "--template",
        value: "file",
        key: "template",
        summary: "template of the prompt format",
        completes: "file",
      },
      {
        flag: "--output",
        short: "-o",
        value: "file",
        summary: 'write the package there; "-" is standard output',
        completes: "file",
      },
      { flag: "--force", summary: "overwrite the output file", needs: ["--output"] },
      {
        flag: "--events",
        value: "form",
        choices: ["jsonl"],
        summary: "print what happens, a JSON object a line; last the package, or the error",
      },
      { flag: "--index", summary: "index first when there is no index", conflicts: ["--no-refresh"] },
      { flag: "--no-refresh", summary: "use the index as it is, even if files have changed" },
      STRICT,
    ],
    examples: [
      { line: 'cra retrieve "fix the login validation bug"', does: "print the context package" },
      { line: "cra retrieve - --format prompt -o prompt.md < issue.md", does: "an issue in, a prompt out" },
      { line: 'cra retrieve "why is startup slow" --budget 8000 -v', does: "a small one, with scores and costs" },
    ],
    run: () => import("./run-retrieve.ts"),
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
    run: () => import("./run-search.ts"),
  },
  {
    name: "explain",
    summary: "why a file or symbol is in a package, or is not",
    arguments: [
      {
        name: "task-id",
        summary: "the id that retrieve printed, or its first four characters or more",
        required: true,
      },
      {
        name: "what",
        summary: "a file, folder or symbol; all files when left out",
        required: false,
        completes: "file",
      },
    ],
    options: [],
    examples: [
      { line: "cra explain 1f3a", does: "the task, and a line for each file" },
      { line: "cra explain 1f3a9c0b77d2 src/auth.py", does: "the decisions on one file" },
    ],
    run: () => import("./run-explain.ts"),
  },
  {
    name: "status",
    summary: "what is indexed, how stale it is, sizes and versions",
    arguments: [],
    options: [],
    examples: [{ line: "cra status --json", does: "the same for a program" }],
    run: () => import("./run-status.ts"),
  },
  {
    name: "doctor",
    summary: "what is wrong with what is stored, and the command that mends it",
    arguments: [],
    options: [],
    examples: [
      { line: "cra doctor", does: "look at everything, change nothing; exits with 1 when something is wrong" },
      { line: "cra doctor --json", does: "the same for a program" },
    ],
    run: () => import("./run-doctor.ts"),
  },
  {
    name: "clean",
    summary: "what takes disk; removes what is named",
    arguments: [],
    options: [
      { flag: "--cache", summary: "remove what parsing found before; the index stays" },
      { flag: "--set-aside", summary: "remove damaged files that were moved aside, and what killed runs left" },
      { flag: "--index", summary: "remove the index; cra index makes it anew" },
      { flag: "--all", summary: "these three" },
      { flag: "--log", summary: "remove the log of runs, which nothing brings back" },
      { flag: "--sessions", summary: "remove what tasks remember, which nothing brings back" },
      { flag: "--dry-run", summary: "only say what would be removed" },
      { flag: "--yes", summary: "do not ask before removing the log or sessions" },
    ],
    examples: [
      { line: "cra clean", does: "show what takes disk, remove nothing" },
      { line: "cra clean --cache --set-aside", does: "free what nobody misses" },
    ],
    run: () => import("./run-clean.ts"),
  },
  {
    name: "config",
    summary: "the settings in force",
    arguments: [],
    options: [{ flag: "--explain", summary: "and where each value came from" }],
    examples: [{ line: "cra config --explain", does: "every setting, its value and its source" }],
    run: () => import("./run-config.ts"),
  },
  {
    name: "completions",
    summary: "a completion script for a shell",
    arguments: [{ name: "shell", summary: SHELLS.join(", "), required: true, choices: SHELLS }],
    options: [],
    examples: [
      { line: 'eval "$(cra completions bash)"', does: "in ~/.bashrc" },
      { line: "cra completions fish > ~/.config/fish/completions/cra.fish", does: "once, for fish" },
    ],
    run: () => import("./run-completions.ts"),
  },
  {
    name: "schema",
    summary: "the JSON Schemas of what cra prints and reads",
    arguments: [{ name: "name", summary: SCHEMA_NAMES.join(", "), required: false, choices: SCHEMA_NAMES }],
    options: [],
    examples: [{ line: "cra schema package", does: "the schema of --format json" }],
    run: () => import("./run-schema.ts"),
  },
];
