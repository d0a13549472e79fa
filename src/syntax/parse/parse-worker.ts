/**
 * The parse worker: one thread that parses and measures the texts of the pool, one at a time.
 *
 * An error here means that WebAssembly memory may be damaged (an abort, out of memory), so it is reported, and the pool
 * replaces the worker.
 */
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import { measure } from "../facts/measure.ts";
import { textFacts } from "../facts/text-facts.ts";
import { parseFile } from "./parse.ts";
import type { ParseReply, ParseRequest } from "./parse-messages.ts";
import { ownThread } from "./thread-time.ts";
import { adoptModules } from "./wasm-modules.ts";

declare const self: Worker;

// Standard output belongs to the command, even in a thread, but the runtime prints messages about grammars there.
const { error: aside } = console;
Object.assign(console, { log: aside });

/** The processor time of this thread, so that a busy machine gives the same facts as an idle one. */
function now(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A file is long after this share of its time limit. */
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

// The time of a file does not include loading the tokenizer.
counting.then(() => self.postMessage({ kind: "ready", thread: ownThread() } satisfies ParseReply));
