/**
 * Creates the repository for timings: three.js 0.170.0 from its npm package.
 *
 * It has 1,012 hand-written JavaScript files (5.8 MB, up to 4,000 lines each), without bundled third-party code. The
 * archive is downloaded once into `dist/bench` and checked against a pinned hash. The repository is created each time
 * with one commit of a fixed hash. As a process of its own this file prints the result of `makeCorpus` as JSON.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { untar } from "./untar.ts";

const NAME = "three";
const VERSION = "0.170.0";
const INTEGRITY = "sha512-FQK+LEpYc0fBD+J8g6oSEyyNzjp+Q7Ks1C568WWaoMRLW+TkNNWmenWeGgJjV105Gd+p/2ql1ZcjYvNiPZBhuQ==";

/** The paths taken from the archive. */
const TAKEN = /^package\/(?:package\.json|(?:src|examples\/jsm(?!\/libs\/))\/.*\.js)$/;

const DATE = "2025-01-01T00:00:00Z";
const FETCH_MS_MAX = 180_000;

/** `files` and `bytes` count the work tree. */
export type Corpus = {
  readonly root: string;
  readonly label: string;
  readonly files: number;
  readonly bytes: number;
};

/** Why the corpus is unavailable: no network, no npm, or an archive that differs from the pinned one. */
export type Unavailable = { readonly unavailable: string };

/** Creates the repository in `folder` and downloads the archive if it is missing. */
export async function makeCorpus(folder: string): Promise<Corpus | Unavailable> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, `${NAME}-${VERSION}.tgz`);
  if (!existsSync(archive)) {
    const problem = await fetchArchive(folder, archive);
    if (problem !== null) return { unavailable: problem };
  }
  const packed = readFileSync(archive);
  if (integrityOf(packed) !== INTEGRITY) {
    rmSync(archive);
    return {
      unavailable: `${NAME}@${VERSION} is not the pinned archive, and was removed (its hash is ${integrityOf(packed)}); run again`,
    };
  }
  const root = join(folder, `${NAME}-${VERSION}`);
  rmSync(root, { recursive: true, force: true });
  let files = 0;
  let bytes = 0;
  for (const { path, content } of untar(gunzipSync(packed))) {
    if (!TAKEN.test(path) || path.split("/").includes("..")) continue;
    const to = join(root, path.slice("package/".length));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
    files += 1;
    bytes += content.length;
  }
  commit(root);
  return { root, label: `${NAME}@${VERSION}`, files, bytes };
}

const integrityOf = (bytes: Uint8Array): string => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

/** Downloads through npm, which knows registry and proxy. Returns a one-line error, or null. */
async function fetchArchive(folder: string, archive: string): Promise<string | null> {
  const npm = Bun.which("npm");
  if (npm === null) return `npm, which fetches ${NAME}@${VERSION}, is not on the PATH; install it and run again`;
  const partial = join(folder, `.fetch-${process.pid}`);
  mkdirSync(partial, { recursive: true });
  try {
    const child = Bun.spawn([npm, "pack", `${NAME}@${VERSION}`, "--ignore-scripts", "--loglevel=error"], {
      cwd: partial,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: FETCH_MS_MAX,
    });
    const errors = await new Response(child.stderr).text();
    const made = join(partial, `${NAME}-${VERSION}.tgz`);
    if ((await child.exited) !== 0 || !existsSync(made)) {
      const reason = errors.split("\n").find((line) => /^npm error (?!code)/.test(line)) ?? `exit ${child.exitCode}`;
      return `npm cannot fetch ${NAME}@${VERSION} (${reason.replace(/^npm error /, "")}); connect to the npm registry and run again`;
    }
    renameSync(made, archive);
    return null;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** One commit, the same on every machine. */
function commit(root: string): void {
  const settings = ["core.autocrlf=false", "commit.gpgsign=false", "user.name=bench", "user.email=bench@localhost"];
  const env = {
    PATH: process.env.PATH ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: DATE,
    GIT_COMMITTER_DATE: DATE,
  };
  const git = (...args: readonly string[]): void => {
    const all = ["git", ...settings.flatMap((setting) => ["-c", setting]), ...args];
    const { success, stderr } = Bun.spawnSync([...all], { cwd: root, env, stdout: "ignore", stderr: "pipe" });
    if (!success) throw new Error(`git ${args[0]} failed: ${stderr.toString().trim()}`);
  };
  git("init", "--quiet", "--template=", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", `--message=${NAME} ${VERSION}`);
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await makeCorpus(process.argv[2] ?? ""))}\n`);
