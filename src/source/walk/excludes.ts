/**
 * What git ignores besides the `.gitignore` files of a work tree: `info/exclude`, and the user's own file; and whether
 * patterns fold case. Read from files alone, so that it is the same where there is no git.
 *
 * The user's file is what `core.excludesFile` says, in the user's configuration or in the repository's (which lies
 * in `.git`, so it does not come with a clone), else `git/ignore` in the user's configuration folder. Any file may be
 * named, since what is in it only leaves files out: nothing of it is shown or kept.
 * Not here: conditional includes (`includeIf`), folders of users by name (`~name/`).
 */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readGivenFile } from "../files/read-file.ts";
import { type ConfigEntry, isOn, lastValue, readGitConfig } from "../git/config.ts";
import { resolveGitFolders } from "../git/folders.ts";
import type { Environment } from "../git/process.ts";

/** The contents of ignore files, null where there is none. */
export type Excludes = {
  readonly repository: Uint8Array | null;
  readonly user: Uint8Array | null;
  readonly foldsCase: boolean;
};

/** As the user's configuration, an ignore file longer than this is not read. */
const EXCLUDES_BYTES_MAX = 1024 * 1024;

/** Files that are included by files, at most; git goes ten levels deep. */
const INCLUDES_MAX = 100;

/** `root` is a work tree or any other folder; `variables` are the caller's, and without them there is no user. */
export function readExcludes(root: string, variables: Environment | null): Excludes {
  const git = resolveGitFolders(root);
  // Git knows no ignore rules outside of a repository.
  if (git.kind === "problem") return { repository: null, user: null, foldsCase: false };
  const user = variables === null ? [] : userConfig(variables);
  const shared = configAt([join(git.commonFolder, "config")], variables);
  const own = isOn(lastValue(shared, "extensions.worktreeconfig")) ? [join(git.folder, "config.worktree")] : [];
  const entries = [...user, ...shared, ...configAt(own, variables)];
  const named = lastValue(entries, "core.excludesfile");
  const path = named == null ? inConfigFolder(variables, "ignore") : expanded(named, root, variables);
  return {
    repository: contentOf(join(git.commonFolder, "info/exclude")),
    user: path === null ? null : contentOf(path),
    foldsCase: isOn(lastValue(entries, "core.ignorecase")),
  };
}

function contentOf(path: string): Uint8Array | null {
  const read = readGivenFile(path, EXCLUDES_BYTES_MAX);
  return read.kind === "bytes" ? read.bytes : null;
}

/** The configuration of the machine, then that of the user, where git looks for it. */
function userConfig(variables: Environment): readonly ConfigEntry[] {
  const machine = isOn(variables.GIT_CONFIG_NOSYSTEM) ? [] : [variables.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"];
  const home = variables.HOME ? join(variables.HOME, ".gitconfig") : null;
  const own = variables.GIT_CONFIG_GLOBAL === undefined ? [inConfigFolder(variables, "config"), home] : [];
  const paths = [...machine, ...own, variables.GIT_CONFIG_GLOBAL ?? null].filter((path) => path !== null);
  return configAt(paths, variables);
}

/** The settings of files with those of the files that they include, each where they do so. */
function configAt(paths: readonly string[], variables: Environment | null): readonly ConfigEntry[] {
  let left = INCLUDES_MAX;
  const settingsOf = (path: string): readonly ConfigEntry[] =>
    readGitConfig(path).flatMap((entry) => {
      if (entry.key !== "include.path" || entry.value === null) return [entry];
      const included = expanded(entry.value, dirname(path), variables);
      return included === null || left-- <= 0 ? [] : settingsOf(included);
    });
  return paths.flatMap(settingsOf);
}

function inConfigFolder(variables: Environment | null, name: string): string | null {
  if (variables?.XDG_CONFIG_HOME) return join(variables.XDG_CONFIG_HOME, "git", name);
  return variables?.HOME ? join(variables.HOME, ".config/git", name) : null;
}

/** A path as git's settings have it; null when it cannot be told which one is meant. */
function expanded(path: string, base: string, variables: Environment | null): string | null {
  if (path.startsWith("~/")) return variables?.HOME ? join(variables.HOME, path.slice(2)) : null;
  if (path === "" || path.startsWith("~") || path.startsWith("%(prefix)/")) return null;
  return isAbsolute(path) ? path : resolve(base, path);
}
