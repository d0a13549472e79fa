/**
 * Small real repositories for tests: files in a temporary folder, with git history on request. Authors and dates are
 * fixed, so commit hashes are the same on every machine.
 */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** Contents by path relative to the repository. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export type TempRepo = Disposable & {
  /** The real path of the folder. */
  readonly path: string;
  /** Writes files and creates their folders. */
  write(files: Files): void;
  /** Removes a file or folder. */
  remove(path: string): void;
  /** Commits everything one hour after the previous commit; returns the hash. */
  commit(message: string): string;
  /** Runs git in the folder and returns its output. Throws git's error message if it fails. */
  git(...args: readonly string[]): string;
};

/** The time of the first commit, in seconds since 1970 (2024-01-01 00:00 UTC). */
const FIRST_COMMIT = 1_704_067_200;
const HOUR = 3600;

/** Creates a repository, with `git` the files are its first commit. `using repo = tempRepo(…)` removes it. */
export function tempRepo(files: Files, { git: withGit = false }: { readonly git?: boolean } = {}): TempRepo {
  const repo = repoAt(newFolder(), 0);
  repo.write(files);
  if (withGit) {
    initRepository(repo.path);
    repo.commit("Start");
  }
  return repo;
}

/** A maker of one repository with a history: it starts git for the first, and writes the files of that one for each. */
export function copiesOf(make: () => TempRepo): () => TempRepo {
  let first: (Tree & { readonly commits: number }) | undefined;
  return () => {
    first ??= contentsOf(make);
    const repo = repoAt(newFolder(), first.commits);
    writeTree(repo.path, first);
    // It knows files also by their numbers and times, and these have others.
    repo.git("update-index", "-q", "--refresh");
    return repo;
  };
}

function contentsOf(make: () => TempRepo) {
  using made = make();
  return { ...treeOf(made.path), commits: Number(made.git("rev-list", "--count", "HEAD")) };
}

type Tree = { readonly folders: readonly string[]; readonly files: Files };

/** The folders and files of a folder, without the samples that git puts into new repositories. */
function treeOf(root: string): Tree {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => ({ entry, path: relative(root, join(entry.parentPath, entry.name)) }));
  const files = named.filter(({ entry, path }) => entry.isFile() && !path.endsWith(".sample"));
  return {
    folders: named.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path),
    files: Object.fromEntries(files.map(({ path }) => [path, readFileSync(join(root, path))])),
  };
}

function writeTree(root: string, { folders, files }: Tree): void {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
}

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "cra-repo-")));

/** The repository in a folder with so many commits. */
function repoAt(path: string, before: number): TempRepo {
  let commits = before;
  const git = (...args: readonly string[]): string => runGit(path, FIRST_COMMIT + commits * HOUR, args);
  return {
    path,
    write(written) {
      for (const [name, content] of Object.entries(written)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
    remove: (name) => rmSync(join(path, name), { recursive: true }),
    commit(message) {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", `--message=${message}`);
      commits += 1;
      return headIn(join(path, ".git")) ?? git("rev-parse", "HEAD").trim();
    },
    git,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** What `git init` makes, by git once. */
let empty: Tree | undefined;

/** As `git init` without templates, on the branch `main`, and some ten times faster than starting git. */
export function initRepository(folder: string): void {
  empty ??= madeByGit();
  writeTree(folder, empty);
}

function madeByGit(): Tree {
  const folder = newFolder();
  try {
    runGit(folder, FIRST_COMMIT, ["init", "--quiet", "--template=", "--initial-branch=main"]);
    const { folders, files } = treeOf(folder);
    // The template has it, and tests write to it.
    return { folders: [...folders, ".git/info"], files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The commit of HEAD, read as most repositories keep it; starting git takes as long as a small test. */
export function headIn(gitFolder: string): string | null {
  try {
    const head = readFileSync(join(gitFolder, "HEAD"), "utf8").trim();
    const ref = /^ref: (refs\/heads\/.+)$/.exec(head)?.[1];
    return ref === undefined ? head : readFileSync(join(gitFolder, ref), "utf8").trim();
  } catch {
    // A work tree, or another way to keep references: git knows it.
    return null;
  }
}

/** Disables git's automatic maintenance process after each commit. */
const SETTINGS = ["-c", "core.hooksPath=/dev/null", "-c", "maintenance.auto=false"];

function runGit(cwd: string, seconds: number, args: readonly string[]): string {
  const date = `${seconds} +0000`;
  const { success, stdout, stderr } = Bun.spawnSync(["git", ...SETTINGS, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: cwd,
      LANG: "C.UTF-8",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.com",
      GIT_COMMITTER_DATE: date,
    },
  });
  if (!success) throw new Error(`git ${args.join(" ")}: ${stderr.toString().trim()}`);
  return stdout.toString();
}
