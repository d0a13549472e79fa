/** Signals at any moment: what can be told to end ends at once, and the next index equals a fresh one. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { binary } from "../../../tests/support/binary.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { cleanEnvironment } from "../../../tests/support/run-cra.ts";
import { attackOf } from "../attack.ts";
import { HostileFile, hostileFiles } from "../hostile-files.ts";
import { runIn } from "../small-world.ts";
import { worldOf } from "../world.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: null } as const;
const NAMES = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const;
const COMMANDS = { index: ["index", "-q"], retrieve: ["retrieve", "fix total", "--index", "-q"] } as const;
const Input = z.object({
  files: z.array(HostileFile),
  kills: z.array(z.object({ command: z.enum(["index", "retrieve"]), signal: z.enum(NAMES), ms: z.int() })),
});
type Input = z.infer<typeof Input>;

/** From the signal to the end, of processor time, since other programs may be busy. */
const END_MS_MAX = 200;
/** A process that waits for something takes no processor time, but must end as well. */
const HANG_MS = 20_000;

export const signals = attackOf<Input>({
  name: "signals",
  schema: Input,
  inputs: fc.record({
    files: hostileFiles,
    kills: fc.array(
      fc.record({
        command: fc.constantFrom("index", "retrieve"),
        signal: fc.constantFrom(...NAMES),
        ms: fc.integer({ min: 0, max: 500 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  async trial({ files, kills }, court) {
    using world = worldOf({
      files: files.filter(({ path }) => path !== ".cra.toml"),
      links: [],
      ignore: [],
      messages: ["Start"],
    });
    for (const { command, signal, ms } of kills) {
      const child = Bun.spawn([await binary(), ...COMMANDS[command], "--data-dir", world.data("data")], {
        cwd: world.repo.path,
        env: { ...cleanEnvironment(world.home), ...world.environment },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
      await Promise.race([Bun.sleep(ms), child.exited]);
      const before = cpuMs(child.pid);
      child.kill(signal);
      const ended = await Promise.race([child.exited.then(() => true), Bun.sleep(HANG_MS).then(() => false)]);
      court.holds("ends when told", ended, () => `${command} ignores ${signal}`);
      if (!ended) child.kill("SIGKILL");
      await child.exited;
      const spent = Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1000 - (before ?? Number.POSITIVE_INFINITY);
      court.holds("ends when told", spent < END_MS_MAX, () => `${command} takes ${spent} ms after ${signal}`);
      const code = SIGNALS[signal];
      const isKnown = child.exitCode === null || [0, 1, 2, 3, 10, code].includes(child.exitCode);
      court.holds("exit code", isKnown, () => `${command} after ${signal}: ${child.exitCode}`);
    }
    const next = await runIn(court, world, "data", ["index", "-q"]);
    await runIn(court, world, "fresh", ["index", "-q"]);
    court.holds("exit code", next.code === 0, () => `the next index: ${next.code} ${next.stderr}`);
    if (next.code !== 0) return;
    const [one, other] = ["data", "fresh"].map((name) => dumpCuratedFile(dataPaths(world.data(name)).curated));
    court.holds("index equals fresh", one === other, () => "the next index differs");
    world.checkTraces(court);
  },
});

/** The processor time of a running process so far; null if it is gone. Clock ticks are 10 ms on Linux. */
function cpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}
