/** Makes a folder a git repository with one commit of all its files, the same on every machine. */

const DATE = "2025-01-01T00:00:00Z";

const SETTINGS = [
  "core.autocrlf=false",
  "commit.gpgsign=false",
  "user.name=bench",
  "user.email=bench@localhost",
  // Many files go into one pack, and nothing runs behind the measurements.
  "core.bigFileThreshold=1",
  "core.compression=1",
  "maintenance.auto=false",
];

/** Throws what git says if it fails. */
export function commitAll(root: string, message: string): void {
  const env = {
    PATH: process.env.PATH ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: DATE,
    GIT_COMMITTER_DATE: DATE,
  };
  const git = (...args: readonly string[]): void => {
    const all = ["git", ...SETTINGS.flatMap((setting) => ["-c", setting]), ...args];
    const { success, stderr } = Bun.spawnSync([...all], { cwd: root, env, stdout: "ignore", stderr: "pipe" });
    if (!success) throw new Error(`git ${args[0]} failed: ${stderr.toString().trim()}`);
  };
  git("init", "--quiet", "--template=", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", `--message=${message}`);
}
