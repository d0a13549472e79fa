/** The diff of one commit, and files as of a commit, from a repository that is only read. */
import type { Variables } from "../../config/variables.ts";
import { decode } from "../../text/decode.ts";
import { isCommitHash } from "../git/clone.ts";
import { findGit, runGit } from "../git/process.ts";

type CommitReader = {
  /** The only parent of a commit and the diff from it without context lines; null without exactly one parent. */
  diff(hash: string): Promise<{ readonly parent: string; readonly text: string } | null>;
  /** A file's text as of a commit; null when it is missing, too large or not text. */
  text(commit: string, path: string): Promise<string | null>;
};

/** Larger files are generated or data. */
const TEXT_BYTES_MAX = 1024 * 1024;

/** Reads the repository whose work tree is `root`; null when git is not installed. */
export function openCommits(root: string, environment: Variables, signal: AbortSignal): CommitReader | null {
  const executable = findGit(environment);
  if (executable === null) return null;
  const git = async (words: readonly string[]): Promise<Uint8Array | null> => {
    const output = await runGit({ executable, environment, root, arguments: words, signal });
    return output.kind === "output" ? output.bytes : null;
  };
  return {
    async diff(hash) {
      if (!isCommitHash(hash)) return null;
      const parents = await git(["rev-list", "--no-walk", "--parents", hash]);
      const [, parent, second] = parents === null ? [] : new TextDecoder().decode(parents).trim().split(" ");
      if (parent === undefined || second !== undefined) return null;
      const bytes = await git([
        "diff-tree",
        "-r",
        "-p",
        "--unified=0",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        parent,
        hash,
      ]);
      return bytes === null ? null : { parent, text: new TextDecoder().decode(bytes) };
    },
    async text(commit, path) {
      if (!isCommitHash(commit)) return null;
      const bytes = await git(["cat-file", "blob", `${commit}:${path}`]);
      if (bytes === null || bytes.byteLength > TEXT_BYTES_MAX) return null;
      const decoded = decode(bytes);
      return decoded.kind === "text" ? decoded.text : null;
    },
  };
}
