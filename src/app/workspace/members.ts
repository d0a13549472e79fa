/**
 * The repositories that a question is asked of, when these are several: each with its own index, in its own data folder.
 *
 * The workspace itself only records the question. Paths of the list are relative to its root.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type ConfigKey, DEFAULT_SETTINGS, type Settings } from "../../config/keys.ts";
import { loadConfig } from "../../config/read-files.ts";
import type { Config, Explained } from "../../config/settings.ts";
import type { Variables } from "../../config/variables.ts";
import { locateDataDir } from "../../db/data-folder/data-dir.ts";
import { dataPaths } from "../../db/data-folder/paths.ts";
import { Failed } from "../../failure.ts";
import { findRepository } from "../../source/git/folders.ts";
import { isStoredEntry, readStoredEntry } from "../../store/stored-entries.ts";
import type { Environment } from "./environment.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/** A repository; `name` begins its paths in packages. */
export type Member = { readonly name: string; readonly root: string };

const REPOS = "workspace.repos" satisfies ConfigKey;

/**
 * Settings whose list of repositories is relative to `root`. A typed path starts from the working folder, one of the user's file from that
 * file. Those of a store stay as they are. Throws a config failure when a repository's own file names a folder outside of it, or a store.
 */
export function withMemberPaths(
  config: Config,
  root: string,
  { cwd, variables }: Pick<Environment, "cwd" | "variables">,
): Config {
  const row = config.explained.find(({ key }) => key === REPOS);
  const { [REPOS]: typed } = config.settings;
  if (row === undefined || typed.length === 0) return config;
  const listed = row.kind === "flag" ? typed.flatMap((paths) => paths.split(",")) : typed;
  const named = listed.filter((path) => path !== "");
  for (const entry of named.filter(isStoredEntry)) readStoredEntry(entry);
  const paths = named.map((path) =>
    isStoredEntry(path)
      ? path
      : relative(root, resolve(baseOf(row, root, cwd), inHome(path, variables))).replaceAll(sep, "/") || ".",
  );
  const outside =
    row.kind === "repository" ? paths.find((path) => isStoredEntry(path) || leadsOut(root, path)) : undefined;
  if (outside !== undefined)
    throw new Failed({
      code: "config",
      where: row.where,
      message: `"${REPOS}" names ${outside}, which is outside of this folder`,
      next: "name it with --repos, CRA_WORKSPACE_REPOS, or in your own config.toml",
    });
  return { ...config, settings: { ...config.settings, [REPOS]: paths } };
}

/** A folder with `~` as the home folder, which shells leave alone inside a list. */
export function inHome(path: string, { HOME, USERPROFILE }: Variables): string {
  const home = HOME ?? USERPROFILE;
  return home && /^~(?:[/\\]|$)/.test(path) ? join(home, path.slice(1)) : path;
}

/** A list of repositories as it is typed in `cwd`: the inverse of `withMemberPaths`. */
export const typedMemberPaths = (paths: readonly string[], root: string, cwd: string): readonly string[] =>
  paths.map((path) => (isStoredEntry(path) ? path : relative(cwd, resolve(root, path)).replaceAll(sep, "/") || "."));

/** Whether a path, or what its symbolic links lead to, is outside of a folder. */
function leadsOut(root: string, path: string): boolean {
  const full = resolve(root, path);
  const isOutside = (inside: string): boolean => inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return (
    isOutside(relative(root, full)) || (existsSync(full) && isOutside(relative(realpathSync(root), realpathSync(full))))
  );
}

function baseOf({ kind, where }: Explained, root: string, cwd: string): string {
  if (kind === "repository") return root;
  return kind === "user" ? dirname(where) : cwd;
}

/**
 * The repositories of this machine in a list, by name; empty for a question about the workspace itself. Throws `no-repository`
 * with the given advice.
 */
export function membersOf(root: string, paths: readonly string[], next = CORRECT_SETTING): readonly Member[] {
  const folders = paths.filter((path) => !isStoredEntry(path));
  const roots = [...new Set(folders.map((path) => rootOf(resolve(root, path), next)))];
  return roots.map((member) => ({ name: shortestName(member, roots), root: member }));
}

const CORRECT_SETTING = "correct --repos, or repos in [workspace] of .cra.toml";

function rootOf(folder: string, next: string): string {
  try {
    const { root, kind } = findRepository(folder);
    if (kind !== "bare") return root;
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "no-repository") throw error;
    throw new Failed({ ...error.failure, next }, { cause: error });
  }
  throw new Failed({
    code: "no-repository",
    path: folder,
    why: "it is a bare repository, which has no work tree",
    next,
  });
}

/** The last parts of a root's path, as many as no other root ends with. */
function shortestName(root: string, roots: readonly string[]): string {
  const parts = root.split(sep).filter((part) => part !== "");
  for (let count = 1; count < parts.length; count += 1) {
    const name = parts.slice(-count).join("/");
    if (roots.every((other) => other === root || !`/${other.replaceAll(sep, "/")}`.endsWith(`/${name}`))) return name;
  }
  return parts.join("/");
}

/** Opens a repository of the list. The workspace's settings say what to select, the repository's own say how to index. */
export async function openMember({ root }: Member, { config, environment }: Workspace): Promise<Workspace> {
  const own = loadConfig({ flags: [], variables: environment.variables, root }).settings;
  const settings: Settings = {
    ...config.settings,
    ...indexingOf(own),
    // Each repository has its own data folder, also where the workspace names one.
    data_dir: DEFAULT_SETTINGS.data_dir,
    [REPOS]: [],
  };
  return await openWorkspace(root, { ...config, settings }, environment);
}

/** Whether each repository of the list that is on this machine has an index, which is not opened. */
export const areIndexed = (
  root: string,
  paths: readonly string[],
  { uid, variables }: Pick<Environment, "uid" | "variables">,
): boolean =>
  membersOf(root, paths).every((member) => {
    const folder = locateDataDir(member.root, { explicit: DEFAULT_SETTINGS.data_dir, uid, env: variables }).path;
    return existsSync(dataPaths(folder).curated);
  });

const indexingOf = (own: Settings) => ({
  "index.max_file_size": own["index.max_file_size"],
  "index.ignore": own["index.ignore"],
  "index.nested": own["index.nested"],
  "index.commits_max": own["index.commits_max"],
  "index.commit_files_max": own["index.commit_files_max"],
});

/** Where a file of the union is: its repository, and its path in it. */
export function placeOf(
  members: readonly Member[],
  path: string,
): { readonly root: string; readonly path: string } | null {
  const member = members.find(({ name }) => path.startsWith(`${name}/`));
  return member === undefined ? null : { root: member.root, path: path.slice(member.name.length + 1) };
}
