/** A process that swaps a folder for a link, and back, as fast as it can. */
import { renameSync, symlinkSync } from "node:fs";

/** `stop` ends the process, with the folder in its place, and returns how often it swapped. */
export type Swapper = AsyncDisposable & { stop(): Promise<number> };

/** Swaps `folder` for a link to `outside`. Resolves after the first swaps. */
export async function startSwapper(folder: string, outside: string): Promise<Swapper> {
  const child = Bun.spawn([process.execPath, import.meta.path, folder, outside], {
    env: { ...process.env, BUN_BE_BUN: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = child.stdout.getReader();
  await lines.read();
  let swaps: Promise<number> | null = null;
  const stop = (): Promise<number> =>
    (swaps ??= (async () => {
      await child.stdin.end();
      const { value } = await lines.read();
      await child.exited;
      return Number(new TextDecoder().decode(value));
    })());
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

async function swap(folder: string, outside: string): Promise<void> {
  const [kept, link] = [`${folder}.kept`, `${folder}.link`];
  symlinkSync(outside, link);
  let swaps = 0;
  let isOver = false;
  process.stdin.on("end", () => {
    isOver = true;
  });
  process.stdin.resume();
  while (!isOver) {
    for (let round = 0; round < 200; round++) {
      renameSync(folder, kept);
      renameSync(link, folder);
      renameSync(folder, link);
      renameSync(kept, folder);
      swaps++;
    }
    if (swaps === 200) process.stdout.write("started\n");
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.stdout.write(`${swaps}\n`);
}

const [folder, outside] = process.argv.slice(2);
if (import.meta.main && folder !== undefined && outside !== undefined) await swap(folder, outside);
