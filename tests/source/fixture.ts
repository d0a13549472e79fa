/** Temporary folders and real git repositories for the tests of `source`. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { headIn, initRepository } from "../support/repo.ts";

export type Folder = Disposable & { readonly path: string };

/** A new folder that is removed at the end of the `using` block. */
export function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cra-source-")));
  writeFiles(path, files);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

/** Runs git in a folder with a fixed identity and no settings of this machine; `at` is the time of commits, in seconds. */
export function git(
  root: string,
  args: readonly string[],
  at = 1_700_000_000,
  input: string | Uint8Array = "",
): string {
  const child = Bun.spawnSync(["git", ...args], {
    cwd: root,
    stdin: Buffer.from(input),
    env: {
      PATH: Bun.env.PATH ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada Löve",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada Löve",
      GIT_COMMITTER_EMAIL: "ada@example.org",
      GIT_AUTHOR_DATE: `@${at} +0000`,
      GIT_COMMITTER_DATE: `@${at} +0000`,
    },
  });
  if (child.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${child.stderr.toString()}`);
  return child.stdout.toString();
}

/** A repository with no commit, on branch `main`. */
export function temporaryRepository(files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const folder = temporaryFolder();
  initRepository(folder.path);
  writeFiles(folder.path, files);
  return folder;
}

/** Writes files, commits everything, and returns the hash. */
export function commitFiles(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message = "change",
  at?: number,
): string {
  writeFiles(root, files);
  git(root, ["add", "--all", "--force"]);
  // Else a second process looks after each commit whether there is something to tidy up.
  git(root, ["-c", "maintenance.auto=false", "commit", "--quiet", "--allow-empty", "--message", message], at);
  return headIn(join(root, ".git")) ?? git(root, ["rev-parse", "HEAD"]).trim();
}

/** Writes a commit object as it is given, even if git would not make it, and moves the branch to it. */
export function commitObject(root: string, object: string | Uint8Array): string {
  const hash = git(root, ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], 0, object).trim();
  git(root, ["update-ref", "HEAD", hash]);
  return hash;
}
