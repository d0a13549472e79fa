/**
 * Translates sentences of the command line into terms of tools: options become arguments, commands become tools.
 *
 * Anything that no tool has stays unchanged, because people read it too.
 */

/** A command line with its options, or a single option. */
const COMMAND_OR_OPTION = /(?:\brun: )?\bcra (?<command>[a-z]+)[^;]*|--(?<option>[a-z]+(?:-[a-z]+)*)/g;

/** Advice about the order of words, which a call does not have, about a list that no tool gives, and options that stand for other arguments. */
const OF_COMMAND_LINE = /; a task goes before the option, or after --|see: cra sessions, or |--(?:request|handoff), /g;

/** Options with lists of other names. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["accept", "accepted_files"],
  ["reject", "rejected_files"],
  ["error", "error_signatures"],
  ["body", "as_body"],
  ["signature", "as_signature"],
  ["leave-out", "left_out"],
]);

/** The argument that says what two options do. */
const CHOICE = /--keep-constraints, --drop-constraints/g;

/** Commands whose work a tool does by itself. */
const DONE_BY: ReadonlyMap<string, string> = new Map([["index", "retrieve"]]);

/** `names`: the existing arguments, as tools call them; `tools`: the tools. */
export function inToolWords(sentence: string, names: readonly string[], tools: readonly string[]): string {
  const callOf = (words: string, command: string | undefined): string => {
    const tool = DONE_BY.get(command ?? "") ?? command;
    const isCall =
      command === "search"
        ? words.startsWith("run: cra search ")
        : [`run: cra ${command}`, `run: cra ${command} "TASK"`].includes(words);
    return isCall && tool !== undefined && tools.includes(tool) ? `call ${tool}` : words;
  };
  const said = sentence
    .replaceAll(OF_COMMAND_LINE, "")
    .replaceAll(CHOICE, "--standing")
    .replaceAll("see: cra schema refinement", "see the input schema");
  return said.replaceAll(COMMAND_OR_OPTION, (words, command: string | undefined, option: string | undefined) => {
    if (option === undefined) return callOf(words, command);
    const plain = option.replaceAll("-", "_");
    // A repeated option is one list.
    return [plain, `${plain}s`, LISTS.get(option)].find((one) => one !== undefined && names.includes(one)) ?? words;
  });
}
