/**
 * Opens history: through the git executable if there is one, otherwise with the built-in reader. The built-in reader also steps in when git
 * refuses, for example for a repository of another user.
 */
import type { Variables } from "../../config/variables.ts";
import { type Head, OBJECTS_LACKING } from "../git/git-state.ts";
import { findGit } from "../git/process.ts";
import { type HistoryReader, isUnread } from "./history.ts";
import { gitHistory } from "./history-git.ts";

/** Both readers give the same rows; `name` tells which was chosen. `environment`: the caller's, to find git and the user's settings. */
export function openHistory(environment: Variables): HistoryReader {
  const executable = findGit(environment);
  return executable === null ? builtin : withFallback(gitHistory(executable, environment), builtin);
}

/** Loads only when needed, which is never if git answers. */
const builtin: HistoryReader = {
  name: "builtin",
  readHead: async (root, signal) => (await loadBuiltin()).readHead(root, signal),
  readHistory: async (root, options) => (await loadBuiltin()).readHistory(root, options),
  countLines: async () => new Map(),
};

async function loadBuiltin(): Promise<HistoryReader> {
  const { builtinHistory } = await import("./history-builtin.ts");
  return builtinHistory();
}

/** The first reader's answer, or the second's if only that one has an answer. */
function withFallback(first: HistoryReader, second: HistoryReader): HistoryReader {
  return {
    name: first.name,
    countLines: first.countLines,
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
      const isBetter = isAnswer(other) || other.problem === OBJECTS_LACKING;
      const [told, untold] = isBetter ? [other, history] : [history, other];
      // The index is readable where refs or objects are not, and the other way round.
      return { ...told, tracked: told.tracked ?? untold.tracked };
    },
  };
}

const isAnswer = ({ problem }: Head): boolean => problem === null || !isUnread(problem);
