/**
 * Checks out one commit into a work tree of its own, with no trace of later commits: a repository with the commit's ancestors and no ref
 * but HEAD.
 *
 * Moving to a later commit copies the new objects; moving to an earlier one starts over. Files get the commit's bytes: no filter of the user
 * or the repository runs. The source repository is only read.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { readGivenFile } from "../files/read-file.ts";
import { resolveGitFolders } from "./folders.ts";
import { findGit, type GitOutput, runGit } from "./process.ts";
import { PATIENCE, type Patience } from "./progress-watch.ts";

/** `missing`: the number of files whose content the source repository lacks. */
type Checkout =
  | { readonly kind: "done"; readonly missing: number }
  | { readonly kind: "problem"; readonly why: string };

type CheckoutRequest = {
  /** The absolute path of the source repository, bare or not. */
  readonly from: string;
  /** The full hash. */
  readonly commit: string;
  /** The absolute path of the work tree, created if needed. Its contents belong to this module. */
  readonly folder: string;
  readonly environment: Variables;
  readonly signal: AbortSignal;
};

/** Copying the history of a large repository takes minutes. */
const PATIENCE_TO_COPY: Patience = { ...PATIENCE, processorMsMax: 30 * 60_000 };

const SHA1_LENGTH = 40;

/** Whether a text is a full commit hash. */
export const isCommitHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Checks out the commit into `folder`. Throws only when the folder cannot be written. */
export async function checkOut(request: CheckoutRequest): Promise<Checkout> {
  const executable = findGit(request.environment);
  if (executable === null) return { kind: "problem", why: "git is not installed" };
  if (!isCommitHash(request.commit)) return { kind: "problem", why: "not a full commit hash" };
  mkdirSync(request.folder, { recursive: true, mode: 0o700 });
  const git = gitIn(executable, request);
  const before = headOf(request.folder);
  const problem = await copyCommit(git, request, before);
  if (problem !== null) return problem;
  const { commit } = request;
  for (const words of [
    ["update-ref", "--no-deref", "HEAD", commit],
    ["read-tree", "--reset", commit],
  ]) {
    const done = await git(words);
    if (done.kind === "problem") return done;
  }
  // Git continues past files it cannot write and then fails, so the missing files are counted afterwards.
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
      // Without HOME, git reads no settings of the user, such as filters.
      environment: { PATH: environment.PATH },
      root: folder,
      arguments: words,
      signal,
      patience: PATIENCE_TO_COPY,
      input,
    });
}

/**
 * Copies the commit and its ancestors, skipping objects that the source lacks, which git's own transfer would refuse. Returns
 * the problem, or null.
 */
async function copyCommit(git: Git, request: CheckoutRequest, before: string | null): Promise<Checkout | null> {
  const { folder, from, commit } = request;
  if (before === commit) return null;
  const found = resolveGitFolders(from);
  const source = found.kind === "found" ? found.commonFolder : from;
  if (!existsSync(join(source, "objects"))) return { kind: "problem", why: "there is no git repository" };
  if (before === null) initRepository(folder, commit);
  const shallow = join(source, "shallow");
  if (existsSync(shallow)) copyFileSync(shallow, join(folder, ".git", "shallow"));
  // The source's objects are visible only during this step.
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
  // The objects copied earlier may be later than this commit.
  return known > wanted ? await copyCommit(git, request, null) : null;
}

function initRepository(folder: string, commit: string): void {
  rmSync(folder, { recursive: true, force: true });
  const git = join(folder, ".git");
  mkdirSync(join(git, "objects", "pack"), { recursive: true, mode: 0o700 });
  mkdirSync(join(git, "objects", "info"), { recursive: true });
  mkdirSync(join(git, "refs"), { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/none\n");
  mkdirSync(join(git, "info"), { recursive: true });
  // Overrides the repository's attributes: no line end conversion, encodings, keywords or filters.
  writeFileSync(join(git, "info", "attributes"), "* -text !eol -ident -filter !working-tree-encoding\n");
  writeFileSync(
    join(git, "config"),
    `[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tlogallrefupdates = false\n[gc]\n\tauto = 0\n${
      commit.length === SHA1_LENGTH ? "" : "[extensions]\n\tobjectformat = sha256\n"
    }`,
  );
}

const alternatesOf = (folder: string): string => join(folder, ".git", "objects", "info", "alternates");

const HEAD_BYTES_MAX = 4096;

/** The commit checked out in `folder`; null when there is none yet. */
function headOf(folder: string): string | null {
  const head = join(folder, ".git", "HEAD");
  if (!existsSync(head) || wasInterrupted(folder)) return null;
  const read = readGivenFile(head, HEAD_BYTES_MAX);
  const text = read.kind === "bytes" ? new TextDecoder().decode(read.bytes).trim() : "";
  return isCommitHash(text) ? text : null;
}

/** Whether a previous run was interrupted. */
const wasInterrupted = (folder: string): boolean =>
  existsSync(join(folder, ".git", "index.lock")) || existsSync(alternatesOf(folder));

const entries = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
