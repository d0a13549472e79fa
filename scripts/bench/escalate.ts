/**
 * Measures escalation with 10,000 files in the run's folder and 10,000 documents: `npm run bench -- escalate`.
 *
 * Figures are whole processes of the compiled binary. The base is `--check` on an empty folder, which starts as much of
 * the program. Exits with 1 and names the limits that are missed.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, runOnce } from "./measure.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "escalate");
const FILES = 10_000;
/** The median size of documentation in many repositories. */
const DOCUMENT_BYTES = 4_000;
const LOG_BYTES = 2_000;
const RUNS = 7;

const MS_MAX = 1_000;
const BYTES_BEYOND_MAX = 100_000_000;

const HANDOFF = JSON.stringify({
  error_message: "ConnectionError: Database connection failed unexpectedly after the retry limit was exceeded",
  root_cause: "Unknown, maybe the configuration file config.yaml is missing in the expected directory",
});
const WORDS =
  "the database connection of a request fails when its retry limit is exceeded while server and handler wait for a buffer of the stream".split(
    " ",
  );

/** Runs the benchmark. The number is an exit code. */
export async function escalate(program: string): Promise<number> {
  const repository = join(FOLDER, "repository");
  rmSync(FOLDER, { recursive: true, force: true });
  writeMany(join(repository, "docs"), "md", DOCUMENT_BYTES);
  writeMany(join(FOLDER, "run"), "log", LOG_BYTES);
  for (const name of ["nothing", "home"]) mkdirSync(join(FOLDER, name));
  // Its own repository, because the folder is inside another one.
  Bun.spawnSync(["git", "init", "-q"], { cwd: repository });
  const env = { HOME: join(FOLDER, "home"), PATH: process.env.PATH ?? "" };
  const take = (run: string, ...more: readonly string[]) => {
    const words = [
      "escalate",
      "--handoff",
      "-",
      "--run-dir",
      join(FOLDER, run),
      "--phase",
      "phase_001",
      "--attempt",
      "2",
    ];
    return runOnce({ command: [program, ...words, "--json", ...more], cwd: repository, env, stdin: HANDOFF });
  };
  const base = await measure(RUNS, () => take("nothing", "--check"));
  const checked = await measure(RUNS, () => take("run", "--check"));
  const whole = await measure(RUNS, () => take("run"));
  const rows = Object.entries({ "--check, empty folder": base, "--check": checked, "all of it": whole }).map(
    ([what, { wallMs, wallMsMin, wallMsMax, cpuMs, peakBytes }]) =>
      `| ${what} | ${wallMs.toFixed(0)} | ${wallMsMin.toFixed(0)} to ${wallMsMax.toFixed(0)} | ${cpuMs.toFixed(0)} | ${(peakBytes / 1e6).toFixed(1)} |\n`,
  );
  const heading = `${FILES} files of ${LOG_BYTES} bytes in the run, ${FILES} documents of ${DOCUMENT_BYTES}`;
  process.stdout.write(
    `| ${heading} | ms | least to most | processor ms | MB |\n| --- |${" --: |".repeat(4)}\n${rows.join("")}`,
  );
  const beyond = whole.peakBytes - base.peakBytes;
  const gates = [
    { name: `${whole.wallMs.toFixed(0)} ms, at most ${MS_MAX}`, isMet: whole.wallMs < MS_MAX },
    { name: `${beyond} bytes beyond the base, at most ${BYTES_BEYOND_MAX}`, isMet: beyond < BYTES_BEYOND_MAX },
  ];
  for (const { name } of gates.filter(({ isMet }) => !isMet)) process.stderr.write(`bench: missed: ${name}\n`);
  return gates.every(({ isMet }) => isMet) ? 0 : 1;
}

/** The same texts each time, in a hundred folders. */
function writeMany(folder: string, extension: string, bytes: number): void {
  let state = 1;
  const word = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return WORDS[state % WORDS.length] ?? "";
  };
  for (let n = 0; n < FILES; n += 1) {
    const group = join(folder, `group${n % 100}`);
    if (n < 100) mkdirSync(group, { recursive: true });
    let text = n % 10 === 0 ? "ERROR: it failed\n" : "";
    while (text.length < bytes) text += `${word()} ${word()} ${word()} ${word()} ${word()} ${word()}\n`;
    const name = extension === "log" && n < 20 ? `phase_001_attempt_1.${n}` : `file${n}`;
    writeFileSync(join(group, `${name}.${extension}`), text);
  }
}
