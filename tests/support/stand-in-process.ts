/** Starts the stand-in server in its own process, so that it does not block tests of the compiled binary. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Received } from "./stand-in-request.ts";
import type { StandInRules } from "./stand-in-rules.ts";

export type StandInProcess = AsyncDisposable & {
  readonly port: number;
  readonly url: string;
  /** The requests so far. */
  requests(): Promise<readonly Received[]>;
};

/** `rules` is a list of rules or the path of a module that exports `reply`. Disposing ends the process. */
export async function startOllamaProcess(rules: StandInRules | string): Promise<StandInProcess> {
  const folder = mkdtempSync(join(tmpdir(), "stand-in-"));
  const file = typeof rules === "string" ? rules : join(folder, "rules.json");
  if (typeof rules !== "string") writeFileSync(file, JSON.stringify(rules));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "stand-in-ollama-main.ts"), file], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let output = "";
  while (!output.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stand-in server ended: ${output}`);
    output += new TextDecoder().decode(value);
  }
  const port = Number(output.trim());
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    async requests() {
      const answer = await fetch(`${url}/stand-in/requests`);
      const received: readonly Received[] = JSON.parse(await answer.text());
      return received;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
