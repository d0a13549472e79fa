/**
 * The terminal interface with a look that breaks when the file named in BREAKS is there: a view throws in the middle of
 * drawing. Ends with 70 and the bug's words, as `main.ts` does.
 */
import { existsSync } from "node:fs";
import { openApp } from "../../src/app.ts";
import { start } from "../../src/tui/start.tsx";

const environment = {
  cwd: process.cwd(),
  variables: { ...process.env },
  uid: process.getuid?.() ?? null,
  processors: 1,
  pid: process.pid,
  host: "here",
  program: [],
};
const request = { environment, repo: null, flags: [] };
const broken = process.env.BREAKS ?? "";

async function main(): Promise<void> {
  const app = await openApp(request);
  await start(
    {
      device: {
        keys: () => process.stdin,
        screen: process.stdout,
        words: [],
        piped: () => null,
        onLeaving: () => {},
        lent: (use) => use(),
        standStill: async () => {},
      },
      keys: process.stdin,
      app,
      world: { request, place: [], wish: { template: null, refresh: true } },
      look: {
        get ascii(): boolean {
          if (existsSync(broken)) throw new Error("a view broke");
          return false;
        },
        colour: true,
        screenReader: null,
      },
      task: null,
      resume: null,
      environment,
      files: { isTaken: () => false, writeFile: () => {} },
    },
    new AbortController().signal,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`, () => process.exit(70));
});
