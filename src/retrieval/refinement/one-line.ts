/**
 * The call that gives a package at once, as it can be pasted into a shell.
 */
import { shellWord } from "../../text/shell-word.ts";
import type { Reproduction } from "./reproduction.ts";

/** What needs no quotes, though it begins with a dash. */
const FLAG = /^--?[a-z-]*$/;

/** `place` are words that say where the repository and its data are. A task that is too long for it is piped in. */
export function oneLine(place: readonly string[], { words }: Pick<Reproduction, "words">): string {
  const quoted = ["cra", "retrieve", ...place, ...words].map((word) => (FLAG.test(word) ? word : shellWord(word)));
  return `${quoted.join(" ")}${words.at(-1) === "-" ? " < TASK" : ""}`;
}
