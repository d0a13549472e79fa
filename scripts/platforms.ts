/**
 * Runs the program of every platform as far as this machine can, and writes what ran where to `docs/platforms.md`:
 * `bun scripts/platforms.ts`, or with `--only windows-x64,linux-arm64` prints these rows only.
 *
 * Builds each program once as a development build, which takes minutes. Emulators and libraries stay in `dist/platforms`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTerminal } from "../tests/support/terminal-session.ts";
import { commit, compile } from "./build.ts";
import { ROWS, type Runner } from "./platforms/runners.ts";
import { checkSignature, signedAdHoc } from "./release/code-signature.ts";
import { writeRuntime } from "./release/runtimes.ts";
import { programOf, TARGETS, type Target } from "./release/targets.ts";
import { openSmokeTrial, type SmokeTrial } from "./smoke.ts";

const ROOT = join(import.meta.dir, "..");
const WORKSHOP = join(ROOT, "dist", "platforms");
const PAGE = join(ROOT, "docs", "platforms.md");
const STEPS = ["version", "doctor --self", "index", "retrieve", "tui"] as const;
/** A step in an emulator may take so long. */
const STEP_MS_MAX = 300_000;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const wanted = values.only?.split(",") ?? TARGETS.map(({ name }) => name);
mkdirSync(WORKSHOP, { recursive: true });
const programs = new Map<string, string>();
const rows: string[] = [];
for (const { target: name, find } of ROWS.filter(({ target }) => wanted.includes(target))) {
  const target = TARGETS.find((one) => one.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  const program = programs.get(name) ?? (await build(target));
  programs.set(name, program);
  const runner = find(WORKSHOP);
  const cells = typeof runner === "string" ? STEPS.map(() => "–") : await cellsOf(program, runner);
  const how =
    typeof runner === "string" ? `${runner}${target.system === "darwin" ? signatureOf(program) : ""}` : runner.how;
  const row = `| ${name} | ${how} | ${cells.join(" | ")} |`;
  process.stdout.write(`${row}\n`);
  rows.push(row);
}
for (const program of programs.values()) rmSync(join(program, ".."), { recursive: true, force: true });
if (values.only === undefined) writeFileSync(PAGE, page());

async function build(target: Target): Promise<string> {
  const folder = join(WORKSHOP, `program-${target.name}`);
  mkdirSync(folder, { recursive: true });
  const forMachine = { target: target.bun, executablePath: writeRuntime(ROOT, target, folder) };
  await compile(join(folder, "cra"), { commit: commit(), released: false, forMachine });
  return join(folder, programOf(target));
}

/** "yes" for each step that passed; the first one that does not says why, and those behind it are not tried. */
async function cellsOf(program: string, { command }: Runner): Promise<readonly string[]> {
  using trial = openSmokeTrial(program, command);
  const cells: string[] = [];
  const steps = [...trial.steps, ["tui", () => interfaceOpens(trial)] as const];
  for (const [name, step] of steps) {
    try {
      await within(step(), `${name} took longer than ${STEP_MS_MAX / 1000} s`);
      cells.push("yes");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${program} ${name}: ${why}\n`);
      cells.push(`no: ${(why.split("\n")[0] ?? "").replace(/^.*(?= exited with)/, "it").replaceAll("|", "/")}`);
      break;
    }
  }
  return STEPS.map((_, index) => cells[index] ?? "–");
}

/** Opens the interface in a pseudo-terminal, types a task, waits for its package and leaves. */
async function interfaceOpens(trial: SmokeTrial): Promise<void> {
  await using session = openTerminal({ command: trial.command, cwd: trial.repository, columns: 100, rows: 30 });
  await session.until(/task/i, STEP_MS_MAX);
  session.type("Cart.sum in shop/cart.py is wrong\r");
  await session.until("shop/cart.py", STEP_MS_MAX);
  session.type("\x03\x03");
  await session.ended;
}

async function within(work: Promise<void>, message: string): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message)), STEP_MS_MAX);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function signatureOf(program: string): string {
  const bytes = readFileSync(program);
  const built = checkSignature(bytes);
  const { faults, pages } = built.faults.length === 0 ? built : checkSignature(signedAdHoc(bytes, "cra"));
  return faults.length === 0 ? ` (all ${pages} pages are valid)` : ` (invalid: ${faults.join("; ")})`;
}

function page(): string {
  return `# Platforms

What \`bun scripts/platforms.ts\` ran on one machine (${process.platform} ${process.arch}): each program alone in an empty folder, on a
small repository. The columns are commands: \`cra --version\`, \`cra doctor --self\` (SQLite, every grammar in threads, the tokenizers),
\`cra index\`, \`cra retrieve\`, and \`cra\` in a pseudo-terminal with a task typed into it.

| program | run by | ${STEPS.join(" | ")} |
| --- | --- | ${STEPS.map(() => "---").join(" | ")} |
${rows.join("\n")}

An emulated processor is not a real one, and Wine is not Windows: "yes" says that the program and its parts work there, not how
fast they are. x64 programs need no AVX. Linux programs need glibc 2.17, or musl 1.2.4 with libstdc++ (\`apk add libstdc++\`).
`;
}
