/** The options of `work-options.ts` as parts of a request: the changes to start from, the paths to select from. */
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { App } from "../../app/app.ts";
import { Failed } from "../../failure.ts";
import { repositoryPath } from "../../retrieval/requests/request-names.ts";
import { askedInWords, type WordedChanges } from "../../retrieval/requests/review-words.ts";
import { pathAmong } from "../../source/files/path-among.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import { pathInStored } from "../../store/stored-entries.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

/** `--diff` and `--since`; empty without them. Throws a usage failure for two commits to compare with. */
export function changesRequest(values: Values): { readonly changes?: DiffOptions } {
  const [diff, since] = [values.text("--diff"), values.text("--since")];
  if (diff === undefined && since === undefined) return {};
  if (since !== undefined && diff !== undefined && diff !== "")
    throw new Failed({
      code: "usage",
      message: "--since and --diff with a commit exclude each other",
      next: "for committed and uncommitted changes: --since REF --diff",
    });
  return { changes: { since: since ?? null, diff: diff === undefined ? null : diff === "" ? "HEAD" : diff } };
}

/** The changes to start from; without options those that the task asks for in words. */
export function changesOf(
  values: Values,
  task: string,
): { readonly changes?: DiffOptions; readonly worded?: WordedChanges } {
  const typed = changesRequest(values);
  if (typed.changes !== undefined || values.list("--changed").length > 0) return typed;
  const worded = askedInWords(task);
  return worded === null ? {} : { worded };
}

/** The paths of `--only` as the index has them; empty for all of it. Throws a usage failure for one that does not exist. */
export function onlyPaths(
  { values, environment }: Pick<Context, "values" | "environment">,
  { root, config, members: asked }: Pick<App, "root" | "config" | "members">,
): readonly string[] {
  if (values.list("--only").length === 0) return [];
  const members = asked();
  const repos = config.settings["workspace.repos"];
  const cwd = existsSync(environment.cwd) ? realpathSync(environment.cwd) : environment.cwd;
  const paths = values.list("--only").map((typed) => {
    // An empty variable in a script must not select everything.
    if (typed === "") throw new Failed({ code: "usage", message: "--only: the value is empty" });
    const inside = [cwd, root].map((base) => pathIn(root, resolve(base, typed))).find((path) => path !== null);
    const among = (): string | null => pathAmong(members, typed, [cwd, root]) ?? pathInStored(repos, typed);
    const found = repos.length === 0 || inside === "" ? inside : among();
    if (found !== undefined && found !== null) return found;
    throw new Failed({
      code: "usage",
      message: `--only: ${typed} is not a folder or file of the repository`,
      next: "give a path relative to the current folder or to the repository's root",
    });
  });
  return paths.includes("") ? [] : [...new Set(paths)].sort();
}

/** A path from the root, "" for the root itself; null for one that does not exist or lies outside. */
function pathIn(root: string, path: string): string | null {
  if (path.includes("\0") || !existsSync(path)) return null;
  const inside = relative(root, realpathSync(path)).replaceAll(sep, "/");
  return inside === "" ? "" : inside.startsWith("../") || inside === ".." ? null : repositoryPath(inside);
}
