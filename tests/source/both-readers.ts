/** Reads a history with both readers and expects equal results for every kind of query. */
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { resolveGitFolders } from "../../src/source/git/folders.ts";
import { gitStateInFiles } from "../../src/source/git/git-state.ts";
import { type History, headOf } from "../../src/source/history/history.ts";
import { builtinHistory } from "../../src/source/history/history-builtin.ts";
import { openHistory } from "../../src/source/history/open-history.ts";

export const environment = { PATH: Bun.env.PATH, GIT_CONFIG_NOSYSTEM: "1" };
/** Falls back to the other one where git refuses, as cra does. */
export const byGit = openHistory(environment);
export const builtin = builtinHistory();

/** In full, in part, and on top of what was read before; what was read is left as it was. */
export async function readBoth(root: string, commitsMax = 5_000): Promise<History> {
  const before = gitFilesOf(root);
  const first = await byGit.readHistory(root, { commitsMax });
  expect(await builtin.readHistory(root, { commitsMax })).toEqual(first);
  // What git's files say where they leave no doubt.
  const stand = gitStateInFiles(root);
  if (stand !== null) {
    expect(stand.head).toEqual(headOf(first));
    expect([null, first.tracked]).toContainEqual(stand.tracked());
  }
  const known = new Map(first.commits.slice(first.commits.length >> 1).map((commit) => [commit.hash, commit]));
  for (const reader of [byGit, builtin]) {
    expect(await reader.readHead(root)).toEqual(headOf(first));
    expect(await reader.readHistory(root, { commitsMax, known })).toEqual(first);
    expect((await reader.readHistory(root, { commitsMax: 2 })).commits).toEqual(first.commits.slice(0, 2));
    expect(await reader.readHistory(root, { commitsMax: 0 })).toEqual({ ...first, commits: [] });
  }
  expect(gitFilesOf(root)).toEqual(before);
  return first;
}

/** Every entry of git's folders with its kind, times and content: equal when nothing was written. */
export function gitFilesOf(root: string): readonly string[] {
  const git = resolveGitFolders(root);
  if (git.kind === "problem") return [];
  return [...new Set([git.folder, git.commonFolder])].flatMap((folder) => entriesOf(folder));
}

function entriesOf(folder: string): readonly string[] {
  return [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].toSorted().map((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const content = stat.isFile() ? readFileSync(path) : stat.isSymbolicLink() ? readlinkSync(path) : "";
    const hash = createHash("sha1").update(content).digest("hex");
    return `${path} ${stat.mode} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino} ${hash}`;
  });
}

export const filesOf = (history: History): readonly (readonly string[])[] =>
  history.commits.map((commit) => commit.files);
