/** The launcher of the npm package hands over arguments, exit codes and signals, by each way in which Node can start a program. */
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
[ "$1" = wait ] || { printf '%s|' "$@"; exit 7; }
[ "$2" = killed ] && kill -KILL $$
echo ready
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
      const run = start(way, "a b", "--c", "");
      expect([await new Response(run.stdout).text(), await run.exited]).toEqual(["a b|--c||", 7]);

      const waiting = start(way, "wait");
      const reader = waiting.stdout.getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).toBe("ready\n");
      waiting.kill("SIGTERM");
      expect(await waiting.exited).toBe(9);

      const killed = start(way, "wait", "killed");
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
