/**
 * Opens revisions: through the git executable if there is one, otherwise, or when git refuses, with the built-in reader.
 */
import type { Variables } from "../../config/variables.ts";
import { OBJECTS_LACKING } from "../git/git-state.ts";
import { findGit } from "../git/process.ts";
import type { RevisionReader, RevisionResult } from "./revisions.ts";
import { gitRevisions } from "./revisions-git.ts";

/** `environment` is the caller's, to find git. */
export function openRevisions(environment: Variables): RevisionReader {
  const executable = findGit(environment);
  return executable === null ? builtin : withFallback(gitRevisions(executable, environment), builtin);
}

const load = async (): Promise<RevisionReader> => (await import("./revisions-builtin.ts")).builtinRevisions;

/** Loads only when needed, which is never if git answers. */
const builtin: RevisionReader = {
  name: "builtin",
  commit: async (...args) => (await load()).commit(...args),
  forkPoint: async (...args) => (await load()).forkPoint(...args),
  commitBefore: async (...args) => (await load()).commitBefore(...args),
  files: async (...args) => (await load()).files(...args),
  tracked: async (...args) => (await load()).tracked(...args),
  contents: async (...args) => (await load()).contents(...args),
};

/** The first reader's answer, or the second's if only that one has an answer. */
function withFallback(first: RevisionReader, second: RevisionReader): RevisionReader {
  const either = async <T>(
    one: Promise<RevisionResult<T>>,
    other: () => Promise<RevisionResult<T>>,
  ): Promise<RevisionResult<T>> => {
    const answer = await one;
    if (answer.kind !== "problem") return answer;
    const instead = await other();
    return instead.kind === "problem" && instead.why !== OBJECTS_LACKING ? answer : instead;
  };
  return {
    name: first.name,
    commit: (...args) => either(first.commit(...args), () => second.commit(...args)),
    forkPoint: (...args) => either(first.forkPoint(...args), () => second.forkPoint(...args)),
    commitBefore: (...args) => either(first.commitBefore(...args), () => second.commitBefore(...args)),
    files: (...args) => either(first.files(...args), () => second.files(...args)),
    tracked: (...args) => either(first.tracked(...args), () => second.tracked(...args)),
    contents: (...args) => either(first.contents(...args), () => second.contents(...args)),
  };
}
