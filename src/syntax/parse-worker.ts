/**
 * The parse worker: one thread that parses and measures what the pool sends it, one text at a time.
 *
 * An error here means that WebAssembly memory may be damaged (an abort, no memory left), so it is
 * reported and the pool replaces the worker. Not here: what to do then (`parse-pool.ts`).
 */
import { openTokenCounter } from "../text/tokens.ts";
import { hasDocstrings } from "./grammars.ts";
import { measure } from "./measure.ts";
import { parseFile, textFacts } from "./parse.ts";
import type { ParseReply, ParseRequest } from "./parse-messages.ts";

declare const self: Worker;

const now = (): number => performance.now();
const counting = openTokenCounter("o200k_base", { margin: 0 });

async function answer({ text, language, problem, timeMsMax, factsMax }: ParseRequest): Promise<ParseReply> {
  try {
    const parsed =
      problem === null
        ? await parseFile(text, language, { timeMsMax, factsMax, now })
        : { facts: textFacts(text, problem), commentLines: [] };
    return { kind: "done", ...measure(text, parsed, hasDocstrings(language), await counting) };
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
counting.then(() => self.postMessage({ kind: "ready" } satisfies ParseReply));
