/**
 * Completion scripts for bash, zsh and fish, made from the command table.
 *
 * The scripts are static: completing runs nothing. They offer commands, flags, the known words of a value, and files or
 * folders where a path is expected.
 */
import { keyFacts } from "../../config/keys.ts";
import { type Argument, type Command, type CommandTable, type Option, optionsOf } from "./command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (table: CommandTable) => string>> = { bash, zsh, fish };

/** The script that makes a shell complete `cra`. */
export const completionScript = (shell: Shell, table: CommandTable): string => SCRIPTS[shell](table);

/** The values of an option, when they are known. */
function knownWords({ choices, key }: Option): readonly string[] {
  return choices ?? (key === undefined ? [] : (keyFacts(key).words ?? []));
}

/** Printed for a command that it is followed by; the table of commands lacks it. */
const HELP_WORD = { name: "help", summary: "print help, or the help of a command" } as const;
const HELP_FLAGS = ["-h", "--help"];
const namesOf = ({ flag, short }: Option): readonly string[] => (short === undefined ? [flag] : [short, flag]);
const flagNames = (options: readonly Option[]): string => [...options.flatMap(namesOf), ...HELP_FLAGS].join(" ");

// --- bash ---

/**
 * Paths are left to bash, which quotes blanks and continues into folders: the reply is empty, and `-o default` completes a file. Bash
 * before 4 has no `compopt`; it completes files everywhere.
 */
function bash(table: CommandTable): string {
  const { commands, globalOptions } = table;
  const all = [
    ...new Map(
      commands.flatMap((command) => optionsOf(command, table)).map((option) => [option.flag, option]),
    ).values(),
  ];
  return `# bash completion for cra
_cra() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  # --flag=value is three words here.
  if [[ $current == "=" ]]; then
    current=
  elif [[ $previous == "=" ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "\${words[@]}"; do
    case $word in
      ${commands.map(({ name }) => name).join("|")}) command=$word; break ;;
    esac
  done
  case $previous in
${all
  .filter(({ value, optional }) => value !== undefined && !optional)
  .map(bashValue)
  .join("\n")}
  esac
  case $command in
    "") ${bashWords([...commands.map(({ name }) => name), HELP_WORD.name, flagNames(globalOptions), "-V --version"])} ;;
${commands.map((command) => bashCommand(command, table)).join("\n")}
  esac
}
complete -o default -F _cra cra
`;
}

const bashWords = (words: readonly string[]): string =>
  `COMPREPLY=($(compgen -W "${words.join(" ").trim()}" -- "$current"))`;

/** What completes a path after an empty reply. */
const BASH_PATH = { file: "", folder: "compopt -o dirnames +o default 2>/dev/null; " } as const;

function bashValue(option: Option): string {
  const words = knownWords(option);
  const path = option.completes === undefined ? "compopt +o default 2>/dev/null; " : BASH_PATH[option.completes];
  return `    ${namesOf(option).join("|")}) ${words.length > 0 ? `${bashWords(words)}; ` : path}return ;;`;
}

function bashCommand(command: Command, table: CommandTable): string {
  const words = command.arguments.flatMap(({ choices = [] }) => choices);
  const reply = bashWords([...words, flagNames(optionsOf(command, table))]);
  const path = command.arguments.find(({ completes }) => completes !== undefined)?.completes;
  if (path === undefined) return `    ${command.name}) ${reply} ;;`;
  return `    ${command.name}) ${BASH_PATH[path]}if [[ $current == -* ]]; then ${reply}; fi ;;`;
}

// --- zsh ---

function zsh(table: CommandTable): string {
  const { commands, globalOptions } = table;
  return `#compdef cra
# zsh completion for cra
_cra() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${commands.map(zshDescribed).join("\n")}
  )
  _arguments -C \\
${globalOptions
  .flatMap(zshOption)
  .map((spec) => `    ${spec} \\\n`)
  .join("")}    '(- *)'{-V,--version}'[print the version]' \\
    '(- *)'{-h,--help}'[print help]' \\
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      commands+=(${zshDescribed(HELP_WORD).trim()})
      _describe command commands
      ;;
    argument)
      case $line[1] in
        ${HELP_WORD.name}) (( CURRENT == 2 )) && _describe command commands ;;
${commands.map((command) => zshCommand(command, table)).join("\n")}
      esac
      ;;
  esac
}
if [ "$funcstack[1]" = _cra ]; then
  _cra "$@"
else
  compdef _cra cra
fi
`;
}

