/** Signals at any moment: what can be told to end ends at once, and the next index equals a fresh one. */
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { binary } from "../../../tests/support/binary.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { cleanEnvironment } from "../../../tests/support/run-cra.ts";
import { attackOf, type Court } from "../attack.ts";
import { HostileFile, hostileFiles } from "../hostile-files.ts";
import { runIn } from "../small-world.ts";
import { type World, worldOf } from "../world.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: null } as const;
const NAMES = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const;
const COMMANDS = { index: ["index", "-q"], retrieve: ["retrieve", "fix total", "--index", "-q"] } as const;
const Input = z.object({
  files: z.array(HostileFile),
  kills: z.array(z.object({ command: z.enum(["index", "retrieve"]), signal: z.enum(NAMES), ms: z.int() })),
});
type Input = z.infer<typeof Input>;
type Kill = Input["kills"][number];

/** From the signal to the end, of the clock or of processor time, whichever is less: other programs may be busy. */
const END_MS_MAX = 200;
/** A machine that others use can delay even what takes no time; a program that is slow is so from the same state again. */
const TRIES = 3;
/** A process that waits for something takes no processor time, but must end as well. */
const HANG_MS = 120_000;

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
    for (const kill of kills) {
      const [data, kept] = [world.data("data"), world.data("kept")];
      rmSync(kept, { recursive: true, force: true });
      if (existsSync(data)) cpSync(data, kept, { recursive: true });
      let took = Number.POSITIVE_INFINITY;
      for (let tried = 0; tried < TRIES && took >= END_MS_MAX; tried += 1) {
        rmSync(data, { recursive: true, force: true });
        if (existsSync(kept)) cpSync(kept, data, { recursive: true });
        took = Math.min(took, await endOf(kill, world, court));
      }
      court.holds("ends when told", took < END_MS_MAX, () => `${kill.command} takes ${took} ms after ${kill.signal}`);
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

/** Runs a command, sends the signal, and returns the milliseconds until the end. */
async function endOf({ command, signal, ms }: Kill, world: World, court: Court): Promise<number> {
  const child = Bun.spawn([await binary(), ...COMMANDS[command], "--data-dir", world.data("data")], {
    cwd: world.repo.path,
    env: { ...cleanEnvironment(world.home), ...world.environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await Promise.race([Bun.sleep(ms), child.exited]);
  const before = cpuMs(child.pid);
  const told = performance.now();
  child.kill(signal);
  const isEnded = await Promise.race([child.exited.then(() => true), Bun.sleep(HANG_MS).then(() => false)]);
  const passed = performance.now() - told;
  court.holds("ends when told", isEnded, () => `${command} ignores ${signal}`);
  if (!isEnded) child.kill("SIGKILL");
  await child.exited;
  const code = SIGNALS[signal];
  const isKnown = child.exitCode === null || [0, 1, 2, 3, 10, code].includes(child.exitCode);
  court.holds("exit code", isKnown, () => `${command} after ${signal}: ${child.exitCode}`);
  const spent = Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1000 - (before ?? Number.POSITIVE_INFINITY);
  return Math.min(passed, spent);
}

/** The processor time of a running process so far; null if it is gone. Clock ticks are 10 ms on Linux. */
function cpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}
