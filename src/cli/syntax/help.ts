/**
 * The command table as help: examples first, then arguments and options.
 *
 * Pure: at most 100 columns, no colour, the same on every machine. Defaults and variables come from the
 * configuration's table, so help cannot disagree with them.
 */
import { DEFAULT_SETTINGS, variableOf } from "../../config/keys.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../commands/table.ts";
import type { Argument, Command, Example, Option } from "./command.ts";

/** The column that descriptions start in, unless a term is longer. */
const TERM_WIDTH = 30;
const LINE_WIDTH = 100;

/** What the program does, in a sentence. */
export const PURPOSE =
  "cra finds the smallest set of code that is enough to do a task, and says why each piece is there.";

/** What a run may end with, and what that says. */
export const EXIT_CODES: readonly (readonly [codes: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "done, with a negative result"],
  ["2", "wrong usage or configuration, or a budget that is too small"],
  ["3", "done, but inputs were skipped, under --strict"],
  ["10, 11, 12", "not indexed; another cra is writing; index or memory damaged or newer"],
  ["13", "a model that had to answer did not"],
  ["70, 74", "internal error; input or output error"],
  ["129, 130, 131, 143", "stopped by a signal"],
];

/** `cra --help`. */
export function programHelp(): string {
  return page([
    PURPOSE,
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
    section(
      "Exit codes",
      EXIT_CODES.map(([codes, meaning]) => row(codes, meaning)),
    ),
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
export const flagsOf = ({ flag, short, value, optional }: Option): string =>
  `${short === undefined ? "" : `${short}, `}${flag}${value === undefined ? "" : optional ? ` [${value}]` : ` <${value}>`}`;

/** What else there is to know of an option: its default, variable and whether it repeats. */
export function remarkOf({ key, repeatable }: Option): string {
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
