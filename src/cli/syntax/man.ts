/**
 * The manual page, in roff, made from the command table.
 *
 * The page has no date, so a version always gives the same bytes. All text is escaped: no row can hold a roff request, and
 * the encoding of the reader does not matter.
 */
import { CONFIG_KEYS, keyFacts, variableOf } from "../../config/keys.ts";
import type { Argument, Command, CommandTable, Example, Option } from "./command.ts";
import { EXIT_CODES, flagsOf, optionRemark, PURPOSE, placeholder, usage } from "./help.ts";

/** The page `cra(1)` of a version. */
export function manPage(version: string, { commands, globalOptions }: CommandTable): string {
  return [
    `.TH CRA 1 "" "cra ${text(version)}" "User Commands"`,
    ".nh",
    section("NAME", [`cra \\- ${text("find the smallest set of code that is enough to do a task")}`]),
    section("SYNOPSIS", ["\\fBcra\\fR \\fIcommand\\fR [\\fIoptions\\fR]", ".br", "\\fBcra\\fR"]),
    section("DESCRIPTION", [
      text(PURPOSE),
      ".PP",
      text("Without arguments on a terminal, cra opens its interface. Options of a command go after its name."),
    ]),
    section("COMMANDS", commands.flatMap(commandLines)),
    section("OPTIONS OF EVERY COMMAND", [
      ...globalOptions.flatMap(optionLines),
      ...item("-V, --version", "print the version; with -v also those of its parts"),
      ...item("-h, --help", "print help; after a command, for that command"),
    ]),
    section("SETTINGS", [
      text(
        "An option overrides a variable, which overrides .cra.toml in the repository, which overrides cra/config.toml in the user's configuration folder. cra config --explain shows where each value comes from.",
      ),
      ...CONFIG_KEYS.flatMap((key) => item(key, `${keyFacts(key).summary} (${variableOf(key)})`)),
    ]),
    section(
      "EXIT STATUS",
      EXIT_CODES.flatMap(([codes, meaning]) => item(codes, meaning)),
    ),
    section("FILES", [
      ...item(".cra/", "in the repository: the index, the log and the sessions; git ignores it"),
      ...item(".cra.toml", "settings of the repository"),
      ...item(".craignore", "files that are not indexed, as in .gitignore"),
    ]),
  ]
    .join("\n")
    .concat("\n");
}

function commandLines(command: Command): readonly string[] {
  const { summary, arguments: args, options, examples } = command;
  return [
    `.SS ${quoted(usage(command))}`,
    text(sentence(summary)),
    ...args.flatMap(argumentLines),
    ...options.flatMap(optionLines),
    ...(examples.length === 0 ? [] : [".PP", "Examples:", ...examples.flatMap(exampleLines)]),
  ];
}

const argumentLines = (argument: Argument): readonly string[] => item(placeholder(argument), argument.summary);

const optionLines = (option: Option): readonly string[] =>
  item(flagsOf(option), [option.summary, optionRemark(option)].filter(Boolean).join(" "));

const exampleLines = ({ line, does }: Example): readonly string[] => [
  ".RS 4",
  text(does),
  ".br",
  `\\fB${text(line)}\\fR`,
  ".RE",
];

const section = (title: string, lines: readonly string[]): string => [`.SH ${quoted(title)}`, ...lines].join("\n");

const item = (term: string, description: string): readonly string[] => [
  ".TP",
  `\\fB${text(term)}\\fR`,
  text(description),
];

const sentence = (plain: string): string => `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;

/** A text as the single argument of a roff request. */
const quoted = (plain: string): string => `"${text(plain).replaceAll('"', "\\(dq")}"`;

/** A text with everything escaped that roff would interpret. */
function text(plain: string): string {
  const escaped = plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/\s+/g, " ")
    .replace(
      /[^\x20-\x7e]/gu,
      (char) => `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
  return escaped.startsWith(".") ? `\\&${escaped}` : escaped;
}