const zshDescribed = ({ name, summary }: Pick<Command, "name" | "summary">): string =>
  `    ${zshQuoted(`${name}:${summary}`)}`;

function zshCommand(command: Command, table: CommandTable): string {
  const specs = [
    ...optionsOf(command, table).flatMap(zshOption),
    "'(- *)'{-h,--help}'[print help]'",
    ...command.arguments.map(zshArgument),
  ];
  return `        ${command.name})\n          _arguments -s \\\n${specs.map((spec) => `            ${spec}`).join(" \\\n")}\n          ;;`;
}

function zshArgument(argument: Argument, position: number): string {
  const { name, required, variadic, choices, completes } = argument;
  const action = zshAction(choices ?? [], completes);
  return zshQuoted(`${variadic ? "*" : position + 1}:${required ? "" : ":"}${name}:${action}`);
}

function zshAction(words: readonly string[], completes: Option["completes"]): string {
  if (words.length > 0) return `(${words.join(" ")})`;
  return completes === undefined ? " " : completes === "folder" ? "_files -/" : "_files";
}

function zshOption(option: Option): readonly string[] {
  const action = zshAction(knownWords(option), option.completes);
  const value = option.value === undefined ? "" : `${option.optional ? "::" : ":"}${option.value}:${action}`;
  const summary = option.summary.replace(/[[\]:]/g, "\\$&");
  return namesOf(option).map((name) => {
    const separator = option.value !== undefined && name.startsWith("--") ? "=" : "";
    return zshQuoted(`${option.repeatable ? "*" : ""}${name}${separator}[${summary}]${value}`);
  });
}

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// --- fish ---

function fish({ commands, globalOptions }: CommandTable): string {
  return `# fish completion for cra
# Whether this is the first word that is a command; without one, whether there is none.
function __cra_command
  for word in (commandline -opc)[2..-1]
    if contains -- $word ${commands.map(({ name }) => name).join(" ")}
      test "$argv" = $word
      return
    end
  end
  test -z "$argv"
end
complete -c cra -f
${[...commands, HELP_WORD].map(({ name, summary }) => `complete -c cra -n __cra_command -a ${name} -d ${fishQuoted(summary)}`).join("\n")}
complete -c cra -n __cra_command -s V -l version -d 'print the version'
complete -c cra -s h -l help -d 'print help'
${globalOptions.map((option) => fishOption(option, "")).join("\n")}
${commands.flatMap(fishCommand).join("\n")}
`;
}

function fishCommand(command: Command): readonly string[] {
  const condition = `-n '__cra_command ${command.name}' `;
  return [
    ...command.options.map((option) => fishOption(option, condition)),
    ...command.arguments.flatMap(({ choices, completes }) => {
      if (choices) return [`complete -c cra ${condition}-a ${fishQuoted(choices.join(" "))}`];
      if (completes === undefined) return [];
      return [
        completes === "folder"
          ? `complete -c cra ${condition}-a '(__fish_complete_directories)'`
          : `complete -c cra ${condition}-F`,
      ];
    }),
  ];
}

function fishOption(option: Option, condition: string): string {
  const value = fishValue(option);
  const short = option.short === undefined ? "" : ` -s ${option.short.slice(1)}`;
  return `complete -c cra ${condition}${short.trim() === "" ? "" : `${short.trim()} `}-l ${option.flag.slice(2)}${value} -d ${fishQuoted(option.summary)}`;
}

/** What fish completes after an option: nothing, these words, a file, or any text. */
function fishValue(option: Option): string {
  if (option.value === undefined) return "";
  const words = knownWords(option);
  if (words.length > 0) return ` -x -a ${fishQuoted(words.join(" "))}`;
  if (option.completes !== undefined) return " -r -F";
  return option.optional ? " -f" : " -x";
}

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
