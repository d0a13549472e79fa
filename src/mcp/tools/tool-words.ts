/**
 * Translates sentences of the command line into terms of tools: options become arguments, commands become tools.
 *
 * Anything that no tool has stays unchanged, because people read it too.
 */

/** A command line with its options, or a single option. */
const COMMAND_OR_OPTION = /(?:\brun: )?\bcra (?<command>[a-z]+)[^;]*|--(?<option>[a-z]+(?:-[a-z]+)*)/g;

/** Advice about the order of words, which a call does not have, and about a list that no tool gives. */
const OF_COMMAND_LINE = /; a task goes before the option, or after --|see: cra sessions, or /g;

/** Options with lists of other names. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["accept", "accepted_files"],
  ["reject", "rejected_files"],
  ["error", "error_signatures"],
  ["body", "as_body"],
  ["signature", "as_signature"],
  ["leave-out", "left_out"],
]);

/** `names`: the existing arguments, as tools call them; `tools`: the tools. */
export function inToolWords(sentence: string, names: readonly string[], tools: readonly string[]): string {
  const isCall = (words: string, command: string): boolean =>
    words === `run: cra ${command}` && tools.includes(command);
  const said = sentence.replaceAll(OF_COMMAND_LINE, "");
  return said.replaceAll(COMMAND_OR_OPTION, (words, command: string | undefined, option: string | undefined) => {
    if (option === undefined) return command !== undefined && isCall(words, command) ? `call ${command}` : words;
    const plain = option.replaceAll("-", "_");
    // A repeated option is one list.
    return [plain, `${plain}s`, LISTS.get(option)].find((one) => one !== undefined && names.includes(one)) ?? words;
  });
}
