/**
 * Sentences of the command line in the words of a tool: an option is an argument, a command is a tool.
 *
 * Pure. What no tool has stays as it is, as people read it too.
 */

/** A command line with its options, or an option by itself. */
const COMMAND_OR_OPTION = /(?:\brun: )?\bcra (?<command>[a-z]+)[^;]*|--(?<option>[a-z]+(?:-[a-z]+)*)/g;

/** Options whose lists have names of their own. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["accept", "accepted_files"],
  ["reject", "rejected_files"],
  ["error", "error_signatures"],
  ["body", "as_body"],
  ["signature", "as_signature"],
  ["leave-out", "left_out"],
]);

/** `names`: the arguments that there are, as tools call them; `tools`: the tools. */
export function inToolWords(sentence: string, names: readonly string[], tools: readonly string[]): string {
  const isCall = (words: string, command: string): boolean =>
    words === `run: cra ${command}` && tools.includes(command);
  return sentence.replaceAll(COMMAND_OR_OPTION, (words, command: string | undefined, option: string | undefined) => {
    if (option === undefined) return command !== undefined && isCall(words, command) ? `call ${command}` : words;
    const plain = option.replaceAll("-", "_");
    // What is typed several times is one list.
    return [plain, `${plain}s`, LISTS.get(option)].find((one) => one !== undefined && names.includes(one)) ?? words;
  });
}
