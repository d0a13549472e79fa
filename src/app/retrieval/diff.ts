/**
 * Adds the changes of the work tree or the branch to a request, once the index is up to date.
 *
 * The request then contains the names of the changes: they are logged, kept by every further round, and part of the call
 * that reproduces the package. It also contains the diff, which a further round reads again, against the same commit.
 */

import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { openFactCache } from "../../db/parse-cache/open-parse-cache.ts";
import { Failed } from "../../failure.ts";
import { languageOf } from "../../languages/languages.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { comparedOf, type RemainingUse, type Review } from "../../retrieval/model/review.ts";
import { changedNames } from "../../retrieval/refinement/changed-names.ts";
import { changesTask } from "../../retrieval/requests/changes-task.ts";
import { readRefinement } from "../../retrieval/requests/read-refinement.ts";
import { type Constraints, mergeConstraints, NO_CONSTRAINTS } from "../../retrieval/requests/refinement.ts";
import { candidateTest } from "../../retrieval/scope/candidates.ts";
import { resolveGitFolders } from "../../source/git/folders.ts";
import { readShallowCommits } from "../../source/git/git-state.ts";
import { openRevisions } from "../../source/revisions/open-revisions.ts";
import {
  type DiffOptions,
  type FileChange,
  type WorkTreeChanges,
  workTreeChanges,
} from "../../source/revisions/work-tree-diff.ts";
import { parseHere } from "../../syntax/parse/parse-here.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import type { FilePatch } from "../../text/diff/file-patch.ts";
import { EXTRACTOR } from "../indexing/indexing-deps.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { askedChanges, committedChanges } from "./asked-changes.ts";
import type { ParseAny } from "./removed-definitions.ts";
import type { RetrieveRequest, ReviewedRequest } from "./retrieve-request.ts";

type Changed = { readonly request: ReviewedRequest; readonly notices: readonly Notice[] };

/**
 * The request with the changes in its constraints or its refinement, and with the diff. Throws a usage failure when there is
 * nothing to compare with, and `no-match` when nothing has changed and the task is empty. Changes of an earlier round that
 * cannot be read any more, or that only the task's words ask for, cause a notice.
 */
export async function withChanges(
  workspace: Workspace,
  request: RetrieveRequest,
  signal: AbortSignal,
): Promise<Changed> {
  const { changes, reviewed } = request;
  try {
    return await readInto(workspace, request, signal);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "usage") throw error;
    if (changes === undefined && reviewed === undefined)
      return { request, notices: [{ code: "review-unread", why: whyUnread(workspace, error.failure.message) }] };
    if (changes !== undefined || reviewed === undefined) throw error;
    // The next round may find them again.
    const review = { ...comparedOf(reviewed), patches: [] };
    return { request: { ...request, review }, notices: [{ code: "diff-lost", why: error.failure.message }] };
  }
}

/** Of a review that nobody typed an option for. */
const whyUnread = ({ root }: Workspace, message: string): string =>
  `${message.replace(/^--(?:diff|since): /, "")}${isShallow(root) ? "; this clone is shallow and may lack commits" : ""}`;

/** The paths of what has changed. `present` are all paths of the work tree. Throws a usage failure as `withChanges` does. */
export async function changedPaths(
  workspace: Workspace,
  request: RetrieveRequest,
  present: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const read = await readChanges(workspace, request, present, signal);
  return read === null ? [] : read.found.files.map(({ path }) => path);
}

async function readInto(workspace: Workspace, request: RetrieveRequest, signal: AbortSignal): Promise<Changed> {
  const kb = workspace.index.open();
  const indexed = kb.files();
  const paths = indexed.map(({ path }) => path);
  const read = await readChanges(workspace, request, paths, signal);
  if (read === null) return { request, notices: [] };
  const { files, base, tip, isCommitted } = read.found;
  const { include, exclude, hint_language: languages } = request.settings;
  const isCandidate = candidateTest({ include, exclude, languages, only: request.only ?? [] });
  const languageAt = new Map(indexed.map(({ path, language }) => [path, language]));
  const own = files.filter(({ path }) => isCandidate({ path, language: languageAt.get(path) ?? languageOf(path) }));
  const ownPaths = new Set(own.map(({ path }) => path));
  const isOwn = (path: string): boolean => ownPaths.has(path);
  const { names, notices: found } = changedNames(files, kb, indexed, isOwn);
  const patches = own.flatMap((file) => file.patches);
  const notices = [...read.notices, ...found, ...lackingNotices(patches)];
  const remaining = await remainingIn(workspace, kb, own, signal);
  const compared = comparedOf({ base, tip: tip ?? undefined, uncommitted: !isCommitted });
  const review: Review = { ...compared, patches, ...(remaining.length === 0 ? {} : { remaining }) };
  if (patches.length + names.length === 0) {
    const nothing: Notice = { code: "nothing-changed", against: againstWords(read.asked), others: files.length };
    const kept = request.reviewed === undefined ? request : { ...request, review };
    const isOnlyReview = request.task === "" || (request.worded !== undefined && request.worded.about === undefined);
    if (!isOnlyReview) return { request: kept, notices: [...notices, nothing] };
    throw new Failed({ code: "no-match", message: noticeSentence(nothing) });
  }
  const task = request.task === "" ? changesTask(names.length > 0 ? names : [...ownPaths], isOwn) : request.task;
  return { request: { ...request, task, ...withChanged(request, names), review }, notices };
}

