/**
 * The launcher of the npm package finds its program where installers put it, and hands over arguments, exit codes and
 * signals by each way in which Node can start a program.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { shared } from "../support/shared.ts";

setDefaultTimeout(HANG_MS);

const LAUNCHER = join(import.meta.dir, "../../scripts/release/packages/launcher.cjs");
const PROGRAM = `#!/bin/sh
trap 'exit 9' TERM
trap 'exit 8' INT
[ "$1" = killed ] && kill -KILL $$
printf '%s|' "$@"
while :; do sleep 0.05; done
`;
const name = `cra-linux-${process.arch}`;
const folder = shared(tempFolder());
const program = join(folder.path, `node_modules/${name}/bin/cra`);
mkdirSync(dirname(program), { recursive: true });
writeFileSync(program, PROGRAM);
cpSync(LAUNCHER, join(folder.path, "cra.cjs"));
chmodSync(program, 0o755);
const manifest = JSON.stringify({ name: "cra", optionalDependencies: { [name]: "1.0.0" } });
writeFileSync(join(folder.path, "package.json"), manifest);
writeFileSync(join(folder.path, "bare.cjs"), "delete process.execve;");
writeFileSync(
  join(folder.path, "documented.cjs"),
  "delete process.execve; process.binding = () => { throw new Error('no'); };",
);

const node = Bun.which("node");
const start = (way: string, ...args: readonly string[]) => {
  const before = way === "becomes" ? [] : ["--require", join(folder.path, `${way}.cjs`)];
  return Bun.spawn([node ?? "node", ...before, join(folder.path, "cra.cjs"), ...args], {
    stderr: "pipe",
    stdin: "ignore",
  });
};

for (const way of ["becomes", "bare", "documented"])
  test.skipIf(node === null || process.platform !== "linux")(
    `it hands everything over when Node starts it as "${way}"`,
    async () => {
      for (const [signal, code] of [
        ["SIGTERM", 9],
        ["SIGINT", 8],
      ] as const) {
        const waiting = start(way, "a b", "--c", "");
        const reader = waiting.stdout.getReader();
        expect(new TextDecoder().decode((await reader.read()).value)).toBe("a b|--c||");
        waiting.kill(signal);
        expect(await waiting.exited).toBe(code);
      }

      const killed = start(way, "killed");
      await killed.exited;
      expect(killed.signalCode).toBe("SIGKILL");
    },
  );

test.skipIf(node === null || process.platform !== "linux")("a program that cannot run is named", async () => {
  chmodSync(program, 0o644);
  try {
    const run = start("bare");
    expect(await new Response(run.stderr).text()).toStartWith(`cra: cannot start ${program}: `);
    expect(await run.exited).toBe(126);
  } finally {
    chmodSync(program, 0o755);
  }
});

/** Where the launcher is, and where the packages of programs are. */
const LAYOUTS: readonly (readonly [where: string, launcher: string, modules: string])[] = [
  ["inside", "node_modules/cra", "node_modules/cra/node_modules"],
  ["beside", "node_modules/cra", "node_modules"],
  ["inside, in a scope", "node_modules/@you/cra", "node_modules/@you/cra/node_modules/@you"],
  ["beside, in a scope", "node_modules/@you/cra", "node_modules/@you"],
  ["further up", "app/node_modules/cra", "node_modules"],
  ["further up, in a scope", "app/node_modules/@you/cra", "node_modules/@you"],
];

/** Installs programs that print the name of their package. Returns the launcher. */
function installed(root: string, launcher: string, modules: string, names: readonly string[]): string {
  for (const one of names) {
    const path = join(root, modules, one, "bin/cra");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho ${one}\n`);
    chmodSync(path, 0o755);
  }
  const path = join(root, launcher, "cra.cjs");
  mkdirSync(dirname(path), { recursive: true });
  cpSync(LAUNCHER, path);
  const scope = launcher.includes("@you") ? "@you/" : "";
  const described = { name: `${scope}cra`, optionalDependencies: { [`${scope}${name}`]: "1.0.0" } };
  writeFileSync(join(root, launcher, "package.json"), JSON.stringify(described));
  return path;
}

async function answer(launcher: string): Promise<readonly [output: string, errors: string, code: number]> {
  const run = Bun.spawn([node ?? "node", launcher], { stdout: "pipe", stderr: "pipe", stdin: "ignore" });
  return [await new Response(run.stdout).text(), await new Response(run.stderr).text(), await run.exited];
}

let glibc: boolean | null = null;
/** Whether Node runs on glibc, which it takes long to report. */
function isGlibc(): boolean {
  glibc ??=
    Bun.spawnSync([
      node ?? "node",
      "-p",
      "!!process.report.getReport().header.glibcVersionRuntime",
    ]).stdout.toString() === "true\n";
  return glibc;
}

for (const [at, [where, launcher, modules]] of LAYOUTS.entries())
  test.skipIf(node === null || process.platform !== "linux")(
    `it finds its program ${where}${where.startsWith("beside") ? ", and of two that of this C library" : ""}`,
    async () => {
      // The two names are looked for in the same folders, so each layout has one of them alone.
      const own = at % 2 === 0 ? name : `${name}-musl`;
      using alone = tempFolder();
      expect(await answer(installed(alone.path, launcher, modules, [own]))).toEqual([`${own}\n`, "", 0]);
      if (!where.startsWith("beside")) return;
      using place = tempFolder();
      const fitting = isGlibc() ? name : `${name}-musl`;
      const both = installed(place.path, launcher, modules, [name, `${name}-musl`]);
      expect(await answer(both)).toEqual([`${fitting}\n`, "", 0]);
    },
  );

test.skipIf(node === null || process.platform !== "linux")("a program that is not installed is named", async () => {
  using place = tempFolder();
  const [output, errors, code] = await answer(installed(place.path, "node_modules/cra", "node_modules", []));
  expect([output, code]).toEqual(["", 1]);
  expect(errors).toBe(
    `cra: the package ${name} is not installed; install again with: npm install --include=optional\n`,
  );
});
