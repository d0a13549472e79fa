/** What a request asks to compare: as options say it, as an earlier round did, or as the words of the task say it. */
import { Failed } from "../../failure.ts";
import type { Reviewed } from "../../retrieval/model/review.ts";
import { DEFAULT_BRANCHES, type NumberedRequest, type WordedChanges } from "../../retrieval/requests/review-words.ts";
import type { WordedDay } from "../../retrieval/requests/worded-day.ts";
import { resolveGitFolders } from "../../source/git/folders.ts";
import { readShallowCommits } from "../../source/git/git-state.ts";
import type { RevisionReader } from "../../source/revisions/revisions.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import { emptyTreeBeside } from "../../text/diff/empty-tree.ts";
import { dayStart } from "./day-start.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** `root` is a real path. */
type Repository = { readonly reader: RevisionReader; readonly root: string };

/**
 * What to compare; null for nothing. Throws a usage failure when words name a commit or day that does not exist, and for changes that end at a
 * commit and shall include the work tree.
 */
export async function askedChanges(
  repository: Repository,
  { changes, reviewed, worded }: Pick<RetrieveRequest, "changes" | "reviewed" | "worded">,
  signal: AbortSignal,
): Promise<DiffOptions | null> {
  if (changes !== undefined) return checked(changes);
  if (reviewed !== undefined) return asBefore(reviewed);
  return worded === undefined ? null : await inWords(repository, worded, signal);
}

function checked(changes: DiffOptions): DiffOptions {
  if (changes.diff === null || changes.since?.includes("..") !== true) return changes;
  throw new Failed({
    code: "usage",
    message: "--since with two commits and --diff exclude each other",
    next: "for committed and uncommitted changes: --since REF --diff",
  });
}

const asBefore = ({ base, tip, uncommitted }: Reviewed): DiffOptions =>
  uncommitted ? { diff: base, since: null } : { diff: null, since: tip === undefined ? base : `${base}..${tip}` };

async function inWords(repository: Repository, asked: WordedChanges, signal: AbortSignal): Promise<DiffOptions> {
  const { diff, since, until, day, request } = asked;
  if (since.length === 0 && day === undefined) return { diff, since: null };
  const named = await firstCommit(repository, until, signal);
  const tip = named ?? (request !== undefined ? unfetched(request) : until.length === 0 ? null : unknown(until));
  const from =
    (await firstCommit(repository, since, signal)) ??
    (day === undefined ? await beforeFirst(repository, since, signal) : await beforeDay(repository, day, signal)) ??
    unknown(since);
  return { diff, since: tip === null ? from : `${from}..${tip}` };
}

/** What the branch committed since it left the default branch; null if there is no such branch. */
export async function committedChanges(
  repository: Repository,
  signal: AbortSignal,
): Promise<{ readonly diff: null; readonly since: string } | null> {
  const since = await firstCommit(repository, DEFAULT_BRANCHES, signal);
  return since === null ? null : { diff: null, since };
}

/** The first of some names that a commit has. A problem to read one is met again, and told, when changes are read. */
async function firstCommit(
  { reader, root }: Repository,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  for (const name of names) if ((await reader.commit(root, name, signal)).kind !== "unknown") return name;
  return null;
}

function unknown(names: readonly string[]): never {
  throw new Failed({
    code: "usage",
    message:
      names === DEFAULT_BRANCHES
        ? "there is no branch main or master, and no default branch of origin"
        : `no commit is called ${JSON.stringify(names[0])}`,
    next: "name a branch, a tag or a hash, as git does",
  });
}

function unfetched({ kind, number }: NumberedRequest): never {
  const [ref, branch] =
    kind === "pull" ? [`pull/${number}`, `pr-${number}`] : [`merge-requests/${number}`, `mr-${number}`];
  throw new Failed({
    code: "usage",
    message: `this clone lacks ${kind} request ${number}; run "git fetch origin ${ref}/head:${branch}", then "review the branch ${branch}"`,
  });
}

/** What HEAD was when a day began. Throws a usage failure if there was none. */
async function beforeDay({ reader, root }: Repository, day: WordedDay, signal: AbortSignal): Promise<string> {
  const start = dayStart(day, new Date());
  const head = await reader.commit(root, "HEAD", signal);
  const before = head.kind === "found" ? await reader.commitBefore(root, head.value, start.seconds, signal) : head;
  if (before.kind === "found") return before.value;
  throw new Failed({
    code: "usage",
    message: before.kind === "unknown" ? `there is no commit before ${start.date}` : before.why,
    next: "name a later day, a branch, a tag or a hash",
  });
}

/** The empty tree, if a name such as `abc1234~1` steps back from a first commit. The oldest commit of a shallow clone is none. */
async function beforeFirst(
  { reader, root }: Repository,
  [name = ""]: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const [, of, steps] = /^(.+)~(\d+)$/.exec(name) ?? [];
  if (of === undefined) return null;
  const oldest = await reader.commit(root, `${of}~${Number(steps) - 1}`, signal);
  return oldest.kind !== "found" || isShallowEnd(root, oldest.value) ? null : emptyTreeBeside(oldest.value);
}

function isShallowEnd(root: string, commit: string): boolean {
  const folders = resolveGitFolders(root);
  return folders.kind === "found" && readShallowCommits(folders.commonFolder).has(commit);
}
