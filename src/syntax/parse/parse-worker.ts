/**
 * The parse worker: one thread that parses and measures what the pool sends it, one text at a time.
 *
 * An error here means that WebAssembly memory may be damaged (an abort, no memory left), so it is
 * reported and the pool replaces the worker. Not here: what to do then (`parse-pool.ts`).
 */
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import { measure } from "../facts/measure.ts";
import { textFacts } from "../facts/text-facts.ts";
import { parseFile } from "./parse.ts";
import type { ParseReply, ParseRequest } from "./parse-messages.ts";
import { ownThread } from "./thread-time.ts";
import { adoptModules } from "./wasm-modules.ts";

declare const self: Worker;

// Standard output is the command's own, also in a thread, and the runtime says there what it makes of a grammar.
const { error: aside } = console;
Object.assign(console, { log: aside });

/** This thread's own time, so that a busy machine gives the same facts as an idle one. */
function now(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A file that has used this part of its time is a long one. */
const LONG_PART = 0.25;

const counting = openTokenCounter("o200k_base", { margin: 0, remember: false });

async function answer({ text, language, problem, timeMsMax, factsMax, modules }: ParseRequest): Promise<ParseReply> {
  try {
    adoptModules(modules);
    const started = now();
    const parsed =
      problem === null
        ? await parseFile(text, language, { timeMsMax, factsMax, now })
        : { facts: textFacts(text, problem), commentLines: [] };
    if (now() - started > LONG_PART * timeMsMax) self.postMessage({ kind: "parsed" } satisfies ParseReply);
    return { kind: "done", ...measure(text, parsed, language, await counting) };
  } catch (error) {
    return { kind: "broken", why: error instanceof Error ? error.message : String(error) };
  }
}

self.addEventListener("message", async (event: MessageEvent<ParseRequest>) => {
  const reply = await answer(event.data);
  if (reply.kind === "done" && reply.stats.buffer instanceof ArrayBuffer) {
    self.postMessage(reply, [reply.stats.buffer]);
  } else self.postMessage(reply);
});

// A file's time is its own: the tokenizer is loaded before the first one is sent.
counting.then(() => self.postMessage({ kind: "ready", thread: ownThread() } satisfies ParseReply));
