/** Runs a process of this program that prints one outcome a line, and forwards the outcomes. */

import { type Outcome, readOutcome } from "../../evaluation/report/outcome.ts";
import type { Environment } from "../workspace/environment.ts";

type ChildRequest = {
  readonly environment: Environment;
  readonly words: readonly string[];
  /** The cases that it runs; those without an outcome have failed. */
  readonly ids: readonly string[];
};

/** Characters of standard error shown. */
const COMPLAINT_CHARS_MAX = 300;

/** Follows the process to its end. Throws only if it is aborted. */
export async function follow(
  { environment, words, ids }: ChildRequest,
  on: (outcome: Outcome) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const child = Bun.spawn([...environment.program, ...words], {
    cwd: environment.cwd,
    env: { ...environment.variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal,
    killSignal: "SIGTERM",
  });
  const complaint = new Response(child.stderr).text();
  const heard = new Set<string>();
  for await (const line of linesOf(child.stdout)) {
    const outcome = readOutcome(line);
    if (outcome === null) continue;
    if (outcome.event !== "noted") heard.add(outcome.id);
    await on(outcome);
  }
  await child.exited;
  signal.throwIfAborted();
  const why = (await complaint).trim().split("\n").at(-1)?.slice(0, COMPLAINT_CHARS_MAX);
  for (const id of ids)
    if (!heard.has(id))
      await on({ event: "failed", id, why: why || `cra ended with ${child.exitCode ?? child.signalCode}` });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
