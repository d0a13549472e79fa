/** What a request asks to compare: as options say it, as an earlier round did, or as the words of the task say it. */
import { Failed } from "../../failure.ts";
import type { Reviewed } from "../../retrieval/model/review.ts";
import { DEFAULT_BRANCHES, type WordedChanges } from "../../retrieval/model/review-words.ts";
import { resolveGitFolders } from "../../source/git/folders.ts";
import { readShallowCommits } from "../../source/git/git-state.ts";
import type { RevisionReader } from "../../source/revisions/revisions.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import { emptyTreeBeside } from "../../text/diff/empty-tree.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** `root` is a real path. */
type Repository = { readonly reader: RevisionReader; readonly root: string };

/**
 * What to compare; null for nothing. Throws a usage failure when words name a commit that does not exist, and for changes that end at a
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

async function inWords(
  repository: Repository,
  { diff, since, until }: WordedChanges,
  signal: AbortSignal,
): Promise<DiffOptions> {
  if (since.length === 0) return { diff, since: null };
  const from =
    (await beforeFirst(repository, since[0] ?? "", signal)) ?? (await firstCommit(repository, since, signal));
  return { diff, since: until.length === 0 ? from : `${from}..${await firstCommit(repository, until, signal)}` };
}

/** The first of some names that a commit has. A problem to read one is met again, and told, when changes are read. */
async function firstCommit(
  { reader, root }: Repository,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  for (const name of names) if ((await reader.commit(root, name, signal)).kind !== "unknown") return name;
  throw new Failed({
    code: "usage",
    message:
      names === DEFAULT_BRANCHES
        ? "there is no branch main or master, and no default branch of origin"
        : `no commit is called ${JSON.stringify(names[0])}`,
    next: "name a branch, a tag or a hash, as git does",
  });
}

/** The empty tree, if a name such as `abc1234~1` steps back from a first commit. The oldest commit of a shallow clone is none. */
async function beforeFirst({ reader, root }: Repository, name: string, signal: AbortSignal): Promise<string | null> {
  const [, of, steps] = /^(.+)~(\d+)$/.exec(name) ?? [];
  if (of === undefined || (await reader.commit(root, name, signal)).kind !== "unknown") return null;
  const oldest = await reader.commit(root, `${of}~${Number(steps) - 1}`, signal);
  return oldest.kind !== "found" || isShallowEnd(root, oldest.value) ? null : emptyTreeBeside(oldest.value);
}

function isShallowEnd(root: string, commit: string): boolean {
  const folders = resolveGitFolders(root);
  return folders.kind === "found" && readShallowCommits(folders.commonFolder).has(commit);
}
