/**
 * A work tree of one commit that knows nothing later: a repository of its own that holds the ancestors of that commit,
 * with no name for any of them but HEAD.
 *
 * Going on to a later commit copies what is new; going back begins the repository anew. What is checked out are the
 * commit's bytes: no filter of the user's or the repository's runs. The source is read, never written.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveGitFolders } from "./folders.ts";
import { type Environment, findGit, type GitOutput, runGit } from "./process.ts";

/** `missing`: files of the commit whose content the repository it comes from does not hold. */
export type Checkout =
  | { readonly kind: "done"; readonly missing: number }
  | { readonly kind: "problem"; readonly why: string };

export type CheckoutRequest = {
  /** The repository that holds it, absolute; bare or not. */
  readonly from: string;
  /** The full hash. */
  readonly commit: string;
  /** The work tree, absolute; made when it is not there. Everything in it is this module's. */
  readonly folder: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
};

/** The history of a large repository is copied in minutes. */
const TIMEOUT_MS = 30 * 60_000;

const SHA1_LENGTH = 40;

/** A commit's name as git writes it. */
export const isCommitHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Makes `folder` hold the commit. Throws only what the system throws when the folder cannot be written. */
export async function checkOut(request: CheckoutRequest): Promise<Checkout> {
  const executable = findGit(request.environment);
  if (executable === null) return { kind: "problem", why: "git is not installed" };
  if (!isCommitHash(request.commit)) return { kind: "problem", why: "not the full hash of a commit" };
  mkdirSync(request.folder, { recursive: true, mode: 0o700 });
  const git = gitIn(executable, request);
  const before = headOf(request.folder);
  const problem = await bringIn(git, request, before);
  if (problem !== null) return problem;
  const { commit } = request;
  for (const words of [
    ["update-ref", "--no-deref", "HEAD", commit],
    ["read-tree", "--reset", commit],
  ]) {
    const done = await git(words);
    if (done.kind === "problem") return done;
  }
  // Goes on past what it cannot write, then says so; what counts is what is missing afterwards.
  const written = await git(["checkout-index", "--all", "--force", "--quiet", "--index"]);
  const cleaned = await git(["clean", "-ffdxq"]);
  if (cleaned.kind === "problem") return cleaned;
  const [missing, all] = [await git(["ls-files", "--deleted", "-z"]), await git(["ls-files", "-z"])];
  if (missing.kind === "problem") return missing;
  if (all.kind === "problem") return all;
  const lost = entries(missing.bytes);
  if (written.kind === "problem" && (request.signal.aborted || lost === 0 || lost * 2 > entries(all.bytes)))
    return written;
  return { kind: "done", missing: lost };
}

type Git = (words: readonly string[], input?: string) => Promise<GitOutput>;

function gitIn(executable: string, { folder, environment, signal }: CheckoutRequest): Git {
  return (words, input) =>
    runGit({
      executable,
      // Without a home folder no settings of the user's take part, filters among them.
      environment: { PATH: environment.PATH },
      root: folder,
      arguments: words,
      signal,
      timeoutMs: TIMEOUT_MS,
      input,
    });
}

/**
 * Copies the commit and what leads to it, without what the source lacks (a transfer by git's protocol would refuse).
 * Returns what stands in the way, or null.
 */
async function bringIn(git: Git, request: CheckoutRequest, before: string | null): Promise<Checkout | null> {
  const { folder, from, commit } = request;
  if (before === commit) return null;
  const found = resolveGitFolders(from);
  const source = found.kind === "found" ? found.commonFolder : from;
  if (!existsSync(join(source, "objects"))) return { kind: "problem", why: "there is no git repository" };
  if (before === null) beginAnew(folder, commit);
  const shallow = join(source, "shallow");
  if (existsSync(shallow)) copyFileSync(shallow, join(folder, ".git", "shallow"));
  // Only for this one step the source's objects are seen here.
  const alternates = alternatesOf(folder);
  writeFileSync(alternates, `${join(source, "objects")}\n`);
  const packed = await git(
    [
      "pack-objects",
      "--quiet",
      "--revs",
      "--delta-base-offset",
      "--missing=allow-any",
      join(folder, ".git", "objects", "pack", "pack"),
    ],
    before === null ? `${commit}\n` : `${commit}\n^${before}\n`,
  );
  rmSync(alternates);
  if (packed.kind === "problem") return packed;
  if (before === null) return null;
  const times = await git(["rev-list", "--no-walk=unsorted", "--timestamp", before, commit]);
  if (times.kind === "problem") return times;
  const [known = 0, wanted = 0] = new TextDecoder().decode(times.bytes).split("\n").map(Number.parseFloat);
  // What is known already may be of the future.
  return known > wanted ? await bringIn(git, request, null) : null;
}

function beginAnew(folder: string, commit: string): void {
  rmSync(folder, { recursive: true, force: true });
  const git = join(folder, ".git");
  mkdirSync(join(git, "objects", "pack"), { recursive: true, mode: 0o700 });
  mkdirSync(join(git, "objects", "info"), { recursive: true });
  mkdirSync(join(git, "refs"), { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/none\n");
  mkdirSync(join(git, "info"), { recursive: true });
  // Stronger than the repository's own: no line ends, encodings, keywords or filters.
  writeFileSync(join(git, "info", "attributes"), "* -text !eol -ident -filter !working-tree-encoding\n");
  writeFileSync(
    join(git, "config"),
    `[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tlogallrefupdates = false\n[gc]\n\tauto = 0\n${
      commit.length === SHA1_LENGTH ? "" : "[extensions]\n\tobjectformat = sha256\n"
    }`,
  );
}

const alternatesOf = (folder: string): string => join(folder, ".git", "objects", "info", "alternates");

/** The commit that stands in `folder`; null when there is none yet. */
function headOf(folder: string): string | null {
  const head = join(folder, ".git", "HEAD");
  if (!existsSync(head) || wasStopped(folder)) return null;
  const text = readFileSync(head, "utf8").trim();
  return isCommitHash(text) ? text : null;
}

/** Whether a run was ended in the midst of something. */
const wasStopped = (folder: string): boolean =>
  existsSync(join(folder, ".git", "index.lock")) || existsSync(alternatesOf(folder));

const entries = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
