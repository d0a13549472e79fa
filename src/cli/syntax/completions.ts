/**
 * Completion scripts for bash, zsh and fish, generated from the command table.
 *
 * Each lists every command and flag, offers the known words of a value, and files or folders where a
 * path is expected. Nothing is run while completing: the scripts are static.
 */
import { keyFacts } from "../../config/keys.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../commands/table.ts";
import { optionsOf } from "./argv.ts";
import type { Argument, Command, Option } from "./command.ts";
import type { Shell } from "./names.ts";

export function completionScript(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return zsh();
    case "fish":
      return fish();
  }
}

/** The words that a value can be, when they are known. */
function wordsFor({ choices, key }: Option): readonly string[] {
  return choices ?? (key === undefined ? [] : (keyFacts(key).words ?? []));
}

const HELP_FLAGS = ["-h", "--help"];
const namesOf = ({ flag, short }: Option): readonly string[] => (short === undefined ? [flag] : [short, flag]);
const flagNames = (options: readonly Option[]): string => [...options.flatMap(namesOf), ...HELP_FLAGS].join(" ");

// --- bash ---

function bash(): string {
  const all = [...new Map(COMMANDS.flatMap(optionsOf).map((option) => [option.flag, option])).values()];
  return `# bash completion for cra
_cra() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  for word in "\${words[@]}"; do
    case $word in
      ${COMMANDS.map(({ name }) => name).join("|")}) command=$word; break ;;
    esac
  done
  case $previous in
${all
  .filter(({ value, optional }) => value !== undefined && !optional)
  .map(bashValue)
  .join("\n")}
  esac
  case $command in
    "") COMPREPLY=($(compgen -W "${[...COMMANDS.map(({ name }) => name), "help"].join(" ")} ${flagNames(GLOBAL_OPTIONS)} -V --version" -- "$current")) ;;
${COMMANDS.map(bashCommand).join("\n")}
  esac
}
complete -o default -F _cra cra
`;
}

function bashValue(option: Option): string {
  const words = wordsFor(option);
  const reply =
    words.length > 0
      ? `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current"))`
      : `COMPREPLY=(${option.completes === undefined ? "" : `$(compgen ${option.completes === "folder" ? "-d" : "-f"} -- "$current")`})`;
  return `    ${namesOf(option).join("|")}) ${reply}; return ;;`;
}

function bashCommand(command: Command): string {
  const words = command.arguments.flatMap(({ choices = [] }) => choices).join(" ");
  const flags = flagNames(optionsOf(command));
  const path = command.arguments.find(({ completes }) => completes !== undefined)?.completes;
  const more = path === undefined ? "" : ` $(compgen ${path === "folder" ? "-d" : "-f"} -- "$current")`;
  return `    ${command.name}) COMPREPLY=($(compgen -W "${`${words} ${flags}`.trim()}" -- "$current")${more}) ;;`;
}

// --- zsh ---

function zsh(): string {
  return `#compdef cra
# zsh completion for cra
_cra() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${GLOBAL_OPTIONS.flatMap(zshOption)
  .map((spec) => `    ${spec} \\\n`)
  .join("")}    '(- *)'{-V,--version}'[print the version]' \\
    '(- *)'{-h,--help}'[print help]' \\
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${COMMANDS.map(({ name, summary }) => `        ${zshQuoted(`${name}:${summary}`)}`).join("\n")}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
${COMMANDS.map(zshCommand).join("\n")}
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

function zshCommand(command: Command): string {
  const specs = [
    ...optionsOf(command).flatMap(zshOption),
    "'(- *)'{-h,--help}'[print help]'",
    ...command.arguments.map(zshArgument),
  ];
  return `        ${command.name})\n          _arguments -s \\\n${specs.map((spec) => `            ${spec}`).join(" \\\n")}\n          ;;`;
}

function zshArgument(argument: Argument, position: number): string {
  const { name, required, variadic, choices, completes } = argument;
  const action = choices
    ? `(${choices.join(" ")})`
    : completes === undefined
      ? " "
      : completes === "folder"
        ? "_files -/"
        : "_files";
  return zshQuoted(`${variadic ? "*" : position + 1}:${required ? "" : ":"}${name}:${action}`);
}

function zshOption(option: Option): readonly string[] {
  const words = wordsFor(option);
  const action =
    words.length > 0
      ? `(${words.join(" ")})`
      : option.completes === undefined
        ? " "
        : option.completes === "folder"
          ? "_files -/"
          : "_files";
  const value = option.value === undefined ? "" : `${option.optional ? "::" : ":"}${option.value}:${action}`;
  const summary = option.summary.replace(/[[\]:]/g, "\\$&");
  return namesOf(option).map((name) => zshQuoted(`${option.repeatable ? "*" : ""}${name}[${summary}]${value}`));
}

const zshQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// --- fish ---

function fish(): string {
  return `# fish completion for cra
complete -c cra -f
${[...COMMANDS.map(({ name, summary }) => `complete -c cra -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`)].join("\n")}
complete -c cra -n __fish_use_subcommand -s V -l version -d 'print the version'
complete -c cra -s h -l help -d 'print help'
${GLOBAL_OPTIONS.map((option) => fishOption(option, "")).join("\n")}
${COMMANDS.flatMap(fishCommand).join("\n")}
`;
}

function fishCommand(command: Command): readonly string[] {
  const condition = `-n '__fish_seen_subcommand_from ${command.name}' `;
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
  const words = wordsFor(option);
  const value =
    option.value === undefined
      ? ""
      : words.length > 0
        ? ` -x -a ${fishQuoted(words.join(" "))}`
        : option.completes === undefined
          ? option.optional
            ? " -f"
            : " -x"
          : " -r -F";
  const short = option.short === undefined ? "" : ` -s ${option.short.slice(1)}`;
  return `complete -c cra ${condition}${short.trim() === "" ? "" : `${short.trim()} `}-l ${option.flag.slice(2)}${value} -d ${fishQuoted(option.summary)}`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
