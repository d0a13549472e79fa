/**
 * What git ignores besides `.gitignore` files: `info/exclude` and the user's own file; and how it takes names: whether patterns ignore case,
 * and whether decomposed characters are composed. Read from files, so that it works without git.
 *
 * The user's file is `core.excludesFile` from the user's or the repository's configuration (which is in `.git` and does not come with a
 * clone), otherwise `git/ignore` in the user's configuration folder. Any path is accepted, because its contents are never shown. Conditional
 * includes and `~name/` are not supported.
 */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readGivenFile } from "../files/read-file.ts";
import { type ConfigEntry, isOn, lastValue, readGitConfig } from "../git/config.ts";
import { resolveGitFolders } from "../git/folders.ts";
import type { Environment } from "../git/process.ts";

/** The contents of ignore files, null for a missing one. */
export type Excludes = {
  readonly repository: Uint8Array | null;
  readonly user: Uint8Array | null;
  readonly foldsCase: boolean;
  readonly composesNames: boolean;
};

/** Larger ignore files are not read. */
const EXCLUDES_BYTES_MAX = 1024 * 1024;

/** The most included configuration files; git allows ten levels. */
const INCLUDES_MAX = 100;

/** `root` is a work tree or any other folder. `variables` are the caller's; null means no user settings. */
export function readExcludes(root: string, variables: Environment | null): Excludes {
  const git = resolveGitFolders(root);
  // Git has no ignore rules outside a repository.
  if (git.kind === "problem") return { repository: null, user: null, foldsCase: false, composesNames: false };
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
    composesNames: isOn(lastValue(entries, "core.precomposeunicode")),
  };
}

function contentOf(path: string): Uint8Array | null {
  const read = readGivenFile(path, EXCLUDES_BYTES_MAX);
  return read.kind === "bytes" ? read.bytes : null;
}

/** The system's configuration, then the user's, from git's default locations. */
function userConfig(variables: Environment): readonly ConfigEntry[] {
  const machine = isOn(variables.GIT_CONFIG_NOSYSTEM) ? [] : [variables.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"];
  const home = variables.HOME ? join(variables.HOME, ".gitconfig") : null;
  const own = variables.GIT_CONFIG_GLOBAL === undefined ? [inConfigFolder(variables, "config"), home] : [];
  const paths = [...machine, ...own, variables.GIT_CONFIG_GLOBAL ?? null].filter((path) => path !== null);
  return configAt(paths, variables);
}

/** The settings of files, with included files expanded in place. */
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

/** Expands a path from git's settings; null when it cannot be resolved. */
function expanded(path: string, base: string, variables: Environment | null): string | null {
  if (path.startsWith("~/")) return variables?.HOME ? join(variables.HOME, path.slice(2)) : null;
  if (path === "" || path.startsWith("~") || path.startsWith("%(prefix)/")) return null;
  return isAbsolute(path) ? path : resolve(base, path);
}
