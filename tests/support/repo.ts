/**
 * Small real repositories for tests: files in a temporary folder, with git history on request. Authors and dates are
 * fixed, so commit hashes are the same on every machine.
 */

import {
  type Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
    repo.git("init", "--quiet", "--initial-branch=main");
    repo.commit("Start");
  }
  return repo;
}

/** A maker of one repository with a history: it starts git for the first, and writes the files of that one for each. */
export function copiesOf(make: () => TempRepo): () => TempRepo {
  let first: { readonly folders: readonly string[]; readonly files: Files; readonly commits: number } | undefined;
  return () => {
    first ??= contentsOf(make);
    const repo = repoAt(newFolder(), first.commits);
    for (const folder of first.folders) mkdirSync(join(repo.path, folder), { recursive: true });
    repo.write(first.files);
    // It knows files also by their numbers and times, and these have others.
    repo.git("update-index", "-q", "--refresh");
    return repo;
  };
}

function contentsOf(make: () => TempRepo) {
  using made = make();
  const entries = readdirSync(made.path, { recursive: true, withFileTypes: true });
  const paths = (kept: readonly Dirent[]) => kept.map(({ parentPath, name }) => join(parentPath, name));
  const within = (path: string): string => relative(made.path, path);
  return {
    folders: paths(entries.filter((entry) => entry.isDirectory())).map(within),
    files: Object.fromEntries(
      paths(entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".sample"))).map((path) => [
        within(path),
        readFileSync(path),
      ]),
    ),
    commits: Number(made.git("rev-list", "--count", "HEAD")),
  };
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
