/**
 * Help made from the command table: examples first, then arguments and options. No line is longer than the given width,
 * but for a command to copy, which is never wrapped.
 *
 * Defaults and variables come from the table of configuration keys, so help cannot disagree with them.
 */
import { DEFAULT_SETTINGS, variableOf } from "../../config/keys.ts";
import type { Argument, Command, CommandTable, Example, Option } from "./command.ts";

/** The column that descriptions start in, unless a term is longer. */
const TERM_WIDTH = 30;
/** The width of help that no terminal shows, and the most on a wide one. */
export const HELP_WIDTH = 100;
/** Columns that a description has to have beside its term; with fewer it stands below the term. */
const DESCRIPTION_WIDTH_MIN = 30;
const BELOW_TERM = 6;

/** What the program does, in a sentence. */
export const PURPOSE =
  "cra finds the smallest set of code that is enough to do a task, and says why each piece is there.";

/** The exit codes and their meaning. */
export const EXIT_CODES: readonly (readonly [codes: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "done, with a negative result"],
  ["2", "wrong usage or configuration, or the budget is too small"],
  ["3", "done, but inputs were skipped (with --strict)"],
  ["10, 11, 12", "not indexed; another cra is writing; index or memory damaged or too new"],
  ["13", "a required model did not answer"],
  ["70, 74", "internal error; input or output error"],
  ["129, 130, 131, 143", "stopped by a signal"],
];

/** `cra --help`. */
export function programHelp({ commands, globalOptions }: CommandTable, width = HELP_WIDTH): string {
  const row = rowsOf(width);
  const firstExample = (name: string): readonly Example[] =>
    commands.find((command) => command.name === name)?.examples.slice(0, 1) ?? [];
  return page([
    wrapped(PURPOSE, "", width),
    section("Examples", examples(["index", "retrieve", "search"].flatMap(firstExample), width)),
    "Usage: cra <command> [options]",
    section(
      "Commands",
      commands.map(({ name, summary }) => row(name, summary)),
    ),
    section("Options of every command", [
      ...globalOptions.map((option) => row(...optionRow(option))),
      row("-V, --version", "print the version; with -v also those of its parts"),
      row("-h, --help", "print help; after a command, for that command"),
    ]),
    section(
      "Exit codes",
      EXIT_CODES.map(([codes, meaning]) => row(codes, meaning)),
    ),
  ]);
}

/** `cra <command> --help`. */
export function commandHelp(command: Command, { globalOptions }: CommandTable, width = HELP_WIDTH): string {
  const row = rowsOf(width);
  const options = (all: readonly Option[]) => all.map((option) => row(...optionRow(option)));
  return page([
    wrapped(`cra ${command.name}: ${command.summary}`, "", width),
    section("Examples", examples(command.examples, width)),
    `Usage: ${usage(command)}`,
    section(
      "Arguments",
      command.arguments.map(({ name, summary }) => row(name, summary)),
    ),
    section("Options", options(command.options)),
    section("Options of every command", options(globalOptions)),
  ]);
}

/** `cra retrieve <task> [options]`. */
export function usage({ name, arguments: args, options }: Command): string {
  return ["cra", name, ...args.map(placeholder), ...(options.length > 0 ? ["[options]"] : [])].join(" ");
}

/** An argument as usage shows it: `<task>`, `[what]`, `[task-id...]`. */
export function placeholder({ name, required, variadic }: Argument): string {
  const inner = variadic ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}

/** The flags of an option as they are typed: `-o, --output <file>`. */
export const flagsOf = ({ flag, short, value, optional }: Option): string =>
  `${short === undefined ? "" : `${short}, `}${flag}${value === undefined ? "" : optional ? ` [${value}]` : ` <${value}>`}`;

/** `(repeatable; default 1; CRA_DEPTH)`; "" when there is nothing to add. */
export function optionRemark({ flag, key, repeatable }: Option): string {
  const remarks = [
    ...(repeatable ? ["repeatable"] : []),
    ...(key === undefined
      ? []
      : [...defaultRemark(flag.startsWith("--no-") ? null : DEFAULT_SETTINGS[key]), variableOf(key)]),
  ];
  return remarks.length === 0 ? "" : `(${remarks.join("; ")})`;
}

function defaultRemark(value: unknown): readonly string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [];
  return [`default ${Array.isArray(value) ? value.join(",") : String(value)}`];
}

const examples = (all: readonly Example[], width: number): readonly string[] =>
  all.flatMap(({ line, does }) => [wrapped(does, "  # ", width), `  ${line}`]);

const optionRow = (option: Option): readonly [term: string, description: string] => [
  flagsOf(option),
  [option.summary, optionRemark(option)].filter(Boolean).join(" "),
];

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`${title}:`, ...lines].join("\n");

const page = (parts: readonly string[]): string => `${parts.filter(Boolean).join("\n\n")}\n`;

/** Rows of a page: a term and its description, wrapped beside the term, or below it where there is little room. */
function rowsOf(width: number): (term: string, description: string) => string {
  const isNarrow = width - TERM_WIDTH - 4 < DESCRIPTION_WIDTH_MIN;
  const indent = " ".repeat(isNarrow ? BELOW_TERM : TERM_WIDTH + 4);
  return (term, description) => {
    const lines = wrapped(description, indent, width);
    const isBelow = isNarrow || term.length > TERM_WIDTH;
    return isBelow ? `  ${term}\n${lines}` : `  ${term.padEnd(TERM_WIDTH)}  ${lines.trimStart()}`;
  };
}

/** A text in lines that begin with `indent` and are at most `width` columns long, unless one word is longer. */
function wrapped(text: string, indent: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `${indent}${each}`).join("\n");
}
