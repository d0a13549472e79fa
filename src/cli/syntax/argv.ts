/**
 * Parses arguments into a command with checked values, or throws a usage failure of one line.
 *
 * Commander splits words into options and arguments and finds near misses. The table says everything else: which options
 * exist, what their values may be, which exclude each other. No file is read and nothing is printed.
 */
import { CommanderError, Command as Parser, Option as ParserOption } from "commander";
import { suggestion } from "../../config/did-you-mean.ts";
import type { ConfigKey } from "../../config/keys.ts";
import type { TypedFlag } from "../../config/settings.ts";
import { flagLayer } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { shellWord } from "../../text/shell-word.ts";
import { readTokens } from "../../text/tokens/token-amount.ts";
import { type Argument, type Command, type CommandTable, type Option, optionsOf } from "./command.ts";
import { commandHelp, flagsOf, placeholder, programHelp } from "./help.ts";
import { type Values, valuesOf } from "./typed-values.ts";

type Parsed =
  | { readonly kind: "run"; readonly command: Command; readonly values: Values }
  /** `requested` is false for `cra` alone, an error that help answers. `text` is made for the width of what shows it. */
  | { readonly kind: "help"; readonly text: (width: number) => string; readonly requested: boolean }
  | { readonly kind: "version"; readonly verbose: boolean };

type Given = { readonly flags: ReadonlyMap<string, unknown>; readonly words: readonly string[] };

/** Parses the words after the program's name. Throws a usage failure. */
export function parseArguments(argv: readonly string[], table: CommandTable): Parsed {
  // `cra help retrieve` is `cra retrieve --help`.
  const words = argv[0] === "help" ? helpWords(argv[1], table) : withOwnValues(argv, table);
  const { commands, globalOptions } = table;
  let chosen: { readonly command: Command; readonly given: Given } | null = null;
  const help = { text: (width: number) => programHelp(table, width) };
  const program = strict(new Parser("cra"), () => {}).enablePositionalOptions();
  program.version("", "-V, --version");
  for (const option of globalOptions) program.addOption(parserOption(option));
  for (const command of commands) {
    const parser = strict(new Parser(command.name), () => {
      help.text = (width) => commandHelp(command, table, width);
    });
    program.addCommand(parser);
    // Other commands are only there to be suggested: adding the options of all takes milliseconds.
    if (!words.includes(command.name)) continue;
    for (const argument of command.arguments) parser.argument(placeholder(takingWords(argument)));
    for (const option of optionsOf(command, table)) parser.addOption(parserOption(option));
    parser.action(() => {
      const given = new Map([...givenOn(program, globalOptions), ...givenOn(parser, optionsOf(command, table))]);
      chosen = { command, given: { flags: given, words: parser.args } };
    });
  }
  try {
    program.parse(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version")
      return { kind: "version", verbose: /^(-v|--verbose)$/m.test(words.join("\n")) };
    if (error.code === "commander.helpDisplayed") return { kind: "help", ...help, requested: true };
    if (error.code === "commander.help") return { kind: "help", ...help, requested: false };
    throw new Failed(usageFailure(error, program.args[0], table), { cause: error });
  }
  return parsedRun(chosen, table);
}

/** A text takes all remaining words, though help shows it as one argument. */
const takingWords = (argument: Argument): Argument => (argument.isText ? { ...argument, variadic: true } : argument);

function valueAt({ variadic, isText }: Argument, words: readonly string[], position: number) {
  const rest = words.slice(position);
  if (variadic) return rest;
  return isText && rest.length > 0 ? rest.join(" ") : rest[0];
}

/** Words in which a text that follows an option with an optional value is not taken as that value. */
function withOwnValues(argv: readonly string[], table: CommandTable): readonly string[] {
  const bareFlags = new Set<string>(
    table.commands.flatMap(({ options }) => options).flatMap(({ flag, optional }) => (optional ? [flag] : [])),
  );
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const isOption = bareFlags.has(word) && (end < 0 || at < end);
    return isOption && /\s/.test(argv[at + 1] ?? "") ? `${word}=` : word;
  });
}

/** An unknown command is passed on without `--help`, so that it is refused. */
const helpWords = (name: string | undefined, { commands }: CommandTable): readonly string[] =>
  name === undefined || name.startsWith("-")
    ? ["--help"]
    : commands.some((row) => row.name === name)
      ? [name, "--help"]
      : [name];

// `chosen` is set inside a callback, which the compiler does not follow, so it is a parameter here.
function parsedRun(chosen: { readonly command: Command; readonly given: Given } | null, table: CommandTable): Parsed {
  if (chosen === null) return { kind: "help", text: (width) => programHelp(table, width), requested: false };
  return { kind: "run", command: chosen.command, values: checkedValues(chosen.command, chosen.given, table) };
}

/** A parser that throws instead of exiting and prints nothing by itself; `onHelp` hears that its help was asked for. */
function strict(parser: Parser, onHelp: () => void): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help")
    .allowExcessArguments(false)
    .configureHelp({
      formatHelp: () => {
        onHelp();
        return "";
      },
    })
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
}

function parserOption(row: Option): ParserOption {
  const { repeatable } = row;
  const option = new ParserOption(flagsOf(row));
  // For a variadic option commander would take every following word; here each use takes one value.
  if (repeatable) option.argParser((text: string, before: unknown) => [...(Array.isArray(before) ? before : []), text]);
  return option;
}

function givenOn(parser: Parser, options: readonly Option[]): readonly (readonly [string, unknown])[] {
  return options.flatMap((option) => {
    const name = parserOption(option).attributeName();
    return parser.getOptionValueSource(name) === "cli" ? [[option.flag, parser.getOptionValue(name)] as const] : [];
  });
}

