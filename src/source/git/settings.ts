/**
 * Git's settings for a repository as git itself finds them: of the system, the user, the repository and the work tree. Read from files, so
 * that it works without git.
 *
 * Conditional includes and `~name/` are not supported.
 */
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { type ConfigEntry, isOn, lastValue, readGitConfig } from "./config.ts";
import type { FoundFolders } from "./folders.ts";

/** The most included configuration files; git allows ten levels. */
const INCLUDES_MAX = 100;

/** The last entry with a key counts. `variables` are the caller's; null means no system's or user's settings. */
export function gitSettings(git: FoundFolders, variables: Variables | null): readonly ConfigEntry[] {
  const user = variables === null ? [] : userConfig(variables);
  const shared = configAt([join(git.commonFolder, "config")], variables);
  const own = isOn(lastValue(shared, "extensions.worktreeconfig")) ? [join(git.folder, "config.worktree")] : [];
  return [...user, ...shared, ...configAt(own, variables)];
}

/** The system's configuration, then the user's, from git's default locations. */
function userConfig(variables: Variables): readonly ConfigEntry[] {
  const machine = isOn(variables.GIT_CONFIG_NOSYSTEM) ? [] : [variables.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"];
  const home = variables.HOME ? join(variables.HOME, ".gitconfig") : null;
  const own = variables.GIT_CONFIG_GLOBAL === undefined ? [inConfigFolder(variables, "config"), home] : [];
  const paths = [...machine, ...own, variables.GIT_CONFIG_GLOBAL ?? null].filter((path) => path !== null);
  return configAt(paths, variables);
}

/** The settings of files, with included files expanded in place. */
function configAt(paths: readonly string[], variables: Variables | null): readonly ConfigEntry[] {
  let left = INCLUDES_MAX;
  const settingsOf = (path: string): readonly ConfigEntry[] =>
    readGitConfig(path).flatMap((entry) => {
      if (entry.key !== "include.path" || entry.value === null) return [entry];
      const included = expandedPath(entry.value, dirname(path), variables);
      return included === null || left-- <= 0 ? [] : settingsOf(included);
    });
  return paths.flatMap(settingsOf);
}

/** A file in the user's configuration folder of git; null without one. */
export function inConfigFolder(variables: Variables | null, name: string): string | null {
  if (variables?.XDG_CONFIG_HOME) return join(variables.XDG_CONFIG_HOME, "git", name);
  return variables?.HOME ? join(variables.HOME, ".config/git", name) : null;
}

/** Expands a path from git's settings; null when it cannot be resolved. */
export function expandedPath(path: string, base: string, variables: Variables | null): string | null {
  if (path.startsWith("~/")) return variables?.HOME ? join(variables.HOME, path.slice(2)) : null;
  if (path === "" || path.startsWith("~") || path.startsWith("%(prefix)/")) return null;
  return isAbsolute(path) ? path : resolve(base, path);
}
