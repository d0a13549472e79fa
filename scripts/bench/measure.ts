/**
 * Runs a program repeatedly and measures its time, processor time and memory from start to exit.
 *
 * A whole process is what a user waits for. Processor time is reported too because it varies less on a busy machine.
 */

/** One process. `peakBytes` is its peak resident memory, as the system reports it. */
export type Sample = { readonly wallMs: number; readonly cpuMs: number; readonly peakBytes: number };

/** Several equal processes: median values, extremes of the time, peak memory. */
export type Measured = Sample & { readonly wallMsMin: number; readonly wallMsMax: number; readonly runs: number };

export type Invocation = {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; empty by default. */
  readonly stdin?: string;
  /** The program is killed after this time; unlimited by default. */
  readonly msMax?: number;
};

/** Runs a program once. Throws its error output if it does not exit with 0, and says so if it had no time for more. */
export async function runOnce({ command, cwd, env, stdin, msMax }: Invocation): Promise<Sample> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "ignore",
    stderr: "pipe",
    ...(msMax === undefined ? {} : { timeout: msMax, killSignal: "SIGKILL" as const }),
  });
  const errors = await new Response(child.stderr).text();
  const code = await child.exited;
  const wallMs = performance.now() - started;
  if (msMax !== undefined && wallMs >= msMax) throw new Error(`no end within ${(msMax / 1000).toFixed(0)} s`);
  if (code !== 0) throw new Error(`${command.slice(1).join(" ")} exited with ${code}\n${errors.trim()}`);
  const usage = child.resourceUsage();
  return { wallMs, cpuMs: Number(usage?.cpuTime.total ?? 0) / 1000, peakBytes: usage?.maxRSS ?? 0 };
}

/** Takes `runs` samples after a warm-up. */
export async function measure(runs: number, take: () => Promise<Sample>): Promise<Measured> {
  await take();
  const samples: Sample[] = [];
  for (let run = 0; run < runs; run += 1) samples.push(await take());
  return summaryOf(samples);
}

export function summaryOf(samples: readonly Sample[]): Measured {
  const walls = samples.map(({ wallMs }) => wallMs);
  return {
    wallMs: median(walls),
    wallMsMin: Math.min(...walls),
    wallMsMax: Math.max(...walls),
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
    peakBytes: Math.max(...samples.map(({ peakBytes }) => peakBytes)),
    runs: samples.length,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [below = 0, above = below] = sorted.slice(
    Math.floor((sorted.length - 1) / 2),
    Math.floor(sorted.length / 2) + 1,
  );
  return (below + above) / 2;
}
