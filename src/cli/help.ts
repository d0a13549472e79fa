/**
 * The command table as help: examples first, then arguments and options.
 *
 * Pure: at most 100 columns, no colour, the same on every machine. Defaults and variables come from the
 * configuration's table, so help cannot disagree with them.
 */
import { DEFAULT_SETTINGS, variableOf } from "../config-keys.ts";
import type { Argument, Command, Example, Option } from "./command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";

/** The column that descriptions start in, unless a term is longer. */
const TERM_WIDTH = 30;
const LINE_WIDTH = 100;

/** `cra --help`. */
export function programHelp(): string {
  return page([
    "cra finds the smallest set of code that is enough to do a task, and says why each piece is there.",
    section("Examples", examples([firstExample("index"), firstExample("retrieve"), firstExample("search")])),
    "Usage: cra <command> [options]",
    section(
      "Commands",
      COMMANDS.map(({ name, summary }) => row(name, summary)),
    ),
    section("Options of every command", [
      ...GLOBAL_OPTIONS.map(optionRow),
      row("-V, --version", "print the version; with -v, of its parts too"),
      row("-h, --help", "print help; after a command, that command's"),
    ]),
    section("Exit codes", [
      row("0", "done"),
      row("1", "done, with a negative result"),
      row("2", "wrong usage or configuration, or a budget that is too small"),
      row("3", "done, but inputs were skipped, under --strict"),
      row("10, 11, 12", "not indexed; another cra is writing the index; index damaged or newer"),
      row("13", "a model that had to answer did not"),
      row("70, 74", "internal error; input or output error"),
      row("129, 130, 131, 143", "stopped by a signal"),
    ]),
  ]);
}

/** `cra <command> --help`. */
export function commandHelp(command: Command): string {
  return page([
    `cra ${command.name}: ${command.summary}`,
    section("Examples", examples(command.examples)),
    `Usage: ${usage(command)}`,
    section(
      "Arguments",
      command.arguments.map(({ name, summary }) => row(name, summary)),
    ),
    section("Options", command.options.map(optionRow)),
    section("Options of every command", GLOBAL_OPTIONS.map(optionRow)),
  ]);
}

/** `cra retrieve <task> [options]`. */
export function usage({ name, arguments: args, options }: Command): string {
  return ["cra", name, ...args.map(placeOf), ...(options.length > 0 ? ["[options]"] : [])].join(" ");
}

/** An argument as usage shows it: `<task>`, `[what]`, `[task-id...]`. */
export function placeOf({ name, required, variadic }: Argument): string {
  const inner = variadic ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}

/** The flags of an option as they are typed: `-o, --output <file>`. */
export const flagsOf = ({ flag, short, value }: Option): string =>
  `${short === undefined ? "" : `${short}, `}${flag}${value === undefined ? "" : ` <${value}>`}`;

/** What else there is to know of an option: its default, variable and whether it repeats. */
function remarkOf({ key, repeatable }: Option): string {
  const remarks = [
    ...(repeatable ? ["repeatable"] : []),
    ...(key === undefined ? [] : [...defaultRemark(DEFAULT_SETTINGS[key]), variableOf(key)]),
  ];
  return remarks.length === 0 ? "" : `(${remarks.join("; ")})`;
}

function defaultRemark(value: unknown): readonly string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [];
  return [`default ${Array.isArray(value) ? value.join(",") : String(value)}`];
}

const firstExample = (name: string): Example =>
  COMMANDS.find((command) => command.name === name)?.examples[0] ?? { line: `cra ${name}`, does: "" };

const examples = (all: readonly Example[]): readonly string[] =>
  all.flatMap(({ line, does }) => [`  # ${does}`, `  ${line}`]);

const optionRow = (option: Option): string =>
  row(flagsOf(option), [option.summary, remarkOf(option)].filter(Boolean).join(" "));

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`${title}:`, ...lines].join("\n");

const page = (parts: readonly string[]): string => `${parts.filter(Boolean).join("\n\n")}\n`;

/** A term and its description, wrapped under itself. */
function row(term: string, description: string): string {
  const indent = " ".repeat(TERM_WIDTH + 4);
  const lines = wrap(description, LINE_WIDTH - TERM_WIDTH - 4);
  const head = term.length > TERM_WIDTH ? `  ${term}\n${indent}` : `  ${term.padEnd(TERM_WIDTH)}  `;
  return `${head}${lines.join(`\n${indent}`)}`.trimEnd();
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
