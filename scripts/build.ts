/**
 * Builds `dist/cra`: one compiled binary that contains the workers and the grammars.
 *
 * Builds are reproducible: the same commit and the same Bun give the same bytes in any checkout. A rename puts the
 * binary in place, so no process ever sees a partial file.
 */

import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeGrammars } from "./grammars.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");

/**
 * Entry points of the main program and of every worker. The binary stores them in one flat folder, so their base names
 * must be unique. A module starts a worker of its own folder with `new URL("./<name>.ts", import.meta.url)`, which
 * works both from source and in the binary.
 */
export const ENTRIES = [
  "src/main.ts",
  "src/syntax/parse/parse-worker.ts",
  "src/indexing/update/writer/writer-worker.ts",
  "src/indexing/update/writer/link-worker.ts",
  "src/source/walk/walk-worker.ts",
  "src/indexing/provisional/count-worker.ts",
  "src/indexing/provisional/read-ahead-worker.ts",
  "src/app/upkeep/doctor-worker.ts",
  "src/tui/worker/tui-worker.ts",
] as const;

const BINARY = join(DIST, "cra");

/** The target platform in Bun's notation, and the path of Bun's executable for it. */
export type ForMachine = { readonly target: Bun.Build.CompileTarget; readonly executablePath: string };

/** Builds the binary for this machine and returns its path. Throws a readable message when the build fails. */
async function build(): Promise<string> {
  const buildDir = join(DIST, `.build-${process.pid}`);
  mkdirSync(buildDir, { recursive: true });
  try {
    // The source maps beside the binary are not kept: the binary contains them.
    await compile(join(buildDir, "cra"), { commit: commit(), released: false });
    renameSync(join(buildDir, "cra"), BINARY);
  } finally {
    rmSync(buildDir, { recursive: true, force: true });
  }
  return BINARY;
}

/**
 * Writes the binary to `outfile` (with `.exe` appended for Windows) and its source maps beside it. `released` says
 * whether the binary reports itself as a release.
 */
export async function compile(
  outfile: string,
  { commit, released, forMachine }: { commit: string | null; released: boolean; forMachine?: ForMachine },
): Promise<void> {
  makeGrammars();
  const missing = ENTRIES.filter((entry) => !existsSync(join(ROOT, entry)));
  if (missing.length > 0) throw new Error(`entry files are missing: ${missing.join(", ")}`);
  // The bundler records source paths relative to the working directory.
  process.chdir(ROOT);
  const result = await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(ROOT, entry)),
    root: join(ROOT, "src"),
    naming: { entry: "[name].[ext]" },
    minify: true,
    bytecode: true,
    format: "esm",
    // Entries share chunks, and dynamic imports stay lazy.
    splitting: true,
    sourcemap: "linked",
    define: {
      "process.env.NODE_ENV": '"production"',
      CRA_COMMIT: JSON.stringify(commit),
      CRA_RELEASED: JSON.stringify(released),
    },
    plugins: [withoutDevtools],
    // Loading settings from the working directory would let a hostile repository run code.
    compile: {
      outfile,
      ...forMachine,
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadPackageJson: false,
      autoloadTsconfig: false,
    },
    throw: false,
  });
  if (!result.success) throw new Error(result.logs.map(String).join("\n"));
}

/** Replaces React's devtools with an empty module: Ink imports them in a branch that never runs here. */
const withoutDevtools: Bun.BunPlugin = {
  name: "without-devtools",
  setup(bundler) {
    bundler.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "empty" }));
    bundler.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {}", loader: "js" }));
  },
};

/**
 * The commit of this checkout, with `-dirty` if an input of the binary has uncommitted changes; null outside a
 * checkout.
 */
export function commit(): string | null {
  const top = git("rev-parse", "--show-toplevel");
  const head = git("rev-parse", "HEAD");
  if (top === null || head === null || realpathSync(top) !== realpathSync(ROOT)) return null;
  const changes = git("status", "--porcelain", "--", "src", "scripts", "package.json", "package-lock.json");
  return changes === "" ? head : `${head}-dirty`;
}

/** When the commit of this checkout was made; outside a checkout the beginning of time, so that builds stay reproducible. */
export function committedAt(): Date {
  return new Date(Number(git("log", "-1", "--format=%ct") ?? 0) * 1000);
}

function git(...args: readonly string[]): string | null {
  const program = Bun.which("git");
  if (program === null) return null;
  const { success, stdout } = Bun.spawnSync([program, "--no-optional-locks", ...args], { cwd: ROOT, stderr: "ignore" });
  return success ? stdout.toString().trim() : null;
}

if (import.meta.main) {
  try {
    const started = performance.now();
    const path = await build();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${path}: ${(statSync(path).size / 1e6).toFixed(1)} MB in ${seconds} s\n`);
  } catch (error) {
    process.stderr.write(`build: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
