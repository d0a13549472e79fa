/**
 * Chooses how commits are read: through the git executable when there is one, else by the built-in reader; and by that
 * one too when git refuses.
 */
import { type Environment, findGit } from "../git/process.ts";
import type { Found, RevisionReader } from "./revisions.ts";
import { gitRevisions } from "./revisions-git.ts";

/** `environment` is the caller's; its path says where git is. */
export function openRevisions(environment: Environment): RevisionReader {
  const executable = findGit(environment);
  return executable === null ? builtin : withFallback(gitRevisions(executable, environment), builtin);
}

const load = async (): Promise<RevisionReader> => (await import("./revisions-isomorphic.ts")).builtinRevisions;

/** Loaded when it is needed: where git answers, it never is. */
const builtin: RevisionReader = {
  name: "builtin",
  commit: async (...asked) => (await load()).commit(...asked),
  forkPoint: async (...asked) => (await load()).forkPoint(...asked),
  files: async (...asked) => (await load()).files(...asked),
  contents: async (...asked) => (await load()).contents(...asked),
};

/** The first reader's answer, unless only the second one has one. */
function withFallback(first: RevisionReader, second: RevisionReader): RevisionReader {
  const either = async <T>(one: Promise<Found<T>>, other: () => Promise<Found<T>>): Promise<Found<T>> => {
    const answer = await one;
    if (answer.kind !== "problem") return answer;
    const instead = await other();
    return instead.kind === "problem" ? answer : instead;
  };
  return {
    name: first.name,
    commit: (...asked) => either(first.commit(...asked), () => second.commit(...asked)),
    forkPoint: (...asked) => either(first.forkPoint(...asked), () => second.forkPoint(...asked)),
    files: (...asked) => either(first.files(...asked), () => second.files(...asked)),
    contents: (...asked) => either(first.contents(...asked), () => second.contents(...asked)),
  };
}