/** What still uses what the changes remove. */
async function remainingIn(
  { paths }: Workspace,
  kb: KnowledgeBase,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<readonly RemainingUse[]> {
  const { canRemove, removalsIn } = await import("./removed-definitions.ts");
  if (!changes.some(canRemove)) return [];
  const cache = openFactCache(paths, EXTRACTOR, 0);
  const pool = openParsePool({ workersMax: 1 });
  const parse: ParseAny = async (job) =>
    ((await parseHere(job.text, job.language)) ?? (await pool.parse(job, signal))).facts;
  try {
    const removals = await removalsIn(changes, kb, cache, parse);
    if (removals.length === 0) return [];
    return await (await import("./remaining-uses.ts")).remainingUses(removals, kb, cache, parse, signal);
  } finally {
    pool.close();
    cache.close();
  }
}

/** What the patches cannot say, because a partial clone does not hold it. */
function lackingNotices(patches: readonly FilePatch[]): readonly Notice[] {
  const lacking = patches.filter(({ unread }) => unread === "missing");
  const paths = [...new Set(lacking.flatMap(({ before, after }) => (after ?? before)?.path ?? []))];
  return paths.length === 0 ? [] : [{ code: "content-lacking", paths }];
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

type ReadChanges = {
  readonly asked: DiffOptions;
  readonly found: Extract<WorkTreeChanges, { kind: "changes" }>;
  readonly notices: readonly Notice[];
};

/** Null when the request asks for no changes. */
async function readChanges(
  { root, environment, redactor }: Workspace,
  request: RetrieveRequest,
  present: readonly string[],
  signal: AbortSignal,
): Promise<ReadChanges | null> {
  const repository = { reader: openRevisions(environment.variables), root };
  const compare = async (options: DiffOptions): Promise<WorkTreeChanges> => {
    const { variables } = environment;
    const found = await workTreeChanges(
      repository.reader,
      root,
      { ...options, variables },
      present,
      signal,
      redactor.text,
    );
    signal.throwIfAborted();
    return found;
  };
  const asked = await askedChanges(repository, request, signal);
  if (asked === null) return null;
  const found = await compare(asked);
  if (found.kind !== "changes") throw uncompared(root, asked, found);
  const none = { asked, found, notices: [] };
  const isClean = asked.diff === "HEAD" && asked.since === null && found.files.length === 0;
  const committed = isClean && request.worded?.orCommitted === true ? await committedChanges(repository, signal) : null;
  if (committed === null) return none;
  const own = await compare(committed);
  if (own.kind !== "changes" || own.files.length === 0) return none;
  return { asked: committed, found: own, notices: [{ code: "review-committed", since: committed.since }] };
}

function uncompared(root: string, asked: DiffOptions, found: Exclude<WorkTreeChanges, { kind: "changes" }>): Failed {
  const flag = asked.since === null ? "--diff" : "--since";
  const name = found.kind === "problem" ? "" : JSON.stringify(found.name);
  if (found.kind === "unknown" && found.name === "HEAD") {
    const message = `${flag}: there is no commit yet to compare with`;
    return new Failed({ code: "usage", message, next: "commit first" });
  }
  return new Failed({
    code: "usage",
    message:
      found.kind === "problem"
        ? `${flag}: changes cannot be read: ${found.why}`
        : found.kind === "unknown"
          ? `${flag}: no commit is called ${name}`
          : `${flag}: ${name} and ${asked.since?.includes("..") === true ? "the other commit" : "HEAD"} have no commit in common`,
    next:
      found.kind === "problem"
        ? "name what was changed yourself: --changed PATH"
        : isShallow(root)
          ? "this clone is shallow and may lack the commits; to fetch them: git fetch --unshallow"
          : "name a branch, a tag or a hash, as git does; a task goes before the option, or after --",
  });
}

function isShallow(root: string): boolean {
  const folders = resolveGitFolders(root);
  return folders.kind === "found" && readShallowCommits(folders.commonFolder).size > 0;
}

function againstWords({ diff, since }: DiffOptions): string {
  if (since === null) return `against ${diff ?? "HEAD"}`;
  if (since.includes("..")) return `in ${since}`;
  // A day that a task names is looked up, and becomes the hash of a commit.
  const commit = /^[0-9a-f]{40,64}$/.test(since) ? since.slice(0, 7) : since;
  return `since ${commit}${diff === null ? " in commits" : ""}`;
}
