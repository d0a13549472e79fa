/**
 * Git's settings for a repository as git itself finds them: of the system, the user, the repository and the work tree. Read from files, so
 * that it works without git.
 */
import { join } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { type ConfigEntry, isOn, lastValue } from "./config.ts";
import type { FoundFolders } from "./folders.ts";
import { readWithIncludes } from "./includes.ts";

/** The last entry with a key counts. `variables` are the caller's; null means no system's or user's settings. */
export function gitSettings(git: FoundFolders, variables: Variables | null): readonly ConfigEntry[] {
  const configAt = (paths: readonly string[]) => readWithIncludes(paths, git.folder, variables);
  const user = variables === null ? [] : configAt(userConfig(variables));
  const shared = configAt([join(git.commonFolder, "config")]);
  const own = isOn(lastValue(shared, "extensions.worktreeconfig")) ? [join(git.folder, "config.worktree")] : [];
  return [...user, ...shared, ...configAt(own)];
}

/** The files of the system's configuration, then of the user's, at git's default locations. */
function userConfig(variables: Variables): readonly string[] {
  const machine = isOn(variables.GIT_CONFIG_NOSYSTEM) ? [] : [variables.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"];
  const home = variables.HOME ? join(variables.HOME, ".gitconfig") : null;
  const own = variables.GIT_CONFIG_GLOBAL === undefined ? [inConfigFolder(variables, "config"), home] : [];
  return [...machine, ...own, variables.GIT_CONFIG_GLOBAL ?? null].filter((path) => path !== null);
}

/** A file in the user's configuration folder of git; null without one. */
export function inConfigFolder(variables: Variables | null, name: string): string | null {
  if (variables?.XDG_CONFIG_HOME) return join(variables.XDG_CONFIG_HOME, "git", name);
  return variables?.HOME ? join(variables.HOME, ".config/git", name) : null;
}
