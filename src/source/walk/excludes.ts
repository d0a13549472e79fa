/**
 * What git ignores besides `.gitignore` files: `info/exclude` and the user's own file; and how it takes names: whether patterns ignore case,
 * and whether decomposed characters are composed. Read from files, so that it works without git.
 *
 * The user's file is `core.excludesFile` from the user's or the repository's configuration (which is in `.git` and does not come with a
 * clone), otherwise `git/ignore` in the user's configuration folder. Any path is accepted, because its contents are never shown.
 */
import { join } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { readGivenFile } from "../files/read-file.ts";
import { isOn, lastValue } from "../git/config.ts";
import { resolveGitFolders } from "../git/folders.ts";
import { expandedPath } from "../git/includes.ts";
import { gitSettings, inConfigFolder } from "../git/settings.ts";

/** The contents of ignore files, null for a missing one. */
export type Excludes = {
  readonly repository: Uint8Array | null;
  readonly user: Uint8Array | null;
  readonly foldsCase: boolean;
  readonly composesNames: boolean;
};

/** Larger ignore files are not read. */
const EXCLUDES_BYTES_MAX = 1024 * 1024;

/** `root` is a work tree or any other folder. `variables` are the caller's; null means no user settings. */
export function readExcludes(root: string, variables: Variables | null): Excludes {
  const git = resolveGitFolders(root);
  // Git has no ignore rules outside a repository.
  if (git.kind === "problem") return { repository: null, user: null, foldsCase: false, composesNames: false };
  const entries = gitSettings(git, variables);
  const named = lastValue(entries, "core.excludesfile");
  const path = named == null ? inConfigFolder(variables, "ignore") : expandedPath(named, root, variables);
  return {
    repository: contentOf(join(git.commonFolder, "info/exclude")),
    user: path === null ? null : contentOf(path),
    foldsCase: isOn(lastValue(entries, "core.ignorecase")),
    composesNames: isOn(lastValue(entries, "core.precomposeunicode")),
  };
}

function contentOf(path: string): Uint8Array | null {
  const read = readGivenFile(path, EXCLUDES_BYTES_MAX);
  return read.kind === "bytes" ? read.bytes : null;
}
