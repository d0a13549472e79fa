/**
 * Adds the changes of the work tree or the branch to a request, once the index is up to date.
 *
 * The request then contains the names of the changes: they are logged, kept by every further round, and part of the call
 * that reproduces the package.
 */

import { Failed, type Notice, noticeSentence } from "../failure.ts";
import { languageOf } from "../languages/languages.ts";
import { readRefinement } from "../retrieval/model/read-refinement.ts";
import { type Constraints, mergeConstraints, NO_CONSTRAINTS } from "../retrieval/model/refinement.ts";
import { changedNames, changesTask } from "../retrieval/refinement/changed-names.ts";
import { candidateTest } from "../retrieval/scope/candidates.ts";
import { openRevisions } from "../source/revisions/open-revisions.ts";
import { type DiffOptions, type FileChange, workTreeChanges } from "../source/revisions/work-tree-diff.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The request with the changes in its constraints or its refinement. Throws a usage failure when there is nothing to
 * compare with, and `no-match` when nothing has changed and the task is empty.
 */
export async function withChanges(
  workspace: Workspace,
  request: RetrieveRequest,
  changes: DiffOptions,
  signal: AbortSignal,
): Promise<{ readonly request: RetrieveRequest; readonly notices: readonly Notice[] }> {
  const kb = workspace.index.open();
  const indexed = kb.files();
  const paths = indexed.map(({ path }) => path);
  const files = await readChanges(workspace, changes, paths, signal);
  const { include, exclude, hint_language: languages } = request.settings;
  const isCandidate = candidateTest({ include, exclude, languages, only: request.only ?? [] });
  const { names, notices } = changedNames(files, kb, indexed, (path) =>
    isCandidate({ path, language: languageOf(path) }),
  );
  if (names.length === 0) {
    const nothing: Notice = { code: "nothing-changed", against: againstWords(changes), others: files.length };
    if (request.task !== "") return { request, notices: [...notices, nothing] };
    throw new Failed({ code: "no-match", message: noticeSentence(nothing) });
  }
  const task = request.task === "" ? changesTask(names) : request.task;
  return { request: { ...request, task, ...withChanged(request, names) }, notices };
}

/** A first round takes the names as constraints, a further one in its refinement. */
function withChanged(
  { constraints = NO_CONSTRAINTS, refines }: Pick<RetrieveRequest, "constraints" | "refines">,
  names: readonly string[],
): Pick<RetrieveRequest, "constraints" | "refines"> {
  const { changed } = readRefinement({ changed: names }, { typed: true });
  if (refines === undefined) return { constraints: mergeConstraints(constraints, { changed: changed ?? [] }) };
  const all: Constraints["changed"] = [...(refines.request.changed ?? []), ...(changed ?? [])];
  return { refines: { ...refines, request: { ...refines.request, changed: [...new Set(all)] } } };
}

async function readChanges(
  { root, environment }: Workspace,
  changes: DiffOptions,
  present: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const found = await workTreeChanges(openRevisions(environment.variables), root, changes, present, signal);
  signal.throwIfAborted();
  if (found.kind === "changes") return found.files;
  const flag = changes.since === null ? "--diff" : "--since";
  const name = found.kind === "problem" ? "" : JSON.stringify(found.name);
  if (found.kind === "unknown" && found.name === "HEAD") {
    const message = `${flag}: there is no commit yet to compare with`;
    throw new Failed({ code: "usage", message, next: "commit first" });
  }
  throw new Failed({
    code: "usage",
    message:
      found.kind === "problem"
        ? `${flag}: changes cannot be read: ${found.why}`
        : found.kind === "unknown"
          ? `${flag}: no commit is called ${name}`
          : `${flag}: ${name} and HEAD have no commit in common`,
    next:
      found.kind === "problem"
        ? "name what was changed yourself: --changed PATH"
        : "name a branch, a tag or a hash, as git does; a task goes before the option, or after --",
  });
}

const againstWords = ({ diff, since }: DiffOptions): string =>
  since === null ? `against ${diff ?? "HEAD"}` : `since ${since}${diff === null ? " in commits" : ""}`;
