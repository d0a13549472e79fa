/**
 * Chooses how history is read: through the git executable when there is one, else by the built-in
 * reader; and by the built-in reader too when git refuses (a repository owned by another user, say).
 */

import { NOT_A_REPOSITORY } from "../git/folders.ts";
import { type Environment, findGit } from "../git/process.ts";
import { type Head, type HistoryReader, NO_COMMITS } from "./history.ts";
import { gitHistory } from "./history-git.ts";

/** `git`: "builtin" never runs a program. `environment`: the caller's variables, to find git and the user's settings. */
export type OpenHistoryOptions = { readonly git: "auto" | "builtin"; readonly environment?: Environment | undefined };

/** A reader of history. Both kinds give the same rows; `name` tells which was chosen. */
export function openHistory({ git, environment = {} }: OpenHistoryOptions): HistoryReader {
  const executable = git === "auto" ? findGit(environment) : null;
  return executable === null ? builtin : withFallback(gitHistory(executable, environment), builtin);
}

/** Loaded when it is needed: where git answers, it never is. */
const builtin: HistoryReader = {
  name: "builtin",
  readHead: async (root, signal) => (await loadBuiltin()).readHead(root, signal),
  readHistory: async (root, options) => (await loadBuiltin()).readHistory(root, options),
};

async function loadBuiltin(): Promise<HistoryReader> {
  const { builtinHistory } = await import("./history-isomorphic.ts");
  return builtinHistory();
}

/** The first reader's answer, unless only the second one has one. */
function withFallback(first: HistoryReader, second: HistoryReader): HistoryReader {
  return {
    name: first.name,
    async readHead(root, signal) {
      const head = await first.readHead(root, signal);
      if (isAnswer(head) || signal?.aborted) return head;
      const other = await second.readHead(root, signal);
      return isAnswer(other) ? other : head;
    },
    async readHistory(root, options) {
      const history = await first.readHistory(root, options);
      if (isAnswer(history) || options.signal?.aborted) return history;
      const other = await second.readHistory(root, options);
      return isAnswer(other) ? other : history;
    },
  };
}

/** Having no commits or no repository is an answer; a reader that could not read has none. */
const isAnswer = ({ problem }: Head): boolean =>
  problem === null || problem === NO_COMMITS || problem === NOT_A_REPOSITORY;
