/** Tells whether a new file shows in `git status`. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { resolveGitFolders } from "../git/folders.ts";
import { trackedPaths } from "../git/git-state.ts";
import { readExcludes } from "./excludes.ts";
import { ignoreRules, rulesInside } from "./ignore.ts";
import { matchBudget } from "./match-budget.ts";

/**
 * Whether an existing file lies in the work tree of `root` and git neither tracks nor ignores it; false where that cannot be known.
 * `variables` are the caller's, to find the user's ignore file.
 */
export function isUntracked(root: string, file: string, variables: Variables): boolean {
  const git = resolveGitFolders(root);
  const path = relative(root, realpathSync(file)).replaceAll(sep, "/");
  if (git.kind === "problem" || path === "" || path.startsWith("../") || isAbsolute(path)) return false;
  const tracked = trackedPaths(git);
  if (tracked === null || tracked.includes(path)) return false;
  const budget = matchBudget();
  let rules = ignoreRules(readExcludes(root, variables), [], budget);
  const parts = path.split("/");
  for (const depth of parts.keys()) {
    rules = rulesInside(root, parts.slice(0, depth).join("/"), [".gitignore"], rules, budget);
    const isFolder = depth + 1 < parts.length;
    if (rules.decide(parts.slice(0, depth + 1).join("/"), isFolder).verdict === "ignored") return false;
  }
  return true;
}
