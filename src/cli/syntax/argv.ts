/**
 * The one door to commander: arguments to a command with checked values, or a usage failure.
 *
 * Commander splits words into options and arguments and finds near misses; everything else is the
 * table's (`command.ts`): which options exist, what their values may be, what excludes what. Errors are
 * one line. Parsing does nothing else: no file is read, nothing is printed.
 */
import { CommanderError, Command as Parser, Option as ParserOption } from "commander";
import { suggestion } from "../../config/did-you-mean.ts";
import type { ConfigKey } from "../../config/keys.ts";
import type { TypedFlag } from "../../config/settings.ts";
import { flagLayer } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../commands/table.ts";
import type { Command, Option } from "./command.ts";
import { commandHelp, flagsOf, placeOf, programHelp } from "./help.ts";
import { type Values, valuesOf } from "./typed-values.ts";

export type Parsed =
  | { readonly kind: "run"; readonly command: Command; readonly values: Values }
  /** `asked` is false for `cra` alone, which is an error that help answers. */
  | { readonly kind: "help"; readonly text: string; readonly asked: boolean }
  | { readonly kind: "version"; readonly verbose: boolean };

type Given = { readonly flags: ReadonlyMap<string, unknown>; readonly words: readonly string[] };

/** Parses the words after the program's name. Throws a usage failure. */
export function parseArguments(argv: readonly string[]): Parsed {
  // `cra help retrieve` is `cra retrieve --help`.
  const words = argv[0] === "help" ? helpWords(argv[1]) : withOwnValues(argv);
  let chosen: { readonly command: Command; readonly given: Given } | null = null;
  let printed = "";
  const program = strict(new Parser("cra"), programHelp, (text) => (printed += text)).enablePositionalOptions();
  program.version("", "-V, --version");
  for (const option of GLOBAL_OPTIONS) program.addOption(parserOption(option));
  for (const command of COMMANDS) {
    const parser = strict(
      new Parser(command.name),
      () => commandHelp(command),
      (text) => (printed += text),
    );
    program.addCommand(parser);
    // A command that nobody named is there to be suggested; the options of all take milliseconds.
    if (!words.includes(command.name)) continue;
    for (const argument of command.arguments) parser.argument(placeOf(argument));
    for (const option of optionsOf(command)) parser.addOption(parserOption(option));
    parser.action(() => {
      const given = new Map([...givenOn(program, GLOBAL_OPTIONS), ...givenOn(parser, optionsOf(command))]);
      chosen = { command, given: { flags: given, words: parser.args } };
    });
  }
  try {
    program.parse(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version")
      return { kind: "version", verbose: /^(-v|--verbose)$/m.test(words.join("\n")) };
    if (error.code === "commander.helpDisplayed") return { kind: "help", text: printed, asked: true };
    if (error.code === "commander.help") return { kind: "help", text: programHelp(), asked: false };
    throw new Failed(usageOf(error, words), { cause: error });
  }
  return runOf(chosen);
}

/** The words, where a text behind an option whose value may be left out is not taken for that value. */
function withOwnValues(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const isOption = BARE_FLAGS.has(word) && (end < 0 || at < end);
    return isOption && /\s/.test(argv[at + 1] ?? "") ? `${word}=` : word;
  });
}

/** An unknown command is asked for without `--help`, so that it is refused as one. */
const helpWords = (name: string | undefined): readonly string[] =>
  name === undefined || name.startsWith("-")
    ? ["--help"]
    : COMMANDS.some((row) => row.name === name)
      ? [name, "--help"]
      : [name];

/** The options of a command with the global ones, as help lists them. */
export const optionsOf = (command: Command): readonly Option[] => [...command.options, ...GLOBAL_OPTIONS];

/** The options whose value may be left out. */
const BARE_FLAGS: ReadonlySet<string> = new Set(
  COMMANDS.flatMap(optionsOf).flatMap(({ flag, optional }) => (optional ? [flag] : [])),
);

// `chosen` is set inside a callback, which the compiler does not follow: it is handed over as a parameter.
function runOf(chosen: { readonly command: Command; readonly given: Given } | null): Parsed {
  if (chosen === null) return { kind: "help", text: programHelp(), asked: false };
  return { kind: "run", command: chosen.command, values: checked(chosen.command, chosen.given) };
}

