/**
 * Builds `dist/cra`: one compiled binary with the workers and the grammars inside.
 *
 * Two builds of one commit with the same Bun are equal byte for byte, wherever the checkout lies. The binary is put in
 * place by a rename, so a running or concurrent cra never sees half a file. Not here: deciding whether a build is needed
 * (`binary.ts`), compressing the grammars (`grammars.ts`), and what is given to others (`release.ts`).
 */

import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeGrammars } from "./grammars.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");

/**
 * What runs in a thread or process of its own, `main.ts` first. The binary holds all entries in one flat folder, so
 * base names are unique, and a worker is started from a module of its own folder by
 * `new URL("./<name>.ts", import.meta.url)`, which is right both from source and in the binary.
 */
export const ENTRIES = [
  "src/main.ts",
  "src/syntax/parse/parse-worker.ts",
  "src/indexing/update/writer-worker.ts",
  "src/app/doctor-worker.ts",
  "src/tui/worker/tui-worker.ts",
] as const;

/** Where `build` puts the binary. */
const BINARY = join(DIST, "cra");

/** What a build is for: this machine, or another one by Bun's name of it and the path of Bun's executable for it. */
export type ForMachine = { readonly target: Bun.Build.CompileTarget; readonly executablePath: string };

/** Builds the binary of this machine and returns its path. Throws with one readable text when it cannot. */
async function build(): Promise<string> {
  const workshop = join(DIST, `.build-${process.pid}`);
  mkdirSync(workshop, { recursive: true });
  try {
    // The maps beside it are left behind: the binary holds them.
    await compile(join(workshop, "cra"), { commit: commit(), released: false });
    renameSync(join(workshop, "cra"), BINARY);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
  return BINARY;
}

/**
 * Writes the binary to `outfile` (Windows adds its ending), with maps of its sources beside it. `released`: whether it
 * calls itself a release.
 */
export async function compile(
  outfile: string,
  { commit, released, forMachine }: { commit: string | null; released: boolean; forMachine?: ForMachine },
): Promise<void> {
  makeGrammars();
  const missing = ENTRIES.filter((entry) => !existsSync(join(ROOT, entry)));
  if (missing.length > 0) throw new Error(`entry files are missing: ${missing.join(", ")}`);
  // The bundler names sources by their path from here, in the binary too.
  process.chdir(ROOT);
  const result = await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(ROOT, entry)),
    root: join(ROOT, "src"),
    naming: { entry: "[name].[ext]" },
    minify: true,
    bytecode: true,
    format: "esm",
    // What entries share is there once, and what is imported later is loaded later.
    splitting: true,
    sourcemap: "linked",
    define: {
      "process.env.NODE_ENV": '"production"',
      CRA_COMMIT: JSON.stringify(commit),
      CRA_RELEASED: JSON.stringify(released),
    },
    plugins: [withoutDevtools],
    // A binary that loads settings from the folder it is started in would run the code of a hostile repository.
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

/** Ink imports React's devtools in a branch that never runs here; the bundler still wants to find them. */
const withoutDevtools: Bun.BunPlugin = {
  name: "without-devtools",
  setup(bundler) {
    bundler.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "empty" }));
    bundler.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {}", loader: "js" }));
  },
};

/** The commit this is built from, `-dirty` when what goes into the binary differs from it, null without a checkout. */
export function commit(): string | null {
  const top = git("rev-parse", "--show-toplevel");
  const head = git("rev-parse", "HEAD");
  if (top === null || head === null || realpathSync(top) !== realpathSync(ROOT)) return null;
  const changes = git("status", "--porcelain", "--", "src", "scripts", "package.json", "package-lock.json");
  return changes === "" ? head : `${head}-dirty`;
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
