/**
 * Measures how cra scales with the size of a repository: `npm run bench -- scale [small|middle|large]...`, by default all three.
 *
 * The repositories have about 3,500, 32,000 and 116,000 real files (`scale-corpus.ts`). On each it measures the first answer
 * without an index, the first index, runs after no change, a changed comment and a new function, and a question, beside
 * `repomix --compress` (the same parsers), Universal Ctags and ripgrep where these are installed. One run measures all, so ratios
 * hold on a busy machine. A run of all sizes writes `results/scale.md`. Exits with 1 if a limit is missed, or with 2 if an archive
 * cannot be fetched.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshBinary } from "../binary.ts";
import { ctagsProblem } from "./ctags-problem.ts";
import type { Unavailable } from "./fetch-archive.ts";
import { runOnce, type Sample, summaryOf } from "./measure.ts";
import { type ScaleSize, SIZES } from "./scale-archives.ts";
import type { ScaleCorpus } from "./scale-corpus.ts";
import { gatesOf, reportOf, type ScaleRow, shown } from "./scale-report.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "scale");
const RESULTS = join(import.meta.dir, "results", "scale.md");
const REPOMIX = "1.18.1";

/** How often each thing is measured, after one run that does not count unless it is measured once. */
const RUNS: Readonly<Record<ScaleSize, { readonly long: number; readonly answer: number; readonly short: number }>> = {
  small: { long: 2, answer: 5, short: 5 },
  middle: { long: 1, answer: 3, short: 3 },
  large: { long: 1, answer: 2, short: 3 },
};
/** Repomix is ended after this time, and not run on the largest size, where it would take longer than all the rest. */
const REPOMIX_MS_MAX = 180_000;

/** In every size. */
const CHANGED_FILE = "rxjs/src/internal/operators/debounceTime.ts";
const TASK =
  "A request that fails is sent again at once. Wait before each retry, longer every time, and give up after some";
const WORD = "retry";

/** Runs the benchmark. The number is an exit code. */
export async function scale(names: readonly string[]): Promise<number> {
  const sizes = SIZES.filter((size) => names.length === 0 || names.includes(size));
  const unknown = names.find((name) => !SIZES.some((size) => size === name));
  if (unknown !== undefined) {
    process.stderr.write(`bench: ${unknown} is no size; the sizes are ${SIZES.join(", ")}\n`);
    return 2;
  }
  const program = await freshBinary();
  mkdirSync(FOLDER, { recursive: true });
  const corpora = await makeCorpora(sizes);
  const repomix = await installedRepomix();
  const rows: ScaleRow[] = [];
  for (const [at, size] of sizes.entries()) {
    const corpus = corpora[at];
    if (corpus === undefined || "unavailable" in corpus) {
      process.stderr.write(`bench: ${corpus?.unavailable ?? "a repository could not be made"}\n`);
      return 2;
    }
    rows.push(await measured(size, corpus, program, repomix));
  }
  const report = reportOf(rows, REPOMIX);
  process.stdout.write(`\n${report}`);
  if (sizes.length === SIZES.length) writeFileSync(RESULTS, report);
  const missed = gatesOf(rows).filter(({ isMet }) => !isMet);
  for (const { name, value } of missed) process.stderr.write(`bench: missed: ${name} (${value})\n`);
  return missed.length === 0 ? 0 : 1;
}

async function measured(size: ScaleSize, corpus: ScaleCorpus, program: string, repomix: string): Promise<ScaleRow> {
  const { root } = corpus;
  const { long, answer, short } = RUNS[size];
  const data = join(FOLDER, "data");
  const env = { HOME: join(FOLDER, "home"), PATH: process.env.PATH ?? "" };
  const take = async (what: string, runs: number, once: () => Promise<Sample>): Promise<Sample> => {
    // A single run is long enough to be its own warm-up.
    if (runs > 1) await once();
    const samples: Sample[] = [];
    for (let run = 0; run < runs; run += 1) samples.push(await once());
    const sample = summaryOf(samples);
    process.stdout.write(
      `${size}, ${what}: ${shown(sample)}, ${(sample.cpuMs / 1000).toFixed(1)} s of processor time\n`,
    );
    return sample;
  };
  const run = (command: readonly string[]): Promise<Sample> => runOnce({ command, cwd: root, env });
  const cra = (...args: readonly string[]): Promise<Sample> => run([program, ...args, "--data-dir", data]);
  const fresh = (...args: readonly string[]): Promise<Sample> => {
    rmSync(data, { recursive: true, force: true });
    return cra(...args);
  };
  process.stdout.write(`${size}: ${corpus.files} files, ${(corpus.bytes / 1e6).toFixed(0)} MB\n`);
  const firstAnswer = await take("first answer", answer, () => fresh("retrieve", TASK));
  const firstIndex = await take("first index", long, () => fresh("index"));
  const diskBytes = sizeOf(data);
  const unchanged = await take("unchanged", short, () => cra("index"));
  const question = await take("question", short, () => cra("retrieve", TASK));
  const path = join(root, CHANGED_FILE);
  const before = readFileSync(path, "utf8");
  const changed = (what: string, textOf: (version: number) => string): Promise<Sample> => {
    let version = 0;
    return take(what, short, () => {
      version += 1;
      writeFileSync(path, before + textOf(version));
      return cra("index");
    });
  };
  let comment: Sample;
  let added: Sample;
  try {
    comment = await changed("comment changed", (version) => `\n// This is version ${version}.\n`);
    let functions = "";
    added = await changed("function added", (version) => {
      functions += `\nexport function added${version}(): number {\n  return ${version};\n}\n`;
      return functions;
    });
  } finally {
    writeFileSync(path, before);
    rmSync(data, { recursive: true, force: true });
  }
  const [out, tags] = [join(FOLDER, "repomix.xml"), join(FOLDER, "tags")];
  const compress = ["--compress", "--quiet", "--no-security-check", "-o", out, root];
  const others = {
    repomix:
      size === "large"
        ? "not run"
        : await take("repomix --compress", long, () =>
            runOnce({ command: ["node", repomix, ...compress], cwd: root, env, msMax: REPOMIX_MS_MAX }),
          ).catch(firstLine),
    ctags:
      ctagsProblem() !== null
        ? null
        : await take("ctags", long, () => run(["ctags", "-R", "--fields=+neKS", "-f", tags, root])),
    ripgrep: Bun.which("rg") === null ? null : await take("ripgrep", short, () => run(["rg", "-c", WORD, root])),
  };
  for (const made of [out, tags]) rmSync(made, { force: true });
  return { size, corpus, firstAnswer, firstIndex, diskBytes, unchanged, question, comment, added, ...others };
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";

function sizeOf(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Creating the repositories takes memory, which would count for every child, so another process does it. */
async function makeCorpora(sizes: readonly ScaleSize[]): Promise<readonly (ScaleCorpus | Unavailable)[]> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "scale-corpus.ts"), FOLDER, ...sizes], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the repositories could not be created");
  return JSON.parse(text);
}

/** Installs repomix from the registry next to the repositories; it is not a dependency of the project. */
async function installedRepomix(): Promise<string> {
  const folder = join(FOLDER, `repomix-${REPOMIX}`);
  const entry = join(folder, "node_modules", "repomix", "bin", "repomix.cjs");
  if (existsSync(entry)) return entry;
  mkdirSync(folder, { recursive: true });
  await runOnce({
    command: [
      "npm",
      "install",
      "--prefix",
      folder,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      `repomix@${REPOMIX}`,
    ],
    cwd: folder,
    // The configured registry can need more variables than PATH.
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  });
  return entry;
}