/** A parser that throws instead of exiting and prints nothing by itself. */
function strict(parser: Parser, help: () => string, print: (text: string) => void): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help")
    .allowExcessArguments(false)
    .configureHelp({ formatHelp: help })
    .configureOutput({ writeOut: print, writeErr: () => {} });
}

function parserOption(row: Option): ParserOption {
  const { repeatable } = row;
  const option = new ParserOption(flagsOf(row));
  // Commander would swallow every following word for a variadic option; one value each time is meant.
  if (repeatable) option.argParser((text: string, before: unknown) => [...(Array.isArray(before) ? before : []), text]);
  return option;
}

function givenOn(parser: Parser, options: readonly Option[]): readonly (readonly [string, unknown])[] {
  return options.flatMap((option) => {
    const name = parserOption(option).attributeName();
    return parser.getOptionValueSource(name) === "cli" ? [[option.flag, parser.getOptionValue(name)] as const] : [];
  });
}

/** Commander's words as our one line. */
function usageOf({ code, message }: CommanderError, words: readonly string[]) {
  const command = COMMANDS.find(({ name }) => words.includes(name));
  const [first = "", hint = ""] = message.replace(/^error: /, "").split("\n");
  const plain = first
    .replace(/^(unknown option '[^'=]*)=.*$/s, "$1'")
    .replace(/ for '[^']*'\. Expected (\d+) arguments? but got (\d+).*$/, ": expected $1, got $2")
    .replace(/\.$/, "");
  const manual = `see: cra ${command === undefined ? "" : `${command.name} `}--help`;
  const near = /\(Did you mean (?:one of )?(.+)\?\)/.exec(hint)?.[1];
  const [, flag] = /^unknown option '(--?[^'=]+)/.exec(first) ?? [];
  const next =
    flag !== undefined
      ? (textHint(first, command) ?? flagHint(flag, command) ?? manual)
      : near !== undefined
        ? `did you mean ${near}?`
        : code === "commander.excessArguments"
          ? (command?.quoting ?? manual)
          : manual;
  return { code: "usage", message: plain, next } as const;
}

/** For what is no flag at all but a text, since it holds a space. */
function textHint(message: string, command: Command | undefined): string | null {
  if (command?.quoting === undefined || !/^unknown option '[^=]*\s/.test(message)) return null;
  return `a text that starts with a dash goes after "--": cra ${command.name} -- "…"`;
}

/** For a flag that is not known where it stands: where it belongs, or what it may have been meant to be. */
function flagHint(flag: string, command: Command | undefined): string | null {
  const known = (command === undefined ? COMMANDS.flatMap(optionsOf) : optionsOf(command)).map((option) => option.flag);
  if (known.some((name) => name === flag)) return "options of a command go after its name";
  const next = suggestion(flag, known);
  return next?.startsWith("did") ? next.replaceAll('"', "") : null;
}

/** The second stage: values against the row. */
function checked(command: Command, { flags: given, words }: Given): Values {
  const options = optionsOf(command);
  for (const option of options) checkCompany(option, given);
  const typed = new Map<string, string | number | boolean | readonly string[] | undefined>();
  const flags = new Map<ConfigKey, TypedFlag>();
  for (const option of options) {
    const value = given.get(option.flag);
    if (option.key === undefined)
      typed.set(option.flag, value === undefined ? undefined : checkedOption(option, value));
    else if (value !== undefined) flags.set(option.key, { flag: option.flag, typed: textsOf(value) });
  }
  for (const [position, argument] of command.arguments.entries()) {
    const word = words[position];
    if (word !== undefined && argument.choices) checkChoice(argument.name, word, argument.choices);
    if (word === undefined && argument.unless?.some((flag) => given.has(flag)) === false) {
      const message = `missing required argument '${argument.name}'`;
      throw new Failed({ code: "usage", message, next: `see: cra ${command.name} --help` });
    }
    typed.set(argument.name, argument.variadic ? words.slice(position) : word);
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
  const texts = textsOf(value);
  if (typeof texts !== "string") return texts;
  if (option.optional) return value === true ? "" : texts;
  if (texts === "") throw new Failed({ code: "usage", message: `${option.flag}: the value is empty` });
  if (option.choices) checkChoice(option.flag, texts, option.choices);
  if (option.whole === undefined) return texts;
  const { least, most } = option.whole;
  const number = /^\d{1,15}$/.test(texts) ? Number(texts) : Number.NaN;
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

const textsOf = (value: unknown): string | readonly string[] =>
  Array.isArray(value) ? value.map(String) : String(value);
