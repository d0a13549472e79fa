/**
 * Tests a binary on its own: copies it alone into an empty folder, runs its self-check, indexes a small repository and
 * retrieves from it. Prints nothing on success.
 */

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { freshBinary } from "./binary.ts";

/** Tokens; far more than the smallest possible package of so small a repository. */
const BUDGET = 4000;

const FILES = {
  "shop/cart.py":
    'from shop.price import total\n\n\nclass Cart:\n    """What a customer wants."""\n\n    def sum(self):\n        return total(self.items)\n',
  "shop/price.py":
    "def total(items):\n    # Prices are in cents because floats lose them.\n    return sum(item.cents for item in items)\n",
  "web/cart.ts":
    'import { format } from "./format";\n\nexport function show(cents: number): string {\n  return format(cents);\n}\n',
  "web/format.ts": "export const format = (cents: number): string => `${cents / 100}`;\n",
} as const;

/** What a binary is tried with. */
export type SmokeStep = "version" | "doctor --self" | "index" | "retrieve";

/** A binary, alone in a folder of its own, and a small repository. */
export type SmokeTrial = Disposable & {
  readonly command: readonly string[];
  readonly repository: string;
  /** The steps in their order. Each throws the output of a command that fails. */
  readonly steps: readonly (readonly [SmokeStep, () => Promise<void>])[];
};

/** `runner` is the emulator command for a binary of another platform. */
export function openSmokeTrial(binary: string, runner: readonly string[] = []): SmokeTrial {
  const folder = mkdtempSync(join(tmpdir(), "cra-smoke-"));
  const program = join(folder, "alone", basename(binary));
  const repository = join(folder, "repository");
  mkdirSync(join(folder, "alone"));
  copyFileSync(binary, program);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(repository, path, ".."), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  const command = [...runner, program];
  const cra = (...args: readonly string[]): Promise<string> => run([...command, ...args], repository, folder);
  return {
    command,
    repository,
    steps: [
      ["version", async () => expectIn("cra --version", await cra("--version"), /\d+\.\d+\.\d+/)],
      ["doctor --self", async () => expectIn("cra doctor --self", await cra("doctor", "--self"), /nothing is wrong/)],
      ["index", async () => void (await cra("index"))],
      [
        "retrieve",
        async () => {
          const task = "Cart.sum in shop/cart.py is wrong";
          const markdown = await cra("retrieve", task, "--budget", String(BUDGET));
          expectIn("cra retrieve", markdown, /^#/m);
          expectIn("cra retrieve", markdown, /shop\/cart\.py/);
        },
      ],
    ],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Throws the output of a command that fails. */
export async function smoke(binary: string, runner: readonly string[] = []): Promise<void> {
  using trial = openSmokeTrial(binary, runner);
  for (const [, step] of trial.steps) await step();
}

/** Runs the binary in a clean environment and returns its standard output. */
async function run(command: readonly string[], cwd: string, home: string): Promise<string> {
  const prefix = process.env.QEMU_LD_PREFIX;
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    ...(prefix === undefined ? {} : { QEMU_LD_PREFIX: prefix }),
  };
  const child = Bun.spawn([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}\n${errors}${output}`.trim());
  return output;
}

function expectIn(command: string, output: string, pattern: RegExp): void {
  if (!pattern.test(output)) throw new Error(`${command} printed nothing like ${pattern}:\n${output}`);
}

if (import.meta.main) {
  try {
    await smoke(await freshBinary());
  } catch (error) {
    process.stderr.write(`smoke: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