/** A failure of one line from commander's message; `word` is where the name of a command is expected. */
function usageFailure({ message }: CommanderError, word: string | undefined, table: CommandTable) {
  const command = table.commands.find(({ name }) => name === word);
  const [first = "", hint = ""] = message.replace(/^error: /, "").split("\n");
  const plain = first
    .replace(/^(unknown option '[^'=]*)=.*$/s, "$1'")
    .replace(/ for '[^']*'\. Expected (\d+) arguments? but got (\d+).*/, ": expected $1, got $2")
    .replace(/\.$/, "");
  const manual = `see: cra ${command === undefined ? "" : `${command.name} `}--help`;
  const near = /\(Did you mean (?:one of )?(.+)\?\)/.exec(hint)?.[1];
  const [, flag] = /^unknown option '(--?[^'=]+)/.exec(first) ?? [];
  const next =
    flag === undefined ? commandHint(word, near) : (textHint(first, command) ?? flagHint(flag, command, table));
  return { code: "usage", message: plain, next: next ?? manual } as const;
}

const VERSION_HINT = "see: cra --version";

/** Advice for an unknown command, which may be a task; null for a known one. */
function commandHint(word: string | undefined, near: string | undefined): string | null {
  if (word === "version") return VERSION_HINT;
  if (word !== undefined && /\s/.test(word)) return `for a task, run: cra retrieve ${taskWord(word)}`;
  return near === undefined ? null : `did you mean ${near}?`;
}

/** A task as the shell takes it; a long one is not repeated. */
const taskWord = (text: string): string => (text.length > TASK_CHARS_SHOWN ? '"…"' : shellWord(text));
const TASK_CHARS_SHOWN = 60;

/** Advice for an unknown flag that holds a space, so is a text. */
function textHint(message: string, command: Command | undefined): string | null {
  const isText = command?.arguments.some((argument) => argument.isText) === true;
  if (!isText || !/^unknown option '[^=]*\s/.test(message)) return null;
  return `a text that starts with a dash goes after "--": cra ${command.name} -- "…"`;
}

/** Advice for an unknown flag: where it belongs, or the flag it resembles. */
function flagHint(flag: string, command: Command | undefined, table: CommandTable): string | null {
  const candidates = command === undefined ? table.commands : [command];
  const known = candidates.flatMap((row) => optionsOf(row, table)).map((option) => option.flag);
  if (known.some((name) => name === flag)) return "options of a command go after its name";
  if (flag === "--version" || flag === "-V") return VERSION_HINT;
  const next = suggestion(flag, [...known, "--help", ...(command === undefined ? ["--version"] : [])]);
  return next?.startsWith("did") ? next.replaceAll('"', "") : null;
}

/** Checks what commander found against the row. */
function checkedValues(command: Command, { flags: given, words }: Given, table: CommandTable): Values {
  const options = optionsOf(command, table);
  for (const option of options) checkCompany(option, given);
  const typed = new Map<string, string | number | boolean | readonly string[] | undefined>();
  const flags = new Map<ConfigKey, TypedFlag>();
  for (const option of options) {
    const value = given.get(option.flag);
    if (option.key === undefined)
      typed.set(option.flag, value === undefined ? undefined : checkedOption(option, value));
    else if (value !== undefined) flags.set(option.key, { flag: option.flag, typed: typedTexts(value) });
  }
  for (const [position, argument] of command.arguments.entries()) {
    const word = words[position];
    const own = words.slice(position, argument.variadic ? words.length : position + 1);
    if (argument.choices) for (const each of own) checkChoice(argument.name, each, argument.choices);
    if (word === undefined && argument.unless?.some((flag) => given.has(flag)) === false) {
      const message = `missing required argument '${argument.name}'`;
      throw new Failed({ code: "usage", message, next: `see: cra ${command.name} --help` });
    }
    typed.set(argument.name, valueAt(argument, words, position));
  }
  flagLayer(flags);
  return valuesOf(typed, flags);
}

function checkCompany({ flag, conflicts = [], needs = [] }: Option, given: ReadonlyMap<string, unknown>): void {
  if (!given.has(flag)) return;
  const rival = conflicts.find((other) => given.has(other));
  if (rival !== undefined)
    throw new Failed({ code: "usage", message: `${flag} and ${rival} exclude each other`, next: "give one of them" });
  const missing = needs.find((other) => !given.has(other));
  if (missing !== undefined) throw new Failed({ code: "usage", message: `${flag} needs ${missing} too` });
}

function checkedOption(option: Option, value: unknown): string | number | boolean | readonly string[] {
  if (option.value === undefined) return true;
  const texts = typedTexts(value);
  if (typeof texts !== "string") return texts;
  if (option.optional) return value === true ? "" : texts;
  if (texts === "") throw new Failed({ code: "usage", message: `${option.flag}: the value is empty` });
  if (option.choices) checkChoice(option.flag, texts, option.choices);
  if (option.whole === undefined) return texts;
  const { least, most } = option.whole;
  const number =
    (option.value === "tokens" ? readTokens(texts) : /^\d{1,15}$/.test(texts) ? Number(texts) : null) ?? Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Failed({
    code: "usage",
    message: `${option.flag}: ${JSON.stringify(texts.slice(0, 60))} is not a whole number from ${least} to ${most}`,
  });
}

function checkChoice(name: string, word: string, choices: readonly string[]): void {
  if (choices.includes(word)) return;
  const next = suggestion(word, choices);
  throw new Failed({
    code: "usage",
    message: `${name}: ${JSON.stringify(word.slice(0, 60))} is not one of ${choices.join(", ")}`,
    ...(next?.startsWith("did") ? { next } : {}),
  });
}

const typedTexts = (value: unknown): string | readonly string[] =>
  Array.isArray(value) ? value.map(String) : String(value);
