/**
 * A request with what was changed in it: looked for once the index is fresh, and named as a refinement would name it.
 *
 * From then on the names stand for the changes: they are logged, kept by every further round, and written into the call
 * that gives the same package. Not here: reading changes (`source/revisions/work-tree-diff.ts`), naming them (`changed-names.ts`).
 */
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { Failed, type Notice, noticeSentence } from "../failure.ts";
import { readRefinement } from "../retrieval/model/read-refinement.ts";
import { type Constraints, mergeConstraints, NO_CONSTRAINTS } from "../retrieval/model/refinement.ts";
import { changedNames, changesTask } from "../retrieval/refinement/changed-names.ts";
import { candidateTest } from "../retrieval/scope/candidates.ts";
import { openRevisions } from "../source/revisions/open-revisions.ts";
import { type DiffOptions, type FileChange, workTreeChanges } from "../source/revisions/work-tree-diff.ts";
import { languageOf } from "../text/language.ts";
import type { Environment, RetrieveRequest } from "./app-types.ts";

type World = { readonly root: string; readonly environment: Environment; readonly kb: KnowledgeBase };

/**
 * The request as it is made. Throws a usage failure where there is nothing to compare with, and `no-match` when nothing
 * has changed and there is no other task.
 */
export async function withChanges(
  world: World,
  request: RetrieveRequest,
  wish: DiffOptions,
  signal: AbortSignal,
): Promise<{ readonly request: RetrieveRequest; readonly notices: readonly Notice[] }> {
  const indexed = world.kb.files();
  const files = await changesIn(
    world,
    wish,
    indexed.map(({ path }) => path),
    signal,
  );
  const { include, exclude, hint_language: languages } = request.settings;
  const isCandidate = candidateTest({ include, exclude, languages, only: request.only ?? [] });
  const { names, notices } = changedNames(files, world.kb, indexed, (path) =>
    isCandidate({ path, language: languageOf(path) }),
  );
  if (names.length === 0) {
    const nothing: Notice = { code: "nothing-changed", against: againstWords(wish), others: files.length };
    if (request.task !== "") return { request, notices: [...notices, nothing] };
    throw new Failed({ code: "no-match", message: noticeSentence(nothing) });
  }
  const task = request.task === "" ? changesTask(names) : request.task;
  return { request: { ...request, task, ...named(request, names) }, notices };
}

/** A first round is told so by its constraints, a further one by its request. */
function named(
  { constraints = NO_CONSTRAINTS, refines }: Pick<RetrieveRequest, "constraints" | "refines">,
  names: readonly string[],
): Pick<RetrieveRequest, "constraints" | "refines"> {
  const { changed } = readRefinement({ changed: names }, { typed: true });
  if (refines === undefined) return { constraints: mergeConstraints(constraints, { changed: changed ?? [] }) };
  const all: Constraints["changed"] = [...(refines.request.changed ?? []), ...(changed ?? [])];
  return { refines: { ...refines, request: { ...refines.request, changed: [...new Set(all)] } } };
}

async function changesIn(
  { root, environment }: World,
  wish: DiffOptions,
  present: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const found = await workTreeChanges(openRevisions(environment.variables), root, wish, present, signal);
  signal.throwIfAborted();
  if (found.kind === "changes") return found.files;
  const flag = wish.since === null ? "--diff" : "--since";
  const name = found.kind === "problem" ? "" : JSON.stringify(found.name);
  if (found.kind === "unknown" && found.name === "HEAD")
    throw new Failed({
      code: "usage",
      message: `${flag}: there is no commit yet to compare with`,
      next: "commit first",
    });
  throw new Failed({
    code: "usage",
    message:
      found.kind === "problem"
        ? `${flag}: changes cannot be told: ${found.why}`
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
