/**
 * The command table as a manual page, in the language of man (roff).
 *
 * Pure and dateless: the same version gives the same bytes. Whatever a row says is text, never a request of the
 * language, and everything beyond ASCII is named by its number, so that no setting of the reader matters.
 */
import { CONFIG_KEYS, keyFacts, variableOf } from "../../config/keys.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../commands/table.ts";
import type { Argument, Command, Example, Option } from "./command.ts";
import { EXIT_CODES, flagsOf, PURPOSE, placeOf, remarkOf, usage } from "./help.ts";

/** The page `cra(1)` of a version. */
export function manPage(version: string): string {
  return [
    `.TH CRA 1 "" "cra ${text(version)}" "User Commands"`,
    ".nh",
    section("NAME", [`cra \\- ${text("find the smallest set of code that is enough to do a task")}`]),
    section("SYNOPSIS", ["\\fBcra\\fR \\fIcommand\\fR [\\fIoptions\\fR]", ".br", "\\fBcra\\fR"]),
    section("DESCRIPTION", [
      text(PURPOSE),
      ".PP",
      text("Run alone on a terminal, it opens its interface. Options of a command go after its name."),
    ]),
    section("COMMANDS", COMMANDS.flatMap(commandLines)),
    section("OPTIONS OF EVERY COMMAND", [
      ...GLOBAL_OPTIONS.flatMap(optionLines),
      ...item("-V, --version", "print the version; with -v, of its parts too"),
      ...item("-h, --help", "print help; after a command, that command's"),
    ]),
    section("SETTINGS", [
      text(
        "An option beats a variable, which beats .cra.toml in the repository, which beats cra/config.toml in the user's configuration folder. cra config --explain says which value holds.",
      ),
      ...CONFIG_KEYS.flatMap((key) => item(key, `${keyFacts(key).summary} (${variableOf(key)})`)),
    ]),
    section(
      "EXIT STATUS",
      EXIT_CODES.flatMap(([codes, meaning]) => item(codes, meaning)),
    ),
    section("FILES", [
      ...item(".cra/", "in the repository: the index, the log and the sessions; it ignores itself"),
      ...item(".cra.toml", "settings of the repository"),
      ...item(".craignore", "what is not indexed, as in .gitignore"),
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

const argumentLines = (argument: Argument): readonly string[] => item(placeOf(argument), argument.summary);

const optionLines = (option: Option): readonly string[] =>
  item(flagsOf(option), [option.summary, remarkOf(option)].filter(Boolean).join(" "));

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

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** A text as the one argument of a request. */
const quoted = (words: string): string => `"${text(words).replaceAll('"', "\\(dq")}"`;

/** A text that stands for itself. */
function text(words: string): string {
  const escaped = words
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
